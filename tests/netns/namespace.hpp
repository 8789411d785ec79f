// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/address.hpp"
#include "base/unique_fd.hpp"
#include "linux/netlink_channel.hpp"
#include "linux/rtnl_links.hpp"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace fabric::netns {

using Ipv4 = std::array<std::uint8_t, 4>;

// A network namespace of the test's own, on the real kernel. The calling thread is
// inside only during `inside`; the sockets of this object stay in it. It vanishes with
// everything in it when the object does.
class Namespace {
  public:
    // The reason when the kernel does not permit it.
    [[nodiscard]] static Result<std::unique_ptr<Namespace>> create();

    void inside(const std::function<void()>& work) const;

    [[nodiscard]] int fd() const { return fd_.get(); }

    linux_host::NetlinkChannel& netlink() { return netlink_; }

    [[nodiscard]] const linux_host::RtnlLinks& links() const { return links_; }

    void addBridge(const std::string& name);
    // A veth pair: `name` here, `peer` in the other namespace, both up.
    void addVeth(const std::string& name,
                 Namespace& other,
                 const std::string& peer,
                 const MacAddress& peerMac);
    void enslave(const std::string& name, const std::string& bridge);
    void setUp(const std::string& name);
    void removeLink(const std::string& name);
    void rename(const std::string& name, const std::string& to);
    void setMtu(const std::string& name, std::uint32_t mtu);
    void addAddress(const std::string& name, Ipv4 address, std::uint8_t prefix);
    void removeAddresses(const std::string& name);
    void addHostRoute(const std::string& name, Ipv4 destination);
    // /proc/sys/net/ipv4/PATH of this namespace.
    void setSysctl(const std::string& path, int value) const;
    [[nodiscard]] int sysctl(const std::string& path) const;

    [[nodiscard]] IfIndex index(const std::string& name) const;

    // Forgets what is cached for the address on this interface and asks anew: the MAC
    // that the kernel then keeps, or std::nullopt when nobody answered.
    [[nodiscard]] std::optional<MacAddress> resolve(const std::string& name,
                                                    Ipv4 address);
    void forget(const std::string& name, Ipv4 address);
    // What is cached now.
    [[nodiscard]] std::optional<MacAddress> cached(const std::string& name,
                                                   Ipv4 address);
    // Sends a datagram from this source address out of this interface, and waits until
    // the kernel knows the destination's MAC. False when it never did.
    [[nodiscard]] bool sendFrom(Ipv4 source, const std::string& name, Ipv4 destination);

  private:
    Namespace() = default;

    void command(linux_host::NetlinkRequest request);
    [[nodiscard]] linux_host::NetlinkSocket listen() const;

    UniqueFd fd_;
    linux_host::NetlinkChannel netlink_{
        linux_host::kernelProtocol(0 /* NETLINK_ROUTE */)};
    linux_host::RtnlLinks links_{netlink_};
};

}  // namespace fabric::netns
