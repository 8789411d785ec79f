// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"
#include "base/result.hpp"
#include "base/unique_fd.hpp"

#include <string>

struct ifreq;  // NOLINT(readability-identifier-naming): of net/if.h

namespace fabric::linux_host {

// The present name of an interface. Some kernel calls know names only; names change,
// indexes do not.
class LinkNames {
  public:
    virtual ~LinkNames() = default;
    // ENODEV (ErrorKind::notFound) when no such link is in this network namespace.
    [[nodiscard]] virtual Result<std::string> nameOf(IfIndex link) const = 0;
};

// The ioctls of net devices (netdevice(7)).
class InterfaceControl : public LinkNames {
  public:
    // ioctl(2) with a struct ifreq; 0 or an errno.
    [[nodiscard]] virtual int control(unsigned long request, ifreq& argument) const = 0;
};

// Over one socket that is opened at first use.
class InterfaceSocket : public InterfaceControl {
  public:
    [[nodiscard]] Result<std::string> nameOf(IfIndex link) const override;
    [[nodiscard]] int control(unsigned long request, ifreq& argument) const override;

  private:
    mutable UniqueFd socket_;
};

// How an interface is named in messages: "ifindex 7".
[[nodiscard]] std::string describe(IfIndex link);
// "ens1f0np0 (ifindex 7)", the name made safe to print.
[[nodiscard]] std::string describe(IfIndex link, const std::string& name);

}  // namespace fabric::linux_host
