// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "resource/service/compare.hpp"
#include "resource/service/exec_line.hpp"
#include "resource/service/program_word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>

namespace fabric::resource::service {

namespace {

constexpr std::string_view kDropInRule =
    "systemd applies the unit file and then every drop-in in the order of file names, "
    "whatever their directory. The file proves nothing: what systemd lists in "
    "DropInPaths after a reload is what it has read.";
constexpr std::string_view kCommandRule =
    "The packaged unit runs the standard binary, in which every RDMA setting is "
    "compiled out without a word. The command is the unit's own with the program "
    "replaced, so that what an upgrade changes is kept.";
constexpr std::string_view kLimitRule =
    "The kernel compares pinned memory with the soft limit of RLIMIT_MEMLOCK "
    "(drivers/infiniband/core/umem.c). A service gets it from LimitMEMLOCK= only; "
    "limits.conf is read at logins.";

constexpr std::string_view kFromReload = "from the next reload of systemd on, ";

std::string joined(const std::vector<std::string>& words, std::size_t from) {
    return escapeForTerminal(fmt::format(
        "{}", fmt::join(words | std::views::drop(static_cast<long>(from)), " ")));
}

class ConfigurationComparer {
  public:
    ConfigurationComparer(const Look& look, const Assessment* environment)
        : look_(look),
          environment_(environment),
          unit_(look.state.unit),
          path_(dropInPath(unit_.name)) {}

    Comparison compare() {
        if (!look_.settings.binary.empty()) {
            add(command());
        }
        if (const auto& wanted = look_.settings.limitMemlock) {
            add(limit(wantedLimit(*wanted)));
        }
        if (!look_.wanted.text.empty() || !look_.refusal().empty()) {
            // In front: what the others follow from.
            result_.assessments.insert(result_.assessments.begin(), dropIn());
        }
        addStep();
        return std::move(result_);
    }

  private:
    void add(Assessment assessment) {
        result_.assessments.push_back(std::move(assessment));
    }

    // Adds to a difference who made it. Nobody after ours: systemd has not read ours.
    void nameWinner(std::string_view key, Assessment& assessment) {
        const std::string winner = lastSetter(look_.state.above, key);
        if (winner.empty()) {
            unread_ = true;
            return;
        }
        assessment.reason +=
            fmt::format("; {} sets {} after ours", escapeForTerminal(winner), key);
        assessment.fix = fmt::format(
            "take {}= out of {}, or give that file a name that sorts before {}; "
            "fabricctl edits no file of others",
            key,
            escapeForTerminal(winner),
            kDropInName);
    }

    Assessment command() {
        Assessment assessment = serviceProperty(look_.settings, "exec-start");
        assessment.explanation = kCommandRule;
        assessment.wanted = look_.settings.binary;
        assessment.found = programOf(unit_.execStart);
        assessment.verdict = Verdict::inSync;
        if (std::string problem = commandProblem(unit_.execStart); !problem.empty()) {
            assessment.verdict = Verdict::differs;
            assessment.reason = std::move(problem);
            nameWinner("ExecStart", assessment);
        } else if (willLose("ExecStart") &&
                   (look_.state.unread.any() || look_.state.coming->plain)) {
            const auto& coming = look_.state.coming->execStart;
            if (problem = commandProblem(coming); !problem.empty()) {
                assessment.found = programOf(coming);
                assessment.verdict = Verdict::differs;
                assessment.reason = std::string(kFromReload) + problem;
                nameWinner("ExecStart", assessment);
            }
        }
        if (!look_.refusal().empty()) {
            assessment.verdict = Verdict::failed;
            assessment.reason = look_.refusal();
            assessment.fix = look_.refusalFix();
        }
        return assessment;
    }

    // A later file, not read yet, takes the key from ours with the next reload.
    [[nodiscard]] bool willLose(std::string_view key) const {
        return look_.state.coming && !lastSetter(look_.state.above, key).empty();
    }

    using Commands = std::vector<host::ServiceCommand>;

    // {path, arguments...} of the last command; argv[0] is only a name.
    [[nodiscard]] static std::vector<std::string> wordsOf(const Commands& commands) {
        if (commands.empty()) {
            return {};
        }
        const host::ServiceCommand& command = commands.back();
        std::vector<std::string> words{command.path};
        std::ranges::copy(command.arguments | std::views::drop(1),
                          std::back_inserter(words));
        return words;
    }

    [[nodiscard]] Value programOf(const Commands& commands) const {
        const std::vector<std::string> words = wordsOf(commands);
        if (words.empty()) {
            return {};
        }
        return words[programWord(words, look_.settings.binary).value_or(0)];
    }

