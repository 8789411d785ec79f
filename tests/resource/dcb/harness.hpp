// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fake/fake_dcb.hpp"
#include "fake/fake_host.hpp"
#include "resource/dcb/assess.hpp"

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::resource {

// So that a failed expectation names verdicts.
std::ostream& operator<<(std::ostream& out, Verdict verdict);

}  // namespace fabric::resource

namespace fabric::resource::dcb {

// The usual profile of a lossless rail: priority 3, DSCP 26, buffer 1, derived as the
// profile room derives it.
[[nodiscard]] profile::DcbSettings losslessSettings();

// One machine with one rail, whose assessments are made and whose steps are carried out
// the way the engine does: writes in order, the first failure ends a step, a failed
// step ends nothing else.
class Machine {
  public:
    explicit Machine(fake::DcbDriver kind);

    // What one round of writing came to.
    struct Round {
        std::vector<std::string> errors;  // of refused writes
        std::vector<std::string> notes;   // of unproven ones
        unsigned setterCalls = 0;
    };

    [[nodiscard]] Comparison look() const;
    Round carryOut(const Comparison& comparison);
    // One write; its note when the answer proved nothing.
    Result<std::string> carryOut(const Write& write);
    // Looks, writes, and looks again.
    Comparison apply();

    [[nodiscard]] fake::FakeDcbPort& port() { return dcb.port({7}); }

    fake::FakeHost host;
    fake::FakeDcb dcb;
    profile::DcbSettings wanted = losslessSettings();
    RailTask rail;
    Round last;  // of apply()
};

// The assessment of a property; the test fails when there is none.
[[nodiscard]] const Assessment& of(const Comparison& comparison,
                                   std::string_view property);
[[nodiscard]] Verdict verdictOf(const Comparison& comparison,
                                std::string_view property);
// The step that serves a property, or nullptr.
[[nodiscard]] const Step* stepFor(const Comparison& comparison,
                                  std::string_view property);
[[nodiscard]] const Finding* findingOf(const Comparison& comparison,
                                       std::string_view id);
// "set PFC", "delete DSCP 26 -> priority 3", ... of every write in plan order.
[[nodiscard]] std::vector<std::string> messages(const Comparison& comparison);

}  // namespace fabric::resource::dcb
