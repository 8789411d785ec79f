// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "linux/ethtool.hpp"

namespace fabric::linux_host {

class IoctlEthtoolWriter : public host::EthtoolWriter {
  public:
    explicit IoctlEthtoolWriter(const EthtoolControl& control) : control_(&control) {}

    [[nodiscard]] Result<void> setPause(IfIndex link,
                                        const host::PauseParameters& wanted) override;

  private:
    const EthtoolControl* control_;
};

}  // namespace fabric::linux_host
