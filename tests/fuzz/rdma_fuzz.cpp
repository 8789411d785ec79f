// SPDX-License-Identifier: Apache-2.0
// Answers of RDMA netlink, and kernel uevents.
#include "fuzz/property.hpp"
#include "linux/device_events.hpp"
#include "linux/rdma_decode.hpp"

#include <rdma/rdma_netlink.h>

#include <set>

namespace fabric::linux_host {
namespace {

using fuzz::require;

void addText(std::vector<std::byte>& bytes,
             std::uint16_t type,
             const std::string& text) {
    appendAttribute(
        bytes, type, std::as_bytes(std::span(text.c_str(), text.size() + 1)));
}

void judgeDevice(ByteView payload) {
    const auto device = decodeRdmaDevice(payload);
    if (!device) {
        require(device.error().kind == ErrorKind::malformed, "bytes are malformed");
        fuzz::requirePrintable(device.error().message());
        return;
    }
    require(!device->name.empty(), "a device has a name");
    std::vector<std::byte> bytes;
    appendAttribute(bytes, RDMA_NLDEV_ATTR_DEV_INDEX, device->index);
    addText(bytes, RDMA_NLDEV_ATTR_DEV_NAME, device->name);
    addText(bytes, RDMA_NLDEV_ATTR_FW_VERSION, device->firmware);
    const auto again = decodeRdmaDevice(bytes);
    require(again && again->index == device->index && again->name == device->name &&
                again->firmware == device->firmware,
            "a device survives");
}

void judgePort(ByteView payload) {
    const auto port = decodeRdmaPort(payload);
    if (!port) {
        require(port.error().kind == ErrorKind::malformed, "bytes are malformed");
        return;
    }
    static const std::set<std::string> kStates{"", "down", "init", "armed", "active"};
    require(kStates.contains(port->state), "a known state or none");
}

void judgeUevent(std::string_view datagram) {
    const auto event = parseUevent(std::span(datagram.data(), datagram.size()));
    if (event) {
        require(datagram.contains(event->action), "the action was told");
        require(datagram.contains(event->subsystem), "the subsystem was told");
        require(datagram.contains(event->devicePath), "the path was told");
    }
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    judgeDevice(input.bytes());
    judgePort(input.bytes());
    judgeUevent(input.text());
    (void)parseLinkLayer(input.text());
}

}  // namespace fabric::linux_host
