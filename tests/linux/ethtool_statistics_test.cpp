// SPDX-License-Identifier: Apache-2.0
#include "linux/ethtool.hpp"
#include "linux/network_namespace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <linux/ethtool.h>
#include <linux/sockios.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace fabric::linux_host {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr IfIndex kRail{7};

// Copies as copy_to_user does: what the caller may not touch is EFAULT, not a crash.
int copyOut(void* to, const void* from, std::size_t length) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    const UniqueFd out(ends[0]);
    const UniqueFd in(ends[1]);
    std::size_t done = 0;
    while (done < length) {
        const std::size_t part = std::min<std::size_t>(length - done, 4096);
        const auto wanted = static_cast<ssize_t>(part);
        EXPECT_EQ(::write(in.get(), static_cast<const std::byte*>(from) + done, part),
                  wanted);
        if (::read(out.get(), static_cast<std::byte*>(to) + done, part) != wanted) {
            return EFAULT;
        }
        done += part;
    }
    return 0;
}

// A driver with these statistics, as net/ethtool/ioctl.c asks it: however many the
// caller made room for, all that there are by then are copied.
class CountingControl : public InterfaceControl {
  public:
    Result<std::string> nameOf(IfIndex /*link*/) const override { return "rail0"; }

    int control(unsigned long request, ::ifreq& argument) const override {
        EXPECT_EQ(request, static_cast<unsigned long>(SIOCETHTOOL));
        ++calls;
        if (before) {
            before(calls);
        }
        std::uint32_t command = 0;
        std::memcpy(&command, argument.ifr_data, sizeof command);
        switch (command) {
            case ETHTOOL_GSSET_INFO:
                return tellCount(static_cast<char*>(argument.ifr_data));
            case ETHTOOL_GSTRINGS:
                return tellNames(static_cast<char*>(argument.ifr_data));
            case ETHTOOL_GSTATS:
                return tellNumbers(static_cast<char*>(argument.ifr_data));
            default:
                return EOPNOTSUPP;
        }
    }

    mutable std::vector<std::pair<std::string, std::uint64_t>> counters;
    mutable int calls = 0;
    std::function<void(int)> before;
    int error = 0;

  private:
    int tellCount(char* data) const {
        ethtool_sset_info head{};
        std::memcpy(&head, data, sizeof head);
        EXPECT_EQ(head.sset_mask, std::uint64_t{1} << unsigned{ETH_SS_STATS});
        const auto count = static_cast<std::uint32_t>(counters.size());
        head.sset_mask = count == 0 ? 0 : head.sset_mask;
        std::memcpy(data, &head, sizeof head);
        return count == 0 ? 0 : copyOut(data + sizeof head, &count, sizeof count);
    }

    int tellNames(char* data) const {
        ethtool_gstrings head{};
        std::memcpy(&head, data, sizeof head);
        head.len = static_cast<std::uint32_t>(counters.size());
        std::string names;
        for (const auto& [name, number] : counters) {
            names += name.substr(0, ETH_GSTRING_LEN);
            names.resize((names.size() + ETH_GSTRING_LEN - 1) / ETH_GSTRING_LEN *
                         ETH_GSTRING_LEN);
        }
        std::memcpy(data, &head, sizeof head);
        return copyOut(data + sizeof head, names.data(), names.size());
    }

    int tellNumbers(char* data) const {
        ethtool_stats head{};
        std::memcpy(&head, data, sizeof head);
        head.n_stats = static_cast<std::uint32_t>(counters.size());
        std::vector<std::uint64_t> numbers;
        for (const auto& [name, number] : counters) {
            numbers.push_back(number);
        }
        std::memcpy(data, &head, sizeof head);
        return error != 0 ? error
                          : copyOut(data + sizeof head,
                                    numbers.data(),
                                    numbers.size() * sizeof(std::uint64_t));
    }
};

Result<host::Counters> readFrom(const CountingControl& driver) {
    const EthtoolControl control(driver);
    return IoctlEthtoolReader(control).statistics(kRail);
}

