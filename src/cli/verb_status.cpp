// SPDX-License-Identifier: Apache-2.0
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "engine/status.hpp"
#include "linux/machine.hpp"
#include "report/json.hpp"
#include "report/status.hpp"

namespace fabric::cli {

int runStatus(const Options& options) {
    const linux_host::Machine machine;
    const engine::Status status =
        engine::observeStatus(machine.reader(), options.run.rail);
    if (options.format == Format::json) {
        return printOut(report::toJson(report::toValue(status)), status.exitCode());
    }
    if (status.stopped) {
        return finish({.exitCode = static_cast<int>(status.exitCode()),
                       .out = {},
                       .error = "fabricctl: " + status.stopped->message()},
                      {});
    }
    const report::TextOptions text{
        .color = useColor(options), .verbose = options.verbose, .quiet = options.quiet};
    return printOut(report::toText(status, text), status.exitCode());
}

}  // namespace fabric::cli
