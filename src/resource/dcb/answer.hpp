// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "host/dcb.hpp"
#include "resource/dcb/state.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fabric::resource::dcb {

// Decodes an IEEE_GET answer. Attributes that are absent stay empty, unknown ones and
// those of the peer are ignored; bytes that do not parse are ErrorKind::malformed.
[[nodiscard]] Result<State> decodeState(const host::DcbAnswer& answer);

// The APP entries of an IEEE_GET answer in the order in which the kernel lists them:
// the newest is first. No table is an empty list.
[[nodiscard]] Result<std::vector<AppEntry>> decodeListedApps(
    const host::DcbAnswer& answer);

// Decodes a GDCBX answer: DCB_CAP_DCBX_* bits.
[[nodiscard]] Result<std::uint8_t> decodeDcbx(const host::DcbAnswer& answer);

// What a setter's answer is worth. No answer proves that anything changed: the kernel
// answers 0 for attributes that the driver or the kernel itself does not know. An
// unproven answer is a positive code: ice answers 1 for "no change, or failed" and 2
// for "changed without reset" (drivers/net/ethernet/intel/ice/ice_dcb_nl.c), and SDCBX
// 1 for refused or already so. Only the read-back decides.
struct SetOutcome {
    std::uint8_t code = 0;
    bool unproven = false;
    std::string note;  // what the code may mean; "" for 0

    bool operator==(const SetOutcome&) const = default;
};

// Decodes the one result byte inside the answer to IEEE_SET, IEEE_DEL and SDCBX as the
// signed number that it is. Negative codes are an Error with the errno: EOPNOTSUPP is
// ErrorKind::unsupported, EBUSY busy, every other one refused (also EPERM, which here
// comes from the driver, not from the kernel's capability check). The byte 244 is both
// ENOMEM (12) and the kernel's own ENOTSUPP (524): the detail names both.
[[nodiscard]] Result<SetOutcome> decodeSetResult(const host::DcbRequest& request,
                                                 const host::DcbAnswer& answer);

// "set PFC", "add APP entry 26 -> 3 (DSCP)": the request in words, for messages.
[[nodiscard]] std::string describe(const host::DcbRequest& request);

}  // namespace fabric::resource::dcb
