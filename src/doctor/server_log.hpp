// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doctor/evidence.hpp"
#include "host/service_log.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fabric::doctor {

// What the server writes of RDMA, as the vendor's pages name it.
inline constexpr std::string_view kInternodeLine = "RDMA: internode initialized";
inline constexpr std::string_view kPoolLine = "RDMA: inbound receive pool ready";
inline constexpr std::string_view kDirectLine = "GPU-Direct S3 server disabled";
inline constexpr std::string_view kPerWriteLine = "sender buffer registration failed";
inline constexpr std::string_view kRetryLine = "IBV_WC_RETRY_EXC_ERR";
inline constexpr std::string_view kRemoteLine = "IBV_WC_REM_OP_ERR";
inline constexpr std::string_view kRemoteCode = "remote operation error (code: 11)";

// Searches what the server's unit wrote since it was started last for these lines.
// Nothing is looked at when it never was.
void gatherServerLog(const host::ServiceLog& log, Evidence& evidence);

// The lines that hold `part`, oldest first, safe to print.
[[nodiscard]] std::vector<std::string> linesWith(const host::ServiceLines& log,
                                                 std::string_view part);

}  // namespace fabric::doctor
