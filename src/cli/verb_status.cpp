// SPDX-License-Identifier: Apache-2.0
#include "cli/confirmation.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "engine/status.hpp"
#include "linux/machine.hpp"
#include "linux/prober.hpp"
#include "report/json.hpp"
#include "report/status.hpp"

namespace fabric::cli {

namespace {

// Only what was asked for sends frames.
void askWire(const host::Reader& reader,
             const Options& options,
             engine::WireAnswers& wire) {
    if (!options.probe && !options.audit) {
        return;
    }
    linux_host::PacketProber prober(reader.links);
    const auto rails = engine::probedRails(reader, nullptr, options.run.rail);
    if (options.probe) {
        wire.domains =
            rails ? engine::probeDomains(reader, prober, *rails) : fail(rails.error());
    }
    if (options.audit) {
        wire.audit = rails ? engine::auditPeer(reader, prober, *rails, *options.audit)
                           : fail(rails.error());
    }
}

}  // namespace

int runStatus(const Options& options) {
    const linux_host::Machine machine;
    engine::Status status = engine::observeStatus(machine.reader(), options.run.rail);
    if (!status.stopped) {
        askWire(machine.reader(), options, status.wire);
        status.findings = unsettledFindings(machine.reader(), status.platform.bootId);
    }
    return printStatus(status, options);
}

int printStatus(const engine::Status& status, const Options& options) {
    if (options.format == Format::json) {
        return printOut(report::toJson(report::toValue(status)), status.exitCode());
    }
    if (status.stopped) {
        return finish({.exitCode = static_cast<int>(status.exitCode()),
                       .out = {},
                       .error = status.stopped->message(),
                       .advice = {}},
                      {});
    }
    const report::TextOptions text{
        .color = useColor(options), .verbose = options.verbose, .quiet = options.quiet};
    return printOut(report::toText(status, text), status.exitCode());
}

}  // namespace fabric::cli
