// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "resource/ecn/ecn.hpp"
#include "resource/rail_property.hpp"

#include <array>
#include <string>
#include <utility>

namespace fabric::resource::ecn {

namespace {

using profile::Setting;
using Priorities = Setting<std::set<Priority>>;

constexpr std::string_view kReactionPoint = "reaction-point";
constexpr std::string_view kNotificationPoint = "notification-point";
constexpr std::string_view kCnpDscp = "cnp-dscp";

constexpr const char* kPriorityRule =
    "ECN has to be on for the lossless priority and for no other: without it PFC alone "
    "holds congestion, and pauses spread through the fabric. The set of priorities "
    "that are on must equal the wanted one.";
constexpr const char* kPortRule =
    "This driver has one switch for all RoCE traffic of the port, not one for each "
    "priority: it is on when the profile names a priority and off when it names none.";
constexpr const char* kCnpRule =
    "Congestion notification packets must travel in a priority of their own, which the "
    "switches serve first; the DSCP puts them there.";

Value valueOf(const std::set<Priority>& priorities) {
    Value::List list;
    for (const Priority priority : priorities) {
        list.emplace_back(int{priority.number()});
    }
    return list;
}

std::string nameOf(const inventory::PhysicalPort& port) {
    return port.driver.empty() ? port.name : port.name + " (" + port.driver + ")";
}

// A property that the driver of this port cannot set.
void cannotControl(profile::WhenUncontrollable when,
                   bool isExplicit,
                   Assessment& assessment) {
    const bool fails = isExplicit || when == profile::WhenUncontrollable::fail;
    assessment.verdict = fails ? Verdict::unsupported : Verdict::notApplicable;
}

class Comparer {
  public:
    Comparer(const RailTask& task,
             const inventory::PhysicalPort& port,
             const State& state,
             const inventory::Platform& platform)
        : task_(task),
          port_(port),
          state_(state),
          platform_(platform),
          wanted_(task.settings.ecn.value_or(profile::EcnSettings{})) {}

    Comparison compare() {
        if (wanted_.reactionPoint) {
            comparePoint(kReactionPoint, *wanted_.reactionPoint, state_.reactionPoint);
        }
        if (wanted_.notificationPoint) {
            comparePoint(kNotificationPoint,
                         *wanted_.notificationPoint,
                         state_.notificationPoint);
        }
        if (wanted_.cnpDscp) {
            compareCnpDscp(*wanted_.cnpDscp);
        }
        if (uncontrollable_ && task_.refusal.empty()) {
            result_.findings.push_back(finding());
        }
        return std::move(result_);
    }

  private:
    Assessment begin(std::string_view property, Value wanted, const char* rule) const {
        Assessment assessment = railProperty(task_, Kind::ecn, port_.name, property);
        assessment.wanted = std::move(wanted);
        assessment.explanation = rule;
        if (!task_.rail.resolution.empty()) {
            assessment.explanation +=
                " Rail " + task_.rail.name + ": " + task_.rail.resolution + ".";
        }
        return assessment;
    }

    void comparePoint(std::string_view property,
                      const Priorities& wanted,
                      const Point& point) {
        Assessment assessment =
            begin(property,
                  valueOf(wanted.value),
                  point.control == Control::wholePort ? kPortRule : kPriorityRule);
        std::vector<Write> writes;
        if (point.control == Control::none) {
            uncontrollable(wanted, assessment);
        } else if (oneSwitchForBoth(point)) {
            assessment.verdict = Verdict::unsupported;
            assessment.reason = "one switch of " + nameOf(port_) +
                                " turns both points on and off, and the profile wants "
                                "one on and the other off";
            assessment.fix = "give both points the same priorities in the profile";
        } else if (!state_.group.empty()) {
            notYetVisible(assessment);
            writes = portWrites(point, !wanted.value.empty());
        } else if (point.control == Control::perPriority) {
            writes = comparePriorities(wanted.value, point, assessment);
        } else {
            writes = comparePort(wanted.value, point, assessment);
        }
        finish(std::move(assessment), std::move(writes));
    }

