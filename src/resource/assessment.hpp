// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"
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
    service
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
};

enum class Severity { info, warn, fail };

struct Finding {
    std::string id;  // "acs.guest"
    Severity severity = Severity::info;
    std::string summary;
    std::string evidence;
    std::string fix;
    std::string device = {};  // the interface that it is about; "" several, or the host
    bool operator==(const Finding&) const = default;
};

// The pure result of comparing what is wanted with what was observed.
struct Comparison {
    std::vector<Assessment> assessments;
    std::vector<Step> steps;
    std::vector<Finding> findings;

    void append(Comparison other);
};

}  // namespace fabric::resource
