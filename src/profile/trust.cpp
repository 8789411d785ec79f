// SPDX-License-Identifier: Apache-2.0
#include "profile/trust.hpp"

#include "base/text.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

namespace fabric::profile {

namespace {

constexpr uid_t kRoot = 0;

bool isLink(const host::PathStep& step) {
    return step.status.type == host::FileStatus::Type::symlink;
}

// In a sticky directory only the owner of an entry may exchange it. The group of root
// is root.
bool othersMayExchange(const host::PathStep& step) {
    const host::FileStatus& status = step.status;
    const bool group = (status.mode & S_IWGRP) != 0 && status.group != 0;
    const bool anybody = (status.mode & S_IWOTH) != 0;
    return !isLink(step) && (group || anybody) && (status.mode & S_ISVTX) == 0;
}

}  // namespace

TrustReport judgeTrust(const host::TracedFile& file) {
    TrustReport report;
    if (std::ranges::any_of(file.way, isLink)) {
        for (const host::PathStep& step : file.way) {
            if (othersMayExchange(step)) {
                report.refusals.push_back(fmt::format(
                    "a symbolic link leads to it and others than root may write "
                    "directory {}",
                    escapeForTerminal(step.path)));
            }
            if (step.status.owner != kRoot) {
                report.refusals.push_back(fmt::format(
                    "a symbolic link leads to it and {} {} belongs to uid {}, "
                    "not to root",
                    isLink(step) ? "the link" : "directory",
                    escapeForTerminal(step.path),
                    step.status.owner));
            }
        }
    }
    for (const host::PathStep& step : file.way) {
        if (report.refusals.empty() && othersMayExchange(step)) {
            report.doubts.push_back(
                fmt::format("others than root may write directory {} (mode {:04o}), "
                            "and so replace it",
                            escapeForTerminal(step.path),
                            step.status.mode));
        }
    }
    if (file.status.owner != kRoot) {
        report.doubts.push_back(
            fmt::format("it belongs to uid {}, not to root", file.status.owner));
    }
    if ((file.status.mode & (S_IWGRP | S_IWOTH)) != 0) {
        report.doubts.push_back(
            fmt::format("its mode {:04o} lets {} write it",
                        file.status.mode,
                        (file.status.mode & S_IWOTH) != 0 ? "everybody" : "its group"));
    }
    return report;
}

}  // namespace fabric::profile
