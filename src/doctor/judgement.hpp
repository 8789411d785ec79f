// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "doctor/rule.hpp"

#include <string>
#include <vector>

// How rules say what they found.
namespace fabric::doctor {

[[nodiscard]] Judgement passed(Value expected, Value found);
[[nodiscard]] Judgement failed(Value expected, Value found, std::string reason);
[[nodiscard]] Judgement warned(Value expected, Value found, std::string reason);
[[nodiscard]] Judgement notApplicable(std::string reason);
[[nodiscard]] Judgement inconclusive(std::string reason);
// With what it takes to read it: root, for a refusal.
[[nodiscard]] Judgement unreadable(const Error& error);

// The worst of what several things (rails, units) say, with the values of those that
// say it.
class Judged {
  public:
    void add(const std::string& name, Judgement judgement);
    // `otherwise` when nothing was added.
    [[nodiscard]] Judgement worst(const std::string& otherwise) const;

  private:
    struct One {
        std::string name;
        Judgement judgement;
    };

    std::vector<One> all_;
};

// fail, unreadable, warn, inconclusive, pass, not applicable.
[[nodiscard]] bool isWorse(Verdict left, Verdict right);

}  // namespace fabric::doctor
