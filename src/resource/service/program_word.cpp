// SPDX-License-Identifier: Apache-2.0
#include "resource/service/program_word.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace fabric::resource::service {

namespace {

constexpr std::string_view kDigits = "0123456789";

// What a wrapper takes in front of its command; its manual page.
struct Wrapper {
    std::string_view name;
    std::string_view valued;                       // short options with a value
    std::span<const std::string_view> longValued;  // long ones
    std::string_view elsewhere;                    // options that make it run nothing
    enum class Operand { none, one, number } operand = Operand::none;
    bool assignments = false;
};

constexpr std::array<std::string_view, 2> kEnvLong{"unset", "chdir"};
constexpr std::array<std::string_view, 1> kNiceLong{"adjustment"};
constexpr std::array<std::string_view, 2> kIoniceLong{"class", "classdata"};
constexpr std::array<std::string_view, 3> kChrtLong{
    "sched-runtime", "sched-period", "sched-deadline"};
constexpr std::array<std::string_view, 1> kPrlimitLong{"output"};
constexpr std::array<std::string_view, 14> kNumactlLong{"interleave",
                                                        "weighted-interleave",
                                                        "preferred",
                                                        "preferred-many",
                                                        "cpubind",
                                                        "cpunodebind",
                                                        "physcpubind",
                                                        "membind",
                                                        "shm",
                                                        "shmmode",
                                                        "file",
                                                        "shmid",
                                                        "offset",
                                                        "length"};

// env -S splits one word into many; -p (and -P, -u) of the others changes a process
// that runs already.
constexpr std::array kWrappers{
    Wrapper{"chrt", "TPD", kChrtLong, "p", Wrapper::Operand::number},
    Wrapper{"env", "uC", kEnvLong, "S", Wrapper::Operand::none, true},
    Wrapper{"ionice", "cn", kIoniceLong, "pPu"},
    Wrapper{"nice", "n", kNiceLong, ""},
    Wrapper{"numactl", "iwpPcNCmSMfIoL", kNumactlLong, ""},
    Wrapper{"prlimit", "o", kPrlimitLong, "p"},
    Wrapper{"taskset", "", {}, "p", Wrapper::Operand::one},
};

constexpr std::array<std::string_view, 8> kShells{
    "sh", "bash", "dash", "ash", "ksh", "zsh", "fish", "busybox"};
constexpr std::array<std::string_view, 4> kScripts{".sh", ".bash", ".py", ".pl"};

std::string_view nameOf(std::string_view word) {
    return word.substr(word.rfind('/') + 1);
}

const Wrapper* wrapperOf(std::string_view word) {
    const auto* const found =
        std::ranges::find(kWrappers, nameOf(word), &Wrapper::name);
    return found == kWrappers.end() ? nullptr : found;
}

bool isAssignment(std::string_view word) {
    const std::size_t equals = word.find('=');
    return equals != std::string_view::npos && equals > 0;
}

bool isNumber(std::string_view word) {
    return !word.empty() && word.find_first_not_of(kDigits) == std::string_view::npos;
}

// Goes past what stands in front of a wrapper's command.
class WrapperScan {
  public:
    WrapperScan(const Wrapper& wrapper, std::span<const std::string> words)
        : wrapper_(wrapper), words_(words) {}

    // How many words; std::nullopt when it runs no command of its own.
    std::optional<std::size_t> length() {
        bool options = true;
        while (at_ < words_.size() && !elsewhere_) {
            const std::string_view word = words_[at_];
            if (options && word == "--") {
                options = false;
                ++at_;
            } else if (options && word.starts_with('-')) {
                takeOption(word.substr(1));
            } else if (!takeOperand(word)) {
                break;
            }
        }
        return elsewhere_ ? std::nullopt : std::optional(at_);
    }

