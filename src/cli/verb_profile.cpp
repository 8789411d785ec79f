// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "cli/loading.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "engine/preparation.hpp"
#include "engine/rail_selection.hpp"
#include "engine/run.hpp"
#include "inventory/rail.hpp"
#include "linux/machine.hpp"
#include "profile/reference.hpp"
#include "profile/show.hpp"
#include "report/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace fabric::cli {

namespace {

// Every rail that the profile selects here and that the filter names.
Result<std::vector<inventory::Rail>> shownRails(const host::Reader& host,
                                                const profile::Profile& profile,
                                                const std::string& filter) {
    const auto candidates = TRY(inventory::observeRails(host));
    return engine::railsNamed(engine::selectRails(profile.rails(), candidates).rails,
                              filter);
}

// What is wrong only when overrides meet a rail: two of them that set one key, values
// that contradict each other. Looked for on the rails of this host, as far as they can
// be seen.
profile::ProfileErrors errorsOnRails(const host::Reader& host,
                                     const profile::Profile& profile) {
    profile::ProfileErrors errors;
    const auto rails = shownRails(host, profile, {});
    if (!rails) {
        return errors;
    }
    for (const inventory::Rail& rail : *rails) {
        const auto settings = profile.settingsFor(engine::identityOf(rail));
        if (settings) {
            continue;
        }
        for (const profile::ProfileError& error : settings.error()) {
            if (std::ranges::find(errors, error) == errors.end()) {
                errors.push_back(error);
            }
        }
    }
    return errors;
}

profile::ProfileResult<Value> showValue(const profile::Profile& profile,
                                        const std::vector<inventory::Rail>& rails) {
    Value::Object byName;
    for (const inventory::Rail& rail : rails) {
        auto effective = profile.effectiveFor(engine::identityOf(rail));
        if (!effective) {
            return std::unexpected(std::move(effective.error()));
        }
        byName.emplace(rail.name, std::move(*effective));
    }
    Value::Object shown{{"schema", "fabricctl/effective-profile/1"},
                        {"host", profile.effectiveHost()},
                        {"rails", std::move(byName)}};
    if (rails.empty()) {
        shown.emplace("sections", profile::sectionsForNoRail(profile));
    }
    return shown;
}

engine::Report couldNotRun(const host::Reader& host,
                           const profile::Profile& profile,
                           Error error) {
    engine::Report report = engine::beginReport(host, "profile show", profile);
    report.stopped = std::move(error);
    return report;
}

}  // namespace

int runProfileValidate(const Options& options) {
    const linux_host::Machine machine;
    const host::Reader reader = machine.reader();
    const auto profile = loadProfile(reader.files, options);
    auto errors = profile ? errorsOnRails(reader, *profile) : profile.error();
    if (!profile || !errors.empty()) {
        return print(invalidProfileReport(
                         reader, "profile validate", options, std::move(errors)),
                     options);
    }
    if (options.format == Format::json) {
        return print(engine::beginReport(reader, "profile validate", *profile),
                     options);
    }
    return printOut(
        options.quiet ? "" : escapeForTerminal(options.profilePath) + ": valid\n",
        engine::ExitCode::asWanted);
}

int runProfileShow(const Options& options) {
    const linux_host::Machine machine;
    const host::Reader reader = machine.reader();
    const auto profile = loadProfile(reader.files, options);
    if (!profile) {
        return print(
            invalidProfileReport(reader, "profile show", options, profile.error()),
            options);
    }
    const auto rails = shownRails(reader, *profile, options.run.rail);
    if (!rails) {
        return print(couldNotRun(reader, *profile, rails.error()), options);
    }
    if (options.format == Format::json) {
        const auto value = showValue(*profile, *rails);
        return value ? printOut(report::toJson(*value), engine::ExitCode::asWanted)
                     : print(invalidProfileReport(
                                 reader, "profile show", options, value.error()),
                             options);
    }
    std::vector<profile::RailIdentity> identities;
    std::ranges::transform(*rails, std::back_inserter(identities), engine::identityOf);
    const auto text = profile::showProfile(*profile, identities);
    return text ? printOut(*text, engine::ExitCode::asWanted)
                : print(invalidProfileReport(
                            reader, "profile show", options, text.error()),
                        options);
}

int runProfileSchema(const Options& /*options*/) {
    return printOut(profile::jsonSchema(), engine::ExitCode::asWanted);
}

int runProfileExplain(const Options& options) {
    const auto text = options.key.empty() ? Result<std::string>(profile::explainAll())
                                          : profile::explain(options.key);
    if (!text) {
        return stopWith("profile explain", text.error(), options);
    }
    if (options.format == Format::json) {
        return printOut(report::toJson(Value(Value::Object{
                            {"schema", "fabricctl/explanation/1"}, {"text", *text}})),
                        engine::ExitCode::asWanted);
    }
    return printOut(*text, engine::ExitCode::asWanted);
}

}  // namespace fabric::cli
