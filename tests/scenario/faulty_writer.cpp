// SPDX-License-Identifier: Apache-2.0
#include "faulty_writer.hpp"

#include <linux/dcbnl.h>
#include <linux/netlink.h>

namespace fabric::scenario {

namespace {

// A dcbnl answer that holds one result byte.
host::DcbAnswer answerOf(const host::DcbRequest& request, std::uint8_t code) {
    const bool isDcbx = request.command == host::DcbCommand::setDcbx;
    const std::uint16_t type = isDcbx ? DCB_ATTR_DCBX : DCB_ATTR_IEEE;
    constexpr std::uint8_t kLength = 5;
    host::DcbAnswer answer{std::byte{kLength}, std::byte{0}};
    answer.push_back(static_cast<std::byte>(type & 0xFFU));
    answer.push_back(static_cast<std::byte>(type >> 8U));
    answer.push_back(std::byte{code});
    answer.resize(NLA_ALIGN(kLength));
    return answer;
}

}  // namespace

template <typename Answer>
Answer FaultyWriter::through(const std::function<Answer()>& real, Answer success) {
    before(++calls_);
    if (calls_ != nth_) {
        return real();
    }
    if (fault_.takesEffect) {
        static_cast<void>(real());
    }
    if (fault_.sysErrno != 0) {
        return fail(systemError("write", "the machine", fault_.sysErrno));
    }
    return success;
}

Result<void> FaultyWriter::writeAttribute(std::string_view path,
                                          std::string_view text) {
    asked.emplace_back(resource::AttributeWrite{std::string(path), std::string(text)});
    return through<Result<void>>([&] { return real_.files.writeAttribute(path, text); },
                                 {});
}

Result<void> FaultyWriter::replaceFile(std::string_view path,
                                       std::string_view text,
                                       mode_t mode) {
    asked.emplace_back(
        resource::FileReplace{std::string(path), std::string(text), mode});
    return through<Result<void>>(
        [&] { return real_.files.replaceFile(path, text, mode); }, {});
}

Result<void> FaultyWriter::makeDirectory(std::string_view path, mode_t mode) {
    asked.emplace_back(resource::DirectoryCreate{std::string(path)});
    return through<Result<void>>([&] { return real_.files.makeDirectory(path, mode); },
                                 {});
}

Result<void> FaultyWriter::removeFile(std::string_view path) {
    asked.emplace_back(resource::FileRemove{std::string(path)});
    return through<Result<void>>([&] { return real_.files.removeFile(path); }, {});
}

Result<void> FaultyWriter::setMtu(IfIndex index, std::uint32_t mtu) {
    asked.emplace_back(resource::MtuWrite{index, mtu});
    return through<Result<void>>([&] { return real_.links.setMtu(index, mtu); }, {});
}

Result<host::DcbAnswer> FaultyWriter::set(const host::DcbRequest& request) {
    asked.emplace_back(resource::DcbWrite{request});
    return through<Result<host::DcbAnswer>>(
        [&] { return real_.dcb.set(request); },
        answerOf(request, fault_.dcbCode.value_or(0)));
}

Result<void> FaultyWriter::setPause(IfIndex link, const host::PauseParameters& wanted) {
    asked.emplace_back(resource::PauseWrite{link, wanted});
    return through<Result<void>>([&] { return real_.ethtool.setPause(link, wanted); },
                                 {});
}

Result<host::PciWordUpdate> FaultyWriter::update(
    const host::PciCapabilityWrite& write) {
    asked.emplace_back(write);
    return through<Result<host::PciWordUpdate>>([&] { return real_.pci.update(write); },
                                                host::PciWordUpdate{});
}

Result<void> FaultyWriter::set(IfIndex link, const host::Ipv4Values& values) {
    asked.emplace_back(resource::Ipv4ConfWrite{link, values});
    return through<Result<void>>([&] { return real_.ipv4.set(link, values); }, {});
}

Result<void> FaultyWriter::setAll(const host::Ipv4Values& values) {
    asked.emplace_back(resource::Ipv4ConfWrite{.link = {}, .values = values});
    return through<Result<void>>([&] { return real_.ipv4.setAll(values); }, {});
}

}  // namespace fabric::scenario
