// SPDX-License-Identifier: Apache-2.0
#include "facts/profile_disguise.hpp"

#include "base/text.hpp"
#include "facts/learnt_names.hpp"
#include "facts/replay.hpp"
#include "facts/secrets.hpp"
#include "profile/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>
#include <vector>

namespace fabric::facts {

namespace {

using profile::Entry;
using profile::TreeNode;

constexpr std::string_view kGlob = "*?[";
constexpr const char* kNothing = "nothing-of-this-host";

// Words of the kernel's and udev's names: a pattern of these says nothing of people.
bool isTelling(std::string_view pattern) {
    constexpr std::array<std::string_view, 31> kWords{
        "en",  "ens",  "enp",   "eno",  "enx",   "eth",   "ib",    "ibp",
        "ibs", "bond", "br",    "vlan", "mlx",   "mlx5",  "bnxt",  "re",
        "rxe", "siw",  "irdma", "roce", "rocep", "roces", "roceo", "rocex",
        "np",  "nps",  "enP",   "hfi",  "rdmap", "qedr",  "dummy"};
    std::string word;
    for (const char letter : fmt::format("{}*", pattern)) {
        if (std::isalpha(static_cast<unsigned char>(letter)) != 0) {
            word += letter;
            continue;
        }
        if (word.size() > 1 && std::ranges::find(kWords, word) == kWords.end()) {
            return true;
        }
        word.clear();
    }
    return false;
}

// The name as a pattern that matches nothing else.
std::string literal(std::string_view name) {
    std::string pattern;
    for (const char letter : name) {
        pattern += kGlob.contains(letter) ? fmt::format("[{}]", letter)
                                          : std::string(1, letter);
    }
    return pattern;
}

class Selectors {
  public:
    Selectors(const Observed& seen, Disguise& disguise) : disguise_(disguise) {
        const ReplayHost replay(seen);
        const host::Reader reader = replay.reader();
        const auto links = reader.links.links();
        for (const host::Link& link : links.value_or(std::vector<host::Link>{})) {
            interfaces_.insert(link.name);
            for (const auto& mac : {link.mac, link.permanentMac}) {
                if (mac) {
                    macs_.insert(mac->text());
                }
            }
        }
        const auto ports = reader.rdma.ports();
        for (const host::RdmaPort& port :
             ports.value_or(std::vector<host::RdmaPort>{})) {
            devices_.insert(port.device);
        }
    }

    // The selectors that stand for one.
    [[nodiscard]] std::vector<TreeNode> of(const TreeNode& selector) {
        std::vector<TreeNode> made{selector};
        for (const Entry& entry : selector.entries) {
            std::vector<TreeNode> more;
            for (const std::string& pattern : patternsFor(entry)) {
                for (TreeNode one : made) {
                    one.find(entry.key)->scalar = pattern;
                    more.push_back(std::move(one));
                }
            }
            made = std::move(more);
        }
        return made;
    }

  private:
    [[nodiscard]] const std::set<std::string>* namesOf(std::string_view key) const {
        return key == "interface" ? &interfaces_
               : key == "rdma"    ? &devices_
               : key == "mac"     ? &macs_
                                  : nullptr;
    }

    [[nodiscard]] std::vector<std::string> patternsFor(const Entry& entry) {
        const std::string& pattern = entry.value.scalar;
        const std::set<std::string>* const names = namesOf(entry.key);
        if (names == nullptr) {
            return {pattern};
        }
        const std::string same = disguise_.text(pattern, Reading::facts);
        if (pattern.find_first_of(kGlob) == std::string::npos) {
            return {same};
        }
        std::vector<std::string> meant;
        bool fits = !isTelling(pattern) && entry.key != "mac";
        for (const std::string& name : *names) {
            const std::string other = disguise_.text(name, Reading::facts);
            const bool means = globMatches(pattern, name);
            fits = fits && globMatches(same, other) == means;
            if (means) {
                meant.push_back(literal(other));
            }
        }
        if (fits) {
            return {same};
        }
        return meant.empty() ? std::vector<std::string>{kNothing} : meant;
    }

