// SPDX-License-Identifier: Apache-2.0
#include "scenario/storage_node.hpp"

#include "profile/load.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>

namespace fabric::scenario {

namespace {

constexpr std::uint16_t kAcsOffset = 0x148;
constexpr std::uint16_t kAcsCapability = 0x000D;
constexpr std::uint16_t kAllAcsBits = 0x005F;
constexpr std::uint16_t kKernelDefault = 0x001D;

const char* nameOf(fake::DcbDriver driver) {
    switch (driver) {
        case fake::DcbDriver::mlx5:
            return "mlx5_core";
        case fake::DcbDriver::bnxt:
            return "bnxt_en";
        case fake::DcbDriver::ice:
            return "ice";
        default:
            return "e1000";
    }
}

}  // namespace

StorageNode::StorageNode(unsigned rails, fake::DcbDriver driver) : driver_(driver) {
    host.useDcb(fakeDcb, fakeDcb);
    host.files.addFile("/proc/sys/kernel/hostname", "node1\n");
    host.files.addFile("/proc/sys/kernel/osrelease", "6.1.0-57-amd64\n");
    host.files.addFile("/proc/sys/kernel/random/boot_id",
                       "5a0f2d7e-8d7b-4a0e-9d38-111111111111\n");
    host.files.addFile("/proc/cmdline", "quiet\n");
    host.files.addFile("/proc/cpuinfo", "flags : fpu\n");
    host.files.addFile("/proc/self/status",
                       "Uid:\t0\t0\t0\t0\nCapEff:\t000001ffffffffff\n");
    host.files.addFile("/proc/self/uid_map", "         0          0 4294967295\n");
    host.files.addFile("/sys/kernel/security/lockdown",
                       "[none] integrity confidentiality\n");
    host.files.addDirectory("/run");
    host.files.addDirectory("/etc/sysctl.d");
    for (unsigned rail = 0; rail < rails; ++rail) {
        addRail(rail);
    }
    addPort({.domain = 0, .bus = 0, .device = 0x1E, .function = 0},
            {.address = {.domain = 0, .bus = 0x40, .device = 0, .function = 0},
             .vendor = 0x10DE,
             .device = 0x2330,
             .classCode = 0x030200,
             .driver = "nvidia"});
}

void StorageNode::addRail(unsigned rail) {
    const auto bus = static_cast<std::uint8_t>(0x10 + rail);
    const PciAddress function{.domain = 0, .bus = bus, .device = 0, .function = 0};
    addPort(rootPortOf(rail),
            {.address = function,
             .vendor = 0x15B3,
             .device = 0x1021,
             .classCode = 0x020000,
             .driver = ::fabric::scenario::nameOf(driver_)});

    host::Link& link = host.links.add(linkOf(rail).number, nameOf(rail));
    link.parentBus = "pci";
    link.parentDevice = function.text();
    link.maxMtu = 9978;
    host.ethtool.drivers[linkOf(rail)] = {.driver = ::fabric::scenario::nameOf(driver_),
                                          .firmware = "28.39",
                                          .bus = function.text()};
    host.ethtool.pauses[linkOf(rail)] = {};
    host.rdma.add("mlx5_" + std::to_string(rail), linkOf(rail), function.text());

    const std::string device = "/sys/bus/pci/devices/" + function.text();
    host.files.addFile(device + "/vendor", "0x15b3\n");
    host.files.addFile(device + "/device", "0x1021\n");
    host.files.addFile(device + "/numa_node", "0\n");
    const std::string bound =
        std::string("/sys/bus/pci/drivers/") + ::fabric::scenario::nameOf(driver_);
    host.files.addDirectory(bound);
    host.files.addLink(device + "/driver", bound);
    host.files.addDirectory("/sys/class/net/" + nameOf(rail));
    if (driver_ == fake::DcbDriver::mlx5) {
        addEcn(rail);
    } else if (driver_ == fake::DcbDriver::bnxt) {
        addCongestionControl(rail);
    }
    fakeDcb.add(linkOf(rail), driver_);
    host.ipv4.add(linkOf(rail));
    host.links.addressList.push_back(
        {.link = linkOf(rail),
         .octets = {10, 0, static_cast<std::uint8_t>(rail), 1},
         .prefixLength = 24});
}

void StorageNode::addCongestionControl(unsigned rail) {
    const std::string folder =
        "/sys/kernel/debug/bnxt_re/0000:" + fmt::format("{:02x}", 0x10 + rail) +
        ":00.0/cc_config/";
    for (const char* name : {"enable_cc", "tos_ecn", "alt_vlan_dscp"}) {
        addSwitch(folder + name);
    }
}

void StorageNode::addSwitch(const std::string& path) {
    host.files.addAttribute(path, "0\n", [this, path](std::string_view text) {
        host.files.find(path)->content = std::string(text) + "\n";
        return 0;
    });
}

void StorageNode::addEcn(unsigned rail) {
    for (const char* point : {"roce_rp", "roce_np"}) {
        for (unsigned priority = 0; priority < 8; ++priority) {
            addSwitch(ecn(rail, point, priority));
        }
    }
}

void StorageNode::addPort(PciAddress rootPort, host::PciFunction below) {
    host.pci.add({.address = rootPort,
                  .hostBridge = "pci0000:00",
                  .vendor = 0x1B36,
                  .device = 0x000C,
                  .classCode = 0x060400,
                  .driver = "pcieport"});
    auto& port = *host.pci.find(rootPort);
    constexpr std::uint16_t kPciExpressFlags = 0x42;
    constexpr std::uint16_t kRootPortType = 0x0042;
    port.setWord(kPciExpressFlags, kRootPortType);
    port.addExtendedCapability(0x100, 0x0001, kAcsOffset);
    port.addExtendedCapability(kAcsOffset, kAcsCapability, 0);
    port.setWord(kAcsOffset + 4, kAllAcsBits);
    port.setWord(kAcsOffset + 6, kKernelDefault);
    below.hostBridge = "pci0000:00";
    below.bridges = {rootPort};
    host.pci.add(below);
}

std::string StorageNode::ecn(unsigned rail,
                             std::string_view point,
                             unsigned priority) const {
    return "/sys/class/net/" + nameOf(rail) + "/ecn/" + std::string(point) +
           "/enable/" + std::to_string(priority);
}

std::string StorageNode::wrongDcbOn(unsigned rail) {
    std::string wrong;
    const auto must = [&](bool holds, const char* what) {
        wrong += holds ? "" : std::string(what) + " ";
    };
    const fake::FakeDcbPort& port = dcb(rail);
    must((port.dcbx & 1U) != 0, "dcbx");
    must(port.pfc.pfc_en == 0x08, "pfc");
    must(port.hardwareTrustsDscp, "trust");
    must(port.hardwareMap.at(26) == 3, "dscp-26");
    must(port.listed(26) == std::set<std::uint8_t>{3}, "dscp-26-list");
    if (driver_ != fake::DcbDriver::mlx5) {
        return wrong;
    }
    for (std::uint8_t dscp = 0; dscp < 64; ++dscp) {
        must(port.hardwareMap.at(dscp) == (dscp == 26 ? 3 : dscp >> 3U), "dscp-map");
    }
    for (unsigned priority = 0; priority < 8; ++priority) {
        must(port.buffer.prio2buffer[priority] == (priority == 3 ? 1 : 0), "buffer");
    }
    return wrong;
}

std::string StorageNode::wrongEcnOn(unsigned rail) {
    if (driver_ != fake::DcbDriver::mlx5) {
        return {};
    }
    std::string wrong;
    for (const char* point : {"roce_rp", "roce_np"}) {
        for (unsigned priority = 0; priority < 8; ++priority) {
            const std::string wanted = priority == 3 ? "1\n" : "0\n";
            const bool holds = host.files.content(ecn(rail, point, priority)) == wanted;
            wrong += holds ? "" : std::string("ecn-") + point + " ";
        }
    }
    return wrong;
}

std::string StorageNode::wrongMtuOn(unsigned rail) {
    return host.links.find(linkOf(rail))->mtu == 9000 ? "" : "mtu ";
}

std::string StorageNode::wrongPauseOn(unsigned rail) {
    const host::PauseParameters& pause = host.ethtool.pauses.at(linkOf(rail));
    return !pause.rx && !pause.tx ? "" : "pause ";
}

std::string StorageNode::wrongAcsOn(unsigned rail) {
    return host.pci.find(rootPortOf(rail))->word(0x14E) == 0x0011 ? "" : "acs ";
}

std::string StorageNode::wrongOn(unsigned rail) {
    return wrongDcbOn(rail) + wrongEcnOn(rail) + wrongMtuOn(rail) + wrongPauseOn(rail) +
           wrongAcsOn(rail);
}

std::string StorageNode::wrongArpOn(unsigned rail) {
    const host::Ipv4Values& values = host.ipv4.of(linkOf(rail));
    const bool live = values.at(host::Ipv4Key::arpIgnore) == 1 &&
                      values.at(host::Ipv4Key::arpAnnounce) == 2;
    const std::string path = "/etc/sysctl.d/99-zz-fabricctl.conf";
    const std::string kept =
        host.files.find(path) == nullptr ? "" : host.files.content(path);
    const bool next = kept.contains("/" + nameOf(rail) + "/arp_ignore") &&
                      kept.contains("/" + nameOf(rail) + "/arp_announce");
    return std::string(live ? "" : "arp ") + (next ? "" : "arp-at-boot ");
}

std::size_t StorageNode::writeCount() const {
    return host.files.writes().size() + host.links.mtuChanges.size() +
           host.ethtool.changes.size() + host.pci.writes.size() +
           host.ipv4.changes.size() + fakeDcb.setterCalls();
}

std::size_t StorageNode::writesTo(unsigned rail) {
    const auto onLink = [link = linkOf(rail)](const auto& change) {
        return change.link == link;
    };
    const std::string folder = "/" + nameOf(rail) + "/";
    const std::string marker =
        "/run/fabricctl/flush-pending/" + std::to_string(linkOf(rail).number);
    const auto inFolder = [&](const fake::FileWrite& write) {
        return write.path.contains(folder) || write.path == marker;
    };
    return static_cast<std::size_t>(
               std::ranges::count_if(host.links.mtuChanges, onLink) +
               std::ranges::count_if(host.ethtool.changes, onLink) +
               std::ranges::count_if(host.ipv4.changes, onLink) +
               std::ranges::count_if(host.files.writes(), inFolder)) +
           dcb(rail).setterCalls();
}

profile::Profile profileOf(const std::string& text) {
    auto parsed = profile::parse(text, "profile.yaml");
    if (!parsed) {
        for (const auto& error : parsed.error()) {
            ADD_FAILURE() << error.text();
        }
    }
    return *parsed;
}

profile::Profile losslessProfile() {
    return profileOf(R"(version: 1
name: lossless
dcb:
  trust: dscp
  lossless: { priority: 3, dscp: 26, buffer: 1 }
ecn:
  when-uncontrollable: report
mtu: 9000
pause: { rx: off, tx: off }
acs:
  clear: redirect
)");
}

}  // namespace fabric::scenario
