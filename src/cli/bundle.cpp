// SPDX-License-Identifier: Apache-2.0
#include "cli/bundle.hpp"

#include "base/text.hpp"
#include "engine/boot.hpp"
#include "engine/history.hpp"
#include "engine/rail_selection.hpp"
#include "facts/archive.hpp"
#include "facts/devices_text.hpp"
#include "facts/journal_text.hpp"
#include "facts/json_reader.hpp"
#include "facts/learnt_names.hpp"
#include "facts/profile_disguise.hpp"
#include "facts/profile_text.hpp"
#include "facts/replay.hpp"
#include "facts/secrets.hpp"
#include "facts/selection.hpp"
#include "facts/summary.hpp"
#include "profile/peers.hpp"
#include "profile/show.hpp"
#include "profile/yaml.hpp"
#include "profile/yaml_writer.hpp"
#include "report/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <ranges>
#include <utility>

namespace fabric::cli {

namespace {

using profile::TreeNode;

constexpr std::string_view kFolder = "fabricctl-bundle";
constexpr const char* kLastReport = "/var/lib/fabricctl/last-report.json";
constexpr std::size_t kMostReport = std::size_t{8} << 20U;
constexpr std::size_t kMostHistory = std::size_t{16} << 20U;  // twice what is kept
constexpr std::size_t kLastLines = 200;                       // of the history

// Variables of every environment that the facts looked at, whole this time.
facts::Secrets secretsOf(const host::Reader& host,
                         const facts::Observed& seen,
                         const std::optional<profile::Profile>& profile,
                         std::vector<std::string>& unread) {
    facts::Secrets secrets;
    if (profile && profile->host().service) {
        for (const auto& [name, value] : profile->host().service->environment) {
            secrets.learn(name, value);
        }
    }
    for (const auto& [path, answers] : seen.files) {
        const facts::Carry carry = facts::carryOf(path);
        const bool environment = carry == facts::Carry::environmentFile;
        if (!answers.text || (!environment && carry != facts::Carry::environ)) {
            continue;
        }
        const auto text = host.files.read(path);
        if (text && environment) {
            secrets.learnFile(*text);
        } else if (text) {
            secrets.learnProcess(*text);
        } else if (text.error().kind != ErrorKind::notFound) {
            unread.push_back(text.error().message() +
                             "; its secrets are known by their names only");
        }
    }
    for (const std::string& name : std::views::keys(seen.units)) {
        const auto unit = host.services == nullptr ? Result<host::ServiceUnit>{}
                                                   : host.services->unit(name);
        for (const std::string& entry :
             unit ? unit->environment : std::vector<std::string>{}) {
            secrets.learnProcess(entry);
        }
    }
    return secrets;
}

std::vector<std::string> unitsOf(const facts::Observed& seen) {
    std::vector<std::string> units;
    for (const auto& [name, unit] : seen.units) {
        if (unit && unit->loadState != "not-found") {
            units.push_back(name);
        }
    }
    return units;
}

std::string absolute(const std::string& path) {
    std::error_code unknownPlace;
    const auto whole = std::filesystem::absolute(path, unknownPlace);
    return unknownPlace ? path : whole.string();
}

// The name of a file without what a tar reader could take for more than a name.
std::string plainName(const std::string& path) {
    constexpr std::size_t kLongest = 60;
    std::string name = path.substr(path.rfind('/') + 1);
    std::ranges::replace_if(
        name,
        [](char letter) {
            return std::isalnum(static_cast<unsigned char>(letter)) == 0 &&
                   !std::string_view("._-").contains(letter);
        },
        '_');
    return name.substr(0, kLongest);
}

// Collects the members one after the other, in the order in which they are packed.
class Packer {
  public:
    Packer(const host::Reader& host,
           const facts::Facts& facts,
           const std::optional<profile::Profile>& profile,
           facts::Disguise* disguise)
        : host_(host),
          facts_(facts),
          profile_(profile),
          disguise_(disguise),
          secrets_(secretsOf(host, facts.observed, profile, unread_)) {}

    // What others wrote, before anything is packed: it tells of names.
    void read() {
        readDocument("report/last-report.json", kLastReport);
        readDocument("report/boot.json", engine::kBootRecord);
        readHistory();
        for (const auto& [path, hash] : profile_
                                            ? engine::hashesOf(host_.files, *profile_)
                                            : std::vector<engine::HashedFile>{}) {
            readSource(absolute(path));
        }
    }

