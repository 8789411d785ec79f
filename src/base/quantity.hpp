// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

namespace fabric {

// A small number with a meaning and a range [0, Max]; values of different meanings do
// not mix. The range is checked where a number enters (`from`), not at each use.
template <typename Tag, typename Number, Number Max>
class Bounded {
  public:
    constexpr Bounded() = default;

    // std::nullopt when the number is out of range.
    static constexpr std::optional<Bounded> from(std::int64_t number) {
        if (number < 0 || static_cast<std::uint64_t>(number) > Max) {
            return std::nullopt;
        }
        return Bounded(static_cast<Number>(number));
    }

    // For constants and for loops whose bounds are known: the low bits are taken.
    static constexpr Bounded of(Number number) {
        return Bounded(number > Max ? Max : number);
    }

    [[nodiscard]] constexpr Number number() const { return number_; }

    constexpr auto operator<=>(const Bounded&) const = default;

  private:
    explicit constexpr Bounded(Number number) : number_(number) {}

    Number number_ = 0;
};

// IEEE 802.1Q priority (PCP), traffic class, receive buffer index; RFC 2474 DSCP.
using Priority = Bounded<struct PriorityTag, std::uint8_t, 7>;
using TrafficClass = Bounded<struct TrafficClassTag, std::uint8_t, 7>;
using BufferIndex = Bounded<struct BufferIndexTag, std::uint8_t, 7>;
using Dscp = Bounded<struct DscpTag, std::uint8_t, 63>;

inline constexpr std::uint8_t kPriorityCount = 8;
inline constexpr std::uint8_t kTrafficClassCount = 8;
inline constexpr std::uint8_t kBufferCount = 8;
inline constexpr std::uint8_t kDscpCount = 64;

// Kernel interface index; 0 is "none". It identifies a net device through renames.
struct IfIndex {
    std::uint32_t number = 0;
    auto operator<=>(const IfIndex&) const = default;

    [[nodiscard]] bool none() const { return number == 0; }
};

// A size in bytes.
struct Bytes {
    std::uint64_t count = 0;
    auto operator<=>(const Bytes&) const = default;
};

// A rate in units of 1000 bit/s, as DCB_ATTR_IEEE_MAXRATE carries it (linux/dcbnl.h,
// struct ieee_maxrate).
struct Kbps {
    std::uint64_t count = 0;
    auto operator<=>(const Kbps&) const = default;
};

// A length in metres (PFC delay of struct ieee_pfc as mlx5 reads it).
struct Meters {
    std::uint16_t count = 0;
    auto operator<=>(const Meters&) const = default;
};

}  // namespace fabric
