// SPDX-License-Identifier: Apache-2.0
#include "linux/pci_config.hpp"

#include "linux/pci_scan.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace fabric::linux_host {

namespace {

constexpr const char* kAction = "read config space";

// Fewer bytes than asked for: held back by the kernel, or not there.
Error shortRead(PciAddress address, int fd, std::size_t end, std::size_t reached) {
    struct stat found{};
    const std::size_t size =
        ::fstat(fd, &found) == 0 ? static_cast<std::size_t>(found.st_size) : 0;
    Error error{.kind = ErrorKind::malformed,
                .action = kAction,
                .subject = address.text(),
                .detail = "the config space ends at " + std::to_string(size) +
                          " bytes, " + std::to_string(end) + " were asked for"};
    if (reached < std::min(size, end)) {
        // pci_read_config shows 64 bytes to an opener without CAP_SYS_ADMIN in the
        // initial user namespace (drivers/pci/pci-sysfs.c).
        error.kind = ErrorKind::permission;
        error.detail =
            "the kernel shows only the first bytes of the config space to "
            "this process";
        error.advice = "run as root with CAP_SYS_ADMIN";
    }
    return error;
}

}  // namespace

Result<std::vector<host::PciFunction>> PciConfigReader::functions() const {
    return scanPciFunctions(*files_);
}

Result<std::vector<std::byte>> PciConfigReader::readConfig(PciAddress address,
                                                           std::uint16_t offset,
                                                           std::uint16_t length) const {
    std::vector<std::byte> bytes(length);
    if (access_->read(address, offset, bytes)) {
        return bytes;
    }
    access_->forget();
    return readDirectly(address, offset, length);
}

Result<std::vector<std::byte>> PciConfigReader::readDirectly(
    PciAddress address, std::uint16_t offset, std::uint16_t length) const {
    const std::string path =
        std::string(kPciDevices) + "/" + address.text() + "/config";
    const UniqueFd fd = root_->open(path, O_RDONLY);
    if (!fd.valid()) {
        return fail(systemError(kAction, address.text(), errno));
    }
    std::vector<std::byte> bytes(length);
    const ssize_t got = ::pread(fd.get(), bytes.data(), bytes.size(), offset);
    if (got < 0) {
        return fail(systemError(kAction, address.text(), errno));
    }
    const auto count = static_cast<std::size_t>(got);
    if (count < bytes.size()) {
        return fail(shortRead(address,
                              fd.get(),
                              std::size_t{offset} + length,
                              std::size_t{offset} + count));
    }
    // The function was removed and came back under libpci's old descriptor.
    return bytes;
}

}  // namespace fabric::linux_host
