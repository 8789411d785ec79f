// SPDX-License-Identifier: Apache-2.0
#include "profile/chain.hpp"

#include "profile/check.hpp"
#include "profile/merge.hpp"
#include "profile/wording.hpp"
#include "profile/yaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace fabric::profile {

namespace {

// As the including file was named, not where a link leads: a link's own directory is
// what a person sees.
std::string besideFile(const std::string& file, const std::string& named) {
    const std::filesystem::path directory = std::filesystem::path(file).parent_path();
    return (directory / named).lexically_normal().string();
}

class ChainReader {
  public:
    explicit ChainReader(const SourceReader& source) : source_(source) {}

    std::optional<TreeNode> read(std::string_view text, const std::string& file) {
        YamlTree yaml = readYaml(text, file);
        add(std::move(yaml.errors));
        std::optional<TreeNode>& tree = yaml.root;
        if (!tree) {
            return std::nullopt;
        }
        const bool named = tree->find("name") != nullptr;
        add(checkKeys(*tree));
        nameRefused_ = nameRefused_ || (named && tree->find("name") == nullptr);
        const TreeNode* extends = tree->find("extends");
        if (extends == nullptr || extends->isNull()) {
            return std::move(yaml.root);
        }
        auto base = readBase(*extends, file);
        if (!base) {
            return std::nullopt;
        }
        std::erase_if(tree->entries,
                      [](const Entry& entry) { return entry.key == "extends"; });
        setLayer(*tree, base->layer + 1);
        const Position at = tree->at;
        TreeNode merged = mergeOver(std::move(*base), *tree);
        merged.at = at;
        merged.layer = tree->layer;
        return merged;
    }

    void enter(std::string identity) { open_.push_back(std::move(identity)); }

    Chain finish(std::optional<TreeNode> merged) {
        return Chain{.merged = std::move(merged),
                     .errors = std::move(errors_),
                     .nameRefused = nameRefused_,
                     .warnings = std::move(warnings_)};
    }

  private:
    std::optional<TreeNode> readBase(const TreeNode& extends, const std::string& file) {
        if (open_.size() > kMaxExtends) {
            return refuse(extends,
                          fmt::format("extends more than {} files deep", kMaxExtends));
        }
        const std::string path = besideFile(file, extends.scalar);
        auto loaded = source_(path);
        if (!loaded) {
            return refuse(extends,
                          fmt::format("extends {}: {}", cited(path), loaded.error()));
        }
        if (std::ranges::find(open_, loaded->identity) != open_.end()) {
            return refuse(
                extends,
                fmt::format("extends {} in a circle: it leads back here", cited(path)));
        }
        std::ranges::move(loaded->warnings, std::back_inserter(warnings_));
        enter(std::move(loaded->identity));
        return read(loaded->text, path);
    }

    std::optional<TreeNode> refuse(const TreeNode& extends, std::string message) {
        errors_.push_back(errorAt(extends.at, std::move(message)));
        return std::nullopt;
    }

    void add(ProfileErrors errors) {
        std::ranges::move(errors, std::back_inserter(errors_));
    }

    const SourceReader& source_;
    std::vector<std::string> open_;  // identities from the first file to this one
    ProfileErrors errors_;
    bool nameRefused_ = false;
    std::vector<std::string> warnings_;
};

}  // namespace

Chain readChain(const SourceText& first,
                const std::string& file,
                const SourceReader& source) {
    ChainReader reader(source);
    reader.enter(first.identity);
    std::optional<TreeNode> merged = reader.read(first.text, file);
    Chain chain = reader.finish(std::move(merged));
    chain.warnings.insert(
        chain.warnings.begin(), first.warnings.begin(), first.warnings.end());
    return chain;
}

}  // namespace fabric::profile