    Result<void> addFacts() {
        if (disguise_ != nullptr) {
            learnNames();
        }
        const facts::Facts shown =
            disguise_ == nullptr ? facts_ : TRY(disguise_->facts(facts_));
        summary_ = facts::summaryOf(shown);
        add("facts.json", report::toJson(facts::toValue(shown)));
        add("devices.txt", facts::devicesText(shown.observed));
        return {};
    }

    void addJournal() {
        auto lines =
            host_.journal == nullptr
                ? Result<host::JournalLines>{}
                : host_.journal->lines(facts::bundleQuery(unitsOf(facts_.observed)));
        if (!lines) {
            note(lines.error());
            add("journal.txt",
                fmt::format("# {}\n", escapeForTerminal(lines.error().message())));
            return;
        }
        for (host::JournalLine& line : lines->lines) {
            line.message = shown(line.message, facts::Reading::anyone);
            line.source = shown(line.source, facts::Reading::facts);
        }
        add("journal.txt", facts::journalText(*lines));
    }

    void addReports() {
        for (const auto& [member, tree] : documents_) {
            add(member, report::toJson(shown(tree)));
        }
    }

    void addProfile() {
        if (!profile_) {
            return;
        }
        const profile::Profile& profile = *profile_;
        addTree("profile/profile.yaml", withPeers(facts::mergedProfile(profile)));
        if (auto effective = effectiveOf(profile)) {
            addTree("profile/effective.yaml", withPeers(std::move(*effective)));
        }
        unsigned number = 0;
        for (auto& [path, root] : sources_) {
            // A number for each file, also for one that could not be read.
            ++number;
            if (root) {
                addTree(fmt::format("profile/files/{}-{}",
                                    number,
                                    plainName(shown(path, facts::Reading::facts))),
                        std::move(*root));
            }
        }
    }

    [[nodiscard]] Result<Bundle> pack() && {
        std::string about =
            fmt::format("fabricctl {}\n{}{}\nMembers:\n",
                        facts_.program,
                        summary_,
                        disguise_ == nullptr ? ""
                                             : "names and addresses are not those of "
                                               "the host\n");
        for (const facts::Member& member : members_) {
            about += fmt::format("  {} ({} bytes)\n", member.path, member.text.size());
        }
        about += unread_.empty() ? "" : "\nWhat could not be read:\n";
        for (const std::string& one : unread_) {
            about += fmt::format("  {}\n",
                                 escapeForTerminal(shown(one, facts::Reading::facts)));
        }
        members_.insert(members_.begin(),
                        {.path = "fabricctl.txt", .text = std::move(about)});
        const auto taken = host_.clock.wallTime().time_since_epoch();
        return Bundle{
            .bytes = TRY(facts::packed(
                kFolder,
                members_,
                std::chrono::duration_cast<std::chrono::seconds>(taken).count())),
            .unread = std::move(unread_)};
    }

  private:
    void add(std::string path, std::string text) {
        members_.push_back({.path = std::move(path), .text = std::move(text)});
    }

    [[nodiscard]] std::string shown(const std::string& text, facts::Reading reading) {
        std::string masked = secrets_.masked(std::string_view(text));
        return disguise_ == nullptr ? masked : disguise_->text(masked, reading);
    }

    [[nodiscard]] Value shown(const Value& tree) {
        Value masked = secrets_.masked(tree);
        return disguise_ == nullptr ? masked : disguise_->tree(masked);
    }

    // Peers and selectors of the profile, devices that are gone, former profiles.
    void learnNames() {
        facts::NameDisguise& names = disguise_->names();
        for (const auto& [member, tree] : documents_) {
            facts::reserveWords(tree, facts::Reserve::members, names);
        }
        if (profile_) {
            const TreeNode root = withPeers(facts::mergedProfile(*profile_));
            for (const std::string& host : facts::hostsOf(root)) {
                names.addHost(host);
            }
            facts::learnProfile(root, names);
        }
        for (const auto& [path, root] : sources_) {
            facts::learnProfilePath(path, names);
            if (root) {
                facts::learnProfile(*root, names);
            }
        }
        for (const auto& [member, tree] : documents_) {
            facts::learnDocument(tree, names);
        }
    }

