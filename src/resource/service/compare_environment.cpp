// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "resource/service/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>
#include <utility>

namespace fabric::resource::service {

namespace {

constexpr std::string_view kRule =
    "The server reads its RDMA settings once, from the environment that systemd gives "
    "it, and ignores a value that it does not know without a word. EnvironmentFile= "
    "wins over Environment=, a later file over an earlier one.";

struct Setting {
    std::string value;
    std::string place;
};

// What a start would give the process.
std::optional<Setting> effective(const State& state, const std::string& name) {
    std::optional<Setting> found;
    for (const std::string& entry : state.unit.environment) {
        if (entry.starts_with(name + "=")) {
            found = Setting{.value = entry.substr(name.size() + 1),
                            .place = "Environment= of the unit"};
        }
    }
    for (const EnvironmentSource& source : state.environment) {
        for (const auto& [key, value] : source.variables.value_or(Variables{})) {
            if (key == name) {
                found = Setting{.value = value, .place = source.path};
            }
        }
    }
    return found;
}

// Adds to `path` what UnsetEnvironment= of one file does to "NAME=value": the file that
// takes it away, or that is forgotten by an empty list.
void takeUnset(const UnitFile& file, std::string_view assignment, std::string& path) {
    const std::string_view name = assignment.substr(0, assignment.find('='));
    for (const UnitSetting& setting : file.settings) {
        if (setting.section != "Service" || setting.key != "UnsetEnvironment") {
            continue;
        }
        path = setting.value.empty() ? "" : path;
        for (std::string_view word : split(setting.value, ' ')) {
            const bool quoted =
                word.size() > 1 && (word.front() == '"' || word.front() == '\'');
            word = quoted ? word.substr(1, word.size() - 2) : word;
            path = word == name || word == assignment ? file.path : path;
        }
    }
}

// What systemd takes away last of all, wherever it was set; systemd.exec(5).
std::string unsetterOf(const State& state,
                       const std::string& name,
                       const std::string& value) {
    std::string path;
    for (const std::vector<UnitFile>* const files : {&state.below, &state.above}) {
        for (const UnitFile& file : *files) {
            takeUnset(file, name + "=" + value, path);
        }
    }
    return path;
}

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a')
                                              : letter;
    });
    return text;
}

class EnvironmentComparer {
  public:
    explicit EnvironmentComparer(const Look& look) : look_(look) {}

    Assessment compare() {
        Assessment assessment = serviceProperty(look_.settings, "environment");
        assessment.explanation = kRule;
        Value::Object wanted;
        Value::Object found;
        std::vector<std::string> reasons;
        for (const auto& [name, value] : look_.settings.environment) {
            const auto seen = effective(look_.state, name);
            wanted[name] = shownValue(name, value, value);
            found[name] = seen ? Value(shownValue(name, seen->value, value)) : Value{};
            const std::string unsetter =
                unsetterOf(look_.state, name, seen ? seen->value : value);
            if (!unsetter.empty()) {
                found[name] = Value{};
                reasons.push_back(fmt::format("UnsetEnvironment= in {} takes {} away",
                                              escapeForTerminal(unsetter),
                                              name));
                unsetter_ = unsetter;
            } else if (!seen || seen->value != value) {
                reasons.push_back(seen ? otherValue(name, value, *seen)
                                       : missing(name));
            }
        }
        if (std::string problem = managedProblem(look_); !problem.empty()) {
            reasons.push_back(std::move(problem));
        }
        assessment.wanted = std::move(wanted);
        assessment.found = std::move(found);
        settle(reasons, assessment);
        return assessment;
    }

  private:
    void settle(const std::vector<std::string>& reasons, Assessment& assessment) const {
        if (const EnvironmentSource* const lost = absent()) {
            const std::string path = escapeForTerminal(lost->path);
            assessment.verdict = Verdict::differs;
            assessment.reason = fmt::format(
                "the unit does not start without its "
                "environment file {}, which does not exist",
                path);
            assessment.fix = fmt::format(
                "put {} back, or take its EnvironmentFile= out "
                "of the unit (systemctl cat {})",
                path,
                look_.settings.unit);
            return;
        }
        const std::string unread = unreadable();
        if (!unread.empty()) {
            assessment.verdict = Verdict::unreadable;
            assessment.reason = unread;
            assessment.fix =
                "see that the file exists and can be read; the unit does "
                "not start without it";
            return;
        }
        assessment.verdict = reasons.empty() ? Verdict::inSync : Verdict::differs;
        assessment.reason = fmt::format("{}", fmt::join(reasons, "; "));
        if (!unsetter_.empty()) {
            assessment.fix = fmt::format(
                "take the variable out of UnsetEnvironment= in {}, then systemctl "
                "daemon-reload; fabricctl edits no file of others",
                escapeForTerminal(unsetter_));
        } else if (!reasons.empty() && !look_.settings.manageEnvironment) {
            assessment.fix = repair();
        } else if (const std::string winner = resetter();
                   !reasons.empty() && !winner.empty()) {
            assessment.reason += fmt::format("; {} sets EnvironmentFile after ours",
                                             escapeForTerminal(winner));
            assessment.fix = fmt::format(
                "take EnvironmentFile= out of {}, or give that file a name that sorts "
                "before {}; fabricctl edits no file of others",
                escapeForTerminal(winner),
                kDropInName);
        }
    }

    // The drop-in whose EnvironmentFile= takes away what ours, as it should be, gives;
    // "" none.
    [[nodiscard]] std::string resetter() const {
        const bool asWanted =
            look_.state.ours == look_.wanted.text && managedProblem(look_).empty();
        return asWanted ? lastSetter(look_.state.above, "EnvironmentFile") : "";
    }

