// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fabric::host {

struct JournalEntry {
    std::string message;
    std::string messageId;  // 32 hexadecimal digits, "" none
    std::string unit;       // that the message is about, "" none
    bool operator==(const JournalEntry&) const = default;
};

class JournalReader {
  public:
    virtual ~JournalReader() = default;
    // What the service manager (process 1) said in this boot with the priority of a
    // warning or worse, oldest first. No journal to read is ErrorKind::notFound; one
    // that this user may not read ErrorKind::permission.
    [[nodiscard]] virtual Result<std::vector<JournalEntry>> managerProblems() const = 0;
};

}  // namespace fabric::host
