// SPDX-License-Identifier: Apache-2.0
#include "resource/flush_pending.hpp"
#include "resource/neighbour/entry_list.hpp"
#include "resource/neighbour/neighbour.hpp"
#include "resource/neighbour/role.hpp"
#include "resource/rail_property.hpp"

#include <algorithm>
#include <utility>

namespace fabric::resource::neighbour {

namespace {

using profile::FlushMode;
using profile::StaticEntries;

constexpr std::string_view kFlushRule =
    "Entries that were learned before the ARP settings changed may point to another "
    "rail's interface, and below 128 entries the kernel never drops a stale one ("
    "net/core/neighbour.c, neigh_periodic_work).";
constexpr std::string_view kEntryRule =
    "The address belongs to one interface of the peer; with another interface's MAC "
    "RDMA traffic arrives on the wrong rail and is dropped.";

std::string describe(const host::Neighbour& entry) {
    return entry.key.address.text() + (entry.mac ? " " + entry.mac->text() : "") + " " +
           std::string(stateName(entry.state));
}

std::string entriesText(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " entry" : " entries");
}

// Findings about the entries of one interface, gathered while they are looked at.
struct Lists {
    EntryList unresolved;
    EntryList unknownMac;
    EntryList fixed;
    EntryList fixedWrong;
    EntryList foreign;
};

class InterfaceComparer {
  public:
    InterfaceComparer(const RailTask& task,
                      const InterfaceState& state,
                      const Surroundings& surroundings)
        : task_(task),
          settings_(*task.settings.neighbours),
          state_(state),
          surroundings_(surroundings) {}

    Comparison compare() {
        for (const host::Neighbour& entry : state_.entries) {
            look(entry);
        }
        assessFlush();
        addFlushStep();
        addStaticStep();
        addFindings();
        return std::move(result_);
    }

  private:
    [[nodiscard]] bool mayWrite() const { return task_.refusal.empty(); }

    [[nodiscard]] bool pending() const {
        return surroundings_.arpChangePlanned || state_.flushPending.value_or(false);
    }

    [[nodiscard]] std::string idOf(const host::Neighbour& entry) const {
        return "neighbour/" + state_.name + "/" + entry.key.address.text();
    }

    void look(const host::Neighbour& entry) {
        const Role role = roleOf(entry);
        if (role == Role::kernel) {
            return;
        }
        if (role == Role::dynamic) {
            dynamic_.push_back(entry.key.address);
        }
        const Judgement judgement = surroundings_.peers.judge(entry);
        const bool wrong = judgement.match == Match::wrongRail;
        hasWrong_ = hasWrong_ || wrong;
        if (role == Role::foreign) {
            lists_.foreign.add(describe(entry) + (entry.externLearned ? " extern_learn"
                                                  : entry.managed     ? " managed"
                                                                      : " proxy"));
        } else if (role == Role::fixed) {
            (wrong ? lists_.fixedWrong : lists_.fixed)
                .add(describe(entry) +
                     (wrong ? ", the MAC of " + judgement.holder->text() : ""));
            if (settings_.staticEntries == StaticEntries::remove) {
                assessUnwanted(entry);
                return;
            }
            if (wrong) {
                return;
            }
        }
        if (!entry.proxy && judgement.match != Match::notListed) {
            assessListed(entry, role, judgement);
        }
    }

    [[nodiscard]] Assessment begin(const host::Neighbour& entry) const {
        Assessment assessment = railProperty(task_, Kind::neighbour, state_.name, "");
        assessment.id = idOf(entry);
        assessment.property = entry.key.address.text();
        assessment.explanation = kEntryRule;
        assessment.found = entry.mac ? entry.mac->text() : stateName(entry.state);
        assessment.goneIsAsWanted = true;
        return assessment;
    }

    // A permanent or noarp entry under `static: delete`.
    void assessUnwanted(const host::Neighbour& entry) {
        Assessment assessment = begin(entry);
        assessment.wanted = "no static entry";
        assessment.found = describe(entry);
        assessment.verdict = Verdict::differs;
        assessment.disturbs = Disturbs::traffic;
        assessment.reason =
            "somebody set it by hand, a flush leaves it, and the "
            "profile wants it deleted";
        if (!refuse(task_, assessment)) {
            unwanted_.push_back(entry.key.address);
            unwantedIds_.push_back(assessment.id);
        }
        result_.assessments.push_back(std::move(assessment));
    }

