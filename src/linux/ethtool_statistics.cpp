// SPDX-License-Identifier: Apache-2.0
#include "linux/ethtool.hpp"

#include <linux/ethtool.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace fabric::linux_host {

namespace {

constexpr const char* kAction = "read the statistics";
// More than any driver has: a few hundred of the port and some dozens per queue.
constexpr std::uint32_t kMostCounters = 65'536;
constexpr int kTries = 3;

// Room for an answer whose length the kernel decides alone: up to 6.18 it copies as
// many statistics as the driver has by then, whatever was asked for
// (net/ethtool/ioctl.c, ethtool_get_stats). Behind the room lies a page that nobody may
// touch, so that an answer that grew ends in EFAULT and not in somebody else's memory.
class GuardedRoom {
  public:
    static Result<GuardedRoom> ofBytes(std::size_t bytes) {
        const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        const std::size_t open = (bytes + page - 1) / page * page;
        void* const begin = ::mmap(nullptr,
                                   open + page,
                                   PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS,
                                   -1,
                                   0);
        if (begin == MAP_FAILED) {
            return fail(systemError(kAction, "memory", errno));
        }
        GuardedRoom room(static_cast<std::byte*>(begin), open + page);
        if (::mprotect(room.begin_ + open, page, PROT_NONE) != 0) {
            return fail(systemError(kAction, "memory", errno));
        }
        return room;
    }

    GuardedRoom(GuardedRoom&& other) noexcept
        : begin_(std::exchange(other.begin_, nullptr)), size_(other.size_) {}

    GuardedRoom(const GuardedRoom&) = delete;
    GuardedRoom& operator=(const GuardedRoom&) = delete;
    GuardedRoom& operator=(GuardedRoom&&) = delete;

    ~GuardedRoom() {
        if (begin_ != nullptr) {
            ::munmap(begin_, size_);
        }
    }

    [[nodiscard]] std::byte* begin() const { return begin_; }

  private:
    GuardedRoom(std::byte* begin, std::size_t size) : begin_(begin), size_(size) {}

    std::byte* begin_;
    std::size_t size_;
};

Result<std::uint32_t> countOf(const EthtoolControl& control, IfIndex link) {
    // Behind the head comes one number per set that the driver has.
    ethtool_sset_info head{};
    head.cmd = ETHTOOL_GSSET_INFO;
    head.sset_mask = std::uint64_t{1} << unsigned{ETH_SS_STATS};
    std::uint32_t count = 0;
    alignas(ethtool_sset_info) std::array<std::byte, sizeof head + sizeof count>
        command{};
    std::memcpy(command.data(), &head, sizeof head);
    TRY(control.call(link, command.data(), kAction));
    std::memcpy(&head, command.data(), sizeof head);
    std::memcpy(&count, command.data() + sizeof head, sizeof count);
    return head.sset_mask == 0 ? 0 : count;
}

// Names and numbers, each as many as `count`; empty: there are others by now.
Result<std::optional<host::Counters>> read(const EthtoolControl& control,
                                           IfIndex link,
                                           std::uint32_t count) {
    const auto names = TRY(GuardedRoom::ofBytes(sizeof(ethtool_gstrings) +
                                                std::size_t{count} * ETH_GSTRING_LEN));
    ethtool_gstrings askNames{};
    askNames.cmd = ETHTOOL_GSTRINGS;
    askNames.string_set = ETH_SS_STATS;
    askNames.len = count;
    std::memcpy(names.begin(), &askNames, sizeof askNames);
    const auto named = control.call(link, names.begin(), kAction);

    const auto numbers = TRY(GuardedRoom::ofBytes(
        sizeof(ethtool_stats) + std::size_t{count} * sizeof(std::uint64_t)));
    ethtool_stats askNumbers{};
    askNumbers.cmd = ETHTOOL_GSTATS;
    askNumbers.n_stats = count;
    std::memcpy(numbers.begin(), &askNumbers, sizeof askNumbers);
    const auto numbered = control.call(link, numbers.begin(), kAction);

    for (const auto& answer : {named, numbered}) {
        if (!answer && answer.error().sysErrno == EFAULT) {
            return std::nullopt;
        }
        if (!answer) {
            return fail(answer.error());
        }
    }
    std::memcpy(&askNames, names.begin(), sizeof askNames);
    std::memcpy(&askNumbers, numbers.begin(), sizeof askNumbers);
    if (askNames.len != count || askNumbers.n_stats != count) {
        return std::nullopt;
    }
    host::Counters counters;
    for (std::size_t at = 0; at < count; ++at) {
        const auto* const text = reinterpret_cast<const char*>(
            names.begin() + sizeof askNames + at * ETH_GSTRING_LEN);
        std::uint64_t number = 0;
        std::memcpy(&number,
                    numbers.begin() + sizeof askNumbers + at * sizeof number,
                    sizeof number);
        // Drivers fill these fields to the last byte now and then.
        counters.emplace(
            std::string(text, std::find(text, text + ETH_GSTRING_LEN, '\0')), number);
    }
    return counters;
}

}  // namespace

Result<host::Counters> IoctlEthtoolReader::statistics(IfIndex link) const {
    for (int attempt = 0; attempt < kTries; ++attempt) {
        const std::uint32_t count = TRY(countOf(*control_, link));
        if (count == 0) {
            return fail(systemError(kAction, describe(link), EOPNOTSUPP));
        }
        if (count > kMostCounters) {
            return fail(systemError(kAction, describe(link), EOVERFLOW));
        }
        if (auto counters = TRY(read(*control_, link, count))) {
            return std::move(*counters);
        }
    }
    return fail(Error{.kind = ErrorKind::busy,
                      .action = kAction,
                      .subject = describe(link),
                      .sysErrno = 0,
                      .detail = "their number changes from one call to the next",
                      .advice = "run again once the device is configured"});
}

}  // namespace fabric::linux_host
