// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ip_address.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace fabric::cli {

// Takes the text of an option's value into the variable that it was made for; "" when
// it can be meant, else what is wrong with it. `name` is the option, for that sentence.
using Meaning = std::function<std::string(const std::string& text)>;

// Text that must not be empty: an unset variable in a script names nothing.
// `otherwise` is said then.
[[nodiscard]] Meaning nonEmpty(std::string& into, std::string otherwise);

// A duration of parseDuration; `such` is an example.
[[nodiscard]] Meaning duration(std::chrono::milliseconds& into,
                               std::string name,
                               std::string such);
[[nodiscard]] Meaning duration(std::optional<std::chrono::milliseconds>& into,
                               std::string name,
                               std::string such);

// Long enough for a person to look, short enough for a wait.
[[nodiscard]] Meaning timeToConfirm(std::optional<std::chrono::milliseconds>& into);

// The time between two looks: the kernel's counters are no newer than some 10 ms.
[[nodiscard]] Meaning pace(std::optional<std::chrono::milliseconds>& into);

// A number of times, at least one.
[[nodiscard]] Meaning positive(std::optional<unsigned>& into, std::string name);

// A file that will be written or read, by its whole path.
[[nodiscard]] Meaning fileToWrite(std::string& into, std::string name);

// The URL of a storage server, as doctor::urlProblem() takes it.
[[nodiscard]] Meaning serverUrl(std::string& into, std::string name);

[[nodiscard]] Meaning ipAddress(std::optional<IpAddress>& into, std::string name);

// A symptom that doctor knows.
[[nodiscard]] Meaning symptom(std::string& into);

// A name, or ifindex:N with an index that can be one.
[[nodiscard]] Meaning railName(std::string& into);

}  // namespace fabric::cli
