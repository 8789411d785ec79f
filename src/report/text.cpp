// SPDX-License-Identifier: Apache-2.0
#include "report/text.hpp"

#include "base/text.hpp"
#include "report/palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

namespace fabric::report {

namespace {

using engine::Outcome;
using engine::Report;
using engine::ResourceReport;

constexpr std::size_t kDetailIndent = 14;

bool isFine(const ResourceReport& resource) {
    return resource.outcome == Outcome::inSync;
}

bool isQuiet(const ResourceReport& resource) {
    return engine::exitCodeOf(resource.outcome) == engine::ExitCode::asWanted;
}

Tone toneOf(Outcome outcome) {
    switch (outcome) {
        case Outcome::inSync:
            return Tone::good;
        case Outcome::changed:
        case Outcome::drifted:
            return Tone::change;
        case Outcome::skipped:
        case Outcome::notApplicable:
            return Tone::dim;
        default:
            return Tone::bad;
    }
}

Tone toneOf(resource::Severity severity) {
    switch (severity) {
        case resource::Severity::info:
            return Tone::dim;
        case resource::Severity::warn:
            return Tone::change;
        default:
            return Tone::bad;
    }
}

std::string_view nameOf(resource::Severity severity) {
    switch (severity) {
        case resource::Severity::info:
            return "note";
        case resource::Severity::warn:
            return "warning";
        default:
            return "finding";
    }
}

// The members of `object` that `other` does not have equal, and how many are equal.
std::string differingMembers(const Value::Object& object, const Value::Object& other) {
    Value::Object differing;
    for (const auto& [key, item] : object) {
        const auto same = other.find(key);
        if (same == other.end() || same->second != item) {
            differing.emplace(key, item);
        }
    }
    const std::size_t equal = object.size() - differing.size();
    return Value(std::move(differing)).toText() +
           (equal == 0 ? "" : fmt::format(" (the other {} equal)", equal));
}

// Two values side by side: of two objects only what differs, of a long object without a
// counterpart only its size. JSON has them whole.
std::pair<std::string, std::string> contrast(const Value& left, const Value& right) {
    constexpr std::size_t kLongObject = 8;
    const Value::Object* const leftObject = left.asObject();
    const Value::Object* const rightObject = right.asObject();
    if (leftObject != nullptr && rightObject != nullptr && left != right) {
        return {differingMembers(*leftObject, *rightObject),
                differingMembers(*rightObject, *leftObject)};
    }
    const auto alone = [](const Value& value, const Value::Object* object) {
        return object != nullptr && object->size() > kLongObject
                   ? fmt::format("{} entries", object->size())
                   : value.toText();
    };
    return {alone(left, leftObject), alone(right, rightObject)};
}

class Writer {
  public:
    Writer(const Report& report, const TextOptions& options)
        : report_(report), options_(options), palette_(options.color) {}

    std::string write() {
        headline();
        groups();
        findings();
        steps();
        return std::move(text_);
    }

  private:
    using Group = std::vector<const ResourceReport*>;

    void headline() {
        const int code = static_cast<int>(report_.exitCode());
        if (options_.quiet && code == 0) {
            return;
        }
        const Tone tone = code == 0 ? Tone::good : code == 2 ? Tone::change : Tone::bad;
        const std::string profile =
            report_.profileName.empty() ? report_.profilePath : report_.profileName;
        text_ += fmt::format("{}{}{} {}: {} (exit {})\n",
                             palette_.paint(Tone::strong, report_.command),
                             profile.empty() ? "" : " ",
                             escapeForTerminal(profile),
                             place(),
                             palette_.paint(tone, report_.result()),
                             code);
        if (!report_.image.empty()) {
            text_ +=
                "files only: paths are inside the image; the rest is deferred to "
                "its boot\n";
        }
    }

    [[nodiscard]] std::string place() const {
        if (!report_.image.empty()) {
            return "in image " + escapeForTerminal(report_.image);
        }
        return "on " +
               (report_.host.empty() ? "this host" : escapeForTerminal(report_.host));
    }

    void groups() {
        std::map<std::string, Group> byOwner;  // "" : host-wide
        for (const ResourceReport& resource : report_.resources) {
            byOwner[resource.assessment.rail].push_back(&resource);
        }
        for (const auto& [rail, group] : byOwner) {
            writeGroup(rail, group);
        }
    }

