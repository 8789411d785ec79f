// SPDX-License-Identifier: Apache-2.0
#include "report/server_metrics.hpp"

#include "base/text.hpp"
#include "report/palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace fabric::report {

namespace {

using doctor::Metrics;
using doctor::MetricsEvidence;
using doctor::ServerMetrics;
using doctor::ServerNumber;

// One group at its two looks.
struct GroupLooks {
    const Result<Metrics>& first;
    const Result<Metrics>* second;  // nullptr: one look only

    [[nodiscard]] const Error* error() const {
        if (!first) {
            return &first.error();
        }
        return second != nullptr && !*second ? &second->error() : nullptr;
    }

    [[nodiscard]] std::vector<ServerNumber> numbers() const {
        const bool twice = second != nullptr && second->has_value();
        return first ? doctor::numbersOf(*first, twice ? &**second : nullptr)
                     : std::vector<ServerNumber>{};
    }
};

GroupLooks looksAt(const MetricsEvidence& metrics,
                   Result<Metrics> ServerMetrics::* group) {
    return {.first = metrics.first.*group,
            .second = metrics.second ? &((*metrics.second).*group) : nullptr};
}

std::string lineOf(const ServerNumber& number) {
    std::string text =
        fmt::format("  {} {}", number.name, doctor::countValue(number.value).toText());
    if (number.rise) {
        text += fmt::format(", {} more in between",
                            doctor::countValue(*number.rise).toText());
    } else if (!number.unknown.empty()) {
        text += fmt::format(" ({})", number.unknown);
    }
    return text + "\n";
}

std::string groupText(const GroupLooks& group, std::string_view name) {
    std::string text;
    for (const ServerNumber& number : group.numbers()) {
        text += lineOf(number);
    }
    if (const Error* const error = group.error()) {
        text += fmt::format(
            "  {}: {}\n", name, wrapped(escapeForTerminal(error->message()), 4));
    } else if (text.empty()) {
        text = fmt::format("  {}: it tells none of them\n", name);
    }
    return text;
}

Value groupValue(const GroupLooks& group) {
    Value::List numbers;
    std::ranges::transform(
        group.numbers(), std::back_inserter(numbers), [](const ServerNumber& number) {
            return Value(Value::Object{
                {"name", number.name},
                {"value", doctor::countValue(number.value)},
                {"rise", number.rise ? doctor::countValue(*number.rise) : Value{}},
                {"unknown", number.unknown}});
        });
    const Error* const error = group.error();
    return Value::Object{{"error", error != nullptr ? error->message() : ""},
                         {"numbers", std::move(numbers)}};
}

}  // namespace

std::string toText(const MetricsEvidence& metrics) {
    return fmt::format("what the server counts ({}):\n",
                       escapeForTerminal(metrics.url)) +
           groupText(looksAt(metrics, &ServerMetrics::internode), "inter-node RDMA") +
           groupText(looksAt(metrics, &ServerMetrics::api), "S3 over RDMA");
}

Value metricsValue(const std::optional<MetricsEvidence>& metrics) {
    if (!metrics) {
        return {};
    }
    return Value::Object{
        {"url", metrics->url},
        {"internode", groupValue(looksAt(*metrics, &ServerMetrics::internode))},
        {"api", groupValue(looksAt(*metrics, &ServerMetrics::api))}};
}

}  // namespace fabric::report
