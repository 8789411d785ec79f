// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace fabric::doctor {

using Labels = std::map<std::string, std::string>;

// The series of a metric, by what they are labelled with.
using Series = std::map<Labels, double>;

// What a server told at one time, by the name of the metric.
using Metrics = std::map<std::string, Series, std::less<>>;

// Of one page: more is refused.
inline constexpr std::size_t kMostSamples = 65'536;
inline constexpr std::size_t kMostOfMetricsLine = 16'384;  // bytes
inline constexpr std::size_t kMostLabels = 64;

// The text format of Prometheus, version 0.0.4, as far as it is needed: comments with
// types and help, and times, are read over. Strict: whatever is not of this form is
// ErrorKind::malformed with its line ("line 12") as subject, and so is a page whose
// last line has no end, since it may have been cut off. Pure.
[[nodiscard]] Result<Metrics> parseMetrics(std::string_view text);

}  // namespace fabric::doctor