    // What a command has against that of the files below ours, "" nothing.
    [[nodiscard]] std::string commandProblem(const Commands& commands) const {
        if (commands.size() != 1) {
            return fmt::format("the unit runs {} commands", commands.size());
        }
        const std::vector<std::string> words = wordsOf(commands);
        const auto place = programWord(words, look_.settings.binary);
        if (!place) {
            return "the unit " + place.error();
        }
        if (words[*place] != loadedProgram(*place, look_.settings.binary)) {
            return "the unit runs " + escapeForTerminal(words[*place]);
        }
        const std::vector<std::string>& wanted = look_.wanted.command;
        if (wanted.empty() || words == wanted) {
            return {};
        }
        if (words.front() == wanted.front()) {
            return fmt::format("the arguments are \"{}\", the unit's own are \"{}\"",
                               joined(words, 1),
                               joined(wanted, 1));
        }
        return fmt::format(
            "the command is \"{}\", the unit's own with its program "
            "replaced is \"{}\"",
            joined(words, 0),
            joined(wanted, 0));
    }

    Assessment limit(const host::ResourceLimit& wanted) {
        Assessment assessment = serviceProperty(look_.settings, "limit-memlock");
        assessment.explanation = kLimitRule;
        assessment.wanted = limitValue(wanted);
        assessment.found =
            look_.state.limitUnset ? Value{} : limitValue(unit_.limitMemlock);
        const host::ResourceLimit coming = comingLimit();
        if (unit_.limitMemlock != wanted || look_.state.limitUnset) {
            assessment.reason = limitProblem(unit_.limitMemlock, wanted);
        } else if (coming != wanted) {
            assessment.found = limitValue(coming);
            assessment.reason = std::string(kFromReload) + limitProblem(coming, wanted);
        } else if (willBeUnset()) {
            assessment.found = "systemd's own default";
            assessment.reason =
                std::string(kFromReload) +
                "the limit is systemd's own default (DefaultLimitMEMLOCK=)";
        } else {
            assessment.verdict = Verdict::inSync;
            return assessment;
        }
        assessment.verdict = Verdict::differs;
        nameWinner("LimitMEMLOCK", assessment);
        if (!look_.refusal().empty()) {
            assessment.reason += "; no drop-in can be made: " + look_.refusal();
            assessment.fix = look_.refusalFix();
        }
        return assessment;
    }

    // A later file empties the key. That the default happens to be the wanted limit is
    // luck that the next change of it ends.
    [[nodiscard]] bool willBeUnset() const {
        return willLose("LimitMEMLOCK") && !look_.state.coming->limitMemlock;
    }

    // As it is in force, unless a later file takes it from ours with the next reload.
    [[nodiscard]] host::ResourceLimit comingLimit() const {
        return willLose("LimitMEMLOCK")
                   ? look_.state.coming->limitMemlock.value_or(unit_.limitMemlock)
                   : unit_.limitMemlock;
    }

    [[nodiscard]] std::string limitProblem(const host::ResourceLimit& limit,
                                           const host::ResourceLimit& wanted) const {
        if (look_.state.limitUnset) {
            return "no file of the unit sets LimitMEMLOCK=";
        }
        return limit.soft == wanted.soft
                   ? "the hard limit is another one"
                   : fmt::format("the soft limit, which the kernel checks, is {}",
                                 limitValue({limit.soft, limit.soft}).toText());
    }

    Assessment dropIn() {
        Assessment assessment = serviceProperty(look_.settings, "drop-in");
        assessment.explanation = kDropInRule;
        assessment.wanted = settingsOf(look_.wanted.text);
        assessment.found = look_.state.ours ? settingsOf(*look_.state.ours) : Value{};
        if (!look_.refusal().empty() && (mustWrite() || mustReload())) {
            // It may not be made so; the look alone is no reason to say that it is not.
            assessment.verdict = Verdict::failed;
            assessment.reason = look_.refusal();
            assessment.fix = look_.refusalFix();
            return assessment;
        }
        assessment.reason = staleness();
        assessment.verdict =
            assessment.reason.empty() ? Verdict::inSync : Verdict::differs;
        if (const std::string& mask = look_.state.unread.mask; !mask.empty()) {
            assessment.fix = fmt::format("systemctl unmask {}{}",
                                         mask.starts_with("/run/") ? "--runtime " : "",
                                         unit_.name);
        } else if (!assessment.reason.empty() && !mustWrite() && !mustReload()) {
            assessment.fix = "see 'systemd-analyze verify " + unit_.name +
                             "'; the unit's other files are not fabricctl's";
        }
        return assessment;
    }

    [[nodiscard]] bool mustWrite() const {
        return look_.state.ours != look_.wanted.text;
    }

    [[nodiscard]] bool isListed() const {
        return std::ranges::find(unit_.dropInPaths, path_) != unit_.dropInPaths.end();
    }

    [[nodiscard]] bool mustReload() const {
        return !isListed() || changedOnDisk() || unread_ || look_.state.unread.any();
    }

