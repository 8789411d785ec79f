// SPDX-License-Identifier: Apache-2.0
// One part of a dump of the neighbour cache.
#include "fuzz/property.hpp"
#include "linux/neighbour_decode.hpp"

#include <linux/neighbour.h>

#include <sys/socket.h>

namespace fabric::linux_host {
namespace {

using fuzz::require;

// The entry as a message of its own. The kernel's tables have more states than ours.
std::vector<std::byte> encoded(const host::Neighbour& entry, const ndmsg& header) {
    std::vector<std::byte> bytes;
    appendValue(bytes, header);
    const auto address = entry.key.address.bytes();
    appendAttribute(bytes, NDA_DST, std::as_bytes(address));
    if (entry.mac) {
        appendAttribute(bytes, NDA_LLADDR, entry.mac->octets);
    }
    if (entry.managed) {
        appendAttribute(bytes, NDA_FLAGS_EXT, std::uint32_t{NTF_EXT_MANAGED});
    }
    if (entry.sinceUpdate) {
        appendAttribute(bytes,
                        NDA_CACHEINFO,
                        nda_cacheinfo{.ndm_updated = static_cast<std::uint32_t>(
                                          entry.sinceUpdate->count() / 10)});
    }
    return bytes;
}

void requireEqual(const host::Neighbour& left, const host::Neighbour& right) {
    require(left.key == right.key, "link and address survive");
    require(left.state == right.state, "state survives");
    require(left.mac == right.mac, "MAC survives");
    require(left.externLearned == right.externLearned &&
                left.managed == right.managed && left.proxy == right.proxy,
            "flags survive");
    require(left.sinceUpdate == right.sinceUpdate, "age survives");
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    const auto entry = decodeNeighbour(input.bytes());
    if (!entry) {
        require(entry.error().kind == ErrorKind::malformed, "bytes are malformed");
        fuzz::requirePrintable(entry.error().message());
        return;
    }
    if (!*entry) {
        return;
    }
    const host::Neighbour& found = **entry;
    require(!found.sinceUpdate || found.sinceUpdate->count() >= 0, "no negative age");
    const std::string text = found.key.address.text();
    require(IpAddress::parse(text) == found.key.address, "the text names the address");
    const ndmsg header = valueAt<ndmsg>(input.bytes()).value_or(ndmsg{});
    const auto again = decodeNeighbour(encoded(found, header));
    require(again && *again, "an entry of ours can be decoded");
    requireEqual(**again, found);
}

}  // namespace fabric::linux_host
