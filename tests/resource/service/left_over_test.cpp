// SPDX-License-Identifier: Apache-2.0
// What a former profile left.
#include "resource/service/left_over.hpp"

#include "resource/service/service_fixture.hpp"

namespace fabric::resource::service {
namespace {

using engine::Outcome;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kManaged =
    "  environment: { MINIO_ROOT_PASSWORD: \"s3cret\" }\n  manage-environment: true\n";
constexpr const char* kManagedFile = "/etc/fabricctl/minio.service.env";

class ServiceLeftOver : public ServiceFixture {
  protected:
    engine::Report with(const std::string& section) {
        const auto parsed =
            profile::parse("version: 1\nname: node\n" + section, "profile.yaml");
        EXPECT_TRUE(parsed);
        return engine::apply(host.reader(), host.writer(), *parsed, {});
    }
};

TEST_F(ServiceLeftOver, a_drop_in_of_another_unit_is_named_and_stays) {
    settle();
    host.files.addFile("/usr/lib/systemd/system/aistor.service",
                       host.files.content(kPackaged));
    const auto found = finding(with("service: { unit: aistor.service }\n"),
                               "service.left-over-drop-in");
    ASSERT_TRUE(found);
    EXPECT_THAT(found->summary, HasSubstr(kOurs));
    EXPECT_THAT(found->evidence, HasSubstr("LimitMEMLOCK=infinity"));
    EXPECT_THAT(found->fix,
                HasSubstr("rm " + std::string(kOurs) +
                          " && systemctl daemon-reload; then systemctl restart "
                          "minio.service"));
    EXPECT_TRUE(host.files.exists(kOurs));
}

TEST_F(ServiceLeftOver, a_profile_without_a_service_names_it_too) {
    settle();
    EXPECT_TRUE(finding(with(""), "service.left-over-drop-in"));
    EXPECT_TRUE(finding(with("service: null\n"), "service.left-over-drop-in"));
    EXPECT_TRUE(finding(
        with("service: { binary: null, require-feature: null, limit-memlock: null }\n"),
        "service.left-over-drop-in"));
    EXPECT_THAT(host.files.writes(), IsEmpty());
}

TEST_F(ServiceLeftOver, what_is_asked_for_or_not_of_our_making_is_none) {
    settle();
    host.files.addFile("/etc/systemd/system/other.service.d/90-fabricctl.conf",
                       "[Service]\nNice=5\n");
    EXPECT_FALSE(finding(check(), "service.left-over-drop-in"));
}

TEST_F(ServiceLeftOver, an_environment_file_goes_after_the_drop_in_that_names_it) {
    settle(kManaged);
    EXPECT_THAT(finding(with(""), "service.left-over-environment")->fix,
                ::testing::StartsWith("first what finding service.left-over-drop-in"));
    EXPECT_THAT(
        finding(check(), "service.left-over-environment")->fix,
        ::testing::StartsWith("first 'fabricctl apply', which takes it out of"));
    host.files.erase(kOurs);
    EXPECT_THAT(finding(with(""), "service.left-over-environment")->fix,
                ::testing::StartsWith("rm "));
}

TEST_F(ServiceLeftOver, a_unit_name_is_written_as_a_shell_takes_it) {
    settle();
    host.files.addFile("/etc/systemd/system/a\\x2db.service.d/90-fabricctl.conf",
                       ours());
    const auto found = finding(check(), "service.left-over-drop-in");
    ASSERT_TRUE(found);
    EXPECT_THAT(found->fix, HasSubstr("rm '/etc/systemd/system/a\\x2db.service.d/"));
}

TEST_F(ServiceLeftOver, an_environment_file_that_is_managed_no_more_is_named) {
    settle(kManaged);
    EXPECT_FALSE(finding(check(kManaged), "service.left-over-environment"));
    const engine::Report report = apply();
    EXPECT_EQ(outcome(report, "drop-in"), Outcome::changed);
    EXPECT_THAT(ours(), Not(HasSubstr("EnvironmentFile")));
    const auto found = finding(report, "service.left-over-environment");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->evidence, "it sets MINIO_ROOT_PASSWORD");
    EXPECT_THAT(found->fix, HasSubstr("rm " + std::string(kManagedFile)));
    EXPECT_TRUE(host.files.exists(kManagedFile));
}

}  // namespace
}  // namespace fabric::resource::service
