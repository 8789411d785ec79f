// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "profile/keys.hpp"
#include "profile/reference.hpp"
#include "profile/values.hpp"
#include "profile/wording.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fabric::profile {

namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kLabelColumns = 12;
constexpr std::size_t kLongestGuess = 64;

// `text` in lines of at most kColumns, the first after `head`, the others indented.
std::string wrapped(const std::string& head, std::string_view text) {
    const std::string indent(head.size(), ' ');
    std::string lines = head;
    std::size_t column = head.size();
    bool first = true;
    for (const std::string_view word : split(text, ' ')) {
        if (!first && column + 1 + word.size() > kColumns) {
            lines += "\n" + indent;
            column = indent.size();
        } else if (!first) {
            lines += ' ';
            ++column;
        }
        lines += word;
        column += word.size();
        first = false;
    }
    return lines + "\n";
}

std::string labelled(std::string_view label, std::string_view text) {
    return wrapped(fmt::format("  {:<{}}", label, kLabelColumns), text);
}

std::string valuesOf(const Key& key) {
    switch (key.shape) {
        case Shape::value:
            return describe(key.value) + (key.orSection ? ", or a section" : "");
        case Shape::section:
            return "a section";
        case Shape::list:
            return fmt::format("a list, each {}", describe(key.value));
        case Shape::sections:
            return "a list of sections";
        case Shape::mapping:
            return fmt::format(
                "a map from {} to {}", describe(key.index), describe(key.value));
    }
    return {};
}

std::string standardOf(const Key& key) {
    if (!key.standard.empty()) {
        return std::string(key.standard);
    }
    if (!key.derivation.empty()) {
        return std::string(key.derivation);
    }
    if (key.required) {
        return "none; the key is required";
    }
    return key.owns ? "none; not owned: not compared, not changed" : "none";
}

std::string nullOf(std::string_view path, const Key& key) {
    const std::size_t dot = path.rfind('.');
    const Key* parent =
        dot == std::string_view::npos ? nullptr : findKey(path.substr(0, dot));
    if (!takesNull(parent, key)) {
        return "refused";
    }
    return key.owns ? "not owned, whatever a lower layer or lossless says"
                    : "the default, whatever a lower layer says";
}

bool perRail(std::string_view path) {
    const Key* top = findKey(path.substr(0, path.find('.')));
    return top != nullptr && (top->perRail || top->path == "overrides");
}

std::string subKeys(const Key& key) {
    const auto& children = childrenOf(&key);
    if (children.empty()) {
        return {};
    }
    const std::size_t widest =
        leafOf(**std::ranges::max_element(children, {}, [](const Key* child) {
            return leafOf(*child).size();
        })).size();
    std::string text = "  Sub-keys\n";
    for (const Key* child : children) {
        text += wrapped(fmt::format("    {:<{}}  ", leafOf(*child), widest),
                        child->meaning);
    }
    return text;
}

std::string nearestPath(std::string_view key) {
    if (key.size() > kLongestGuess) {
        return {};
    }
    const std::vector<std::string> paths = keyPaths();
    const auto leaf = std::ranges::find_if(paths, [&](const std::string& path) {
        return path.ends_with("." + std::string(key));
    });
    if (leaf != paths.end()) {
        return *leaf;
    }
    return nearestWord(key, paths).value_or("");
}

}  // namespace

Result<std::string> explain(std::string_view path) {
    const Key* key = findKey(path);
    if (key == nullptr) {
        const std::string near = nearestPath(path);
        return fail(Error{.kind = ErrorKind::notFound,
                          .action = "explain",
                          .subject = cited(path),
                          .sysErrno = 0,
                          .detail = "a profile has no such key",
                          .advice = near.empty()
                                        ? "`profile explain` lists the keys"
                                        : fmt::format("did you mean {}?", near)});
    }
    std::string text = fmt::format("{}\n", path);
    text += wrapped("  ", key->meaning);
    text += labelled("Values", valuesOf(*key));
    if (!key->refusal.empty()) {
        text += labelled("Refused", key->refusal);
    }
    text += labelled("Default", standardOf(*key));
    text += labelled("null", nullOf(path, *key));
    text += labelled("Touches", key->touches);
    text += labelled("Disturbs", key->disturbs);
    text += labelled("Overrides", perRail(path) ? "per rail" : "no, host-wide");
    return text + subKeys(*key);
}

std::string explainAll() {
    const std::vector<std::string> paths = keyPaths();
    const std::size_t widest = std::ranges::max(paths, {}, &std::string::size).size();
    std::string text;
    for (const std::string& path : paths) {
        text += wrapped(fmt::format("{:<{}}  ", path, widest), findKey(path)->meaning);
    }
    return text;
}

}  // namespace fabric::profile
