// SPDX-License-Identifier: Apache-2.0
#include "linux/rdma_devices.hpp"

#include "base/address.hpp"
#include "base/text.hpp"
#include "linux/verbs.hpp"

#include <rdma/rdma_netlink.h>

#include <algorithm>
#include <ranges>
#include <tuple>
#include <utility>

namespace fabric::linux_host {

namespace {

constexpr const char* kClass = "/sys/class/infiniband";

NetlinkRequest rdmaRequest(unsigned command) {
    return {.type = static_cast<std::uint16_t>(
                RDMA_NL_GET_TYPE(unsigned{RDMA_NL_NLDEV}, command))};
}

Error about(Error error, std::string subject) {
    error.action = "list RDMA devices: " + error.action;
    error.subject = std::move(subject);
    return error;
}

}  // namespace

// The nearest PCI function on the way to the device: its parent, or for a subfunction
// the function that carries it. rxe and siw have no `device` link.
std::string NetlinkRdma::parentFunction(const std::string& device) const {
    const auto path = files_->resolve(std::string(kClass) + "/" + device + "/device");
    if (!path) {
        return {};
    }
    const auto components = split(*path, '/');
    for (const std::string_view component : std::views::reverse(components)) {
        if (const auto address = PciAddress::parse(component)) {
            return address->text();
        }
    }
    return {};
}

Result<std::vector<host::RdmaPort>> NetlinkRdma::portsOf(
    const RdmaDevice& device) const {
    NetlinkRequest request = rdmaRequest(RDMA_NLDEV_CMD_PORT_GET);
    appendAttribute(request.payload, RDMA_NLDEV_ATTR_DEV_INDEX, device.index);
    auto parts = netlink_->dump(std::move(request));
    if (!parts) {
        return fail(about(std::move(parts.error()), escapeForTerminal(device.name)));
    }
    const std::string pci = parentFunction(device.name);
    std::vector<host::RdmaPort> ports;
    for (const auto& part : *parts) {
        host::RdmaPort port = TRY(decodeRdmaPort(part));
        port.device = device.name;
        port.firmware = device.firmware;
        port.pci = pci;
        const auto layer =
            files_->read(std::string(kClass) + "/" + device.name + "/ports/" +
                         std::to_string(port.port) + "/link_layer");
        port.linkLayer = layer ? parseLinkLayer(*layer) : host::LinkLayer::unknown;
        ports.push_back(std::move(port));
    }
    return ports;
}

Result<std::vector<host::RdmaPort>> NetlinkRdma::ports() const {
    const auto present = files_->list(kClass);
    if (!present && present.error().kind != ErrorKind::notFound) {
        return fail(present.error());
    }
    if (!present || present->empty()) {
        return std::vector<host::RdmaPort>{};
    }
    auto parts = netlink_->dump(rdmaRequest(RDMA_NLDEV_CMD_GET));
    if (!parts && parts.error().kind == ErrorKind::unsupported) {
        return std::vector<host::RdmaPort>{};
    }
    if (!parts) {
        return fail(about(std::move(parts.error()), {}));
    }
    std::vector<host::RdmaPort> ports;
    for (const auto& part : *parts) {
        const RdmaDevice device = TRY(decodeRdmaDevice(part));
        auto some = portsOf(device);
        if (some) {
            std::ranges::move(*some, std::back_inserter(ports));
        } else if (some.error().kind != ErrorKind::notFound) {  // gone meanwhile
            return fail(std::move(some.error()));
        }
    }
    std::ranges::sort(ports, [](const auto& left, const auto& right) {
        return std::tie(left.device, left.port) < std::tie(right.device, right.port);
    });
    return ports;
}

Result<host::RdmaPortAttributes> NetlinkRdma::attributes(
    const host::RdmaPort& port) const {
    return queryVerbsPort(port.device, port.port);
}

}  // namespace fabric::linux_host
