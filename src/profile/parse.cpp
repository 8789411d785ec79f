// SPDX-License-Identifier: Apache-2.0
#include "profile/chain.hpp"
#include "profile/complete.hpp"
#include "profile/decode.hpp"
#include "profile/load.hpp"
#include "profile/merge.hpp"
#include "profile/rules.hpp"

#include <algorithm>
#include <limits>

namespace fabric::profile {

namespace {

constexpr unsigned kOverrideLayer = std::numeric_limits<unsigned>::max();

void add(ProfileErrors& errors, ProfileErrors more) {
    std::ranges::move(more, std::back_inserter(errors));
}

std::string textOf(const TreeNode& root, std::string_view key) {
    const TreeNode* node = root.find(key);
    return node == nullptr ? std::string{} : node->scalar;
}

TreeNode takeOut(TreeNode& map, std::string_view key) {
    TreeNode taken;
    if (TreeNode* found = map.find(key)) {
        taken = std::move(*found);
    }
    std::erase_if(map.entries, [&](const Entry& entry) { return entry.key == key; });
    return taken;
}

std::vector<Override> takeOverrides(TreeNode& root) {
    std::vector<Override> overrides;
    for (TreeNode& item : takeOut(root, "overrides").items) {
        TreeNode match = takeOut(item, "match");
        setLayer(item, kOverrideLayer);
        overrides.push_back(Override{.match = decodeSelector(match),
                                     .matchAsWritten = std::move(match),
                                     .sections = std::move(item)});
    }
    return overrides;
}

// Overrides with one selector always meet, so that their conflict shows without a host.
ProfileErrors equalSelectorConflicts(const std::vector<Override>& overrides) {
    std::map<std::string, std::vector<const Override*>> groups;
    for (const Override& one : overrides) {
        groups[one.match.text()].push_back(&one);
    }
    ProfileErrors errors;
    for (const auto& [selector, group] : groups) {
        if (auto together = combine(group); !together) {
            add(errors, std::move(together.error()));
        }
    }
    return errors;
}

// Each override is judged alone over the profile; how several meet depends on the rail.
ProfileErrors judgeMeaning(const Document& document) {
    ProfileErrors errors;
    add(errors, checkRules(complete(document.root)));
    for (const Override& one : document.overrides) {
        add(errors, checkRules(complete(mergeOver(document.root, one.sections))));
    }
    add(errors, equalSelectorConflicts(document.overrides));
    return errors;
}

}  // namespace

ProfileResult<Profile> parse(const SourceText& first,
                             const std::string& file,
                             const SourceReader& source) {
    Chain chain = readChain(first, file, source);
    auto document = std::make_shared<Document>();
    if (chain.merged) {
        document->root = std::move(*chain.merged);
        document->overrides = takeOverrides(document->root);
        const TreeNode* name = document->root.find("name");
        if ((name == nullptr || name->isNull()) && !chain.nameRefused) {
            add(chain.errors, {errorAt(document->root.at, "key `name` is missing")});
        }
        add(chain.errors, judgeMeaning(*document));
    }
    if (!chain.errors.empty()) {
        arrange(chain.errors);
        return std::unexpected(std::move(chain.errors));
    }
    document->path = file;
    document->name = textOf(document->root, "name");
    document->description = textOf(document->root, "description");
    const TreeNode completed = complete(document->root);
    document->rails = decodeRails(completed);
    document->host = decodeHost(completed);
    document->warnings = std::move(chain.warnings);
    return Profile(std::move(document));
}

ProfileResult<Profile> parse(std::string_view text, const std::string& file) {
    const SourceText first{.identity = file, .text = std::string(text), .warnings = {}};
    const SourceReader none =
        [](const std::string&) -> std::expected<SourceText, std::string> {
        return std::unexpected("no other file is read here");
    };
    return parse(first, file, none);
}

}  // namespace fabric::profile
