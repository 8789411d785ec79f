// SPDX-License-Identifier: Apache-2.0
#include "report/metrics.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <utility>

namespace fabric::report {

namespace {

using engine::Outcome;

constexpr std::string_view kLastSuccess = "fabricctl_last_success_timestamp_seconds";

constexpr std::array kOutcomes{Outcome::inSync,
                               Outcome::changed,
                               Outcome::drifted,
                               Outcome::failed,
                               Outcome::unsupported,
                               Outcome::unreadable,
                               Outcome::skipped,
                               Outcome::notApplicable};

std::int64_t secondsOf(std::chrono::system_clock::time_point time) {
    return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch())
        .count();
}

// Prometheus text format: backslash, quote and newline are escaped in a label value.
std::string label(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '\\' || c == '"') {
            escaped += '\\';
        }
        escaped += c == '\n' ? "\\n" : std::string(1, c);
    }
    return escaped;
}

class Metrics {
  public:
    void head(std::string_view name, std::string_view help) {
        text_ += fmt::format("# HELP {0} {1}\n# TYPE {0} gauge\n", name, help);
    }

    void sample(std::string_view name, std::string_view labels, std::int64_t value) {
        text_ += labels.empty() ? fmt::format("{} {}\n", name, value)
                                : fmt::format("{}{{{}}} {}\n", name, labels, value);
    }

    void one(std::string_view name, std::string_view help, std::int64_t value) {
        head(name, help);
        sample(name, {}, value);
    }

    [[nodiscard]] std::string text() && { return std::move(text_); }

  private:
    std::string text_;
};

void addResources(const engine::Report& report, Metrics& metrics) {
    std::map<resource::Kind, std::map<Outcome, std::int64_t>> counts;
    for (const engine::ResourceReport& resource : report.resources) {
        ++counts[resource.assessment.kind][resource.outcome];
    }
    metrics.head("fabricctl_resources",
                 "Properties of the profile by kind and outcome of the last run.");
    for (auto& [kind, byOutcome] : counts) {
        for (const Outcome outcome : kOutcomes) {
            metrics.sample("fabricctl_resources",
                           fmt::format(R"(kind="{}",outcome="{}")",
                                       resource::toString(kind),
                                       engine::toString(outcome)),
                           byOutcome[outcome]);
        }
    }
}

// Empty: it could not be seen whether one is due.
std::optional<std::int64_t> pendingRestarts(const engine::Report& report) {
    std::int64_t due = 0;
    for (const engine::ResourceReport& resource : report.resources) {
        if (resource.assessment.kind != resource::Kind::service ||
            resource.assessment.property != "process") {
            continue;
        }
        if (resource.outcome == Outcome::unreadable) {
            return std::nullopt;
        }
        due += resource.outcome == Outcome::drifted ? 1 : 0;
    }
    return report.errors.empty() ? std::optional(due) : std::nullopt;
}

std::optional<std::int64_t> lastSuccessOf(std::string_view previous) {
    for (const std::string_view line : split(previous, '\n')) {
        if (line.starts_with(kLastSuccess) && line.size() > kLastSuccess.size()) {
            const auto seconds =
                parseUnsigned(trimmed(line.substr(kLastSuccess.size())));
            const bool isTime = seconds && *seconds <= INT64_MAX;
            return isTime ? std::optional(static_cast<std::int64_t>(*seconds))
                          : std::nullopt;
        }
    }
    return std::nullopt;
}

void addBoot(const engine::Report& report,
             const std::optional<engine::BootRecord>& boot,
             Metrics& metrics) {
    const bool configured = boot && boot->finished && boot->bootId == report.bootId;
    metrics.one("fabricctl_boot_applied",
                "1 when the boot unit's apply ended in this boot, else 0.",
                configured ? 1 : 0);
    if (configured) {
        metrics.one("fabricctl_boot_exit_code",
                    "Exit code of this boot's apply.",
                    boot->exitCode);
        metrics.one("fabricctl_boot_end_monotonic_seconds",
                    "Seconds from the start of the kernel to the end of that apply.",
                    static_cast<std::int64_t>(boot->endedUs / std::micro::den));
    }
}

}  // namespace

std::string toMetrics(const engine::Report& report,
                      const std::optional<engine::BootRecord>& boot,
                      std::string_view previous) {
    Metrics metrics;
    const std::int64_t now = secondsOf(report.started);
    metrics.head("fabricctl_info", "Version, profile and verb of the last run.");
    metrics.sample("fabricctl_info",
                   fmt::format(R"(version="{}",profile="{}",command="{}")",
                               FABRIC_VERSION,
                               label(report.profileName),
                               label(report.command)),
                   1);
    metrics.one("fabricctl_exit_code",
                "Exit code of the last run; 0 is as wanted.",
                static_cast<int>(report.exitCode()));
    metrics.one("fabricctl_last_run_timestamp_seconds", "Start of the last run.", now);
    const auto success = report.exitCode() == engine::ExitCode::asWanted
                             ? std::optional(now)
                             : lastSuccessOf(previous);
    if (success) {
        metrics.one(
            kLastSuccess, "Start of the last run that found all as wanted.", *success);
    }
    addResources(report, metrics);
    if (const auto due = pendingRestarts(report)) {
        metrics.one("fabricctl_pending_restart",
                    "Services whose process still runs with old limits, program or "
                    "environment.",
                    *due);
    }
    addBoot(report, boot, metrics);
    return std::move(metrics).text();
}

}  // namespace fabric::report
