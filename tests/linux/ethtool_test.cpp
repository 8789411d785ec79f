// SPDX-License-Identifier: Apache-2.0
#include "linux/ethtool.hpp"

#include "linux/ethtool_writer.hpp"
#include "linux/network_namespace.hpp"

#include <gtest/gtest.h>

#include <linux/ethtool.h>
#include <linux/sockios.h>

#include <cerrno>
#include <deque>

namespace fabric::linux_host {
namespace {

// Answers ioctls as a driver with pause settings would, for one name at a time.
class FakeControl : public InterfaceControl {
  public:
    explicit FakeControl(std::deque<std::string> names) : names_(std::move(names)) {}

    Result<std::string> nameOf(IfIndex /*link*/) const override {
        const std::string name = names_.front();
        if (names_.size() > 1) {
            names_.pop_front();
        }
        return name;
    }

    int control(unsigned long request, ::ifreq& argument) const override {
        asked.emplace_back(argument.ifr_name);
        if (request != SIOCETHTOOL || error != 0) {
            return error != 0 ? error : ENOTTY;
        }
        if (!known.empty() && asked.back() != known) {
            return ENODEV;
        }
        auto* const command = reinterpret_cast<ethtool_pauseparam*>(argument.ifr_data);
        if (command->cmd == ETHTOOL_GPAUSEPARAM) {
            *command = state;
        } else if (command->cmd == ETHTOOL_SPAUSEPARAM) {
            state = *command;
        } else if (command->cmd == ETHTOOL_GDRVINFO) {
            auto* const info = reinterpret_cast<ethtool_drvinfo*>(argument.ifr_data);
            std::memset(info->driver, 'x', sizeof info->driver);  // no terminating zero
            std::strcpy(info->bus_info, "0000:1a:00.0");
        }
        return 0;
    }

    int error = 0;
    std::string known;  // the only name that exists; "" any
    mutable ethtool_pauseparam state{};
    mutable std::vector<std::string> asked;

  private:
    mutable std::deque<std::string> names_;
};

constexpr IfIndex kRail{7};

TEST(Ethtool, pause_is_written_and_read_back) {
    const FakeControl fake({"rail0"});
    const EthtoolControl control(fake);
    const host::PauseParameters wanted{.autonegotiate = false, .rx = true, .tx = false};
    EXPECT_TRUE(IoctlEthtoolWriter(control).setPause(kRail, wanted));
    EXPECT_EQ(IoctlEthtoolReader(control).pause(kRail).value(), wanted);
    EXPECT_EQ(fake.asked, (std::vector<std::string>{"rail0", "rail0"}));
}

TEST(Ethtool, a_driver_text_without_its_terminating_zero_ends_with_its_field) {
    const FakeControl fake({"rail0"});
    const EthtoolControl control(fake);
    const host::DriverInfo info = IoctlEthtoolReader(control).driver(kRail).value();
    EXPECT_EQ(info.driver, std::string(32, 'x'));
    EXPECT_EQ(info.bus, "0000:1a:00.0");
    EXPECT_EQ(info.firmware, "");
}

TEST(Ethtool, D18_enodev_is_tried_once_more_under_the_new_name) {
    FakeControl fake({"eth0", "ens1f0np0"});
    fake.known = "ens1f0np0";
    const EthtoolControl control(fake);
    EXPECT_TRUE(IoctlEthtoolReader(control).pause(kRail));
    EXPECT_EQ(fake.asked, (std::vector<std::string>{"eth0", "ens1f0np0"}));
}

TEST(Ethtool, D18_an_answer_under_a_name_that_moved_is_not_attributed) {
    const FakeControl fake({"eth0", "ens1f0np0"});
    const EthtoolControl control(fake);
    EXPECT_EQ(IoctlEthtoolWriter(control).setPause(kRail, {}).error().kind,
              ErrorKind::mismatch);
}

TEST(Ethtool, a_driver_without_pause_is_unsupported) {
    FakeControl fake({"rail0"});
    fake.error = EOPNOTSUPP;
    const EthtoolControl control(fake);
    EXPECT_EQ(IoctlEthtoolReader(control).pause(kRail).error().kind,
              ErrorKind::unsupported);
}

class EthtoolKernelTest : public testing::NetworkNamespaceTest {};

TEST_F(EthtoolKernelTest, the_real_kernel_names_the_driver_and_refuses_pause_on_veth) {
    addVeth("rail0", "sw0");
    const InterfaceSocket socket;
    const EthtoolControl control(socket);
    const IoctlEthtoolReader reader(control);
    EXPECT_EQ(reader.driver(index("rail0"))->driver, "veth");
    EXPECT_EQ(reader.pause(index("rail0")).error().kind, ErrorKind::unsupported);
    EXPECT_EQ(reader.driver(IfIndex{4242}).error().kind, ErrorKind::notFound);
}

}  // namespace
}  // namespace fabric::linux_host
