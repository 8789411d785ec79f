// SPDX-License-Identifier: Apache-2.0
#include "resource/arp/compare_persistent.hpp"

#include "base/text.hpp"
#include "resource/arp/boot_value.hpp"
#include "resource/arp/persistent_file.hpp"
#include "resource/rail_property.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace fabric::resource::arp {

namespace {

constexpr std::string_view kAll = "all";
constexpr std::string_view kExplanation =
    "Values set now are gone after a boot and when the interface is made anew. "
    "systemd-sysctl reads sysctl.d in the order of file names, the last line for a key "
    "wins; udev repeats that for every new interface.";

Assessment begin(const Place& place) {
    Assessment assessment =
        railProperty(*place.task, Kind::arp, place.interface->name, "persist");
    Value::Object wanted;
    for (const auto& [key, value] : wantedValues(place.settings())) {
        wanted[std::string(host::sysctlName(key))] = value;
    }
    assessment.wanted = std::move(wanted);
    assessment.explanation = kExplanation;
    return assessment;
}

bool carriesStanza(const Place& place) {
    return place.settings().persist && place.mayBeWritten();
}

void setStanza(Stanzas& stanzas,
               std::string_view interface,
               const host::Ipv4Values& values) {
    auto& stanza = stanzas[std::string(interface)];
    for (const auto& [key, value] : values) {
        stanza[std::string(host::sysctlName(key))] = std::to_string(value);
    }
}

// Our file as it shall be. A stanza stays when its interface belongs to a rail that
// this run leaves alone; under --rail every other one does, and so it does while rails
// are missing (Scope::hostWide): it may be one of theirs.
Stanzas wantedStanzas(std::span<const Place> places,
                      const Scope& scope,
                      const Stanzas& present) {
    std::set<std::string> kept;
    for (const RailTask& task : scope.rails) {
        for (const inventory::RailInterface& interface : task.rail.interfaces) {
            kept.insert(interface.name);
        }
    }
    Stanzas stanzas = present;
    std::erase_if(stanzas, [&](const auto& stanza) {
        return scope.hostWide && !kept.contains(stanza.first);
    });
    for (const Place& place : places) {
        if (carriesStanza(place)) {
            stanzas.erase(place.interface->name);
        }
    }
    for (const Place& place : places) {
        if (!carriesStanza(place)) {
            continue;
        }
        const host::Ipv4Values wanted = wantedValues(place.settings());
        setStanza(stanzas, place.interface->name, wanted);
        if (place.settings().scopeAll) {
            setStanza(stanzas, kAll, wanted);
        }
    }
    return stanzas;
}

class Comparer {
  public:
    Comparer(std::span<const Place> places,
             const Scope& scope,
             const SysctlFiles& files)
        : places_(places),
          files_(files),
          present_(files.ours().value_or("")),
          stanzas_(parseStanzas(present_)),
          wanted_(wantedStanzas(places, scope, stanzas_)),
          text_(render(wanted_)),
          now_(files.merged(SysctlProgram::systemd)),
          then_(files.withOurs(text_).merged(SysctlProgram::systemd)),
          procps_(files.withOurs(text_).merged(SysctlProgram::procps)) {}

    Comparison compare() {
        for (const Place& place : places_) {
            if (place.settings().persist) {
                result_.assessments.push_back(assess(place));
            }
        }
        addStep();
        addProcpsFinding();
        return std::move(result_);
    }

  private:
    Assessment assess(const Place& place) {
        Assessment assessment = begin(place);
        assessment.found = foundValue(place);
        if (refuse(*place.task, assessment)) {
            return assessment;
        }
        if (!fileKey(place.interface->name, "arp_ignore")) {
            assessment.verdict = Verdict::unsupported;
            assessment.reason = "no line of sysctl.d can carry the name " +
                                escapeForTerminal(place.interface->name);
            assessment.fix = "rename the interface, or set arp.persist to false for it";
            return assessment;
        }
        const std::string losing = losingTo(place, assessment);
        const std::string stale = staleness(place);
        assessment.verdict =
            losing.empty() && stale.empty() ? Verdict::inSync : Verdict::differs;
        assessment.reason =
            stale + (losing.empty() || stale.empty() ? "" : "; ") + losing;
        noteProcps(place);
        return assessment;
    }

    // What a boot would make effective as the files are.
    [[nodiscard]] Value foundValue(const Place& place) const {
        Value::Object found;
        for (const auto& [key, wanted] : wantedValues(place.settings())) {
            found[std::string(host::sysctlName(key))] =
                bootValueOf(now_, place.interface->name, key).reading.effective;
        }
        return found;
    }

    // Who undoes our lines at the next boot, "" nobody.
    [[nodiscard]] std::string losingTo(const Place& place,
                                       Assessment& assessment) const {
        std::vector<std::string> lost;
        for (const auto& [key, wanted] : wantedValues(place.settings())) {
            const BootValue boot = bootValueOf(then_, place.interface->name, key);
            if (const auto reason = lossOf(place, key, wanted, boot)) {
                lost.push_back(*reason);
                assessment.fix = fmt::format(
                    "take the line out of that file, or give the file a name that "
                    "sorts before {}; fabricctl edits no file of others",
                    kOurSysctlFile);
            }
        }
        return fmt::format("{}", fmt::join(lost, "; "));
    }

