// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "doctor/gather.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

namespace fabric::doctor {

namespace {

namespace service = resource::service;

// The version is asked for by itself, since a rule has to know why there is none.
profile::ServiceSettings settingsOf(const profile::Profile* profile) {
    profile::ServiceSettings settings;
    if (profile != nullptr && profile->host().service) {
        settings = *profile->host().service;
    }
    if (settings.binary.empty()) {
        settings.binary = profile::ServiceSettings{}.binary;
    }
    settings.requireFeature.clear();
    return settings;
}

std::vector<std::string> missingAsserts(const host::FileReader& files,
                                        const host::ServiceUnit& unit) {
    std::vector<std::string> missing;
    for (const host::ServiceAssert& check : unit.asserts) {
        const bool ofFile =
            check.type.starts_with("AssertFile") || check.type == "AssertPathExists";
        if (!ofFile || check.negate || check.trigger) {
            continue;
        }
        const auto status = files.status(check.parameter);
        if (!status && status.error().kind == ErrorKind::notFound) {
            missing.push_back(check.type + "=" + check.parameter);
        }
    }
    return missing;
}

// Where systemd puts a unit that is not told to go elsewhere.
std::string usualGroup(const std::string& unit) {
    return "/system.slice/" + unit;
}

void gatherGroup(const host::FileReader& files,
                 std::uint32_t mainPid,
                 ServerEvidence& seen) {
    std::string group;
    if (mainPid != 0) {
        seen.status = readProcessStatus(files, mainPid);
        group = controlGroupOf(files, mainPid);
    }
    if (group.empty()) {
        group = usualGroup(seen.unit);
    }
    seen.memoryMax = memoryMaxOf(files, group);
    seen.rdmaLimits = rdmaLimitsOf(files, group);
}

Result<std::string> programOf(const host::FileReader& files,
                              const host::ServiceUnit& unit) {
    if (unit.execStart.empty()) {
        return fail(systemError("find the command of", unit.name, ENOENT));
    }
    return files.resolve(unit.execStart.front().path);
}

}  // namespace

ServerEvidence gatherServer(const host::Reader& host, const profile::Profile* profile) {
    const profile::ServiceSettings settings = settingsOf(profile);
    ServerEvidence seen;
    seen.unit = settings.unit;
    seen.binary = settings.binary;
    if (host.services == nullptr) {
        seen.state = fail(
            systemError("ask the service manager about", settings.unit, EOPNOTSUPP));
        return seen;
    }
    seen.state = service::observe(host, settings);
    if (!seen.state || seen.state->unit.loadState == "not-found") {
        return seen;
    }
    const host::ServiceUnit& unit = seen.state->unit;
    seen.binaryStatus = host.files.status(settings.binary);
    seen.version = host.programs != nullptr && seen.binaryStatus
                       ? host.programs->version(settings.binary, unit.user)
                       : Result<host::ProgramVersion>(fail(systemError(
                             "run", settings.binary + " --version", EOPNOTSUPP)));
    seen.program = programOf(host.files, unit);
    seen.missing = missingAsserts(host.files, unit);
    gatherGroup(host.files, unit.mainPid, seen);
    seen.start = resource::neighbour::observeService(host, settings.unit);
    return seen;
}

}  // namespace fabric::doctor
