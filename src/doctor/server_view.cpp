// SPDX-License-Identifier: Apache-2.0
#include "doctor/server_view.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <array>

namespace fabric::doctor {

std::optional<Judgement> withoutServer(const Evidence& evidence) {
    const auto& state = evidence.server.state;
    if (!state) {
        return unreadable(state.error());
    }
    if (state->unit.loadState == "not-found") {
        return notApplicable(evidence.server.unit + " is not installed here");
    }
    return std::nullopt;
}

std::optional<Judgement> withoutProcess(const Evidence& evidence) {
    if (auto without = withoutServer(evidence)) {
        return without;
    }
    const auto& process = evidence.server.state->process;
    if (!process) {
        return notApplicable(evidence.server.unit + " does not run");
    }
    return *process ? std::nullopt : std::optional(unreadable(process->error()));
}

const resource::service::State& stateOf(const Evidence& evidence) {
    return *evidence.server.state;
}

const resource::service::Process& processOf(const Evidence& evidence) {
    return **evidence.server.state->process;
}

std::optional<std::string> variable(const Evidence& evidence, std::string_view name) {
    std::optional<std::string> value;
    const auto& state = stateOf(evidence);
    for (const std::string& assignment : state.unit.environment) {
        if (assignment.starts_with(name) && assignment.size() > name.size() &&
            assignment[name.size()] == '=') {
            value = assignment.substr(name.size() + 1);
        }
    }
    for (const auto& source : state.environment) {
        for (const auto& [key, text] :
             source.variables.value_or(resource::service::Variables{})) {
            if (key == name) {
                value = text;
            }
        }
    }
    return value;
}

std::optional<std::uint64_t> numberOf(const Evidence& evidence, std::string_view name) {
    const auto text = variable(evidence, name);
    return text ? std::optional<std::uint64_t>(parseUnsigned(*text)) : std::nullopt;
}

std::optional<Error> environmentError(const Evidence& evidence) {
    for (const auto& source : stateOf(evidence).environment) {
        if (source.error) {
            return source.error;
        }
    }
    return std::nullopt;
}

std::uint64_t neededMemory(const Evidence& evidence) {
    const auto size = numberOf(evidence, "MINIO_RDMA_POOL_BUF_SIZE");
    const auto count = numberOf(evidence, "MINIO_RDMA_POOL_COUNT");
    const bool told =
        size && count && *size != 0 && *count != 0 && *count <= host::kNoLimit / *size;
    return told ? *size * *count : kNeededByDefault;
}

std::string nameOfProcess(const OtherServer& server) {
    return fmt::format("process {}", server.pid);
}

std::string bytesText(std::uint64_t bytes) {
    if (bytes == host::kNoLimit) {
        return "infinity";
    }
    constexpr std::array<std::string_view, 4> kUnits{"bytes", "KiB", "MiB", "GiB"};
    std::size_t unit = 0;
    constexpr std::uint64_t kStep = 1024;
    while (unit + 1 < kUnits.size() && bytes >= kStep && bytes % kStep == 0) {
        bytes /= kStep;
        ++unit;
    }
    return fmt::format("{} {}", bytes, kUnits.at(unit));
}

}  // namespace fabric::doctor
