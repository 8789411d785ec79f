// SPDX-License-Identifier: Apache-2.0
#include "linux/rdma_decode.hpp"

#include "base/text.hpp"

#include <rdma/rdma_netlink.h>

#include <array>

namespace fabric::linux_host {

namespace {

std::unexpected<Error> incomplete(const char* what) {
    return fail(Error{.kind = ErrorKind::malformed,
                      .action = std::string("decode RDMA ") + what,
                      .detail = "its index is missing"});
}

// enum ib_port_state, include/rdma/ib_verbs.h.
std::string stateName(std::uint8_t state) {
    constexpr std::array<const char*, 6> kNames{
        "", "down", "init", "armed", "active", "active"};
    return state < kNames.size() ? kNames[state] : "";
}

}  // namespace

Result<RdmaDevice> decodeRdmaDevice(ByteView payload) {
    const Attributes attributes = TRY(Attributes::parse(payload));
    const auto index = attributes.value<std::uint32_t>(RDMA_NLDEV_ATTR_DEV_INDEX);
    RdmaDevice device{.index = index.value_or(0),
                      .name = attributes.text(RDMA_NLDEV_ATTR_DEV_NAME),
                      .firmware = attributes.text(RDMA_NLDEV_ATTR_FW_VERSION)};
    if (!index || device.name.empty()) {
        return incomplete("device");
    }
    return device;
}

Result<host::RdmaPort> decodeRdmaPort(ByteView payload) {
    const Attributes attributes = TRY(Attributes::parse(payload));
    const auto number = attributes.value<std::uint32_t>(RDMA_NLDEV_ATTR_PORT_INDEX);
    if (!number) {
        return incomplete("port");
    }
    host::RdmaPort port;
    port.device = attributes.text(RDMA_NLDEV_ATTR_DEV_NAME);
    port.port = *number;
    port.link = IfIndex{
        attributes.value<std::uint32_t>(RDMA_NLDEV_ATTR_NDEV_INDEX).value_or(0)};
    port.state = stateName(
        attributes.value<std::uint8_t>(RDMA_NLDEV_ATTR_PORT_STATE).value_or(0));
    return port;
}

host::LinkLayer parseLinkLayer(std::string_view text) {
    text = trimmed(text);
    if (text == "Ethernet") {
        return host::LinkLayer::ethernet;
    }
    return text == "InfiniBand" ? host::LinkLayer::infiniband
                                : host::LinkLayer::unknown;
}

}  // namespace fabric::linux_host
