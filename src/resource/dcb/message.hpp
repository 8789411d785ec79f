// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"
#include "host/dcb.hpp"
#include "resource/dcb/state.hpp"

#include <cstdint>
#include <span>

// Requests to net/dcb/dcbnl.c as values. Each SET carries one concern, and an APP
// message one entry: the kernel stops at the first failure, does not roll back and
// answers one code for the whole message.
namespace fabric::resource::dcb {

// IEEE_GET: the answer also carries DCB_ATTR_DCBX where the driver has a getter.
[[nodiscard]] host::DcbRequest getRequest(IfIndex link);
[[nodiscard]] host::DcbRequest getDcbxRequest(IfIndex link);
// `mode` is written as it is: a driver may store the byte verbatim (mlx5).
[[nodiscard]] host::DcbRequest setDcbxRequest(IfIndex link, std::uint8_t mode);
// PFC bits and delay (mlx5: cable length) in one message.
[[nodiscard]] host::DcbRequest setPfcRequest(IfIndex link, const Pfc& pfc);
[[nodiscard]] host::DcbRequest setEtsRequest(IfIndex link, const Ets& ets);
[[nodiscard]] host::DcbRequest setMaxRateRequest(IfIndex link, const MaxRates& rates);
[[nodiscard]] host::DcbRequest setBufferRequest(IfIndex link, const Buffers& buffers);
[[nodiscard]] host::DcbRequest setAppRequest(IfIndex link, const AppEntry& entry);
[[nodiscard]] host::DcbRequest deleteAppRequest(IfIndex link, const AppEntry& entry);
// Linux 6.2 and later; older kernels ignore the attribute and answer 0.
[[nodiscard]] host::DcbRequest setAppTrustRequest(
    IfIndex link, std::span<const std::uint8_t> selectors);

}  // namespace fabric::resource::dcb