    // A file that must be there and is not: what a start gives is certain, none is
    // made.
    [[nodiscard]] const EnvironmentSource* absent() const {
        const auto found = std::ranges::find_if(
            look_.state.environment, [&](const EnvironmentSource& source) {
                return source.error && !source.optional &&
                       source.error->sysErrno == ENOENT && !isOurs(source);
            });
        return found == look_.state.environment.end() ? nullptr : &*found;
    }

    // A file that must be there and cannot be read may say anything.
    [[nodiscard]] std::string unreadable() const {
        if (look_.state.managed.error && managesEnvironment(look_.settings)) {
            return look_.state.managed.error->message();
        }
        for (const EnvironmentSource& source : look_.state.environment) {
            if (source.error && !isOurs(source)) {
                return source.error->message();
            }
        }
        return {};
    }

    [[nodiscard]] bool isOurs(const EnvironmentSource& source) const {
        return look_.settings.manageEnvironment &&
               source.path == managedEnvironmentPath(look_.settings.unit);
    }

    static std::string otherValue(const std::string& name,
                                  const std::string& wanted,
                                  const Setting& seen) {
        const std::string place = escapeForTerminal(seen.place);
        if (!isCarriedVariable(name)) {
            return fmt::format("{} has another value in {}", name, place);
        }
        std::string text = fmt::format(
            "{} is \"{}\" in {}", name, escapeForTerminal(seen.value), place);
        if (lower(seen.value) == lower(wanted)) {
            text += fmt::format(": only the exact text \"{}\" counts",
                                escapeForTerminal(wanted));
        }
        return text;
    }

    [[nodiscard]] std::string missing(const std::string& name) const {
        const bool late = std::ranges::any_of(
            look_.state.lateVariables,
            [&](const auto& variable) { return variable.first == name; });
        return late ? fmt::format(
                          "{} stands only in {}, which the server reads too late "
                          "for its RDMA settings",
                          name,
                          escapeForTerminal(look_.state.lateFile))
                    : fmt::format("{} is set in no environment file of the unit", name);
    }

    [[nodiscard]] std::string repair() const {
        std::vector<std::string> lines;
        for (const auto& [name, value] : look_.settings.environment) {
            const auto seen = effective(look_.state, name);
            if (!seen || seen->value != value) {
                lines.push_back(escapeForTerminal(
                    isCarriedVariable(name) ? name + "=" + value : name));
            }
        }
        if (look_.state.environment.empty()) {
            return "the unit lists no environment file: set manage-environment: true "
                   "in "
                   "the profile";
        }
        return fmt::format(
            "write {} into {} and restart {}, or set "
            "manage-environment: true in the profile",
            fmt::join(lines, " and "),
            escapeForTerminal(look_.state.environment.back().path),
            look_.settings.unit);
    }

    const Look& look_;
    std::string unsetter_;  // the file that takes a wanted variable away
};

// Which variables of the file differ from the wanted ones; names only.
std::string differingNames(const std::string& text,
                           const std::map<std::string, std::string>& wanted) {
    std::map<std::string, std::string> found;
    for (const auto& [name, value] : parseEnvironmentFile(text)) {
        found[name] = value;
    }
    std::vector<std::string> parts;
    for (const auto& [name, value] : wanted) {
        const auto seen = found.find(name);
        if (seen == found.end()) {
            parts.push_back(name + " is missing");
        } else if (seen->second != value) {
            parts.push_back(name + " has another value");
        }
    }
    for (const auto& [name, value] : found) {
        if (!wanted.contains(name)) {
            parts.push_back(escapeForTerminal(name) + " is not of the profile");
        }
    }
    return parts.empty() ? "other lines than the profile makes"
                         : fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::string managedProblem(const Look& look) {
    const std::string wanted = look.managedText();
    const ManagedFile& managed = look.state.managed;
    if (wanted.empty() || managed.error) {
        return {};
    }
    const std::string path = managedEnvironmentPath(look.settings.unit);
    if (!managed.text) {
        return path + " does not exist";
    }
    if (*managed.text != wanted) {
        return fmt::format(
            "{}: {}", path, differingNames(*managed.text, look.settings.environment));
    }
    if (managed.mode != kManagedMode) {
        return fmt::format(
            "{} has mode {:04o}, and its values may be secrets: {:04o} "
            "is wanted",
            path,
            managed.mode,
            kManagedMode);
    }
    // An image may belong to whoever builds it.
    return managed.owner == 0 || look.state.image
               ? ""
               : fmt::format("{} belongs to uid {}, not to root", path, managed.owner);
}

// A drop-in after ours that is not read yet, or whose age hides that it changed, lists
// other files. What ours says of that list is told by its own property.
Assessment compareEnvironment(const Look& look) {
    Assessment now = EnvironmentComparer(look).compare();
    const std::string winner = lastSetter(look.state.above, "EnvironmentFile");
    if (now.verdict != Verdict::inSync || !look.state.comingEnvironment ||
        winner.empty()) {
        return now;
    }
    State later = look.state;
    later.environment = *look.state.comingEnvironment;
    Assessment next =
        EnvironmentComparer(
            {.settings = look.settings, .state = later, .wanted = look.wanted})
            .compare();
    if (next.verdict != Verdict::differs) {
        return now;
    }
    next.reason = fmt::format(
        "from the next reload of systemd on, {}; {} sets "
        "EnvironmentFile after ours",
        next.reason,
        escapeForTerminal(winner));
    next.fix = fmt::format(
        "take EnvironmentFile= out of {}, or give that file a name "
        "that sorts before {}; fabricctl edits no file of others",
        escapeForTerminal(winner),
        kDropInName);
    return next;
}

}  // namespace fabric::resource::service
