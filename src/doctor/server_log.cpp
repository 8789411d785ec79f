// SPDX-License-Identifier: Apache-2.0
#include "doctor/server_log.hpp"

#include "base/text.hpp"

#include <array>
#include <cstddef>

namespace fabric::doctor {

namespace {

constexpr std::array kParts{kInternodeLine,
                            kPoolLine,
                            kDirectLine,
                            kPerWriteLine,
                            kRetryLine,
                            kRemoteLine,
                            kRemoteCode};
constexpr std::size_t kMostOfLine = 400;  // bytes

}  // namespace

void gatherServerLog(const host::ServiceLog& log, Evidence& evidence) {
    const auto& state = evidence.server.state;
    if (!state || state->unit.inactiveExitUs == 0) {
        return;
    }
    evidence.serverLog =
        log.lines(evidence.server.unit, state->unit.inactiveExitUs, kParts);
}

std::vector<std::string> linesWith(const host::ServiceLines& log,
                                   std::string_view part) {
    std::vector<std::string> found;
    for (const host::ServiceLine& line : log.lines) {
        if (line.message.contains(part)) {
            found.push_back(escapeForTerminal(
                std::string_view(line.message).substr(0, kMostOfLine)));
        }
    }
    return found;
}

}  // namespace fabric::doctor