    void writeGroup(const std::string& rail, const Group& group) {
        std::map<std::string_view, std::size_t> fine;
        Group shown;
        for (const ResourceReport* resource : group) {
            if (isFine(*resource) && !options_.verbose) {
                ++fine[resource::toString(resource->assessment.kind)];
            } else if (!(options_.quiet && isQuiet(*resource))) {
                shown.push_back(resource);
            }
        }
        if (options_.quiet && shown.empty()) {
            return;
        }
        std::string folded;
        for (const auto& [kind, count] : fine) {
            folded += fmt::format("{}{} ({})", folded.empty() ? "" : ", ", kind, count);
        }
        text_ += "\n" + owner(rail, group);
        text_ += folded.empty() || options_.quiet
                     ? "\n"
                     : "  " + palette_.paint(Tone::good, "in sync: ") + folded + "\n";
        for (const Group& alike : byStory(shown)) {
            writeAlike(alike, rail);
        }
    }

    // Resources that are fine for one and the same reason are told together: a rail
    // without DCB is one sentence and not ten.
    static std::vector<Group> byStory(const Group& shown) {
        std::vector<Group> stories;
        for (const ResourceReport* resource : shown) {
            const auto same = std::ranges::find_if(stories, [&](const Group& story) {
                return isToldWith(*resource, *story.front());
            });
            if (same == stories.end()) {
                stories.push_back({resource});
            } else {
                same->push_back(resource);
            }
        }
        return stories;
    }

    static bool isToldWith(const ResourceReport& resource,
                           const ResourceReport& other) {
        const auto& own = resource.assessment;
        return (resource.outcome == Outcome::notApplicable ||
                resource.outcome == Outcome::skipped) &&
               resource.outcome == other.outcome &&
               own.device == other.assessment.device &&
               own.reason == other.assessment.reason && own.fix == other.assessment.fix;
    }

    void writeAlike(const Group& alike, const std::string& rail) {
        if (alike.size() == 1 || options_.verbose || options_.explain) {
            for (const ResourceReport* resource : alike) {
                writeResource(*resource, rail);
            }
            return;
        }
        std::string labels;
        for (const ResourceReport* resource : alike) {
            labels += (labels.empty() ? "" : ", ") + labelOf(*resource, rail);
        }
        const ResourceReport& first = *alike.front();
        text_ += fmt::format(
            "    {}: {}\n",
            palette_.paint(toneOf(first.outcome), engine::toString(first.outcome)),
            wrapped(labels, kDetailIndent));
        detail("why", escapeForTerminal(first.assessment.reason));
        detail("fix", escapeForTerminal(first.assessment.fix));
    }

    static std::string labelOf(const ResourceReport& resource,
                               const std::string& rail) {
        const resource::Assessment& assessment = resource.assessment;
        const bool ownDevice = assessment.device == rail;
        return escapeForTerminal(!ownDevice || assessment.property.empty()
                                     ? assessment.id
                                     : assessment.property);
    }

    [[nodiscard]] std::string owner(const std::string& rail, const Group& group) const {
        if (rail.empty()) {
            return palette_.paint(Tone::strong,
                                  report_.image.empty() ? "this host" : "this image");
        }
        const auto named =
            std::ranges::find_if(group, [](const ResourceReport* resource) {
                return !resource->assessment.pci.empty();
            });
        std::string text = palette_.paint(Tone::strong, escapeForTerminal(rail));
        if (named != group.end()) {
            const resource::Assessment& assessment = (*named)->assessment;
            text +=
                " (" +
                (assessment.rdma.empty() ? ""
                                         : escapeForTerminal(assessment.rdma) + ", ") +
                escapeForTerminal(assessment.pci) + ")";
        }
        return text;
    }

    void writeResource(const ResourceReport& resource, const std::string& rail) {
        const resource::Assessment& assessment = resource.assessment;
        text_ += fmt::format("    {:<20} {}",
                             labelOf(resource, rail),
                             palette_.paint(toneOf(resource.outcome),
                                            engine::toString(resource.outcome)));
        if (assessment.disturbs != resource::Disturbs::none &&
            resource.outcome == Outcome::drifted) {
            text_ +=
                fmt::format("  (disturbs {})", resource::toString(assessment.disturbs));
        }
        text_ += "\n";
        values(resource);
        if (!isFine(resource) && resource.outcome != Outcome::changed) {
            detail("why", escapeForTerminal(assessment.reason));
            detail("fix", escapeForTerminal(assessment.fix));
        }
        if (options_.explain) {
            detail("rule", escapeForTerminal(assessment.explanation));
        }
    }

