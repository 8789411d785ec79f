// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::host {

struct JournalEntry {
    std::string message;
    std::string messageId;  // 32 hexadecimal digits, "" none
    std::string unit;       // that the message is about, "" none
    bool operator==(const JournalEntry&) const = default;
};

// One line as it was logged.
struct JournalLine {
    std::int64_t wallUs = 0;  // microseconds since 1970, UTC
    std::string source;       // "kernel", or the unit that said it or that it is about
    std::string message;
    bool operator==(const JournalLine&) const = default;
};

// Which lines of this boot are wanted, and how many at most.
struct JournalQuery {
    std::vector<std::string>
        units;  // whole, with what the service manager says of them
    // Of the kernel's lines those for which this holds; empty: none.
    std::function<bool(std::string_view message)> ofKernel;
    std::size_t lines = 0;
    std::size_t bytes = 0;  // of all messages
};

// The newest lines that fit, oldest first.
struct JournalLines {
    std::vector<JournalLine> lines;
    bool cut = false;  // there are older ones that were not looked at
};

class JournalReader {
  public:
    virtual ~JournalReader() = default;
    // What the service manager (process 1) said in this boot with the priority of a
    // warning or worse, oldest first. No journal to read is ErrorKind::notFound; one
    // that this user may not read ErrorKind::permission.
    [[nodiscard]] virtual Result<std::vector<JournalEntry>> managerProblems() const = 0;
    // Reads backwards from now, a bounded number of entries. Errors as above.
    [[nodiscard]] virtual Result<JournalLines> lines(
        const JournalQuery& query) const = 0;
};

}  // namespace fabric::host