    void note(const Error& error) { unread_.push_back(error.message()); }

    void readDocument(std::string member, const std::string& path) {
        const auto text = host_.files.read(path, kMostReport);
        if (!text) {
            if (text.error().kind != ErrorKind::notFound) {
                note(text.error());
            }
            return;
        }
        const auto tree = facts::readJson(*text);
        if (!tree) {
            unread_.push_back(
                fmt::format("{} is no JSON: {}", path, tree.error().what));
            return;
        }
        documents_.emplace_back(std::move(member), *tree);
    }

    void readHistory() {
        const auto text = host_.files.read(engine::kHistoryFile, kMostHistory);
        if (!text) {
            if (text.error().kind != ErrorKind::notFound) {
                note(text.error());
            }
            return;
        }
        Value::List entries;
        std::vector<std::string_view> lines = split(*text, '\n');
        const std::size_t skipped =
            lines.size() - std::min(lines.size(), kLastLines + 1);
        for (const std::string_view line : lines | std::views::drop(skipped)) {
            if (const auto entry = facts::readJson(line)) {
                entries.push_back(*entry);
            }
        }
        documents_.emplace_back("report/history.json", std::move(entries));
    }

    void addTree(std::string member, TreeNode root) {
        facts::hideSecrets(secrets_, root);
        if (disguise_ != nullptr) {
            facts::disguiseProfile(facts_.observed, *disguise_, root);
        }
        add(std::move(member), profile::writeYaml(root));
    }

    void readSource(const std::string& path) {
        const auto text = host_.files.read(path, profile::kMaxProfileBytes);
        if (!text) {
            note(text.error());
        }
        sources_.emplace_back(
            path, text ? profile::readYaml(*text, path).root : std::nullopt);
    }

    facts::Inventory inventory() {
        return [this](const std::string& path)
                   -> std::optional<std::vector<profile::NeighbourPeer>> {
            profile::PeersRead read = profile::readPeers(host_.files, path);
            for (std::string& problem : read.problems) {
                if (std::ranges::find(unread_, problem) == unread_.end()) {
                    unread_.push_back(std::move(problem));
                }
            }
            return read.peers.empty() && !read.problems.empty()
                       ? std::nullopt
                       : std::optional(std::move(read.peers));
        };
    }

    TreeNode withPeers(TreeNode root) {
        facts::inlinePeers(inventory(), root);
        return root;
    }

    // Of the rails that the facts hold.
    std::optional<TreeNode> effectiveOf(const profile::Profile& profile) {
        const facts::ReplayHost replay(facts_.observed);
        const auto candidates = inventory::observeRails(replay.reader());
        if (!candidates) {
            note(candidates.error());
            return std::nullopt;
        }
        std::vector<profile::RailIdentity> rails;
        std::ranges::transform(engine::selectRails(profile.rails(), *candidates).rails,
                               std::back_inserter(rails),
                               engine::identityOf);
        const auto text = profile::showProfile(profile, rails);
        if (!text) {
            std::ranges::transform(text.error(),
                                   std::back_inserter(unread_),
                                   &profile::ProfileError::text);
            return std::nullopt;
        }
        return profile::readYaml(*text, profile.path()).root;
    }

    const host::Reader& host_;
    const facts::Facts& facts_;
    const std::optional<profile::Profile>& profile_;
    facts::Disguise* disguise_;
    std::string summary_;
    std::vector<std::string> unread_;
    facts::Secrets secrets_;
    std::vector<std::pair<std::string, Value>> documents_;                  // by member
    std::vector<std::pair<std::string, std::optional<TreeNode>>> sources_;  // by path
    std::vector<facts::Member> members_;
};

}  // namespace

Result<Bundle> bundleOf(const host::Reader& host,
                        const facts::Facts& facts,
                        const std::optional<profile::Profile>& profile,
                        facts::Disguise* disguise) {
    Packer packer(host, facts, profile, disguise);
    packer.read();
    if (auto added = packer.addFacts(); !added) {
        return fail(std::move(added.error()));
    }
    packer.addJournal();
    packer.addReports();
    packer.addProfile();
    return std::move(packer).pack();
}

}  // namespace fabric::cli
