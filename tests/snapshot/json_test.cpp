// SPDX-License-Identifier: Apache-2.0
#include "snapshot/json.hpp"

#include "snapshot/base64.hpp"
#include "snapshot/seal.hpp"
#include "snapshot/things.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace fabric::snapshot {
namespace {

class EveryThing : public ::testing::TestWithParam<Item> {};

TEST_P(EveryThing, comes_back_as_it_was) {
    Snapshot before = emptySnapshot();
    before.items = {GetParam()};
    const auto after = fromJson(toJson(before));
    ASSERT_TRUE(after) << after.error().message();
    EXPECT_EQ(*after, before);
}

INSTANTIATE_TEST_SUITE_P(Json, EveryThing, ::testing::ValuesIn(oneOfEach()));

TEST(Json, the_samples_hold_one_of_each_thing) {
    std::set<std::size_t> kinds;
    for (const Item& item : oneOfEach()) {
        kinds.insert(item.thing.index());
    }
    EXPECT_EQ(kinds.size(), std::variant_size_v<Thing>);
}

// tests/snapshot/golden is held to docs/snapshot-schema.json by schema_test.py.
// FABRICCTL_WRITE_GOLDEN=1 writes it anew.
TEST(Json, one_of_each_is_kept_as_the_golden_file_shows) {
    const std::string path = std::string(GOLDEN_DIR) + "/one-of-each.json";
    Snapshot snapshot = emptySnapshot();
    snapshot.items = oneOfEach();
    if (std::getenv("FABRICCTL_WRITE_GOLDEN") != nullptr) {
        std::ofstream(path) << toJson(snapshot);
    }
    std::ifstream file(path);
    const std::string golden{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(toJson(snapshot), golden);
}

TEST(Json, bytes_that_are_no_utf8_come_back) {
    std::string all;
    for (int byte = 0; byte < 256; ++byte) {
        all += static_cast<char>(byte);
    }
    Snapshot before = emptySnapshot();
    before.items = {
        {.kind = resource::Kind::service,
         .label = "\xff",
         .from = "x",
         .thing = File{.path = "/etc/fabricctl/\xfe.env",
                       .content = FileContent{.bytes = all, .mode = 0600}}}};
    const auto after = fromJson(toJson(before));
    ASSERT_TRUE(after) << after.error().message();
    EXPECT_EQ(*after, before);
}

TEST(Json, a_file_whose_ids_are_no_utf8_can_be_kept_again) {
    Snapshot before = emptySnapshot();
    before.id = "\xff";
    before.items = {oneOfEach().front()};
    before.items.front().from = "\xfe";
    const auto after = fromJson(toJson(before));
    ASSERT_TRUE(after) << after.error().message();
    EXPECT_EQ(*after, before);
}

TEST(Json, every_length_of_base64_comes_back) {
    std::string bytes;
    for (char next = 'a'; next <= 'h'; ++next) {
        EXPECT_EQ(fromBase64(toBase64(bytes)), bytes);
        bytes += next;
    }
    EXPECT_EQ(toBase64("fo"), "Zm8=");
    EXPECT_EQ(fromBase64("Zm9v!"), std::nullopt);
    EXPECT_EQ(fromBase64("Zm9="), std::nullopt) << "a bit would be lost";
    EXPECT_EQ(fromBase64("===="), std::nullopt);
}

TEST(Json, a_document_that_was_cut_off_is_an_error) {
    Snapshot whole = emptySnapshot();
    whole.items = oneOfEach();
    const std::string text = toJson(whole);
    // Without its final newline it is whole.
    for (std::size_t length = 0; length + 1 < text.size(); length += 1 + length % 13) {
        EXPECT_FALSE(fromJson(std::string_view(text).substr(0, length))) << length;
    }
}

// One value of a whole document replaced.
std::string with(std::string_view old, std::string_view replacement) {
    Snapshot whole = emptySnapshot();
    whole.items = oneOfEach();
    std::string text = toJson(whole);
    const auto at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return text.replace(at, old.size(), replacement);
}

// The same, with the digest of what it says then: what is refused is the value itself.
std::string sealedWith(std::string_view old, std::string_view replacement) {
    auto tree = nlohmann::json::parse(with(old, replacement));
    tree[kSeal] = sealOf(tree);
    return tree.dump();
}

TEST(Json, a_value_that_was_edited_by_hand_was_never_read_and_is_refused) {
    for (const auto& [old, replacement] :
         std::vector<std::pair<std::string, std::string>>{
             {R"("mtu": 1500)", R"("mtu": 1501)"},
             {R"("enabled": 8)", R"("enabled": 0)"},
             {R"([Service]\n)", R"([Service]\nUser=root\n)"},
             {"roce_np/enable/3", "roce_np/enable/4"},
             {R"("uid": 12)", R"("uid": 0)"},
             {"b8:ce:f6:00:00:01", "b8:ce:f6:00:00:02"},
             {R"("value": 29)", R"("value": 28)"}}) {
        const auto read = fromJson(with(old, replacement));
        ASSERT_FALSE(read) << replacement;
        EXPECT_EQ(read.error().kind, ErrorKind::refused) << read.error().message();
    }
    EXPECT_FALSE(fromJson(with(R"("sha256")", R"("sha255")")))
        << "nor without its digest";
    EXPECT_TRUE(fromJson(sealedWith("node1", "node1"))) << "other spaces are no edit";
}

TEST(Json, a_future_version_is_told_apart_from_a_broken_file) {
    const auto future =
        fromJson(sealedWith("fabricctl/snapshot/1", "fabricctl/snapshot/2"));
    ASSERT_FALSE(future);
    EXPECT_EQ(future.error().kind, ErrorKind::unsupported);
    EXPECT_NE(future.error().message().find("fabricctl/snapshot/2"), std::string::npos);
}

class NotUnderstood
    : public ::testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(NotUnderstood, is_refused_as_malformed) {
    const auto& [old, replacement] = GetParam();
    const auto read = fromJson(sealedWith(old, replacement));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().kind, ErrorKind::malformed);
    EXPECT_FALSE(read.error().detail.empty());
}

using Change = std::pair<std::string, std::string>;

INSTANTIATE_TEST_SUITE_P(
    Json,
    NotUnderstood,
    ::testing::Values(Change{R"("mtu": 1500)", R"("mtu": -1)"},
                      Change{R"("mtu": 1500)", R"("mtu": 4294967296)"},
                      Change{R"("mtu": 1500)", R"("mtu": 1500.5)"},
                      Change{R"("mtu": 1500)", R"("mtu": "1500")"},
                      Change{R"("mtu": 1500)", R"("mtu": [])"},
                      Change{R"("mtu": 1500)", R"("other": 1500)"},
                      Change{R"("rx": true)", R"("rx": 1)"},
                      Change{R"("enabled": 8)", R"("enabled": 256)"},
                      Change{R"("app-table")", R"("app-tables")"},
                      Change{R"("rp_filter")", R"("forwarding")"},
                      Change{R"("capability_id": 13)", R"("capability_id": 65536)"},
                      Change{R"("slot": "02.0")", R"("slot": "20.0")"},
                      Change{R"("slot": "02.0")", R"("slot": "02.8")"},
                      Change{R"("mode": "0640")", R"("mode": "10000")"},
                      Change{R"("mode": "0640")", R"("mode": "0648")"},
                      Change{R"("path": "/etc/sysctl.d)", R"("path": "/etc/../root)"},
                      Change{R"("path": "/etc/sysctl.d)", R"("path": "/usr/sbin)"},
                      Change{R"("path": "/etc/sysctl.d)", R"("path": "/etc/sudoers.d)"},
                      Change{R"("path": "/etc/systemd/system/minio.service.d/)",
                             R"("path": "/etc/systemd/system/a/minio.service.d/)"},
                      Change{R"(/sys/class/net/)", R"(/dev/)"},
                      Change{R"(/sys/class/net/{interface}/ecn/roce_np/enable/3)",
                             R"(/proc/sys/kernel/core_pattern)"},
                      Change{R"(/sys/class/net/{interface})", R"(/sys/class/net/eth0)"},
                      Change{R"("capability_id": 13)", R"("capability_id": 16)"},
                      Change{R"("offset": 6)", R"("offset": 4)"},
                      Change{R"(/sys/class/net/)", R"(/sys/../dev/)"},
                      Change{R"(b8:ce:f6:00:00:01)", R"(b8:ce:f6:00:00)"},
                      Change{R"("kind": "mtu")", R"("kind": "kernel")"},
                      Change{R"(2026-11-30T08:45:12Z)", R"(2026-13-30T08:45:12Z)"},
                      Change{R"(2026-11-30T08:45:12Z)", R"(yesterday)"},
                      Change{R"(2026-11-30T08:45:12Z)", R"(9999-12-31T24:00:00Z)"},
                      Change{R"(2026-11-30T08:45:12Z)", R"(2026-11-30T08:60:12Z)"},
                      Change{R"(2026-11-30T08:45:12Z)", R"(2026-11-30T08:45:60Z)"},
                      Change{R"("unread": true)", R"("unread": null)"}));

// The system's clock counts nanoseconds, in 64 bits until the year 2262.
TEST(Json, a_time_beyond_the_clock_comes_back) {
    const auto read =
        fromJson(sealedWith("2026-11-30T08:45:12Z", "9999-12-31T23:59:59Z"));
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_NE(toJson(*read).find("9999-12-31T23:59:59Z"), std::string::npos);
}

TEST(Json, a_bomb_of_brackets_is_an_error) {
    const std::string deep(1U << 17U, '[');
    EXPECT_FALSE(fromJson(deep));
    EXPECT_FALSE(fromJson(deep + std::string(1U << 17U, ']')));
}

}  // namespace
}  // namespace fabric::snapshot