    Disguise& disguise_;
    std::set<std::string> interfaces_;
    std::set<std::string> devices_;
    std::set<std::string> macs_;
};

// Of names and of the patterns of names that say something of people.
void learnSelector(const TreeNode& selector, NameDisguise& names) {
    for (const Entry& entry : selector.entries) {
        if (entry.key != "interface" && entry.key != "rdma") {
            continue;
        }
        const std::string& pattern = entry.value.scalar;
        if (pattern.find_first_of(kGlob) == std::string::npos) {
            learnDevices(pattern, names);
        } else if (isTelling(pattern)) {
            names.addInterface(pattern);
        }
    }
}

std::vector<TreeNode> itemsOf(const TreeNode& root, std::string_view path) {
    const TreeNode* const list = root.member(path);
    return list == nullptr ? std::vector<TreeNode>{} : list->items;
}

void disguiseTexts(Disguise& disguise, TreeNode& node) {
    if (node.kind == TreeNode::Kind::scalar) {
        std::string other = disguise.text(node.scalar, Reading::facts);
        node.scalar = std::move(other);
    }
    for (TreeNode& item : node.items) {
        disguiseTexts(disguise, item);
    }
    for (Entry& entry : node.entries) {
        disguiseTexts(disguise, entry.value);
    }
}

void disguiseList(Selectors& selectors, TreeNode* list) {
    std::vector<TreeNode> made;
    for (const TreeNode& item :
         list == nullptr ? std::vector<TreeNode>{} : list->items) {
        std::ranges::move(selectors.of(item), std::back_inserter(made));
    }
    if (list != nullptr) {
        list->items = std::move(made);
    }
}

// One override for each selector that stands for its own.
std::vector<TreeNode> overridesFor(Selectors& selectors,
                                   Disguise& disguise,
                                   const TreeNode& override) {
    std::vector<TreeNode> made;
    const TreeNode* const match = override.find("match");
    for (TreeNode& selector :
         match == nullptr ? std::vector<TreeNode>{} : selectors.of(*match)) {
        TreeNode one = override;
        disguiseTexts(disguise, one);
        one.set("match", std::move(selector));
        made.push_back(std::move(one));
    }
    return made;
}

}  // namespace

void learnProfile(const TreeNode& root, NameDisguise& names) {
    for (const profile::Key& key : profile::allKeys()) {
        names.reserve(std::string(profile::leafOf(key)));
        for (std::string& word : profile::wordsOf(key.value)) {
            names.reserve(std::move(word));
        }
    }
    for (const char* const list : {"rails.match", "rails.exclude"}) {
        for (const TreeNode& selector : itemsOf(root, list)) {
            learnSelector(selector, names);
        }
    }
    for (const TreeNode& peer : itemsOf(root, "neighbours.peers")) {
        const TreeNode* const rail = peer.find("rail");
        learnDevices(rail == nullptr ? "" : rail->scalar, names);
    }
    for (const TreeNode& one : itemsOf(root, "overrides")) {
        if (const TreeNode* const match = one.find("match")) {
            learnSelector(*match, names);
        }
        learnProfile(one, names);
    }
    if (const TreeNode* const name = root.find("name")) {
        names.addProfile(name->scalar);
    }
    if (const TreeNode* const extended = root.find("extends")) {
        learnProfilePath(extended->scalar, names);
    }
}

void disguiseProfile(const Observed& seen, Disguise& disguise, TreeNode& root) {
    Selectors selectors(seen, disguise);
    for (Entry& section : root.entries) {
        if (section.key == "rails") {
            disguiseList(selectors, section.value.find("match"));
            disguiseList(selectors, section.value.find("exclude"));
        } else if (section.key == "overrides") {
            std::vector<TreeNode> made;
            for (const TreeNode& override : section.value.items) {
                std::ranges::move(overridesFor(selectors, disguise, override),
                                  std::back_inserter(made));
            }
            section.value.items = std::move(made);
        } else if (section.key == "name") {
            section.value.scalar = disguise.names().profileOf(section.value.scalar);
        } else if (section.key == "description") {
            // Anybody's words, which nothing here is compared with.
            section.value.scalar = kLeftOut;
        } else {
            disguiseTexts(disguise, section.value);
        }
    }
}

}  // namespace fabric::facts
