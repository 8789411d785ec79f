// SPDX-License-Identifier: Apache-2.0
#include "linux/device_events.hpp"

#include "linux/network_namespace.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace fabric::linux_host {
namespace {

using namespace std::chrono_literals;
using namespace std::string_view_literals;

TEST(DeviceEvents, an_event_has_action_path_and_subsystem) {
    constexpr auto kDatagram =
        "add@/devices/pci0000:00/0000:00:01.0/net/ens1\0ACTION=add\0SUBSYSTEM=net\0"sv;
    const auto event = parseUevent(kDatagram);
    ASSERT_TRUE(event.has_value());
    EXPECT_EQ(event->action, "add");
    EXPECT_EQ(event->devicePath, "/devices/pci0000:00/0000:00:01.0/net/ens1");
    EXPECT_EQ(event->subsystem, "net");
}

TEST(DeviceEvents, what_is_no_kernel_event_is_passed_over) {
    EXPECT_FALSE(parseUevent(""sv).has_value());
    EXPECT_FALSE(parseUevent("@/devices"sv).has_value());
    EXPECT_FALSE(parseUevent("libudev\0\xfe\xed\xca\xfe"sv).has_value());
}

TEST(DeviceEvents, no_cut_of_an_event_invents_a_subsystem) {
    constexpr auto kDatagram = "add@/devices/x\0SUBSYSTEM=net\0"sv;
    for (std::size_t length = 0; length < kDatagram.size(); ++length) {
        const auto event = parseUevent(kDatagram.substr(0, length));
        EXPECT_TRUE(!event || "net"sv.starts_with(event->subsystem)) << length;
    }
}

class DeviceEventsKernelTest : public testing::NetworkNamespaceTest {};

TEST_F(DeviceEventsKernelTest, a_new_net_device_is_heard) {
    const auto events = UeventWatcher().watch();
    ASSERT_TRUE(events.has_value()) << events.error().message();
    addVeth("rail0", "sw0");
    const auto deadline = std::chrono::steady_clock::now() + 5s;
    while (true) {
        const auto event = (*events)->next(deadline);
        ASSERT_TRUE(event.has_value() && event->has_value());
        const host::DeviceEvent& heard = **event;
        if (heard.action == "add" && heard.devicePath.ends_with("/net/rail0")) {
            EXPECT_EQ(heard.subsystem, "net");
            break;
        }
    }
}

TEST_F(DeviceEventsKernelTest, waiting_ends_at_the_deadline) {
    const auto events = UeventWatcher().watch();
    ASSERT_TRUE(events.has_value());
    const auto event = (*events)->next(std::chrono::steady_clock::now() + 10ms);
    EXPECT_TRUE(event.has_value() && !event->has_value());
}

}  // namespace
}  // namespace fabric::linux_host
