// SPDX-License-Identifier: Apache-2.0
#include "profile/yaml_writer.hpp"

#include "profile/values.hpp"

#include <yaml-cpp/emitter.h>
#include <yaml-cpp/emittermanip.h>

#include <algorithm>
#include <array>

namespace fabric::profile {

namespace {

constexpr std::size_t kShort = 4;  // members of a map on one line

// Words that YAML 1.1 takes for booleans and null (yaml.org/type/bool.html).
constexpr std::array<std::string_view, 8> kOldWords{
    "yes", "no", "on", "off", "y", "n", "null", "~"};

std::string lowered(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](char character) {
        return character >= 'A' && character <= 'Z'
                   ? static_cast<char>(character - 'A' + 'a')
                   : character;
    });
    return lower;
}

bool isPlainText(const std::string& text) {
    TreeNode plain;
    plain.kind = TreeNode::Kind::scalar;
    plain.scalar = text;
    const bool old = std::ranges::find(kOldWords, lowered(text)) != kOldWords.end();
    return !text.empty() && kindOfScalar(plain) == ScalarKind::text && !old;
}

bool allScalars(const TreeNode& node) {
    const auto simple = [](const TreeNode& member) {
        const bool scalar = member.isNull() || member.kind == TreeNode::Kind::scalar;
        return scalar && member.note.empty();
    };
    return std::ranges::all_of(node.items, simple) &&
           std::ranges::all_of(node.entries, simple, &Entry::value);
}

bool fitsOneLine(const TreeNode& node) {
    const bool namedByNumber = std::ranges::all_of(
        node.entries,
        [](const Entry& entry) { return parseNumber(entry.key).has_value(); });
    return allScalars(node) && (node.entries.size() <= kShort || namedByNumber);
}

void writeScalar(YAML::Emitter& out, const TreeNode& scalar) {
    if (scalar.quoted && !isPlainText(scalar.scalar)) {
        out << YAML::DoubleQuoted;
    }
    out << scalar.scalar;
}

void writeNode(YAML::Emitter& out, const TreeNode& node);

void writeMap(YAML::Emitter& out, const TreeNode& map) {
    out << (fitsOneLine(map) ? YAML::Flow : YAML::Block) << YAML::BeginMap;
    for (const Entry& entry : map.entries) {
        out << YAML::Key << entry.key << YAML::Value;
        writeNode(out, entry.value);
        if (!entry.value.note.empty()) {
            out << YAML::Comment(std::string(entry.value.note));
        }
    }
    out << YAML::EndMap;
}

void writeNode(YAML::Emitter& out, const TreeNode& node) {
    switch (node.kind) {
        case TreeNode::Kind::null:
            out << YAML::Null;
            return;
        case TreeNode::Kind::scalar:
            writeScalar(out, node);
            return;
        case TreeNode::Kind::map:
            writeMap(out, node);
            return;
        case TreeNode::Kind::list:
            break;
    }
    out << (fitsOneLine(node) ? YAML::Flow : YAML::Block) << YAML::BeginSeq;
    for (const TreeNode& item : node.items) {
        writeNode(out, item);
    }
    out << YAML::EndSeq;
}

}  // namespace

std::string writeYaml(const TreeNode& root) {
    YAML::Emitter out;
    out.SetNullFormat(YAML::LowerNull);
    out << YAML::Block << YAML::BeginMap;
    for (const Entry& entry : root.entries) {
        out << YAML::Key << entry.key << YAML::Value;
        writeNode(out, entry.value);
        if (!entry.value.note.empty()) {
            out << YAML::Comment(std::string(entry.value.note));
        }
    }
    out << YAML::EndMap << YAML::Newline;
    return out.c_str();
}

}  // namespace fabric::profile