    std::vector<Write> comparePriorities(const std::set<Priority>& wanted,
                                         const Point& point,
                                         Assessment& assessment) const {
        const auto enabled = enabledPriorities(point);
        if (!enabled) {
            cannotRead(enabled.error(), platform_, assessment);
            return {};
        }
        assessment.found = valueOf(*enabled);
        judge(*enabled == wanted, assessment);
        std::vector<Write> writes;
        for (std::uint8_t number = 0; number < kPriorityCount; ++number) {
            const Priority priority = Priority::of(number);
            if (wanted.contains(priority) != enabled->contains(priority)) {
                writes.emplace_back(
                    AttributeWrite{point.switches[number].path,
                                   wanted.contains(priority) ? "1" : "0"});
            }
        }
        return writes;
    }

    std::vector<Write> comparePort(const std::set<Priority>& wanted,
                                   const Point& point,
                                   Assessment& assessment) const {
        const auto enabled = enabledOnPort(point);
        if (!enabled) {
            cannotRead(enabled.error(), platform_, assessment);
            return {};
        }
        assessment.found = *enabled ? "on for all RoCE traffic" : "off";
        judge(*enabled == !wanted.empty(), assessment);
        return assessment.verdict == Verdict::differs
                   ? portWrites(point, !wanted.empty())
                   : std::vector<Write>{};
    }

    // Turning on sets every switch that is 0; turning off needs only the first.
    [[nodiscard]] static std::vector<Write> portWrites(const Point& point, bool on) {
        std::vector<Write> writes;
        for (const Attribute& attribute : point.switches) {
            if (on && attribute.value.value_or(0) == 0) {
                writes.emplace_back(AttributeWrite{attribute.path, "1"});
            }
        }
        if (!on) {
            writes.emplace_back(AttributeWrite{point.switches.front().path, "0"});
        }
        return writes;
    }

    void compareCnpDscp(Dscp wanted) {
        Assessment assessment = begin(kCnpDscp, int{wanted.number()}, kCnpRule);
        std::vector<Write> writes;
        if (!state_.cnpDscp) {
            assessment.verdict = Verdict::unsupported;
            assessment.reason =
                "the driver of " + nameOf(port_) + " offers no DSCP for CNPs";
            assessment.reason += state_.absence.empty() ? "" : ": " + state_.absence;
            assessment.fix = fixForDriver();
        } else if (!state_.group.empty()) {
            notYetVisible(assessment);
            writes = cnpWrites(state_.cnpDscp->path, wanted);
        } else if (!state_.cnpDscp->value) {
            cannotRead(state_.cnpDscp->error.value_or(Error{}), platform_, assessment);
        } else {
            assessment.found = *state_.cnpDscp->value;
            judge(*state_.cnpDscp->value == wanted.number(), assessment);
            writes = cnpWrites(state_.cnpDscp->path, wanted);
        }
        finish(std::move(assessment), std::move(writes));
    }

    [[nodiscard]] static std::vector<Write> cnpWrites(const std::string& path,
                                                      Dscp wanted) {
        return {AttributeWrite{path, std::to_string(wanted.number())}};
    }

    static void judge(bool equal, Assessment& assessment) {
        assessment.verdict = equal ? Verdict::inSync : Verdict::differs;
        if (!equal) {
            assessment.reason = "the driver has " + assessment.found.toText() +
                                ", the profile wants " + assessment.wanted.toText();
        }
    }

    void notYetVisible(Assessment& assessment) const {
        assessment.verdict = Verdict::differs;
        assessment.reason = escapeForTerminal(state_.group) +
                            " does not exist, and nothing can be read before it is "
                            "made; it is kept afterwards so that checks can read";
    }

    void uncontrollable(const Priorities& wanted, Assessment& assessment) {
        cannotControl(wanted_.whenUncontrollable, wanted.isExplicit(), assessment);
        assessment.found = Value::Object{{"running", state_.evidence.running()},
                                         {"stored", "unknown"}};
        assessment.reason = "the driver of " + nameOf(port_) +
                            " has no control of ECN for each priority";
        assessment.reason += state_.absence.empty() || port_.driver == "mlx5_core"
                                 ? ""
                                 : ": " + state_.absence;
        assessment.fix = fixForDriver();
        uncontrollable_ = true;
    }

    // True when two points that the profile wants in different states share a switch.
    [[nodiscard]] bool oneSwitchForBoth(const Point& point) const {
        return point.control == Control::wholePort && wanted_.reactionPoint &&
               wanted_.notificationPoint &&
               wanted_.reactionPoint->value.empty() !=
                   wanted_.notificationPoint->value.empty();
    }

