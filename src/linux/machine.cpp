// SPDX-License-Identifier: Apache-2.0
#include "linux/machine.hpp"

#include <linux/netlink.h>

namespace fabric::linux_host {

Machine::Machine(const std::string& root)
    : root_(root),
      route_(kernelProtocol(NETLINK_ROUTE)),
      rdmaChannel_(kernelProtocol(NETLINK_RDMA)),
      libpci_(root + "/sys/bus/pci"),
      modules_(root) {}

}  // namespace fabric::linux_host
