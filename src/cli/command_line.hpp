// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/option_values.hpp"
#include "cli/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fabric::cli {

// The table of verbs and options. A verb is one addX(), an option one line in it: with
// its help goes what its value means, so that nothing else here knows it.
class CommandLine {
  public:
    CommandLine();

    // Nothing is left of a line that was parsed before.
    std::variant<Options, Ending> parse(const std::vector<std::string>& given);

  private:
    // What is wrong is told after the words were understood, the first of them.
    auto taking(Meaning meaning) {
        return [this, meaning = std::move(meaning)](const std::string& text) {
            const std::string problem = meaning(text);
            problem_ = problem_.empty() ? problem : problem_;
        };
    }

    CLI::Option& addValue(CLI::App& verb,
                          const std::string& names,
                          Meaning meaning,
                          const std::string& what);

    // One of a few words.
    template <typename T>
    CLI::Option& addChoice(CLI::App& verb,
                           const std::string& name,
                           T& into,
                           const std::vector<std::pair<std::string, T>>& words,
                           const std::string& what) {
        std::vector<std::string> names;
        std::ranges::transform(
            words, std::back_inserter(names), &std::pair<std::string, T>::first);
        CLI::Option& option = addValue(
            verb,
            name,
            [&into, words](const std::string& text) {
                into = std::ranges::find(words, text, &std::pair<std::string, T>::first)
                           ->second;
                return std::string();
            },
            what);
        return *option.check(CLI::IsMember(names))->default_str(names.front());
    }

    void addCommon(CLI::App& verb);
    CLI::App& addVerb(CLI::App& parent,
                      const std::string& name,
                      const std::string& what,
                      Verb verb);
    // Verbs that follow this word: "profile show".
    CLI::App& addGroup(const std::string& name, const std::string& what);

    // What several verbs take.
    void addProfilePath(CLI::App& verb);
    void addOnly(CLI::App& verb);
    void addRail(CLI::App& verb);
    void addHost(CLI::App& verb);
    void addLockWait(CLI::App& verb);
    void addSelection(CLI::App& verb);
    void addRestraint(CLI::App& verb);
    void addReport(CLI::App& verb);
    // A restore tells of what it put back, and not how the host stands to a profile.
    void addRecords(CLI::App& verb);
    void addKeeping(CLI::App& verb);
    void addSnapshotId(CLI::App& verb);

    // Verbs that write, or tell what was written.
    void addApply();
    void addPlan();
    void addConfirm();
    void addRestore();
    void addSnapshot();
    void addHistory();

    // Verbs that look.
    void addCheck();
    void addStatus();
    void addDoctor();
    void addServerMetrics(CLI::App& verb);
    void addWatch();
    void addFacts();
    void addFleet();
    void addSwitch();
    void addPeers();
    void addProfile();

    std::string helpText();

    CLI::App app_;
    std::string problem_;  // a value that cannot be meant
    bool dryRun_ = false;
    SwitchSystem system_ = SwitchSystem::cumulus;
    Options options_;
};

}  // namespace fabric::cli
