// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "doctor/gather.hpp"
#include "engine/status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace fabric::doctor {

namespace {

constexpr std::uint16_t kCapabilityPointer = 0x34;  // PCI_CAPABILITY_LIST
constexpr unsigned kPciExpress = 0x10;              // PCI_CAP_ID_EXP
constexpr std::uint16_t kDeviceControl = 8;         // PCI_EXP_DEVCTL
constexpr int kMostCapabilities = 48;

std::string textAt(const host::FileReader& files, const std::string& path) {
    const auto text = files.read(path);
    return text ? std::string(trimmed(*text)) : std::string();
}

unsigned numberAt(const host::FileReader& files, const std::string& path) {
    const auto number = parseUnsigned(textAt(files, path));
    return number && *number <= INT32_MAX ? static_cast<unsigned>(*number) : 0;
}

Error noRdmaPort() {
    return {.kind = ErrorKind::notFound,
            .action = "look at the RDMA port",
            .subject = "this rail",
            .sysErrno = 0,
            .detail = "it has none",
            .advice = {}};
}

Result<unsigned> byteAt(const host::PciReader& pci, PciAddress address, unsigned at) {
    const auto bytes = TRY(pci.readConfig(address, static_cast<std::uint16_t>(at), 1));
    return std::to_integer<unsigned>(bytes.at(0));
}

// Walks the capability list to the PCI Express capability.
Result<std::uint16_t> readDeviceControl(const host::PciReader& pci,
                                        PciAddress address) {
    unsigned at = TRY(byteAt(pci, address, kCapabilityPointer));
    for (int step = 0; step < kMostCapabilities && at != 0; ++step) {
        at &= 0xFCU;
        if (TRY(byteAt(pci, address, at)) == kPciExpress) {
            const auto word = TRY(pci.readConfig(
                address, static_cast<std::uint16_t>(at + kDeviceControl), 2));
            return static_cast<std::uint16_t>(std::to_integer<unsigned>(word.at(0)) |
                                              std::to_integer<unsigned>(word.at(1))
                                                  << 8U);
        }
        at = TRY(byteAt(pci, address, at + 1));
    }
    return fail(
        systemError("find the PCI Express capability", address.text(), ENODATA));
}

std::optional<PcieLink> readPcie(const host::Reader& host,
                                 const inventory::Rail& rail) {
    if (!rail.pci) {
        return std::nullopt;
    }
    const std::string folder = "/sys/bus/pci/devices/" + rail.pci->text() + "/";
    return PcieLink{.speed = textAt(host.files, folder + "current_link_speed"),
                    .maxSpeed = textAt(host.files, folder + "max_link_speed"),
                    .width = numberAt(host.files, folder + "current_link_width"),
                    .maxWidth = numberAt(host.files, folder + "max_link_width"),
                    .deviceControl = readDeviceControl(host.pci, *rail.pci)};
}

std::vector<host::LinkAddress> addressesOf(
    const Result<std::vector<host::LinkAddress>>& all, const inventory::Rail& rail) {
    std::vector<host::LinkAddress> own;
    for (const host::LinkAddress& address :
         all.value_or(std::vector<host::LinkAddress>{})) {
        if (std::ranges::find(
                rail.interfaces, address.link, &inventory::RailInterface::link) !=
            rail.interfaces.end()) {
            own.push_back(address);
        }
    }
    return own;
}

bool isEthernet(const inventory::Rail& rail) {
    return !rail.rdma || rail.rdma->linkLayer == host::LinkLayer::ethernet;
}

}  // namespace

std::vector<RailEvidence> gatherRails(const host::Reader& host,
                                      const std::vector<inventory::Rail>& rails) {
    const auto addresses = host.links.addresses();
    std::vector<RailEvidence> all;
    for (const inventory::Rail& rail : rails) {
        RailEvidence seen{
            .rail = rail,
            .ports = {},
            .attributes = rail.rdma
                              ? host.rdma.attributes(*rail.rdma)
                              : Result<host::RdmaPortAttributes>(fail(noRdmaPort())),
            .gids = rail.rdma ? inventory::readGids(host.files, *rail.rdma)
                              : Result<std::vector<Gid>>(fail(noRdmaPort())),
            .addresses = addressesOf(addresses, rail),
            .pcie = readPcie(host, rail),
            .speedMbps = numberAt(host.files, "/sys/class/net/" + rail.name + "/speed"),
            .first = watch::takeSample(host, rail),
            .second = std::nullopt};
        for (const inventory::PhysicalPort& port : rail.ports) {
            if (isEthernet(rail)) {
                seen.ports.push_back(engine::observePort(host, rail, port));
            }
        }
        all.push_back(std::move(seen));
    }
    return all;
}

}  // namespace fabric::doctor
