// SPDX-License-Identifier: Apache-2.0
#include "resource/module/compare.hpp"

#include "base/text.hpp"
#include "resource/module/boot_file.hpp"
#include "resource/module/boot_list.hpp"
#include "resource/module/stack.hpp"
#include "resource/module/vendor.hpp"
#include "resource/rail_property.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fabric::resource::kernel_module {

namespace {

constexpr std::string_view kExplanation =
    "RDMA devices, verbs and connection management come with kernel modules. What is "
    "loaded by hand is gone after a boot; systemd-modules-load loads what "
    "modules-load.d names, except what modprobe.d blacklists.";

std::string_view textOf(Presence presence) {
    switch (presence) {
        case Presence::absent:
            return "not loaded";
        case Presence::coming:
            return "being loaded";
        case Presence::live:
            return "loaded";
        case Presence::builtIn:
            return "built in";
    }
    return "not loaded";
}

Value valueOf(std::string_view now, bool listed) {
    return Value::Object{{"now", now}, {"boot", listed ? "listed" : "not listed"}};
}

class Comparer {
  public:
    Comparer(const State& state, const inventory::Platform& platform)
        : state_(state),
          platform_(platform),
          listed_(parseBootList(state.bootList.value_or(""))) {}

    Comparison compare() {
        for (const ModuleState& module : state_.modules) {
            keepListed(module);
            result_.assessments.push_back(assess(module));
        }
        if (state_.bootListUnread && state_.modules.empty()) {
            Assessment file = bootFile();
            cannotRead(*state_.bootListUnread, platform_, file);
            result_.assessments.push_back(std::move(file));
        } else if (auto file = compareBootFile(state_.bootList, wantedList_)) {
            result_.assessments.push_back(std::move(*file));
        }
        addListStep();
        return std::move(result_);
    }

  private:
    Assessment assess(const ModuleState& module) {
        Assessment assessment;
        assessment.id = "module/" + module.name;
        assessment.kind = Kind::module;
        assessment.device = module.name;
        assessment.explanation = kExplanation;
        assessment.wanted = valueOf("loaded", true);
        if (module.unread) {
            cannotRead(*module.unread, platform_, assessment);
            return assessment;
        }
        assessment.found =
            valueOf(textOf(module.presence), listed_.contains(module.name));
        if (isLoaded(module)) {
            assessment.wanted = valueOf(textOf(module.presence), true);
        }
        if (state_.bootListUnread) {
            cannotRead(*state_.bootListUnread, platform_, assessment);
        } else if (!judgeVendor(module, assessment) &&
                   !judgeUnknown(module, assessment)) {
            judge(module, assessment);
        }
        return assessment;
    }

    // What the profile names stays in the file, whether it can be had here or not.
    void keepListed(const ModuleState& module) {
        if (listed_.contains(module.name)) {
            wantedList_.insert(module.name);
        }
    }

    static bool isLoaded(const ModuleState& module) {
        return module.presence == Presence::live ||
               module.presence == Presence::builtIn;
    }

    // True when the module has nothing to drive here, or that cannot be told.
    bool judgeVendor(const ModuleState& module, Assessment& assessment) {
        const auto vendor = vendorOf(module.name);
        if (module.presence != Presence::absent || !vendor) {
            return false;
        }
        if (state_.vendorsUnread) {
            cannotRead(*state_.vendorsUnread, platform_, assessment);
            return true;
        }
        if (state_.vendors.contains(vendor->id)) {
            return false;
        }
        assessment.verdict = Verdict::notApplicable;
        assessment.reason = fmt::format(
            "no PCI function of {} ({:04x}) is here", vendor->name, vendor->id);
        return true;
    }

    // Without the kernel's list of built-in modules a missing one cannot be told from
    // one that is built in and has no parameters.
    bool judgeUnknown(const ModuleState& module, Assessment& assessment) {
        if (state_.indexed || module.presence != Presence::absent ||
            !module.known.file.empty()) {
            return false;
        }
        const std::string release = escapeForTerminal(platform_.kernelRelease);
        assessment.verdict = Verdict::unreadable;
        assessment.reason = fmt::format(
            "kernel {} has no /lib/modules/{}/modules.builtin: whether the module is "
            "built in cannot be told",
            release,
            release);
        assessment.fix = "install the module package of this kernel";
        return true;
    }

