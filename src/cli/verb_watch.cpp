// SPDX-License-Identifier: Apache-2.0
#include "cli/output.hpp"
#include "cli/stop_signal.hpp"
#include "cli/verbs.hpp"
#include "inventory/platform.hpp"
#include "linux/machine.hpp"
#include "linux/ticker.hpp"
#include "report/watch.hpp"
#include "watch/verdict.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fabric::cli {

namespace {

using engine::ExitCode;

constexpr std::chrono::milliseconds kPace{1000};

std::size_t terminalRows() {
    constexpr std::size_t kUsual = 24;
    winsize size{};
    return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0
               ? size.ws_row
               : kUsual;
}

// A terminal that can go back to a line that was printed.
bool refreshesInPlace(const Options& options) {
    const char* const terminal = std::getenv("TERM");
    return options.format == Format::text && ::isatty(STDOUT_FILENO) == 1 &&
           terminal != nullptr && std::string_view(terminal) != "dumb";
}

// What is printed after each interval.
class WatchOutput {
  public:
    WatchOutput(const Options& options, std::string host)
        : options_(options),
          inPlace_(refreshesInPlace(options)),
          host_(std::move(host)) {}

    [[nodiscard]] ExitCode print(const std::vector<watch::Look>& looks,
                                 std::chrono::system_clock::time_point time) {
        const std::string text = inPlace_ ? screen(looks, time) : lines(looks, time);
        return static_cast<ExitCode>(printOut(text, ExitCode::asWanted));
    }

  private:
    [[nodiscard]] std::string lines(const std::vector<watch::Look>& looks,
                                    std::chrono::system_clock::time_point time) const {
        std::string text;
        for (const watch::Look& look : looks) {
            if (options_.format == Format::json) {
                text += report::watchJsonLine(look, time);
            } else if (!options_.quiet || watch::isWrong(look)) {
                text += report::watchLine(look, time);
            }
        }
        return text;
    }

    // Over the lines of the last time: up to the first, each to its end, the rest of
    // the screen cleared. Without wrapping, a line is a row.
    [[nodiscard]] std::string screen(const std::vector<watch::Look>& looks,
                                     std::chrono::system_clock::time_point time) {
        const auto rows =
            report::watchLines(looks,
                               {.host = host_,
                                .time = time,
                                .interval = options_.interval.value_or(kPace),
                                .rows = terminalRows()},
                               {.color = useColor(options_), .quiet = options_.quiet});
        std::string text = "\x1b[?7l";
        if (printed_ > 0) {
            text += fmt::format("\x1b[{}A\r", printed_);
        }
        for (const std::string& row : rows) {
            text += row + "\x1b[K\n";
        }
        printed_ = rows.size();
        return text + "\x1b[J\x1b[?7h";
    }

    const Options& options_;
    bool inPlace_;
    std::string host_;
    std::size_t printed_ = 0;
};

Result<std::vector<watch::Sample>> lookAround(const host::Reader& reader,
                                              const std::string& filter) {
    std::vector<watch::Sample> samples;
    for (const inventory::Rail& rail : TRY(watch::watchedRails(reader, filter))) {
        samples.push_back(watch::takeSample(reader, rail));
    }
    return samples;
}

Error nothingToWatch() {
    return {
        .kind = ErrorKind::notFound,
        .action = "watch",
        .subject = "the rails",
        .sysErrno = 0,
        .detail =
            "there is no RDMA port: none in RDMA netlink or "
            "/sys/class/infiniband",
        .advice = "load the adapter's RDMA driver, or name an interface with --rail"};
}

// A rail that was named and is gone is a finding, not an end.
Result<std::vector<watch::Look>> lookAgain(const host::Reader& reader,
                                           const Options& options,
                                           watch::Session& session) {
    auto samples = lookAround(reader, options.run.rail);
    if (!samples && samples.error().kind == ErrorKind::notFound) {
        samples.emplace();
    }
    return session.take(TRY(std::move(samples)));
}

ExitCode exitCodeOf(const std::vector<watch::Look>& looks) {
    const bool told =
        !looks.empty() && std::ranges::none_of(looks, [](const watch::Look& look) {
            return look.judgement.verdict == watch::Verdict::unknown;
        });
    return told ? ExitCode::asWanted : ExitCode::unverifiable;
}

// Looks again after each interval. What ends it is a signal, --count, a standard output
// that takes no more, or a machine that cannot be looked at.
Result<ExitCode> watchOn(const host::Reader& reader,
                         const Options& options,
                         watch::Session& session) {
    const auto ticker =
        TRY(linux_host::Ticker::every(options.interval.value_or(kPace)));
    WatchOutput output(options, inventory::observePlatform(reader).hostName);
    ExitCode code = ExitCode::unverifiable;  // nothing was seen yet
    for (unsigned done = 0; !options.count || done < *options.count; ++done) {
        if (!TRY(ticker.wait()) || stopSignal()) {
            break;
        }
        const auto looks = TRY(lookAgain(reader, options, session));
        code = exitCodeOf(looks);
        if (output.print(looks, reader.clock.wallTime()) != ExitCode::asWanted) {
            return ExitCode::couldNotRun;
        }
    }
    return code;
}

}  // namespace

int runWatch(const Options& options) {
    holdStopSignals();
    const linux_host::Machine machine;
    const host::Reader reader = machine.reader();
    watch::Session session;
    auto first = lookAround(reader, options.run.rail);
    if (!first || first->empty()) {
        return stopWith(
            "watch", first ? nothingToWatch() : std::move(first.error()), options);
    }
    static_cast<void>(session.take(std::move(*first)));
    const auto code = watchOn(reader, options, session);
    return code ? static_cast<int>(*code) : stopWith("watch", code.error(), options);
}

}  // namespace fabric::cli
