// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "resource/rdma_cm/rdma_cm.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fabric::resource::rdma_cm {

namespace {

constexpr std::string_view kConfigfs = "/sys/kernel/config";

// The mount table escapes nothing in this path, so its second field can be compared.
bool isMounted(const host::FileReader& files) {
    const auto table = files.read("/proc/self/mounts");
    return table && std::ranges::any_of(split(*table, '\n'), [](std::string_view line) {
               const auto fields = split(line, ' ');
               return fields.size() > 2 && fields[1] == kConfigfs &&
                      fields[2] == "configfs";
           });
}

void readGroup(const host::FileReader& files, const std::string& mode, State& state) {
    const auto text = files.read(state.tosPath);
    if (!text) {
        state.error = text.error();
    } else if (const auto number = parseUnsigned(trimmed(*text));
               number && *number <= 255) {
        state.tos = static_cast<unsigned>(*number);
    } else {
        state.error = Error{.kind = ErrorKind::malformed,
                            .action = "read",
                            .subject = state.tosPath,
                            .sysErrno = 0,
                            .detail = "it holds '" + escapeForTerminal(trimmed(*text)) +
                                      "', not a type of service",
                            .advice = {}};
    }
    if (const auto told = files.read(mode)) {
        state.mode = trimmed(*told);
    }
}

bool loadsRdmaCm(const profile::HostSettings& host) {
    return host.modules &&
           std::ranges::find(*host.modules, "rdma_cm") != host.modules->end();
}

}  // namespace

State observe(const host::Reader& host, const host::RdmaPort& port) {
    const std::string root = std::string(kConfigfs) + "/rdma_cm";
    State state;
    state.group = root + "/" + port.device;
    const std::string folder = state.group + "/ports/" + std::to_string(port.port);
    state.tosPath = folder + "/default_roce_tos";
    const auto group = host.files.status(state.group);
    if (group) {
        state.access = Access::present;
        readGroup(host.files, folder + "/default_roce_mode", state);
    } else if (group.error().kind != ErrorKind::notFound) {
        state.error = group.error();
    } else if (host.files.status(root)) {
        state.access = Access::groupAbsent;
    } else {
        state.access = isMounted(host.files) ? Access::notLoaded : Access::notMounted;
    }
    return state;
}

namespace {

// A type of service is the DSCP and two ECN bits: DSCP 26 is ToS 104, and ToS 26 is
// DSCP 6 (RFC 2474, RFC 3168).
bool missesLosslessDscp(const RailTask& task) {
    const auto& settings = task.settings;
    return settings.rdmaCmTos && settings.dcb && settings.dcb->lossless &&
           *settings.rdmaCmTos >> 2U != settings.dcb->lossless->dscp.number();
}

std::optional<Finding> offLossless(std::span<const RailTask> rails) {
    std::string names;
    const RailTask* first = nullptr;
    for (const RailTask& task : rails) {
        if (missesLosslessDscp(task)) {
            names += (first == nullptr ? "" : ", ") + task.rail.name;
            first = first == nullptr ? &task : first;
        }
    }
    if (first == nullptr) {
        return std::nullopt;
    }
    const unsigned tos = *first->settings.rdmaCmTos;
    const unsigned dscp = first->settings.dcb->lossless->dscp.number();
    return Finding{
        .id = "rdma-cm.tos-not-lossless",
        .severity = Severity::warn,
        .summary = fmt::format("rdma-cm-tos {} is DSCP {}, which is not the lossless "
                               "DSCP {}: connections made through rdma_cm leave the "
                               "lossless priority",
                               tos,
                               tos >> 2U,
                               dscp),
        .evidence = "the profile, for " + names,
        .fix = fmt::format("set rdma-cm-tos: {} (four times the DSCP), or leave it out",
                           dscp << 2U)};
}

}  // namespace

Comparison assess(const host::Reader& host, const Scope& scope) {
    Comparison all;
    if (auto finding = offLossless(scope.rails)) {
        all.findings.push_back(std::move(*finding));
    }
    for (const RailTask& task : scope.rails) {
        if (!task.settings.rdmaCmTos) {
            continue;
        }
        std::optional<State> state;
        if (task.rail.rdma &&
            task.rail.rdma->linkLayer != host::LinkLayer::infiniband) {
            state = observe(host, *task.rail.rdma);
        }
        all.append(compare(task, state, scope.platform, loadsRdmaCm(scope.host)));
    }
    return all;
}

}  // namespace fabric::resource::rdma_cm