    void judge(const ModuleState& module, Assessment& assessment) {
        const std::string obstacle = obstacleOf(module, assessment);
        const bool listed = listed_.contains(module.name);
        if (!obstacle.empty()) {
            assessment.verdict = Verdict::differs;
            assessment.reason = obstacle;
            return;
        }
        wantedList_.insert(module.name);
        assessment.verdict =
            isLoaded(module) && listed ? Verdict::inSync : Verdict::differs;
        if (!isLoaded(module)) {
            addLoadStep(module);
            assessment.reason = fmt::format("it is {}", textOf(module.presence));
        }
        if (!listed) {
            assessment.reason +=
                fmt::format("{}{} does not name it, so no boot loads it",
                            assessment.reason.empty() ? "" : "; ",
                            kBootList);
        }
    }

    // What no write of ours can or may remove, "" nothing.
    std::string obstacleOf(const ModuleState& module, Assessment& assessment) const {
        const host::Module& known = module.known;
        if (module.presence == Presence::builtIn) {
            return {};
        }
        if (known.blacklisted) {
            const std::string place =
                placeOf(state_.modprobe, "blacklist", module.name);
            assessment.fix = "take the blacklist line out of " + place +
                             ", or the module out of the profile";
            return fmt::format(
                "{} and blacklisted by {}: no boot loads it, and "
                "fabricctl overrides no administrator",
                textOf(module.presence),
                place);
        }
        if (module.presence == Presence::live) {
            return {};
        }
        if (!known.installCommands.empty()) {
            const host::ModuleCommand& command = known.installCommands.front();
            const std::string place =
                placeOf(state_.modprobe, "install", command.module);
            assessment.fix = fmt::format(
                "load it with 'modprobe {}', or take the install line out "
                "of {}",
                module.name,
                place);
            return fmt::format(
                "{} has an install line for {} ({}), which would run a "
                "shell; fabricctl runs none",
                place,
                command.module,
                escapeForTerminal(command.command));
        }
        if (known.file.empty()) {
            assessment.fix = fmt::format(
                "install the package that carries it for kernel {}, or take it out of "
                "the profile",
                escapeForTerminal(platform_.kernelRelease));
            return fmt::format("kernel {} has no module of this name",
                               escapeForTerminal(platform_.kernelRelease));
        }
        return {};
    }

    static std::string softlyText(const std::vector<std::string>& modules) {
        return fmt::format(
            ", where there: {} (softdep)",
            escapeForTerminal(fmt::format("{}", fmt::join(modules, ", "))));
    }

    void addLoadStep(const ModuleState& module) {
        const auto& softly = module.known.softDependencies;
        result_.steps.push_back({.stage = Stage::module,
                                 .summary = "load module " + module.name +
                                            (softly.empty() ? "" : softlyText(softly)),
                                 .ids = {"module/" + module.name},
                                 .writes = {ModuleLoad{module.name}}});
    }

    // One file for all: it names what this profile wants and can have here.
    void addListStep() {
        Step step{.stage = Stage::module,
                  .summary = fmt::format("write {}", kBootList)};
        for (Assessment& assessment : result_.assessments) {
            const bool unlisted = wantedList_.contains(assessment.device) &&
                                  !listed_.contains(assessment.device);
            if (unlisted || assessment.property == "boot-list") {
                step.ids.push_back(assessment.id);
            }
        }
        if (step.ids.empty() || state_.bootListUnread) {
            return;
        }
        step.writes.emplace_back(DirectoryCreate{kBootListDirectory});
        step.writes.emplace_back(
            FileReplace{.path = kBootList, .text = renderBootList(wantedList_)});
        result_.steps.push_back(std::move(step));
    }

    const State& state_;
    const inventory::Platform& platform_;
    std::set<std::string> listed_;      // in our file as it is
    std::set<std::string> wantedList_;  // in our file as it shall be
    Comparison result_;
};

}  // namespace

Comparison compare(const State& state, const inventory::Platform& platform) {
    Comparison result = Comparer(state, platform).compare();
    result.findings = stackFindings(state);
    return result;
}

}  // namespace fabric::resource::kernel_module