    // A reload does not silence NeedDaemonReload where a link leads nowhere.
    [[nodiscard]] bool changedOnDisk() const {
        return unit_.needDaemonReload && look_.state.unread.nowhere.empty();
    }

    // What the next reload changes in the unit, whoever asks for it.
    [[nodiscard]] std::string unreadFiles() const {
        const Unread& unread = look_.state.unread;
        std::vector<std::string> parts;
        const auto add = [&](const std::string& path, std::string_view what) {
            parts.push_back(escapeForTerminal(path) + std::string(what));
        };
        if (!unread.fragment.empty()) {
            add(unread.fragment, " is the unit's file now");
        }
        for (const std::string& path : unread.added) {
            add(path, " is new");
        }
        for (const std::string& path : unread.gone) {
            add(path, " is gone");
        }
        return parts.empty() ? ""
                             : fmt::format(
                                   "{}, and systemd has not read its files since: its "
                                   "next reload puts that in force",
                                   fmt::join(parts, ", "));
    }

    [[nodiscard]] std::string staleness() const {
        if (const std::string& mask = look_.state.unread.mask; !mask.empty()) {
            return fmt::format(
                "{} masks the unit from the next reload of systemd on, after which it "
                "cannot be started",
                escapeForTerminal(mask));
        }
        const std::string files = unreadFiles();
        const std::string own = ownStaleness();
        return own + (own.empty() || files.empty() ? "" : "; ") + files;
    }

    [[nodiscard]] std::string ownStaleness() const {
        if (!look_.state.ours) {
            return path_ + " does not exist";
        }
        if (mustWrite()) {
            return path_ + " is not as the unit's other files and the profile make it";
        }
        if (!isListed()) {
            return "systemd has not read " + path_ + " yet";
        }
        if (changedOnDisk() && !look_.state.unread.any()) {
            return "files of the unit changed after systemd read them";
        }
        if (unread_) {
            return "what " + path_ + " says is not in force, and no later file sets it";
        }
        return unit_.loadState == "loaded"
                   ? ""
                   : "systemd refuses the unit: " + escapeForTerminal(unit_.loadError);
    }

    [[nodiscard]] std::vector<std::string> repairedIds() const {
        std::vector<std::string> ids;
        for (const Assessment& assessment : result_.assessments) {
            if (assessment.verdict == Verdict::differs) {
                ids.push_back(assessment.id);
            }
        }
        if (look_.settings.manageEnvironment && environment_ != nullptr &&
            environment_->verdict == Verdict::differs) {
            ids.push_back(environment_->id);
        }
        return ids;
    }

    void addStep() {
        // A reload would put a mask in force.
        if (look_.wanted.text.empty() || !look_.refusal().empty() ||
            !look_.state.unread.mask.empty()) {
            return;
        }
        Step step{.stage = Stage::service, .ids = repairedIds()};
        addEnvironmentFile(step);
        if (mustWrite()) {
            addDropIn(step);
        } else if (mustReload() && !look_.state.image) {
            step.summary = "reload systemd";
            step.writes.emplace_back(ManagerReload{unit_.name});
        }
        if (!step.writes.empty() && !step.ids.empty()) {
            result_.steps.push_back(std::move(step));
        }
    }

    void addDirectory(const std::string& directory, Step& step) const {
        for (const std::string& above : look_.state.missingDirectories) {
            if (directory.starts_with(above + "/")) {
                step.writes.emplace_back(DirectoryCreate{above});
            }
        }
        step.writes.emplace_back(DirectoryCreate{directory});
    }

    void addDropIn(Step& step) const {
        FileReplace file{.path = path_, .text = look_.wanted.text};
        addDirectory(dropInDirectory(unit_.name), step);
        if (look_.state.image) {
            step.summary = "write " + path_;
            step.writes.emplace_back(std::move(file));
            return;
        }
        step.summary = "write " + path_ + " and reload systemd";
        step.writes.emplace_back(DropInWrite{
            .unit = unit_.name, .file = std::move(file), .previous = look_.state.ours});
    }

    // Before the drop-in, which makes the unit depend on it.
    void addEnvironmentFile(Step& step) const {
        if (managedProblem(look_).empty()) {
            return;
        }
        const std::string path = managedEnvironmentPath(unit_.name);
        step.summary = "write " + path;
        addDirectory(path.substr(0, path.rfind('/')), step);
        step.writes.emplace_back(FileReplace{
            .path = path, .text = look_.managedText(), .mode = kManagedMode});
    }

    const Look& look_;
    const Assessment* environment_;
    const host::ServiceUnit& unit_;
    std::string path_;
    bool unread_ = false;  // something of ours is not in force without a later file
    Comparison result_;
};

}  // namespace

Comparison compareConfiguration(const Look& look, const Assessment* environment) {
    return ConfigurationComparer(look, environment).compare();
}

}  // namespace fabric::resource::service
