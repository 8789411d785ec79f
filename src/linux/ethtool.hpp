// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/ethtool.hpp"
#include "linux/link_names.hpp"

namespace fabric::linux_host {

// SIOCETHTOOL (linux/ethtool.h). It knows names only: the name is looked up before and
// compared after, as for DCB.
class EthtoolControl {
  public:
    explicit EthtoolControl(const InterfaceControl& control) : control_(&control) {}

    // `command` starts with its ETHTOOL_* number and is overwritten by the answer.
    // `action` is for messages.
    [[nodiscard]] Result<void> call(IfIndex link,
                                    void* command,
                                    const char* action) const;

  private:
    [[nodiscard]] int callByName(const std::string& name, void* command) const;

    const InterfaceControl* control_;
};

class IoctlEthtoolReader : public host::EthtoolReader {
  public:
    explicit IoctlEthtoolReader(const EthtoolControl& control) : control_(&control) {}

    [[nodiscard]] Result<host::DriverInfo> driver(IfIndex link) const override;
    [[nodiscard]] Result<host::PauseParameters> pause(IfIndex link) const override;
    [[nodiscard]] Result<host::Counters> statistics(IfIndex link) const override;

  private:
    const EthtoolControl* control_;
};

}  // namespace fabric::linux_host
