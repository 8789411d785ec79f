// SPDX-License-Identifier: Apache-2.0
#include "linux/ipv4_conf.hpp"

#include "base/text.hpp"

#include <linux/if_link.h>
#include <linux/ip.h>
#include <linux/rtnetlink.h>

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace fabric::linux_host {

namespace {

using host::Ipv4Key;

constexpr std::array kKeys{
    Ipv4Key::rpFilter, Ipv4Key::arpFilter, Ipv4Key::arpAnnounce, Ipv4Key::arpIgnore};

static_assert(std::to_underlying(Ipv4Key::rpFilter) == IPV4_DEVCONF_RP_FILTER);
static_assert(std::to_underlying(Ipv4Key::arpFilter) == IPV4_DEVCONF_ARPFILTER);
static_assert(std::to_underlying(Ipv4Key::arpAnnounce) == IPV4_DEVCONF_ARP_ANNOUNCE);
static_assert(std::to_underlying(Ipv4Key::arpIgnore) == IPV4_DEVCONF_ARP_IGNORE);

Error malformed(std::string detail) {
    return Error{.kind = ErrorKind::malformed,
                 .action = "read IPv4 settings",
                 .detail = std::move(detail)};
}

// The attribute `type` of a nest, if the nest is there.
Result<std::optional<ByteView>> within(const std::optional<ByteView>& nest,
                                       std::uint16_t type) {
    if (!nest) {
        return std::nullopt;
    }
    return TRY(Attributes::parse(*nest)).find(type);
}

host::Ipv4Values valuesOf(ByteView array) {
    host::Ipv4Values values;
    for (const Ipv4Key key : kKeys) {
        const std::size_t at = (std::to_underlying(key) - 1U) * sizeof(std::int32_t);
        if (at < array.size()) {
            if (const auto value = valueAt<std::int32_t>(array.subspan(at))) {
                values[key] = *value;
            }
        }
    }
    return values;
}

}  // namespace

Result<std::optional<host::Ipv4Conf>> decodeIpv4Conf(ByteView payload) {
    const auto header = valueAt<ifinfomsg>(payload);
    if (!header || header->ifi_index <= 0) {
        return fail(malformed("the message is cut off"));
    }
    const Attributes attributes =
        TRY(Attributes::parse(payload.subspan(sizeof *header)));
    const auto inet = TRY(within(attributes.find(IFLA_AF_SPEC), AF_INET));
    const auto array = TRY(within(inet, IFLA_INET_CONF));
    if (!array) {
        return std::nullopt;
    }
    return host::Ipv4Conf{
        .link = IfIndex{static_cast<std::uint32_t>(header->ifi_index)},
        .values = valuesOf(*array)};
}

std::vector<std::byte> encodeIpv4Conf(IfIndex link, const host::Ipv4Values& values) {
    std::vector<std::byte> conf;
    for (const auto& [key, value] : values) {
        appendAttribute(conf, std::to_underlying(key), value);
    }
    std::vector<std::byte> inet;
    appendAttribute(inet, IFLA_INET_CONF | NLA_F_NESTED, ByteView(conf));
    std::vector<std::byte> families;
    appendAttribute(families, AF_INET | NLA_F_NESTED, ByteView(inet));
    std::vector<std::byte> payload;
    appendValue(
        payload,
        ifinfomsg{.ifi_family = AF_UNSPEC, .ifi_index = static_cast<int>(link.number)});
    appendAttribute(payload, IFLA_AF_SPEC | NLA_F_NESTED, ByteView(families));
    return payload;
}

std::string pathOfAll(host::Ipv4Key key) {
    return "/proc/sys/net/ipv4/conf/all/" + std::string(host::sysctlName(key));
}

Result<std::vector<host::Ipv4Conf>> RtnlIpv4Conf::interfaces() const {
    NetlinkRequest request{.type = RTM_GETLINK};
    appendValue(request.payload, ifinfomsg{.ifi_family = AF_UNSPEC});
    appendAttribute(
        request.payload, IFLA_EXT_MASK, std::uint32_t{RTEXT_FILTER_SKIP_STATS});
    auto parts = netlink_->dump(std::move(request));
    if (!parts) {
        Error error = std::move(parts.error());
        error.action = "read the IPv4 settings of interfaces";
        return fail(std::move(error));
    }
    std::vector<host::Ipv4Conf> all;
    for (const auto& part : *parts) {
        if (auto conf = TRY(decodeIpv4Conf(part))) {
            all.push_back(std::move(*conf));
        }
    }
    std::ranges::sort(all, {}, &host::Ipv4Conf::link);
    return all;
}

Result<std::int32_t> RtnlIpv4Conf::all(host::Ipv4Key key) const {
    const std::string path = pathOfAll(key);
    const std::string text = TRY(files_->read(path));
    const std::string_view digits = trimmed(text);
    std::int32_t value = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) {
        return fail(malformed(path + " is no number"));
    }
    return value;
}

}  // namespace fabric::linux_host
