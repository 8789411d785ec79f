// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"
#include "resource/finding.hpp"
#include "resource/step.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::resource {

enum class Kind {
    rails,
    module,
    acs,
    mtu,
    pause,
    dcb,
    ecn,
    rdmaCm,
    arp,
    neighbour,
    service,
    boot
};

// "rdma-cm" for Kind::rdmaCm, as in ids and --only.
[[nodiscard]] std::string_view toString(Kind kind);
[[nodiscard]] std::optional<Kind> parseKind(std::string_view text);

// What one look at one property says. `failed` before any write is a refusal by policy
// (the rail carries the default route).
enum class Verdict {
    inSync,
    differs,
    failed,
    unsupported,
    unreadable,
    skipped,
    notApplicable
};

// One property of one resource: wanted against found. The unit of reports and exit
// codes.
struct Assessment {
    std::string id;  // "dcb/ens1f0np0/pfc"
    Kind kind = Kind::rails;
    std::string device;    // interface, BDF, unit or module
    std::string rdma;      // "mlx5_0", "" none
    std::string pci;       // "0000:1a:00.0", "" none
    std::string property;  // "pfc"
    std::string rail;      // name of the rail it belongs to, "" host-wide
    Value wanted;
    Value found;
    Verdict verdict = Verdict::unreadable;
    Disturbs disturbs = Disturbs::none;  // of the step that would repair it
    std::string reason;                  // why the verdict is not inSync
    std::string fix;                     // what a person can do when apply cannot
    std::string explanation;  // for --explain: the rule that makes this a difference
    // A difference that `apply` never repairs by itself (a running process); stays
    // `drifted`.
    bool beyondApply = false;
    // Absence is as good as what is wanted: a later look that does not list the thing
    // any more, or as not applicable, has found nothing wrong.
    bool goneIsAsWanted = false;
    // Its step is an act that every apply repeats, not the repair of a difference: as
    // wanted in `check`, a difference in `plan`, changed once the step was accepted.
    bool onEveryApply = false;
};

// The pure result of comparing what is wanted with what was observed.
struct Comparison {
    std::vector<Assessment> assessments;
    std::vector<Step> steps;
    std::vector<Finding> findings;

    void append(Comparison other);
};

}  // namespace fabric::resource