    void assessListed(const host::Neighbour& entry,
                      Role role,
                      const Judgement& judgement) {
        Assessment assessment = begin(entry);
        assessment.wanted = judgement.owner->mac.text();
        switch (judgement.match) {
            case Match::right:
                assessment.verdict = Verdict::inSync;
                break;
            case Match::wrongRail:
                judgeWrong(role, judgement, assessment);
                break;
            case Match::unknownMac:
                assessment.verdict = Verdict::notApplicable;
                assessment.reason =
                    "its MAC belongs to no interface of the inventory; "
                    "that proves nothing";
                lists_.unknownMac.add(describe(entry) + " for " +
                                      judgement.owner->text());
                break;
            case Match::disputed:
                assessment.verdict = Verdict::unreadable;
                assessment.reason =
                    "the inventory gives this address to several interfaces, and the "
                    "cached MAC is that of one of them: that proves nothing";
                assessment.fix = "renew the inventory with fabricctl peers export";
                break;
            case Match::unresolved:
            case Match::notListed:
                assessment.verdict = Verdict::notApplicable;
                assessment.reason = "no MAC is cached: nothing can be wrong";
                lists_.unresolved.add(describe(entry) + " (" + judgement.owner->text() +
                                      ")");
                break;
        }
        refuse(task_, assessment);
        if (assessment.verdict == Verdict::differs && !assessment.beyondApply) {
            wrong_.push_back(entry.key.address);
            wrongIds_.push_back(assessment.id);
        }
        result_.assessments.push_back(std::move(assessment));
    }

    void judgeWrong(Role role, const Judgement& judgement, Assessment& assessment) {
        assessment.verdict = Verdict::differs;
        assessment.reason =
            judgement.owner->address.text() + " is " + judgement.owner->text() +
            ", but the cached MAC is that of " + judgement.holder->text();
        assessment.fix = "run fabricctl apply on " + judgement.holder->host +
                         " first: as long as it answers on the wrong rail, a flush "
                         "here learns the wrong MAC again; then apply here";
        // Deleting what a control plane manages would be undone, or break it.
        assessment.beyondApply =
            role == Role::foreign || settings_.flush == FlushMode::never;
        if (role == Role::foreign) {
            assessment.fix =
                "correct it in the program that put it there "
                "(extern_learn or managed: FRR, EVPN, an agent)";
        } else if (!assessment.beyondApply) {
            assessment.disturbs = Disturbs::traffic;
        }
    }

    void assessFlush() {
        Assessment assessment = railProperty(task_, Kind::neighbour, state_.name, "");
        assessment.property = "flush";
        assessment.explanation = kFlushRule;
        if (!state_.flushPending) {
            assessment.verdict = Verdict::unreadable;
            assessment.reason = state_.flushPending.error().message();
        } else {
            assessment.wanted = "nothing pending";
            assessment.found = *state_.flushPending ? "flush pending"
                               : pending()          ? "flush due with the ARP settings"
                                                    : "nothing pending";
            judgeFlush(assessment);
        }
        if (refuse(task_, assessment)) {
            flush_ = false;
        }
        result_.assessments.push_back(std::move(assessment));
    }

    void judgeFlush(Assessment& assessment) {
        const FlushMode mode = settings_.flush;
        assessment.verdict = Verdict::inSync;
        if (pending() && (mode != FlushMode::never || settings_.announce)) {
            assessment.verdict = Verdict::differs;
            assessment.reason =
                surroundings_.arpChangePlanned
                    ? "its ARP settings change, and what was learned before may be "
                      "wrong"
                    : "its ARP settings changed, and what was learned before was not "
                      "flushed";
            flush_ = state_.carrier;
            if (!state_.carrier) {
                assessment.beyondApply = true;
                assessment.reason +=
                    "; the link has no carrier, so peers cannot be "
                    "told";
                assessment.fix = "bring the link up, then run fabricctl apply";
            }
        } else if (mode == FlushMode::never) {
            assessment.verdict = Verdict::skipped;
            assessment.reason = "the profile says flush: never";
        } else if (mode == FlushMode::always && !dynamic_.empty()) {
            assessment.onEveryApply = true;
            flush_ = true;
        }
        const bool deletes = flush_ && mode != FlushMode::never && !dynamic_.empty();
        assessment.disturbs = deletes ? Disturbs::traffic : Disturbs::none;
    }

    // The flush of the whole interface, or of the wrong entries only.
    void addFlushStep() {
        const bool everything = flush_ && settings_.flush != FlushMode::never;
        const std::vector<IpAddress>& doomed = everything ? dynamic_ : wrong_;
        if (!flush_ && doomed.empty()) {
            return;
        }
        Step step = beginStep();
        step.ids = wrongIds_;
        if (flush_) {
            step.ids.push_back("neighbour/" + state_.name);
        }
        const bool announces = flush_ && pending() && settings_.announce;
        step.summary = summaryOf(doomed.size(), everything, announces);
        step.disturbs = doomed.empty() ? Disturbs::none : Disturbs::traffic;
        if (everything || !doomed.empty()) {
            step.writes.emplace_back(NeighbourDelete{
                .link = state_.link, .addresses = doomed, .everyDynamic = everything});
        }
        if (announces) {
            addAnnouncements(step);
        }
        if (everything || !doomed.empty()) {
            step.writes.emplace_back(
                NeighbourResolve{.link = state_.link, .addresses = doomed});
        }
        if (flush_ && pending()) {
            step.writes.emplace_back(FileRemove{flushPendingPath(state_.link)});
        }
        adviseRestart(step);
        result_.steps.push_back(std::move(step));
    }

