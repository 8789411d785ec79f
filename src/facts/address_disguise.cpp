// SPDX-License-Identifier: Apache-2.0
#include "facts/address_disguise.hpp"

#include "base/digest.hpp"

#include <algorithm>
#include <vector>

namespace fabric::facts {

// Addresses whose first `length` bits are those of `octets`.
struct AddressDisguise::Block {
    std::array<std::uint8_t, 16> octets{};
    unsigned length = 0;
};

namespace {

constexpr unsigned kOctet = 8;
constexpr std::size_t kOui = 3;   // octets of a MAC that name its vendor
constexpr std::size_t kHalf = 8;  // octets of an IPv6 address that name its network
constexpr std::uint8_t kGroupBit = 1;
constexpr std::uint8_t kLocalBit = 2;

bool bitOf(std::span<const std::uint8_t> octets, unsigned at) {
    return ((octets[at / kOctet] >> (kOctet - 1 - at % kOctet)) & 1U) != 0;
}

bool sharesBits(std::span<const std::uint8_t> left,
                std::span<const std::uint8_t> right,
                unsigned count) {
    for (unsigned at = 0; at < count; ++at) {
        if (bitOf(left, at) != bitOf(right, at)) {
            return false;
        }
    }
    return true;
}

// IANA IPv4 Special-Purpose Address Registry (RFC 6890). The first three, and 0/8, hold
// nothing that names a host.
constexpr std::uint8_t kLoopback = 127;
constexpr std::uint8_t kFirstGroup = 224;

// A GUID that a ConnectX makes of its MAC has 03:00 in the middle, a modified EUI-64
// (RFC 4291, appendix A) ff:fe.
enum class Middle { none, eui64, vendor };

Middle middleOf(std::span<const std::uint8_t> id) {
    constexpr std::uint8_t kFf = 0xFF;
    constexpr std::uint8_t kFe = 0xFE;
    constexpr std::uint8_t kThree = 0x03;
    if (id[kOui] == kFf && id[kOui + 1] == kFe) {
        return Middle::eui64;
    }
    return id[kOui] == kThree && id[kOui + 1] == 0 ? Middle::vendor : Middle::none;
}

bool isZero(std::span<const std::uint8_t> octets) {
    return std::ranges::all_of(octets, [](std::uint8_t octet) { return octet == 0; });
}

unsigned nibble(char digit) {
    constexpr unsigned kTen = 10;
    return digit <= '9' ? static_cast<unsigned>(digit - '0')
                        : static_cast<unsigned>(digit - 'a') + kTen;
}

}  // namespace

// One bit for each node of the binary tree over an octet: 1 is its root.
const std::bitset<256>& AddressDisguise::flipsBelow(const std::string& prefix) {
    const auto known = flips_.find(prefix);
    if (known != flips_.end()) {
        return known->second;
    }
    constexpr unsigned kNibble = 4;
    std::bitset<256> flips;
    const std::string digest = sha256(salt_ + prefix);
    for (std::size_t at = 0; at < digest.size(); ++at) {
        for (unsigned bit = 0; bit < kNibble; ++bit) {
            flips.set(at * kNibble + bit, ((nibble(digest[at]) >> bit) & 1U) != 0);
        }
    }
    return flips_.emplace(prefix, flips).first->second;
}

void AddressDisguise::permute(std::string_view domain,
                              Bytes bytes,
                              std::size_t from,
                              std::span<const Block> kept) {
    const std::vector<std::uint8_t> original(bytes.begin(), bytes.end());
    std::string prefix(domain);
    prefix.append(original.begin(),
                  original.begin() + static_cast<std::ptrdiff_t>(from));
    for (std::size_t octet = from; octet < bytes.size(); ++octet) {
        const std::bitset<256>& flips = flipsBelow(prefix);
        unsigned node = 1;
        for (unsigned bit = 0; bit < kOctet; ++bit) {
            const auto depth = static_cast<unsigned>(octet * kOctet) + bit;
            const bool leads = std::ranges::any_of(kept, [&](const Block& block) {
                return block.length > depth &&
                       sharesBits(original, block.octets, depth);
            });
            if (!leads && flips.test(node)) {
                bytes[octet] ^= static_cast<std::uint8_t>(1U << (kOctet - 1 - bit));
            }
            node = node * 2 + (bitOf(original, depth) ? 1 : 0);
        }
        prefix += static_cast<char>(original[octet]);
    }
}

IpAddress AddressDisguise::v4(IpAddress address) {
    // Blocks that stay themselves; 0/8, 127/8 and 224/3 as a whole.
    static constexpr std::array kKept{Block{{0}, 8},
                                      Block{{10}, 8},
                                      Block{{100, 64}, 10},
                                      Block{{127}, 8},
                                      Block{{169, 254}, 16},
                                      Block{{172, 16}, 12},
                                      Block{{192, 168}, 16},
                                      Block{{224}, 3}};
    const std::uint8_t first = address.octets[0];
    if (first != 0 && first != kLoopback && first < kFirstGroup) {
        permute("4", Bytes(address.octets).first(4), 0, kKept);
    }
    return address;
}

// The lower half of an address.
void AddressDisguise::interfaceId(Bytes address) {
    static constexpr Block kLinkLocal{{0xFE, 0x80}, 64};
    const Bytes id = address.subspan(kHalf);
    if (middleOf(id) == Middle::none &&
        !sharesBits(address, kLinkLocal.octets, kLinkLocal.length)) {
        // A prefix may be longer than 64 bits.
        permute("6", address, kHalf, {});
        return;
    }
    Guid guid{};
    std::ranges::copy(id, guid.begin());
    std::ranges::copy(of(guid), id.begin());
}

IpAddress AddressDisguise::v6(IpAddress address) {
    static constexpr std::array kKept{Block{{0x20}, 3},
                                      Block{{0xFC}, 8},
                                      Block{{0xFD}, 8},
                                      Block{{0xFE, 0x80}, 64},
                                      Block{{}, 64},
                                      Block{{0xFF}, 8}};
    // ff02::1:ff00:0/104 ends with the last three octets of an address (RFC
    // 4291, 2.7.1).
    static constexpr Block kSolicited{{0xFF, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xFF},
                                      104};
    static constexpr Block kMapped{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF}, 96};
    constexpr std::size_t kEmbedded = 12;
    constexpr std::uint8_t kMulticast = 0xFF;
    const Bytes octets(address.octets);
    if (sharesBits(octets, kMapped.octets, kMapped.length)) {
        IpAddress inner = IpAddress::v4(octets[kEmbedded],
                                        octets[kEmbedded + 1],
                                        octets[kEmbedded + 2],
                                        octets[kEmbedded + 3]);
        inner = v4(inner);
        std::ranges::copy(inner.bytes(), octets.subspan(kEmbedded).begin());
    } else if (sharesBits(octets, kSolicited.octets, kSolicited.length)) {
        permute("s", octets.last(kOui), 0, {});
    } else if (octets[0] != kMulticast && !isZero(octets.first(kHalf))) {
        Guid network{};
        std::ranges::copy(octets.first(kHalf), network.begin());
        interfaceId(octets);
        permute("6", network, 0, kKept);
        std::ranges::copy(network, octets.begin());
    }
    return address;
}

