// SPDX-License-Identifier: Apache-2.0
#include "profile/error_case.hpp"
#include "profile/keys.hpp"
#include "profile/reference.hpp"
#include "profile/values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

namespace fabric::profile {

namespace {

using Json = nlohmann::json;

std::vector<std::string> pathsWithOverrides() {
    std::vector<std::string> paths = keyPaths();
    for (const std::string& path : keyPaths()) {
        if (findKey(path.substr(0, path.find('.')))->perRail) {
            paths.push_back("overrides." + path);
        }
    }
    return paths;
}

// A profile in which the key at `path` has the value `text`, and the column of that
// value on its third line.
struct Placed {
    std::string text;
    unsigned column = 0;
};

Placed place(const std::string& path, const std::string& value) {
    Placed placed{.text = "version: 1\nname: x\n"};
    std::string line;
    std::string closing;
    std::string done;
    std::istringstream parts(path);
    for (std::string part; std::getline(parts, part, '.');) {
        line += part + ": ";
        done += (done.empty() ? "" : ".") + part;
        if (done == path) {
            break;
        }
        const bool list = findKey(done)->shape == Shape::sections;
        line += list ? "[{ " : "{ ";
        closing = (list ? " }]" : " }") + closing;
    }
    placed.column = static_cast<unsigned>(line.size()) + 1;
    placed.text += line + value + closing + "\n";
    return placed;
}

bool errorStandsAt(const Placed& placed, unsigned column) {
    const auto profile = parse(placed.text, "p");
    return !profile && std::ranges::any_of(profile.error(), [&](const auto& error) {
        return error.line == 3 && error.column == column;
    });
}

class EveryKey : public testing::TestWithParam<std::string> {
  protected:
    const Key& key() const { return *findKey(GetParam()); }

    bool topOfItsOwn() const { return GetParam() == "version" || GetParam() == "name"; }
};

TEST_P(EveryKey, is_described_in_full) {
    EXPECT_FALSE(key().meaning.empty());
    EXPECT_FALSE(key().touches.empty());
    EXPECT_FALSE(key().disturbs.empty());
    EXPECT_TRUE(key().meaning.ends_with('.')) << key().meaning;
}

TEST_P(EveryKey, is_explained_within_80_columns) {
    const auto text = explain(GetParam());
    ASSERT_TRUE(text);
    EXPECT_TRUE(text->starts_with(GetParam() + "\n"));
    for (const std::string_view label :
         {"Values", "Default", "null", "Touches", "Disturbs", "Overrides"}) {
        EXPECT_NE(text->find(label), std::string::npos) << label;
    }
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 80U) << line;
    }
    for (const Key* child : childrenOf(&key())) {
        EXPECT_NE(text->find("\n    " + std::string(leafOf(*child)) + " "),
                  std::string::npos)
            << leafOf(*child);
    }
}

TEST_P(EveryKey, has_a_default_that_the_reader_takes) {
    if (key().standard.empty()) {
        return;
    }
    TreeNode value;
    value.kind = TreeNode::Kind::scalar;
    value.scalar = key().standard;
    value.quoted = key().value.form == Form::text;
    EXPECT_FALSE(judge(key().value, value));
}

TEST_P(EveryKey, refuses_a_value_of_the_wrong_shape_where_it_stands) {
    if (topOfItsOwn()) {
        return;
    }
    const bool wantsMap =
        key().shape == Shape::section || key().shape == Shape::mapping;
    const Placed placed = place(GetParam(), wantsMap ? "[1]" : "{ unlikely: [1] }");
    const bool opensMap = key().orSection;  // the unknown key in it is what is wrong
    EXPECT_TRUE(errorStandsAt(placed, placed.column + (opensMap ? 2 : 0)))
        << placed.text << testing::PrintToString(errorLines(placed.text));
}

TEST_P(EveryKey, without_a_value_is_an_error_where_the_key_stands) {
    if (topOfItsOwn()) {
        return;
    }
    const Placed placed = place(GetParam(), "");
    const auto keyColumn =
        placed.column - static_cast<unsigned>(leafOf(key()).size()) - 2;
    EXPECT_TRUE(errorStandsAt(placed, keyColumn))
        << placed.text << testing::PrintToString(errorLines(placed.text));
}

TEST_P(EveryKey, is_suggested_for_a_slip_of_the_finger) {
    if (topOfItsOwn()) {
        return;
    }
    std::string slip = GetParam() + "x";
    const Placed placed = place(
        slip.substr(0, slip.rfind('.') + 1) + slip.substr(slip.rfind('.') + 1), "1");
    const auto profile = parse(placed.text, "p");
    ASSERT_FALSE(profile);
    EXPECT_TRUE(std::ranges::any_of(profile.error(), [&](const ProfileError& error) {
        return error.suggestion == leafOf(key());
    })) << testing::PrintToString(errorLines(profile.error()));
}