TEST(EthtoolStatistics, names_and_numbers_come_together) {
    CountingControl driver;
    driver.counters = {{"rx_prio3_pause", 7}, {"tx_prio3_bytes", UINT64_MAX}};
    EXPECT_THAT(
        readFrom(driver).value(),
        ElementsAre(Pair("rx_prio3_pause", 7), Pair("tx_prio3_bytes", UINT64_MAX)));
    EXPECT_EQ(driver.calls, 3);
}

TEST(EthtoolStatistics, a_name_without_its_terminating_zero_ends_with_its_field) {
    CountingControl driver;
    driver.counters = {{std::string(40, 'x'), 1}, {"y", 2}};
    EXPECT_THAT(readFrom(driver).value(),
                ElementsAre(Pair(std::string(ETH_GSTRING_LEN, 'x'), 1), Pair("y", 2)));
}

TEST(EthtoolStatistics, of_a_name_that_is_there_twice_the_first_is_taken) {
    CountingControl driver;
    driver.counters = {{"x", 1}, {"x", 2}};
    EXPECT_THAT(readFrom(driver).value(), ElementsAre(Pair("x", 1)));
}

TEST(EthtoolStatistics, a_driver_that_counts_nothing_is_unsupported) {
    EXPECT_EQ(readFrom(CountingControl()).error().kind, ErrorKind::unsupported);
}

// Turning PFC on adds counters to a mlx5 port between two calls.
TEST(EthtoolStatistics, counters_that_come_in_between_are_read_again) {
    CountingControl driver;
    driver.counters = {{"a", 1}};
    driver.before = [&](int call) {
        if (call == 3) {
            driver.counters.emplace_back("b", 2);
        }
    };
    EXPECT_THAT(readFrom(driver).value(), ElementsAre(Pair("a", 1), Pair("b", 2)));
    EXPECT_EQ(driver.calls, 6);
}

TEST(EthtoolStatistics, an_answer_that_outgrows_its_room_ends_there) {
    CountingControl driver;
    driver.counters = {{"a", 1}};
    driver.before = [&](int call) {
        for (int more = 0; call == 3 && more < 4000; ++more) {
            driver.counters.emplace_back("queue" + std::to_string(more), more);
        }
    };
    EXPECT_THAT(readFrom(driver).value(), SizeIs(4001));
}

TEST(EthtoolStatistics, a_device_that_never_comes_to_rest_is_busy) {
    CountingControl driver;
    driver.before = [&](int) { driver.counters.emplace_back("x", 1); };
    EXPECT_EQ(readFrom(driver).error().kind, ErrorKind::busy);
}

TEST(EthtoolStatistics, more_than_any_driver_counts_is_no_answer) {
    CountingControl driver;
    driver.counters.assign(70'000, {"x", 1});
    EXPECT_EQ(readFrom(driver).error().sysErrno, EOVERFLOW);
}

TEST(EthtoolStatistics, a_refusal_is_told_as_it_is) {
    CountingControl driver;
    driver.counters = {{"a", 1}};
    driver.error = EIO;
    EXPECT_EQ(readFrom(driver).error().sysErrno, EIO);
}

class EthtoolStatisticsKernelTest : public testing::NetworkNamespaceTest {};

TEST_F(EthtoolStatisticsKernelTest, the_real_kernel_tells_what_a_veth_counts) {
    addVeth("rail0", "sw0");
    const InterfaceSocket socket;
    const EthtoolControl control(socket);
    const IoctlEthtoolReader reader(control);
    const auto counters = reader.statistics(index("rail0"));
    ASSERT_TRUE(counters) << counters.error().message();
    ASSERT_TRUE(counters->contains("peer_ifindex"));
    EXPECT_EQ(counters->at("peer_ifindex"), index("sw0").number);
    EXPECT_EQ(reader.statistics(index("lo")).error().kind, ErrorKind::unsupported);
    EXPECT_EQ(reader.statistics(IfIndex{4242}).error().kind, ErrorKind::notFound);
}

}  // namespace
}  // namespace fabric::linux_host