IpAddress AddressDisguise::of(const IpAddress& address) {
    return address.ipv6 ? v6(address) : v4(address);
}

MacAddress AddressDisguise::of(const MacAddress& address) {
    // Of IPv6 multicast, with the last octets of an address (RFC 2464, section 7).
    static constexpr std::array<std::uint8_t, kOui> kSolicited{0x33, 0x33, 0xFF};
    MacAddress other = address;
    const Bytes octets(other.octets);
    if (std::ranges::equal(octets.first(kOui), kSolicited)) {
        permute("s", octets.last(kOui), 0, {});
    } else if ((octets[0] & kGroupBit) == 0 && !isZero(octets)) {
        // One that was made locally names no vendor: it may be made of an address.
        permute("m", octets, (octets[0] & kLocalBit) != 0 ? 1 : kOui, {});
    }
    return other;
}

Guid AddressDisguise::of(const Guid& guid) {
    Guid other = guid;
    const Middle middle = middleOf(guid);
    if (isZero(guid)) {
        return other;
    }
    if (middle == Middle::none) {
        permute("g", other, kOui, {});
        return other;
    }
    const std::uint8_t flip = middle == Middle::eui64 ? kLocalBit : 0;
    MacAddress mac{{static_cast<std::uint8_t>(guid[0] ^ flip),
                    guid[1],
                    guid[2],
                    guid[5],
                    guid[6],
                    guid[7]}};
    mac = of(mac);
    other[0] = static_cast<std::uint8_t>(mac.octets[0] ^ flip);
    std::copy_n(mac.octets.begin() + 1, 2, other.begin() + 1);
    std::copy_n(mac.octets.begin() + kOui, kOui, other.begin() + kOui + 2);
    return other;
}

std::string AddressDisguise::hexDigits(std::string_view digits) const {
    std::string other;
    for (unsigned round = 0; other.size() < digits.size(); ++round) {
        other += sha256(salt_ + "x" + std::to_string(round) + std::string(digits));
    }
    return other.substr(0, digits.size());
}

}  // namespace fabric::facts
