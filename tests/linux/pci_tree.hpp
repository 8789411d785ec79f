// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/address.hpp"
#include "linux/temporary_directory.hpp"

#include <cstdint>
#include <string>

namespace fabric::linux_host::testing {

inline constexpr std::uint16_t kAcsId = 0x000D;
inline constexpr std::uint16_t kAcsAt = 0x148;

// A /sys/bus/pci made of plain files below a temporary root. Plain files take any
// write, so refusals need other means.
class PciTree {
  public:
    [[nodiscard]] std::string root() const { return directory_.path().string(); }

    // A port at the end of `path` ("pci0000:00/0000:00:01.0") with an ACS capability.
    PciAddress addPort(const std::string& path, std::uint16_t acsControl) const {
        std::string config(4096, '\0');
        put(config, 0x00, 0x8086);
        put(config, 0x02, 0x352A);
        put(config, kAcsAt, kAcsId);
        put(config, kAcsAt + 2, 1);
        put(config, kAcsAt + 4, 0x005F);
        put(config, kAcsAt + 6, acsControl);
        return addFunction(path, config);
    }

    PciAddress addFunction(const std::string& path, const std::string& config) const {
        const std::string name = path.substr(path.rfind('/') + 1);
        const std::string device = "sys/devices/" + path;
        directory_.write(device + "/config", config);
        directory_.write(device + "/vendor", "0x8086\n");
        directory_.write(device + "/device", "0x352a\n");
        directory_.write(device + "/class", "0x060400\n");
        std::filesystem::create_directories(directory_.path() / "sys/bus/pci/devices");
        std::filesystem::create_symlink(
            "../../../devices/" + path,
            directory_.path() / "sys/bus/pci/devices" / name);
        return PciAddress::parse(name).value();
    }

    [[nodiscard]] std::filesystem::path configOf(PciAddress address) const {
        return directory_.path() / "sys/bus/pci/devices" / address.text() / "config";
    }

    [[nodiscard]] std::uint16_t word(PciAddress address, std::size_t offset) const {
        const std::string config =
            directory_.content("sys/bus/pci/devices/" + address.text() + "/config");
        return static_cast<std::uint16_t>(
            static_cast<unsigned char>(config.at(offset)) |
            (static_cast<unsigned char>(config.at(offset + 1)) << 8U));
    }

    static void put(std::string& config, std::size_t offset, std::uint16_t value) {
        config[offset] = static_cast<char>(value & 0xFFU);
        config[offset + 1] = static_cast<char>(value >> 8U);
    }

  private:
    TemporaryDirectory directory_;
};

}  // namespace fabric::linux_host::testing
