// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fake/fake_host.hpp"
#include "linux/ipv4_conf.hpp"
#include "linux/ipv4_conf_writer.hpp"
#include "linux/posix_file_writer.hpp"
#include "linux/posix_files.hpp"
#include "netns/namespace.hpp"

#include <gtest/gtest.h>

namespace fabric::netns {

// Two hosts with two rails each, and one bridge that all four rails are on: the wiring
// on which ARP flux happens. Rail 1 and rail 2 of host A are a1 and a2, of host B b1
// and b2. Skips, with the reason, where namespaces are not permitted.
class TwoHosts : public ::testing::Test {
  protected:
    static constexpr MacAddress kB1{{0x02, 0, 0, 0, 0xB, 1}};
    static constexpr MacAddress kB2{{0x02, 0, 0, 0, 0xB, 2}};
    static constexpr int kTries = 8;

    void SetUp() override;

    // Rail 1 in 10.0.1.0/24, rail 2 in 10.0.2.0/24; A is .1, B is .2.
    void useSeparateSubnets();
    // 10.9.0.0/16 on everything: A 10.9.1.1 and 10.9.2.1, B 10.9.1.2 and 10.9.2.2.
    void useOneSubnet();

    // `key` on both rails of B, through the product's own writer.
    void setOnB(host::Ipv4Key key, int value);

    // How often A, asking anew, kept the MAC of B's other rail, over `kTries` for each
    // of B's two addresses.
    struct Count {
        int right = 0;
        int wrong = 0;
        int none = 0;
    };

    [[nodiscard]] Count resolveBoth();

    // The machine B as the product sees it: links and settings of the real kernel,
    // files in memory (the real /etc and /run are not the test's).
    [[nodiscard]] host::Reader readerOfB();
    [[nodiscard]] host::Writer writerOfB();

    std::unique_ptr<Namespace> wire;  // the switch
    std::unique_ptr<Namespace> a;
    std::unique_ptr<Namespace> b;
    Ipv4 firstOfB{};   // on b1
    Ipv4 secondOfB{};  // on b2
    fake::FakeHost memory;

  private:
    void await(const std::string& name, Ipv4 address);

    linux_host::RootDirectory root_;
    linux_host::PosixFiles files_{root_};
    linux_host::PosixFileWriter fileWriter_{root_};
    std::unique_ptr<linux_host::RtnlIpv4Conf> conf_;
    std::unique_ptr<linux_host::RtnlIpv4ConfWriter> confWriter_;
};

}  // namespace fabric::netns
