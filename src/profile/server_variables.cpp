// SPDX-License-Identifier: Apache-2.0
#include "profile/server_variables.hpp"

#include "base/text.hpp"
#include "profile/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <vector>

namespace fabric::profile {

namespace {

using Takes = ServerVariable::Takes;

constexpr unsigned long long kAny = std::numeric_limits<unsigned long long>::max();

// https://docs.min.io/aistor/ (settings of RDMA) and the vendor's training scripts. A
// traffic class is one byte; the time-out of a queue pair has five bits (InfiniBand
// Architecture Specification, Local ACK Timeout).
constexpr std::array kVariables{
    ServerVariable{"MINIO_RDMA_INTERNODE", Takes::onOff},
    ServerVariable{"MINIO_RDMA_INTERNODE_SRQ_SIZE", Takes::number, kAny},
    ServerVariable{"MINIO_RDMA_INTERNODE_TRAFFIC_CLASS", Takes::number, 255},
    ServerVariable{"MINIO_RDMA_INTERNODE_INFLIGHT_BYTES"},
    ServerVariable{"MINIO_RDMA_INTERNODE_INFLIGHT_BYTES_MAX"},
    ServerVariable{"MINIO_RDMA_POOL_BUF_SIZE"},
    ServerVariable{"MINIO_RDMA_POOL_COUNT", Takes::number, kAny},
    ServerVariable{"MINIO_RDMA_MIN_SIZE"},
    ServerVariable{"MINIO_RDMA_TIMEOUT", Takes::number, 31},
    ServerVariable{"MINIO_RDMA_DEBUG", Takes::onOff},
    ServerVariable{"MINIO_RDMA_CHANNELS"},
    ServerVariable{"MINIO_RDMA_NUM_DCIS"},
    ServerVariable{"MINIO_RDMA_CQ_DEPTH"},
    ServerVariable{"MINIO_RDMA_DELAY_INTERVAL"},
};

std::string lower(std::string_view text) {
    std::string small(text);
    std::ranges::transform(small, small.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a')
                                              : letter;
    });
    return small;
}

std::string upper(std::string_view text) {
    std::string large(text);
    std::ranges::transform(large, large.begin(), [](char letter) {
        return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A')
                                              : letter;
    });
    return large;
}

// "on" of ON, yes, 1 and true; "" when it is not clear.
std::string meantSwitch(std::string_view value) {
    constexpr std::array<std::string_view, 5> kOn{"on", "yes", "1", "true", "enabled"};
    constexpr std::array<std::string_view, 5> kOff{
        "off", "no", "0", "false", "disabled"};
    const std::string small = lower(trimmed(value));
    if (std::ranges::find(kOn, small) != kOn.end()) {
        return "\"on\"";
    }
    return std::ranges::find(kOff, small) != kOff.end() ? "\"off\"" : "";
}

std::string expectation(const ServerVariable& variable) {
    if (variable.takes == Takes::onOff) {
        return "on or off, in small letters";
    }
    return variable.most == kAny ? "a plain number"
                                 : fmt::format("a number 0 to {}", variable.most);
}

}  // namespace

std::span<const ServerVariable> serverVariables() {
    return kVariables;
}

const ServerVariable* serverVariable(std::string_view name) {
    const auto* const found =
        std::ranges::find(kVariables, name, &ServerVariable::name);
    return found == kVariables.end() ? nullptr : &*found;
}

bool understands(const ServerVariable& variable, std::string_view value) {
    if (value.empty() || variable.takes == Takes::anything) {
        return true;
    }
    if (variable.takes == Takes::onOff) {
        return value == "on" || value == "off";
    }
    const auto number = parseUnsigned(value);
    return number && *number <= variable.most;
}

std::optional<Complaint> judgeVariableName(std::string_view name) {
    constexpr std::size_t kSlips = 2;
    if (serverVariable(name) != nullptr) {
        return std::nullopt;
    }
    std::vector<std::string> names;
    std::ranges::transform(
        kVariables, std::back_inserter(names), [](const ServerVariable& one) {
            return std::string(one.name);
        });
    auto meant = nearestWord(upper(name), names, kSlips);
    if (!meant) {
        return std::nullopt;
    }
    return Complaint{
        .message = fmt::format("{} is no setting of the server, which ignores it "
                               "without a word",
                               cited(name)),
        .suggestion = std::move(*meant)};
}

std::optional<Complaint> judgeVariableValue(std::string_view name,
                                            std::string_view value) {
    const ServerVariable* const variable = serverVariable(name);
    if (variable == nullptr || understands(*variable, value)) {
        return std::nullopt;
    }
    return Complaint{
        .message =
            fmt::format("{} is ignored by the server without a word; expected {}",
                        cited(value),
                        expectation(*variable)),
        .suggestion = variable->takes == Takes::onOff ? meantSwitch(value) : ""};
}

}  // namespace fabric::profile
