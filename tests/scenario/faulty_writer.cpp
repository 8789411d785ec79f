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

host::Writer FaultyWriter::writer() {
    return {.files = *this,
            .links = *this,
            .dcb = *this,
            .ethtool = *this,
            .pci = *this,
            .ipv4 = *this,
            .services = real_.services == nullptr ? nullptr : this,
            .modules = real_.modules == nullptr ? nullptr : this,
            .neighbours = real_.neighbours == nullptr ? nullptr : this,
            .announcer = real_.announcer == nullptr ? nullptr : this};
}

template <typename Answer>
Answer FaultyWriter::through(const std::function<Answer()>& real,
                             Answer success,
                             const std::function<void()>& partly) {
    before(++calls_);
    if (death_ && calls_ >= *death_) {
        return success;
    }
    if (calls_ != nth_) {
        return real();
    }
    if (fault_.half) {
        partly();
    } else if (fault_.takesEffect) {
        static_cast<void>(real());
    }
    if (fault_.timedOut) {
        return fail(Error{
            .kind = ErrorKind::timeout, .action = "write", .subject = "the machine"});
    }
    if (fault_.sysErrno != 0) {
        return fail(systemError("write", "the machine", fault_.sysErrno));
    }
    return success;
}

Result<void> FaultyWriter::writeAttribute(std::string_view path,
                                          std::string_view text) {
    asked.emplace_back(resource::AttributeWrite{std::string(path), std::string(text)});
    return through<Result<void>>(
        [&] { return real_.files.writeAttribute(path, text); },
        {},
        [&] {
            const std::string_view half = text.substr(0, text.size() / 2);
            if (!half.empty()) {
                static_cast<void>(real_.files.writeAttribute(path, half));
            }
        });
}

Result<void> FaultyWriter::replaceFile(std::string_view path,
                                       std::string_view text,
                                       const host::FileAccess& access) {
    asked.emplace_back(resource::FileReplace{
        std::string(path), std::string(text), access.mode, access.owner});
    return through<Result<void>>(
        [&] { return real_.files.replaceFile(path, text, access); }, {});
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
    return through<Result<void>>(
        [&] { return real_.ipv4.set(link, values); },
        {},
        [&] { static_cast<void>(real_.ipv4.set(link, {*values.begin()})); });
}

Result<void> FaultyWriter::setAll(const host::Ipv4Values& values) {
    asked.emplace_back(resource::Ipv4ConfWrite{.link = {}, .values = values});
    return through<Result<void>>(
        [&] { return real_.ipv4.setAll(values); },
        {},
        [&] { static_cast<void>(real_.ipv4.setAll({*values.begin()})); });
}

Result<void> FaultyWriter::reload(std::string_view unit) {
    return through<Result<void>>([&] { return real_.services->reload(unit); }, {});
}

Result<void> FaultyWriter::restart(const host::RestartRequest& request) {
    asked.emplace_back(request);
    return through<Result<void>>([&] { return real_.services->restart(request); }, {});
}

Result<void> FaultyWriter::load(std::string_view name) {
    asked.emplace_back(resource::ModuleLoad{std::string(name)});
    return through<Result<void>>([&] { return real_.modules->load(name); }, {});
}

Result<void> FaultyWriter::remove(const host::NeighbourKey& key) {
    return through<Result<void>>([&] { return real_.neighbours->remove(key); }, {});
}

Result<void> FaultyWriter::resolve(const host::NeighbourKey& key) {
    return through<Result<void>>([&] { return real_.neighbours->resolve(key); }, {});
}

Result<void> FaultyWriter::announce(IfIndex link, MacAddress mac, IpAddress ipv4) {
    asked.emplace_back(resource::GratuitousArp{link, mac, ipv4});
    return through<Result<void>>(
        [&] { return real_.announcer->announce(link, mac, ipv4); }, {});
}

}  // namespace fabric::scenario