    static std::optional<std::string> lossOf(const Place& place,
                                             host::Ipv4Key key,
                                             std::int32_t wanted,
                                             const BootValue& boot) {
        if (fitOf(key, wanted, boot.reading.effective) == Fit::no) {
            return describe(boot.decider);
        }
        if (place.settings().scopeAll &&
            fitOf(key, wanted, boot.reading.all) == Fit::no) {
            return describe(boot.allLine);
        }
        return std::nullopt;
    }

    static std::string describe(const std::optional<SysctlLine>& decider) {
        if (!decider) {
            return "no file sets it";
        }
        const SysctlLine& line = *decider;
        const std::string key = escapeForTerminal(line.key);
        return line.value ? fmt::format("{} wins the boot merge with {} = {}",
                                        line.place(),
                                        key,
                                        escapeForTerminal(*line.value))
                          : fmt::format(
                                "{} takes {} out of the boot merge", line.place(), key);
    }

    // What is wrong with our own file, "" nothing.
    [[nodiscard]] std::string staleness(const Place& place) const {
        if (text_ == present_) {
            return {};
        }
        if (!files_.ours()) {
            return std::string(kOurSysctlFile) + " does not exist";
        }
        if (differsFor(place.interface->name) ||
            (place.settings().scopeAll && differsFor(kAll))) {
            return std::string(kOurSysctlFile) + " does not say so";
        }
        std::vector<std::string> gone;
        for (const auto& [interface, values] : stanzas_) {
            if (!wanted_.contains(interface)) {
                gone.push_back(escapeForTerminal(interface));
            }
        }
        if (!gone.empty()) {
            return fmt::format("{} still has lines for {}, which no rail has any more",
                               kOurSysctlFile,
                               fmt::join(gone, ", "));
        }
        // What it lacks of another rail is no fault of this one.
        return render(stanzas_) == present_
                   ? std::string()
                   : std::string(kOurSysctlFile) + " is not as fabricctl writes it";
    }

    [[nodiscard]] bool differsFor(std::string_view interface) const {
        const auto present = stanzas_.find(std::string(interface));
        const auto wanted = wanted_.find(std::string(interface));
        return (present == stanzas_.end()) != (wanted == wanted_.end()) ||
               (wanted != wanted_.end() && present->second != wanted->second);
    }

    void addStep() {
        Step step{.stage = Stage::arp};
        for (const Assessment& assessment : result_.assessments) {
            if (assessment.verdict == Verdict::differs) {
                step.ids.push_back(assessment.id);
            }
        }
        if (step.ids.empty() || text_ == present_) {
            return;
        }
        step.summary = fmt::format("write {}", kOurSysctlFile);
        if (files_.directoryMissing) {
            step.writes.emplace_back(DirectoryCreate{kSysctlDirectory});
        }
        step.writes.emplace_back(FileReplace{.path = kOurSysctlFile, .text = text_});
        result_.steps.push_back(std::move(step));
    }

    void noteProcps(const Place& place) {
        for (const auto& [key, wanted] : wantedValues(place.settings())) {
            const BootValue systemd = bootValueOf(then_, place.interface->name, key);
            const BootValue procps = bootValueOf(procps_, place.interface->name, key);
            if (fitOf(key, wanted, systemd.reading.effective) != Fit::no &&
                fitOf(key, wanted, procps.reading.effective) == Fit::no) {
                undoneByProcps_.push_back(escapeForTerminal(place.interface->name) +
                                          ": " + describe(procps.decider));
            }
        }
    }

    void addProcpsFinding() {
        if (undoneByProcps_.empty()) {
            return;
        }
        result_.findings.push_back(
            {.id = "sysctl.procps",
             .severity = Severity::warn,
             .summary = "a boot keeps the ARP settings of the rails, 'sysctl --system' "
                        "undoes them: it reads /etc/sysctl.conf last",
             .evidence = fmt::format("{}", fmt::join(undoneByProcps_, "; ")),
             .fix = "take those lines out of the file named, or run 'fabricctl apply' "
                    "after every 'sysctl --system'"});
    }

    std::span<const Place> places_;
    const SysctlFiles& files_;
    std::string present_;
    Stanzas stanzas_;  // that it has
    Stanzas wanted_;
    std::string text_;
    SysctlMerge now_;
    SysctlMerge then_;
    SysctlMerge procps_;
    std::vector<std::string> undoneByProcps_;
    Comparison result_;
};

}  // namespace

Comparison comparePersistent(std::span<const Place> places,
                             const Scope& scope,
                             const SysctlFiles& files) {
    return Comparer(places, scope, files).compare();
}

Comparison persistentUnread(std::span<const Place> places,
                            const Error& error,
                            const inventory::Platform& platform) {
    Comparison result;
    for (const Place& place : places) {
        if (place.settings().persist) {
            Assessment assessment = begin(place);
            cannotRead(error, platform, assessment);
            refuse(*place.task, assessment);
            result.assessments.push_back(std::move(assessment));
        }
    }
    return result;
}

}  // namespace fabric::resource::arp