std::string testName(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::ranges::replace_if(
        name, [](char character) { return character == '.' || character == '-'; }, '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Table, EveryKey, testing::ValuesIn(keyPaths()), testName);

TEST(KeyTable, names_every_key_once) {
    std::vector<std::string> paths = keyPaths();
    std::ranges::sort(paths);
    EXPECT_TRUE(std::ranges::adjacent_find(paths) == paths.end());
    EXPECT_GT(paths.size(), 85U);
}

TEST(KeyTable, finds_what_overrides_may_carry_and_nothing_else) {
    EXPECT_NE(findKey("overrides.dcb.lossless.priority"), nullptr);
    EXPECT_EQ(findKey("overrides.acs"), nullptr);
    EXPECT_EQ(findKey("selector"), nullptr);
    EXPECT_EQ(findKey("selector.rdma"), nullptr);
    EXPECT_EQ(findKey(""), nullptr);
    EXPECT_EQ(findKey("dcb."), nullptr);
    std::vector<std::string> carried;
    for (const Key& key : allKeys()) {
        if (key.perRail) {
            carried.emplace_back(key.path);
        }
    }
    EXPECT_EQ(carried,
              (std::vector<std::string>{
                  "dcb", "ecn", "pause", "mtu", "rdma-cm-tos", "arp", "neighbours"}));
}

TEST(Explain, of_an_unknown_key_names_the_nearest) {
    EXPECT_EQ(explain("arp.ignroe").error().kind, ErrorKind::notFound);
    EXPECT_EQ(explain("arp.ignroe").error().advice, "did you mean arp.ignore?");
    EXPECT_EQ(explain("ignore").error().advice, "did you mean arp.ignore?");
    EXPECT_EQ(explain("quite something else").error().advice,
              "`profile explain` lists the keys");
    EXPECT_EQ(explain(std::string(100'000, 'x')).error().kind, ErrorKind::notFound);
}

TEST(Explain, tells_default_range_reason_and_disturbance) {
    const std::string text = explain("arp.ignore").value();
    EXPECT_NE(text.find("Values      arp_ignore 1 or 2"), std::string::npos);
    EXPECT_NE(text.find("Default     1"), std::string::npos);
    EXPECT_NE(text.find("0 answers for every local address"), std::string::npos);
    EXPECT_NE(explain("dcb.pfc")->find("link: an mlx5 port goes down"),
              std::string::npos);
    EXPECT_NE(explain("dcb.pfc")->find("[dcb.lossless.priority]"), std::string::npos);
}

TEST(Explain, of_everything_has_one_entry_per_key) {
    const std::string all = "\n" + explainAll();
    for (const std::string& path : keyPaths()) {
        EXPECT_NE(all.find("\n" + path + " "), std::string::npos) << path;
    }
}

// The schema of a key, found by its path through properties, items and $ref.
const Json* below(const Json& root, const Json& schema, const std::string& leaf) {
    if (schema.contains("$ref")) {
        const std::string pointer = schema["$ref"].get<std::string>().substr(1);
        return below(root, root.at(Json::json_pointer(pointer)), leaf);
    }
    if (schema.contains("properties") && schema["properties"].contains(leaf)) {
        return &schema["properties"][leaf];
    }
    if (schema.contains("items")) {
        return below(root, schema["items"], leaf);
    }
    if (schema.contains("anyOf")) {
        for (const Json& choice : schema["anyOf"]) {
            if (const Json* found = below(root, choice, leaf)) {
                return found;
            }
        }
    }
    return nullptr;
}

TEST(Schema, is_json_of_draft_2020_12) {
    const Json schema = Json::parse(jsonSchema());
    EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    EXPECT_EQ(schema["additionalProperties"], false);
    EXPECT_EQ(schema["required"], Json({"version"}));
}

TEST(Schema, has_every_key_with_its_meaning) {
    const Json root = Json::parse(jsonSchema());
    for (const std::string& path : pathsWithOverrides()) {
        const Json* schema = &root;
        std::istringstream parts(path);
        for (std::string part; schema != nullptr && std::getline(parts, part, '.');) {
            schema = below(root, *schema, part);
        }
        ASSERT_NE(schema, nullptr) << path;
        const bool reference = schema->contains("$ref");
        if (!reference) {
            EXPECT_EQ((*schema)["description"], findKey(path)->meaning) << path;
        }
    }
}

}  // namespace

}  // namespace fabric::profile