    [[nodiscard]] std::string fixForDriver() const {
        if (port_.driver == "mlx5_core") {
            return "the NIC decides by ROCE_CC_PRIO_MASK_P1 in its stored "
                   "configuration: query it with mlxconfig; a change takes effect "
                   "after a reset";
        }
        if (port_.driver == "bnxt_en") {
            return "load bnxt_re of a newer kernel, or Broadcom's, or set it with "
                   "niccli";
        }
        if (port_.driver == "ionic") {
            return "set it with nicctl, the vendor's tool";
        }
        return "set it with the vendor's tool, and leave it out of the profile for "
               "this rail";
    }

    [[nodiscard]] Finding finding() const {
        return {.id = "ecn.uncontrollable",
                .severity = Severity::warn,
                .summary = "ECN for each priority can be neither set nor proven with " +
                           (port_.driver.empty() ? "this driver" : port_.driver),
                .evidence = "running: congestion notification " +
                            std::string(state_.evidence.running()) + " (" +
                            state_.evidence.text() +
                            "); stored: unknown, only the vendor's tool reads it",
                .fix = fixForDriver(),
                .device = port_.name};
    }

    void finish(Assessment assessment, std::vector<Write> writes) {
        if (!refuse(task_, assessment) && assessment.verdict == Verdict::differs) {
            addStep(assessment, std::move(writes));
        }
        result_.assessments.push_back(std::move(assessment));
    }

    void addStep(const Assessment& assessment, std::vector<Write> writes) {
        if (!state_.group.empty()) {
            writes.insert(writes.begin(), DirectoryCreate{state_.group});
        }
        if (!state_.commit.empty()) {
            writes.emplace_back(AttributeWrite{state_.commit, "1"});
        }
        result_.steps.push_back({.stage = Stage::ecn,
                                 .rail = task_.rail.name,
                                 .link = port_.link,
                                 .linkName = state_.interface,
                                 .disturbs = Disturbs::none,
                                 .summary = "set ECN " + assessment.property + " of " +
                                            port_.name + " to " +
                                            assessment.wanted.toText(),
                                 .ids = {assessment.id},
                                 .writes = std::move(writes)});
    }

    const RailTask& task_;
    const inventory::PhysicalPort& port_;
    const State& state_;
    const inventory::Platform& platform_;
    const profile::EcnSettings wanted_;
    Comparison result_;
    bool uncontrollable_ = false;
};

}  // namespace

Comparison compare(const RailTask& task,
                   const inventory::PhysicalPort& port,
                   const State& state,
                   const inventory::Platform& platform) {
    return Comparer(task, port, state, platform).compare();
}

Comparison compareWithoutPort(const RailTask& task) {
    const profile::EcnSettings settings =
        task.settings.ecn.value_or(profile::EcnSettings{});
    Comparison result;
    const auto add = [&](std::string_view property, Value wanted, bool isExplicit) {
        Assessment assessment = railProperty(task, Kind::ecn, task.rail.name, property);
        assessment.wanted = std::move(wanted);
        assessment.explanation = kPriorityRule;
        cannotControl(settings.whenUncontrollable, isExplicit, assessment);
        assessment.reason = "no physical port: " + task.rail.resolution;
        assessment.fix = "set ECN where the port is, or leave this rail out";
        refuse(task, assessment);
        result.assessments.push_back(std::move(assessment));
    };
    if (settings.reactionPoint) {
        add(kReactionPoint,
            valueOf(settings.reactionPoint->value),
            settings.reactionPoint->isExplicit());
    }
    if (settings.notificationPoint) {
        add(kNotificationPoint,
            valueOf(settings.notificationPoint->value),
            settings.notificationPoint->isExplicit());
    }
    if (settings.cnpDscp) {
        add(kCnpDscp, int{settings.cnpDscp->number()}, true);
    }
    if (task.refusal.empty() && !result.assessments.empty()) {
        result.findings.push_back(
            {.id = "ecn.uncontrollable",
             .severity = Severity::warn,
             .summary = "ECN of rail " + task.rail.name + " cannot be set from here",
             .evidence = task.rail.resolution,
             .fix = "set ECN where the port is"});
    }
    return result;
}

}  // namespace fabric::resource::ecn
