// SPDX-License-Identifier: Apache-2.0
#include "fake/fake_pci.hpp"

#include <algorithm>
#include <cerrno>

namespace fabric::fake {

namespace {

constexpr std::size_t kConfigSize = 4096;
constexpr std::size_t kUnprivileged = 64;  // drivers/pci/pci-sysfs.c pci_read_config
constexpr std::uint16_t kClassRevision = 0x08;
constexpr std::uint16_t kCapabilityPointer = 0x34;
constexpr std::uint16_t kExpress = 0x40;

std::uint16_t wordAt(const std::vector<std::byte>& bytes, std::size_t offset) {
    return static_cast<std::uint16_t>(
        std::to_integer<unsigned>(bytes[offset]) |
        (std::to_integer<unsigned>(bytes[offset + 1]) << 8U));
}

}  // namespace

std::uint16_t FakeFunction::word(std::uint16_t offset) const {
    return wordAt(config, offset);
}

void FakeFunction::setWord(std::uint16_t offset, std::uint16_t value) {
    config[offset] = static_cast<std::byte>(value & 0xFFU);
    config[offset + 1U] = static_cast<std::byte>(value >> 8U);
}

void FakeFunction::setDword(std::uint16_t offset, std::uint32_t value) {
    setWord(offset, static_cast<std::uint16_t>(value & 0xFFFFU));
    setWord(static_cast<std::uint16_t>(offset + 2U),
            static_cast<std::uint16_t>(value >> 16U));
}

void FakeFunction::addExtendedCapability(std::uint16_t offset,
                                         std::uint16_t id,
                                         std::uint16_t next,
                                         std::uint8_t version) {
    setDword(offset,
             id | (std::uint32_t{version} << 16U) | (std::uint32_t{next} << 20U));
}

FakeFunction& FakePci::add(host::PciFunction info) {
    FakeFunction function;
    function.config.assign(kConfigSize, std::byte{0});
    function.setWord(0, info.vendor);
    function.setWord(2, info.device);
    function.setWord(0x06, 0x0010);  // status: capability list present
    function.setDword(kClassRevision, info.classCode << 8U);
    function.setWord(kCapabilityPointer, kExpress);
    function.setWord(kExpress, 0x0010);  // PCI Express, last
    const PciAddress address = info.address;
    function.info = std::move(info);
    return functions_[address] = std::move(function);
}

FakeFunction* FakePci::find(PciAddress address) {
    const auto found = functions_.find(address);
    return found == functions_.end() ? nullptr : &found->second;
}

Result<std::vector<host::PciFunction>> FakePci::functions() const {
    ++scans;
    if (functionsError) {
        return fail(*functionsError);
    }
    std::vector<host::PciFunction> all;
    for (const auto& [address, function] : functions_) {
        if (!function.gone) {
            all.push_back(function.info);
        }
    }
    return all;
}

Result<std::vector<std::byte>> FakePci::readConfig(PciAddress address,
                                                   std::uint16_t offset,
                                                   std::uint16_t length) const {
    const auto found = functions_.find(address);
    if (found == functions_.end() || found->second.gone) {
        return fail(systemError("read config space", address.text(), ENOENT));
    }
    const FakeFunction& function = found->second;
    const std::size_t end = std::size_t{offset} + length;
    const std::size_t limit = std::min(function.visible, function.config.size());
    if (end > limit) {
        const bool hidden = function.visible <= kUnprivileged &&
                            function.config.size() > function.visible;
        return fail(Error{.kind = hidden ? ErrorKind::permission : ErrorKind::malformed,
                          .action = "read config space",
                          .subject = address.text(),
                          .sysErrno = hidden ? EPERM : 0,
                          .detail = "only " + std::to_string(limit) +
                                    " bytes of the config space can be read",
                          .advice = {}});
    }
    if (function.allOnes) {
        return std::vector<std::byte>(length, std::byte{0xFF});
    }
    const auto first = function.config.begin() + offset;
    return std::vector<std::byte>(first, first + length);
}

Result<host::PciWordUpdate> FakePci::update(const host::PciCapabilityWrite& write) {
    const auto header = readConfig(write.address, write.capability, 4);
    if (!header) {
        return fail(header.error());
    }
    if (wordAt(*header, 0) != write.capabilityId) {
        return fail(Error{.kind = ErrorKind::mismatch,
                          .action = "write config space",
                          .subject = write.address.text(),
                          .sysErrno = 0,
                          .detail = "the capability is not there any more",
                          .advice = {}});
    }
    FakeFunction& function = functions_.at(write.address);
    const auto offset =
        static_cast<std::uint16_t>(write.capability + write.registerOffset);
    const std::uint16_t before = function.word(offset);
    const auto wanted =
        static_cast<std::uint16_t>((before & ~unsigned{write.clear}) | write.set);
    const host::PciWordUpdate done{.before = before, .written = wanted};
    const int error = wanted == before ? 0 : function.refuseWrite;
    writes.push_back({.request = write, .done = done, .sysErrno = error});
    if (error != 0) {
        return fail(systemError("write config space", write.address.text(), error));
    }
    const unsigned fixed = function.readOnly[offset];
    if (!function.ignoreWrite) {
        function.setWord(
            offset, static_cast<std::uint16_t>((before & fixed) | (wanted & ~fixed)));
    }
    return done;
}

}  // namespace fabric::fake