    // A look at a snapshot that wrote nothing.
    [[nodiscard]] bool looksBack() const {
        return (report_.command == "restore" || report_.command == "snapshot diff") &&
               !report_.steps.empty() &&
               std::ranges::any_of(report_.resources, isPutBack);
    }

    // What a run that carried out the steps makes `changed` or `failed`.
    static bool isPutBack(const ResourceReport& resource) {
        return resource.outcome == Outcome::drifted && resource.after.isNull() &&
               !resource.assessment.beyondApply;
    }

    void values(const ResourceReport& resource) {
        const resource::Assessment& assessment = resource.assessment;
        if (resource.outcome == Outcome::changed) {
            detail("changed",
                   assessment.found.toText() + " -> " + resource.after.toText());
            return;
        }
        if (looksBack() && isPutBack(resource)) {
            const auto [found, then] = contrast(assessment.found, assessment.wanted);
            detail("restore", found + " -> " + then);
            return;
        }
        if (!assessment.wanted.isNull() || !assessment.found.isNull()) {
            const auto [wanted, found] = contrast(assessment.wanted, assessment.found);
            detail("wanted", wanted);
            detail("found", found);
        }
        if (!resource.after.isNull() && resource.after != assessment.found) {
            detail("now", resource.after.toText());
        }
    }

    // A labelled, wrapped line; nothing when there is nothing to say.
    void detail(std::string_view label, const std::string& text) {
        if (!text.empty()) {
            text_ += fmt::format("      {:<7} ", label) + wrapped(text, kDetailIndent) +
                     "\n";
        }
    }

    // Eight rails with one and the same finding are told once.
    void findings() {
        std::vector<std::pair<const resource::Finding*, std::string>> told;
        for (const resource::Finding& finding : report_.findings) {
            if (options_.quiet && finding.severity == resource::Severity::info) {
                continue;
            }
            const auto same = std::ranges::find_if(told, [&](const auto& earlier) {
                resource::Finding other = *earlier.first;
                other.device = finding.device;
                return !finding.device.empty() && other == finding;
            });
            if (same == told.end()) {
                told.emplace_back(&finding, finding.device);
            } else {
                same->second += ", " + finding.device;
            }
        }
        for (const auto& [finding, devices] : told) {
            writeFinding(*finding, devices);
        }
    }

    void writeFinding(const resource::Finding& finding, const std::string& devices) {
        const std::string about = devices.empty() ? "" : devices + ": ";
        text_ += fmt::format(
            "\n{}: {} [{}]\n",
            palette_.paint(toneOf(finding.severity), nameOf(finding.severity)),
            wrapped(escapeForTerminal(about + finding.summary), 2),
            finding.id);
        detail("seen", escapeForTerminal(finding.evidence));
        detail("fix", escapeForTerminal(finding.fix));
    }

    void steps() {
        const bool plan = report_.command == "plan";
        if (report_.steps.empty() || !(plan || looksBack())) {
            return;
        }
        text_ += "\n" +
                 palette_.paint(Tone::strong,
                                plan ? "apply would, in this order:"
                                     : "restore would, in this order:") +
                 "\n";
        std::size_t number = 0;
        for (const resource::Step& step : report_.steps) {
            const std::string place =
                step.rail.empty() ? "" : escapeForTerminal(step.rail) + ": ";
            text_ += fmt::format("  {:>3}. {}",
                                 ++number,
                                 wrapped(place + escapeForTerminal(step.summary), 7));
            if (step.disturbs != resource::Disturbs::none) {
                text_ += palette_.paint(
                    Tone::change,
                    fmt::format(" (disturbs {})", resource::toString(step.disturbs)));
            }
            text_ += "\n";
        }
    }

    const Report& report_;
    const TextOptions& options_;
    Palette palette_;
    std::string text_;
};

}  // namespace

std::string toText(const Report& report, const TextOptions& options) {
    return Writer(report, options).write();
}

}  // namespace fabric::report
