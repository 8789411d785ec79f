// SPDX-License-Identifier: Apache-2.0
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "engine/own_peers.hpp"
#include "linux/machine.hpp"
#include "report/json.hpp"
#include "report/peers.hpp"

namespace fabric::cli {

int runPeersExport(const Options& options) {
    const linux_host::Machine machine;
    const auto own = engine::observeOwnPeers(machine.reader(), options.run.rail);
    if (!own) {
        return stopWith("peers export", own.error(), options);
    }
    return printOut(options.format == Format::json
                        ? report::toJson(report::toValue(*own))
                        : report::toYaml(*own),
                    engine::ExitCode::asWanted);
}

}  // namespace fabric::cli
