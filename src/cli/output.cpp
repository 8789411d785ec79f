// SPDX-License-Identifier: Apache-2.0
#include "cli/output.hpp"

#include "base/text.hpp"
#include "report/confirmed.hpp"
#include "report/json.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace fabric::cli {

namespace {

constexpr int kCouldNotRun = static_cast<int>(engine::ExitCode::couldNotRun);

// Results go to stdout, everything else through the log on stderr.
spdlog::logger& log() {
    static spdlog::logger logger = [] {
        spdlog::logger made("fabricctl",
                            std::make_shared<spdlog::sinks::stderr_sink_st>());
        made.set_pattern("%v");
        return made;
    }();
    return logger;
}

bool wantsJson(const std::vector<std::string>& arguments) {
    const auto format = std::ranges::find(arguments, "--format");
    return std::ranges::find(arguments, "--format=json") != arguments.end() ||
           (format != arguments.end() && format + 1 != arguments.end() &&
            *(format + 1) == "json");
}

}  // namespace

bool keepStandardStreams() {
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
            // The lowest free number is this one. Read-only: what is printed to it is
            // an error, not lost without a word.
            if (::open("/dev/null", O_RDONLY | O_NOCTTY) != fd) {
                return false;
            }
        }
    }
    return true;
}

int printOut(std::string_view text, engine::ExitCode code) {
    const bool written =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
        std::fflush(stdout) == 0;
    if (!written) {
        log().error("fabricctl: the result could not be written to standard output");
        return static_cast<int>(engine::worse(code, engine::ExitCode::couldNotRun));
    }
    return static_cast<int>(code);
}

int stopWith(std::string command, Error error, const Options& options) {
    engine::Report report;
    report.command = std::move(command);
    report.started = std::chrono::system_clock::now();
    report.stopped = std::move(error);
    return print(report, options);
}

int print(const engine::Report& report,
          const Options& options,
          const std::optional<engine::Confirm>& confirm) {
    if (options.format == Format::json) {
        return printOut(report::toJson(report, confirm), report.exitCode());
    }
    for (const profile::ProfileError& error : report.errors) {
        log().error("{}", error.text());
    }
    if (report.stopped) {
        log().error("fabricctl: {}", escapeForTerminal(report.stopped->message()));
    }
    if (!report.errors.empty() || report.stopped) {
        return static_cast<int>(report.exitCode());
    }
    const report::TextOptions text{.color = useColor(options),
                                   .verbose = options.verbose,
                                   .explain = options.explain,
                                   .quiet = options.quiet};
    return printOut(report::toText(report, text) + report::toText(confirm),
                    report.exitCode());
}

int finish(const Ending& ending, const std::vector<std::string>& arguments) {
    if (!ending.error.empty()) {
        log().error("fabricctl: {}{}{}",
                    ending.error,
                    ending.advice.empty() ? "" : "\n",
                    ending.advice);
        if (wantsJson(arguments)) {
            Options options;
            options.format = Format::json;
            return stopWith(ending.verb,
                            {.kind = ErrorKind::malformed,
                             .action = "read the command line",
                             .subject = {},
                             .sysErrno = 0,
                             .detail = ending.error,
                             .advice = ending.advice},
                            options);
        }
        return ending.exitCode;
    }
    return printOut(ending.out, engine::ExitCode::asWanted);
}

int reportCrash(std::string_view what, const std::vector<std::string>& arguments) {
    const std::string text = escapeForTerminal(what);
    log().critical(
        "fabricctl: internal error: {}; please report it with the command line", text);
    Options options;
    options.format = wantsJson(arguments) ? Format::json : Format::text;
    return options.format == Format::text
               ? kCouldNotRun
               : stopWith("",
                          {.kind = ErrorKind::bug,
                           .action = "run",
                           .subject = {},
                           .sysErrno = 0,
                           .detail = text,
                           .advice = "report it with the command line"},
                          options);
}

bool useColor(const Options& options) {
    if (options.color != Color::automatic) {
        return options.color == Color::always;
    }
    const char* const noColor = std::getenv("NO_COLOR");
    return ::isatty(STDOUT_FILENO) == 1 && (noColor == nullptr || *noColor == '\0');
}

void warn(std::string_view text) {
    log().warn("fabricctl: warning: {}", escapeForTerminal(text));
}

void progress(const Options& options, std::string_view text) {
    if (!options.quiet && options.format == Format::text &&
        ::isatty(STDERR_FILENO) == 1) {
        log().info("{}", text);
    }
}

}  // namespace fabric::cli