  private:
    void takeOption(std::string_view option) {
        ++at_;
        if (option.starts_with('-')) {
            takeLong(option.substr(1));
            return;
        }
        for (std::size_t letter = 0; letter < option.size(); ++letter) {
            if (wrapper_.elsewhere.contains(option[letter])) {
                elsewhere_ = true;
                return;
            }
            if (wrapper_.valued.contains(option[letter])) {
                // What follows the letter in its word is the value.
                at_ += letter + 1 == option.size() ? 1 : 0;
                return;
            }
        }
    }

    // getopt_long(3) takes any beginning of a name.
    void takeLong(std::string_view option) {
        constexpr std::array<std::string_view, 4> kElsewhere{
            "pid", "pgid", "uid", "split-string"};
        const std::string_view name = option.substr(0, option.find('='));
        const auto begins = [&](std::string_view known) {
            return known.starts_with(name);
        };
        if (std::ranges::any_of(kElsewhere, begins) && !wrapper_.elsewhere.empty()) {
            elsewhere_ = true;
        } else if (!option.contains('=') &&
                   std::ranges::any_of(wrapper_.longValued, begins)) {
            ++at_;
        }
    }

    // A mask, a priority, an assignment, or a variable that may hold options.
    bool takeOperand(std::string_view word) {
        const bool first = !operandTaken_;
        const bool operand =
            first && (wrapper_.operand == Wrapper::Operand::one ||
                      (wrapper_.operand == Wrapper::Operand::number && isNumber(word)));
        if (operand) {
            operandTaken_ = true;
        } else if (!word.starts_with('$') &&
                   !(wrapper_.assignments && isAssignment(word))) {
            return false;
        }
        ++at_;
        return true;
    }

    const Wrapper& wrapper_;
    std::span<const std::string> words_;
    std::size_t at_ = 0;
    bool operandTaken_ = false;
    bool elsewhere_ = false;
};

std::string wrapperNames() {
    std::string names;
    for (const Wrapper& wrapper : kWrappers) {
        names += (names.empty() ? "" : ", ") + std::string(wrapper.name);
    }
    return names;
}

std::string notTheServer(std::string_view word) {
    const std::string shown = escapeForTerminal(word);
    return std::ranges::find(kShells, nameOf(word)) != kShells.end()
               ? fmt::format("runs the shell {}: what its text starts cannot be told",
                             shown)
               : fmt::format(
                     "runs {}, which is neither the server nor a wrapper that "
                     "leaves its command alone ({})",
                     shown,
                     wrapperNames());
}

}  // namespace

bool isServerProgram(std::string_view word, std::string_view binary) {
    const std::string_view name = nameOf(word);
    const std::string_view wanted = nameOf(binary);
    const bool script = std::ranges::any_of(
        kScripts, [&](std::string_view suffix) { return name.ends_with(suffix); });
    if (name == "minio" || (name.starts_with("minio.") && !script)) {
        return true;
    }
    return !name.empty() &&
           (name == wanted || name == wanted.substr(0, wanted.rfind('.')));
}

bool isWrapper(std::string_view word) {
    return wrapperOf(word) != nullptr;
}

bool isInterpreter(std::string_view program) {
    const std::string_view name = nameOf(program);
    return std::ranges::find(kShells, name) != kShells.end() ||
           name.starts_with("python") || name.starts_with("perl");
}

std::expected<std::size_t, std::string> programWord(
    const std::vector<std::string>& command, std::string_view binary) {
    std::size_t at = 0;
    while (at < command.size()) {
        if (isServerProgram(command[at], binary)) {
            return at;
        }
        const Wrapper* const wrapper = wrapperOf(command[at]);
        if (wrapper == nullptr) {
            return std::unexpected(notTheServer(command[at]));
        }
        const auto length =
            WrapperScan(*wrapper, std::span(command).subspan(at + 1)).length();
        if (!length) {
            return std::unexpected(fmt::format(
                "runs {} with an option that makes something else of its words",
                escapeForTerminal(command[at])));
        }
        at += 1 + *length;
    }
    return std::unexpected(
        fmt::format("runs {} without a command",
                    escapeForTerminal(command.empty() ? "nothing" : command.front())));
}

}  // namespace fabric::resource::service
