// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/journal.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fabric::facts {

// A line of the kernel about RDMA, its drivers or what they rest on.
[[nodiscard]] bool isAboutRdma(std::string_view message);

// The journal's part of a bundle: lines of the kernel about RDMA and of these units.
[[nodiscard]] host::JournalQuery bundleQuery(std::vector<std::string> units);

// One line each, "TIME SOURCE: MESSAGE"; further lines of a message are indented. What
// a terminal would act on is escaped.
[[nodiscard]] std::string journalText(const host::JournalLines& journal);

}  // namespace fabric::facts