    [[nodiscard]] std::string summaryOf(std::size_t count,
                                        bool everything,
                                        bool announces) const {
        std::string text;
        if (everything) {
            text = "flush the dynamic neighbour entries of " + state_.name + " (" +
                   std::to_string(count) + " now) and resolve them again";
        } else if (count > 0) {
            text = "delete " + entriesText(count) + " with a wrong MAC on " +
                   state_.name + " and resolve again";
        }
        if (announces) {
            text += text.empty() ? "announce the addresses of " + state_.name
                                 : ", announce its addresses";
        }
        return text;
    }

    void addAnnouncements(Step& step) const {
        for (const IpAddress& address : state_.addresses) {
            if (!address.ipv6 && state_.mac) {
                step.writes.emplace_back(
                    GratuitousArp{state_.link, *state_.mac, address});
            }
        }
    }

    // What every reason to restart has in common is that this step is it.
    void adviseRestart(Step& step) const {
        const bool arp = flush_ && pending();
        if (auto advice = restartAdvice(surroundings_.service, hasWrong_, arp)) {
            step.consequences.push_back(std::move(*advice));
        }
    }

    void addStaticStep() {
        if (unwanted_.empty()) {
            return;
        }
        Step step = beginStep();
        step.disturbs = Disturbs::traffic;
        step.summary = "delete " + std::to_string(unwanted_.size()) +
                       " static neighbour " +
                       (unwanted_.size() == 1 ? "entry" : "entries") + " of " +
                       state_.name + " and resolve again";
        step.ids = unwantedIds_;
        step.writes.emplace_back(
            NeighbourDelete{.link = state_.link, .addresses = unwanted_});
        step.writes.emplace_back(
            NeighbourResolve{.link = state_.link, .addresses = unwanted_});
        adviseRestart(step);
        result_.steps.push_back(std::move(step));
    }

    [[nodiscard]] Step beginStep() const {
        Step step;
        step.stage = Stage::neighbour;
        step.rail = task_.rail.name;
        step.link = task_.rail.link;
        return step;
    }

    void add(const EntryList& list, Finding finding) {
        if (!list.empty()) {
            finding.summary = entriesText(list.count()) + " " + finding.summary;
            finding.evidence = list.text();
            finding.device = state_.name;
            result_.findings.push_back(std::move(finding));
        }
    }

    void addFindings() {
        if (settings_.staticEntries == StaticEntries::report) {
            add(lists_.fixedWrong,
                {.id = "neighbour.static",
                 .severity = Severity::fail,
                 .summary = "set by hand with the MAC of another rail; no flush "
                            "removes such an entry",
                 .fix = "ip neigh del ADDRESS dev " + state_.name +
                        ", or static: delete in the profile"});
            add(lists_.fixed,
                {.id = "neighbour.static",
                 .severity = Severity::warn,
                 .summary = "set by hand (PERMANENT or NOARP); no flush removes such "
                            "an entry, and it stays when the peer's MAC changes",
                 .fix = "see that each is right, or static: delete in the profile"});
        }
        add(lists_.foreign,
            {.id = "neighbour.foreign",
             .severity = Severity::info,
             .summary = "kept by other programs (extern_learn, managed, proxy); they "
                        "are never deleted here"});
        add(lists_.unknownMac,
            {.id = "neighbour.unknown-mac",
             .severity = Severity::warn,
             .summary = "with a MAC that the inventory does not know: a replaced NIC, "
                        "a router, VRRP or proxy ARP",
             .fix = "run fabricctl peers export on that peer and renew the inventory"});
        add(lists_.unresolved,
            {.id = "neighbour.unresolved",
             .severity = Severity::warn,
             .summary = "of known peers without an answer",
             .fix = "see that the peer and its rail are up"});
    }

    const RailTask& task_;
    const profile::NeighbourSettings& settings_;
    const InterfaceState& state_;
    const Surroundings& surroundings_;
    Comparison result_;
    Lists lists_;
    std::vector<IpAddress> dynamic_;
    std::vector<IpAddress> wrong_;
    std::vector<std::string> wrongIds_;
    std::vector<IpAddress> unwanted_;
    std::vector<std::string> unwantedIds_;
    bool hasWrong_ = false;
    bool flush_ = false;  // the flush of the whole interface is to be done
};

}  // namespace

Comparison compare(const RailTask& task,
                   const InterfaceState& state,
                   const Surroundings& surroundings) {
    return InterfaceComparer(task, state, surroundings).compare();
}

}  // namespace fabric::resource::neighbour
