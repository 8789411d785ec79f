// SPDX-License-Identifier: Apache-2.0
#include "resource/service/unit_search.hpp"

#include "fake/fake_files.hpp"
#include "resource/service/limit_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fabric::resource::service {
namespace {

using ::testing::ElementsAre;

class ServiceUnitSearch : public ::testing::Test {
  protected:
    fake::FakeFiles files_;
};

TEST_F(ServiceUnitSearch, an_instance_is_served_by_its_template_and_its_drop_ins) {
    files_.addFile("/usr/lib/systemd/system/minio@.service", "[Service]\n");
    files_.addFile("/usr/lib/systemd/system/minio@.service.d/50-of-all.conf", "x");
    files_.addFile("/usr/lib/systemd/system/minio@.service.d/60-both.conf", "x");
    files_.addFile("/usr/lib/systemd/system/minio@1.service.d/60-both.conf", "x");
    files_.addFile("/etc/systemd/system/minio@2.service.d/70-another.conf", "x");
    const host::ServiceUnit unit = locateUnit(files_, "minio@1.service");
    EXPECT_EQ(unit.loadState, "loaded");
    EXPECT_EQ(unit.fragmentPath, "/usr/lib/systemd/system/minio@.service");
    EXPECT_THAT(unit.dropInPaths,
                ElementsAre("/usr/lib/systemd/system/minio@.service.d/50-of-all.conf",
                            "/usr/lib/systemd/system/minio@1.service.d/60-both.conf"));
    files_.addFile("/usr/lib/systemd/system/minio@1.service", "[Service]\n");
    EXPECT_EQ(locateUnit(files_, "minio@1.service").fragmentPath,
              "/usr/lib/systemd/system/minio@1.service");
    EXPECT_EQ(locateUnit(files_, "other@1.service").loadState, "not-found");
}

TEST_F(ServiceUnitSearch,
       the_names_of_drop_in_directories_go_from_particular_to_general) {
    EXPECT_THAT(dropInNames("minio.service"), ElementsAre("minio.service"));
    EXPECT_THAT(dropInNames("a-b-c.service"),
                ElementsAre("a-b-c.service", "a-b-.service", "a-.service"));
    EXPECT_THAT(dropInNames("a-b@1.service"),
                ElementsAre("a-b@1.service",
                            "a-b@.service",
                            "a-.service",
                            "a-@1.service",
                            "a-@.service"));
}

TEST_F(ServiceUnitSearch, a_file_of_one_directory_hides_its_namesake_of_another) {
    files_.addFile("/usr/lib/systemd/system/minio.service", "[Service]\n");
    files_.addFile("/usr/lib/systemd/system/minio.service.d/50-x.conf", "x");
    files_.addFile("/etc/systemd/system/minio.service.d/50-x.conf", "x");
    files_.addFile("/etc/systemd/system/service.d/50-x.conf", "x");
    files_.addFile("/etc/systemd/system/service.d/95-all.conf", "x");
    files_.addFile("/etc/systemd/system/minio.service.d/.#60-edited.conf", "x");
    EXPECT_THAT(locateUnit(files_, "minio.service").dropInPaths,
                ElementsAre("/etc/systemd/system/minio.service.d/50-x.conf",
                            "/etc/systemd/system/service.d/95-all.conf"));
}

TEST_F(ServiceUnitSearch, an_alias_has_the_drop_ins_of_both_names) {
    files_.addFile("/usr/lib/systemd/system/minio.service", "[Service]\n");
    files_.addLink("/etc/systemd/system/alias.service",
                   "/usr/lib/systemd/system/minio.service");
    files_.addFile("/etc/systemd/system/minio.service.d/50-x.conf", "x");
    EXPECT_THAT(locateUnit(files_, "alias.service").dropInPaths,
                ElementsAre("/etc/systemd/system/minio.service.d/50-x.conf"));
}

TEST_F(ServiceUnitSearch, a_link_to_nothing_and_an_empty_file_mask_a_unit) {
    files_.addFile("/usr/lib/systemd/system/minio.service", "[Service]\n");
    files_.addFile("/dev/null");
    files_.addLink("/etc/systemd/system/minio.service", "/dev/null");
    EXPECT_EQ(locateUnit(files_, "minio.service").loadState, "masked");
    files_.erase("/etc/systemd/system/minio.service");
    files_.addFile("/etc/systemd/system/minio.service", "");
    EXPECT_EQ(locateUnit(files_, "minio.service").loadState, "masked");
}

TEST(ServiceLimitText, R7_an_empty_limit_is_the_managers_own_again) {
    const UnitFile ours{
        .path = "ours",
        .settings = parseUnitFile("[Service]\nLimitMEMLOCK=infinity\n")};
    const UnitFile reset{.path = "later",
                         .settings = parseUnitFile("[Service]\nLimitMEMLOCK=\n")};
    const UnitFile wrong{.path = "later",
                         .settings = parseUnitFile("[Service]\nLimitMEMLOCK=x\n")};
    EXPECT_TRUE(limitOf({ours}));
    EXPECT_FALSE(limitOf({ours, reset}));
    EXPECT_TRUE(limitOf({ours, wrong}));
}

TEST(ServiceLimitText, is_read_as_systemd_reads_it) {
    EXPECT_EQ(parseLimit("infinity"),
              (host::ResourceLimit{.soft = host::kNoLimit, .hard = host::kNoLimit}));
    EXPECT_EQ(parseLimit("64K"), (host::ResourceLimit{.soft = 65536, .hard = 65536}));
    EXPECT_EQ(parseLimit("8M:infinity"),
              (host::ResourceLimit{.soft = 8U << 20U, .hard = host::kNoLimit}));
    EXPECT_EQ(parseLimit("1234"), (host::ResourceLimit{.soft = 1234, .hard = 1234}));
    for (const char* text : {"", "many", "9M:8M", "99999999E", "1X", ":", "-1"}) {
        EXPECT_FALSE(parseLimit(text)) << text;
    }
}

// What systemd-analyze and `systemctl show` of systemd 252 make of the same words.
TEST(ServiceLimitText, of_several_units_and_fractions_is_a_sum) {
    const auto bytes = [](const char* text) { return parseLimit(text).value().hard; };
    EXPECT_EQ(bytes("1.5G"), 3ULL << 29U);
    EXPECT_EQ(bytes("10.M"), 10ULL << 20U);
    EXPECT_EQ(bytes("0.5K"), 512U);
    EXPECT_EQ(bytes("1G 512M"), 3ULL << 29U);
    EXPECT_EQ(bytes("1G512M 7"), (3ULL << 29U) + 7);
    EXPECT_EQ(bytes("2 K"), 2048U);
    EXPECT_EQ(bytes("15E"), 15ULL << 60U);
    EXPECT_EQ(bytes("1B2"), 3U);
    for (const char* text : {"512M 1G",
                             "1G 1G",
                             "5 5",
                             "15.5E",
                             "16E",
                             "1.5.5G",
                             "1G :2G",
                             ".5G",
                             "18446744073709551615",
                             "1.99999999999999999999G"}) {
        EXPECT_FALSE(parseLimit(text)) << text;
    }
}

}  // namespace
}  // namespace fabric::resource::service
