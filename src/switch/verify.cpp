// SPDX-License-Identifier: Apache-2.0
#include "switch/verify.hpp"

#include "base/text.hpp"
#include "doctor/traffic_class.hpp"
#include "resource/dcb/driver.hpp"
#include "resource/dcb/trust.hpp"
#include "switch/nvue_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace fabric::switches {

namespace {

const std::string kSwitch = "switch";
const std::string kApply = "fabricctl switch render --os cumulus, on the switch";
const std::string kGiveBoth =
    "give the output of both: nv show qos roce; nv show qos congestion-control "
    "default-global traffic-class 3";

std::optional<std::string> valueOf(const NvueValues& values, std::string_view path) {
    const auto found = values.find(path);
    return found == values.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> firstOf(const NvueValues& values,
                                   std::initializer_list<std::string_view> paths) {
    for (const std::string_view path : paths) {
        if (auto value = valueOf(values, path)) {
            return value;
        }
    }
    return std::nullopt;
}

std::string listText(const std::set<unsigned>& numbers) {
    return numbers.empty() ? "none" : fmt::format("{}", fmt::join(numbers, ", "));
}

class SwitchJudge {
  public:
    SwitchJudge(const Wish& wish, const NvueValues& values, Verdict& verdict)
        : wish_(wish), values_(values), verdict_(verdict) {}

    void judge() {
        judgeSwitchedOn("roce", {"state", "enable"});
        add("mode", "lossless", valueOf(values_, "mode"), [](const std::string& mode) {
            return mode == "lossless" || mode.starts_with("lossless-");
        });
        judgeList("pfc-priority", "pfc/pfc-priority", wish_.priority.number());
        judgeSwitchedOn("pfc-rx", {"pfc/rx-enabled"});
        judgeSwitchedOn("pfc-tx", {"pfc/tx-enabled"});
        add("trust",
            "dscp",
            valueOf(values_, "trust/trust-mode"),
            [](const std::string& mode) { return hasWord(mode, "dscp"); });
        judgeMaps();
        judgeEcn();
        judgeThreshold("min-threshold", kMinThreshold);
        judgeThreshold("max-threshold", kMaxThreshold);
    }

  private:
    template <typename Holds>
    void add(std::string id,
             std::string wanted,
             const std::optional<std::string>& found,
             Holds holds) {
        const Agreement agreement = !found          ? Agreement::unknown
                                    : holds(*found) ? Agreement::agrees
                                                    : Agreement::disagrees;
        verdict_.checks.push_back({.id = std::move(id),
                                   .where = kSwitch,
                                   .agreement = agreement,
                                   .wanted = std::move(wanted),
                                   .found = found.value_or("not in the output"),
                                   .fix = agreement == Agreement::agrees    ? ""
                                          : agreement == Agreement::unknown ? kGiveBoth
                                                                            : kApply});
    }

    void judgeSwitchedOn(std::string id,
                         std::initializer_list<std::string_view> paths) {
        add(std::move(id), "on", firstOf(values_, paths), isOn);
    }

    void judgeList(std::string id, std::string_view path, unsigned only) {
        add(std::move(id),
            std::to_string(only),
            valueOf(values_, path),
            [only](const std::string& text) {
                return numbersOf(text) == std::set<unsigned>{only};
            });
    }

    void judgeMaps() {
        const auto priority = switchPriorityOf(values_, wish_.dscp.number());
        add(fmt::format("dscp-{}", wish_.dscp.number()),
            fmt::format("switch priority {}", wish_.priority.number()),
            priority ? std::optional(fmt::format("switch priority {}", *priority))
                     : std::nullopt,
            [&](const std::string&) { return priority == wish_.priority.number(); });
        const auto trafficClass = trafficClassOf(values_, wish_.priority.number());
        add("traffic-class",
            std::to_string(wish_.trafficClass.number()),
            trafficClass ? std::optional(std::to_string(*trafficClass)) : std::nullopt,
            [&](const std::string&) {
                return trafficClass == wish_.trafficClass.number();
            });
    }

    [[nodiscard]] std::string ofClass(std::string_view property) const {
        return fmt::format(
            "traffic-class/{}/{}", wish_.trafficClass.number(), property);
    }

    // That of the traffic class is the nearer one.
    void judgeEcn() {
        if (const auto state = firstOf(values_, {"ecn", ofClass("ecn")})) {
            add("ecn", "on", state, isOn);
            return;
        }
        const auto mode = valueOf(values_, "congestion-control/congestion-mode");
        const auto classes = valueOf(values_, "congestion-control/enabled-tc");
        add("ecn",
            fmt::format("ECN on traffic class {}", wish_.trafficClass.number()),
            mode && classes
                ? std::optional(fmt::format("{} on traffic class {}", *mode, *classes))
                : std::nullopt,
            [&](const std::string&) {
                return hasWord(*mode, "ecn") &&
                       numbersOf(*classes).contains(wish_.trafficClass.number());
            });
    }

    void judgeThreshold(const std::string& id, std::uint64_t bytes) {
        add(id,
            fmt::format("{} bytes", bytes),
            firstOf(values_, {id, ofClass(id), "congestion-control/" + id}),
            [bytes](const std::string& text) { return isSize(text, bytes); });
    }

    const Wish& wish_;
    const NvueValues& values_;
    Verdict& verdict_;
};

class RailJudge {
  public:
    RailJudge(const Wish& wish, const NvueValues& values, Verdict& verdict)
        : wish_(wish), verdict_(verdict), values_(values) {
        const auto told = valueOf(values, "pfc/pfc-priority");
        lossless_ =
            told ? numbersOf(*told) : std::set<unsigned>{wish.priority.number()};
    }

    void judge(const engine::PortObservation& port) {
        const std::string& name = port.port.name;
        if (!port.dcb) {
            add("pfc-priority",
                name,
                Agreement::unknown,
                listText(lossless_),
                port.dcb.error().message());
            return;
        }
        const resource::dcb::State& state = *port.dcb;
        judgePfc(name, state);
        const resource::dcb::TrustView trust =
            resource::dcb::trustOf(state, resource::dcb::driverFacts(port.port.driver));
        add("trust",
            name,
            !trust.state                                      ? Agreement::unknown
            : *trust.state == resource::dcb::TrustState::dscp ? Agreement::agrees
                                                              : Agreement::disagrees,
            "dscp",
            trust.text.empty() ? "not told by the driver" : trust.text);
        judgeDscp(name, state);
    }

    // A DSCP that AIStor may take must meet a priority without loss on the switch too.
    void judge(const doctor::AutoClass& chosen) {
        const std::string where = "AIStor on " + chosen.port;
        const std::string wanted =
            "a DSCP that the switch maps to priority " + listText(lossless_);
        if (chosen.error) {
            add("auto-class",
                where,
                Agreement::unknown,
                wanted,
                chosen.error->message());
            return;
        }
        bool agrees = !chosen.candidates.empty();
        bool known = true;
        for (const Dscp dscp : chosen.candidates) {
            const auto priority = switchPriorityOf(values_, dscp.number());
            known = known && priority.has_value();
            agrees = agrees && priority && lossless_.contains(*priority);
        }
        add("auto-class",
            where,
            !known   ? Agreement::unknown
            : agrees ? Agreement::agrees
                     : Agreement::disagrees,
            wanted,
            chosen.text());
        if (!known) {
            verdict_.checks.back().fix =
                kGiveBoth;  // it is the switch that is not told
        }
    }

  private:
    void add(std::string id,
             std::string where,
             Agreement agreement,
             std::string wanted,
             std::string found) {
        verdict_.checks.push_back({.id = std::move(id),
                                   .where = std::move(where),
                                   .agreement = agreement,
                                   .wanted = std::move(wanted),
                                   .found = std::move(found),
                                   .fix = agreement == Agreement::agrees
                                              ? ""
                                              : "fabricctl apply --only dcb"});
    }

    void judgePfc(const std::string& name, const resource::dcb::State& state) {
        if (!state.pfc) {
            add("pfc-priority",
                name,
                Agreement::unknown,
                listText(lossless_),
                "not told by the driver");
            return;
        }
        std::set<unsigned> own;
        for (const Priority priority : state.pfc->priorities()) {
            own.insert(priority.number());
        }
        add("pfc-priority",
            name,
            own == lossless_ ? Agreement::agrees : Agreement::disagrees,
            listText(lossless_),
            listText(own));
    }

    void judgeDscp(const std::string& name, const resource::dcb::State& state) {
        const std::string id = fmt::format("dscp-{}", wish_.dscp.number());
        const unsigned wanted = switchPriorityOf(values_, wish_.dscp.number())
                                    .value_or(wish_.priority.number());
        if (!state.apps) {
            add(id,
                name,
                Agreement::unknown,
                fmt::format("priority {}", wanted),
                "not told by the driver");
            return;
        }
        const auto entries = state.dscpEntries();
        const auto entry = entries.find(wish_.dscp);
        const bool agrees = entry != entries.end() && entry->second.size() == 1 &&
                            *entry->second.begin() == wanted;
        add(id,
            name,
            agrees ? Agreement::agrees : Agreement::disagrees,
            fmt::format("priority {}", wanted),
            entry == entries.end()
                ? "no entry"
                : fmt::format("priority {}", fmt::join(entry->second, " and ")));
    }

    const Wish& wish_;
    Verdict& verdict_;
    const NvueValues& values_;
    std::set<unsigned> lossless_;  // of the switch
};

}  // namespace

engine::ExitCode Verdict::exitCode() const {
    const auto any = [&](Agreement agreement) {
        return std::ranges::find(checks, agreement, &Check::agreement) != checks.end();
    };
    return !problems.empty() || any(Agreement::unknown) ? engine::ExitCode::unverifiable
           : any(Agreement::disagrees)                  ? engine::ExitCode::differences
                                                        : engine::ExitCode::asWanted;
}

void judgeSwitch(const Wish& wish, const NvueValues& values, Verdict& verdict) {
    SwitchJudge(wish, values, verdict).judge();
}

void judgeRails(const Wish& wish,
                const NvueValues& values,
                const std::vector<doctor::RailEvidence>& rails,
                Verdict& verdict) {
    RailJudge judge(wish, values, verdict);
    bool any = false;
    for (const doctor::RailEvidence& rail : rails) {
        for (const engine::PortObservation& port : rail.ports) {
            judge.judge(port);
            any = true;
        }
    }
    if (!any) {
        verdict.problems.emplace_back(
            std::string("nothing of the host was compared: ") +
            (rails.empty() ? "the profile selects no rail on it"
                           : "no rail on it has a physical port") +
            "; run this on a storage node, or give the facts of one with --host");
    }
    doctor::Evidence evidence;
    evidence.rails = rails;
    for (const doctor::AutoClass& chosen : doctor::autoClasses(evidence)) {
        judge.judge(chosen);
    }
}

}  // namespace fabric::switches
