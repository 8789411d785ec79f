// SPDX-License-Identifier: Apache-2.0
#include "linux/pci_writer.hpp"

#include "base/text.hpp"
#include "linux/libpci.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

namespace fabric::linux_host {

namespace {

constexpr const char* kAction = "write config space";

struct Word {
    int offset = 0;
    std::uint16_t value = 0;
};

std::string adviceFor(int sysErrno) {
    if (sysErrno == EPERM) {
        return "the kernel refuses writes to config space: see "
               "/sys/kernel/security/lockdown";
    }
    if (sysErrno == EROFS) {
        return "/sys is mounted read-only here: run on the host, or without "
               "ProtectKernelTunables=";
    }
    return {};
}

}  // namespace

Result<std::uint16_t> PciConfigWriter::readWord(PciAddress address,
                                                std::uint16_t offset) const {
    const std::vector<std::byte> bytes = TRY(reader_->readConfig(address, offset, 2));
    return static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[0]) |
                                      (std::to_integer<unsigned>(bytes[1]) << 8U));
}

Result<void> PciConfigWriter::writeWord(PciAddress address,
                                        std::uint16_t offset,
                                        std::uint16_t value) {
    Word word{.offset = offset, .value = value};
    const bool written = access_->with(
        address,
        [](pci_dev* device, void* argument) {
            const auto& wanted = *static_cast<const Word*>(argument);
            return pci_write_word(device, wanted.offset, wanted.value) != 0;
        },
        &word);
    if (written) {
        return {};
    }
    const LibpciAccess::Complaint complaint = LibpciAccess::complaint();
    access_->forget();
    Error error = systemError(
        kAction, address.text(), complaint.sysErrno == 0 ? EIO : complaint.sysErrno);
    error.detail = escapeForTerminal(complaint.text);
    error.advice = adviceFor(error.sysErrno);
    return fail(std::move(error));
}

Result<host::PciWordUpdate> PciConfigWriter::update(
    const host::PciCapabilityWrite& write) {
    const std::uint16_t id = TRY(readWord(write.address, write.capability));
    if (id != write.capabilityId) {
        return fail(Error{.kind = ErrorKind::mismatch,
                          .action = kAction,
                          .subject = write.address.text(),
                          .detail = fmt::format(
                              "capability {:#06x} was at offset {:#x}, and now {:#06x} "
                              "is there; nothing was written",
                              write.capabilityId,
                              write.capability,
                              id),
                          .advice = "the function was reset or replaced: run again"});
    }
    const auto offset =
        static_cast<std::uint16_t>(write.capability + write.registerOffset);
    const std::uint16_t before = TRY(readWord(write.address, offset));
    const auto wanted =
        static_cast<std::uint16_t>((before & ~unsigned{write.clear}) | write.set);
    if (wanted != before) {
        TRY(writeWord(write.address, offset, wanted));
    }
    return host::PciWordUpdate{.before = before, .written = wanted};
}

}  // namespace fabric::linux_host
