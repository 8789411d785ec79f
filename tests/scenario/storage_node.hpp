// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fake/fake_dcb.hpp"
#include "fake/fake_host.hpp"
#include "profile/profile.hpp"

#include <string>

namespace fabric::scenario {

// A storage node in memory: rails rail0.. (ifindex 10..) that carry mlx5_0.., each
// behind its own ACS port, with OFED ECN files and address 10.0.RAIL.1/24, and one GPU
// behind an ACS port of its own. bnxt has its congestion control in debugfs instead,
// other drivers have none.
class StorageNode {
  public:
    explicit StorageNode(unsigned rails,
                         fake::DcbDriver driver = fake::DcbDriver::mlx5);

    fake::FakeDcbPort& dcb(unsigned rail) { return fakeDcb.port(linkOf(rail)); }

    static IfIndex linkOf(unsigned rail) { return {10 + rail}; }

    static PciAddress rootPortOf(unsigned rail) {
        return {.domain = 0,
                .bus = 0,
                .device = static_cast<std::uint8_t>(2 + rail),
                .function = 0};
    }

    static std::string nameOf(unsigned rail) { return "rail" + std::to_string(rail); }

    [[nodiscard]] std::string ecn(unsigned rail,
                                  std::string_view point,
                                  unsigned priority) const;

    // Every write that any seam received.
    [[nodiscard]] std::size_t writeCount() const;
    // Those that were meant for one rail.
    [[nodiscard]] std::size_t writesTo(unsigned rail);

    host::Reader reader() { return host.reader(); }

    host::Writer writer() { return host.writer(); }

    fake::FakeHost host;
    fake::FakeDcb fakeDcb;

    // What packets and registers of one rail really meet under losslessProfile(), read
    // from the fakes and not through the product: "" when all is as wanted.
    [[nodiscard]] std::string wrongOn(unsigned rail);
    // Its parts.
    [[nodiscard]] std::string wrongDcbOn(unsigned rail);
    [[nodiscard]] std::string wrongEcnOn(unsigned rail);
    [[nodiscard]] std::string wrongMtuOn(unsigned rail);
    [[nodiscard]] std::string wrongPauseOn(unsigned rail);
    [[nodiscard]] std::string wrongAcsOn(unsigned rail);
    // The same of ARP with its defaults: now, and at the next boot.
    [[nodiscard]] std::string wrongArpOn(unsigned rail);

  private:
    fake::DcbDriver driver_;

    void addRail(unsigned rail);
    void addEcn(unsigned rail);
    void addCongestionControl(unsigned rail);
    void addSwitch(const std::string& path);
    void addPort(PciAddress rootPort, host::PciFunction below);
};

// Lossless RoCE, ECN and ACS as the shipped profile has them.
[[nodiscard]] profile::Profile losslessProfile();
[[nodiscard]] profile::Profile profileOf(const std::string& text);

}  // namespace fabric::scenario
