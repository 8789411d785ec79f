// SPDX-License-Identifier: Apache-2.0
#include "linux/ethtool_writer.hpp"

#include <linux/ethtool.h>

namespace fabric::linux_host {

Result<void> IoctlEthtoolWriter::setPause(IfIndex link,
                                          const host::PauseParameters& wanted) {
    ethtool_pauseparam command{};
    command.cmd = ETHTOOL_SPAUSEPARAM;
    command.autoneg = wanted.autonegotiate ? 1 : 0;
    command.rx_pause = wanted.rx ? 1 : 0;
    command.tx_pause = wanted.tx ? 1 : 0;
    return control_->call(link, &command, "set global pause");
}

}  // namespace fabric::linux_host
