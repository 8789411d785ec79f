// SPDX-License-Identifier: Apache-2.0
// Files of a unit that systemd has not read, where NeedDaemonReload is silent.
#include "resource/service/unread.hpp"

#include "resource/service/service_fixture.hpp"

namespace fabric::resource::service {
namespace {

using engine::ExitCode;
using engine::Outcome;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kVendor =
    "/usr/lib/systemd/system/minio.service.d/zz-vendor.conf";
constexpr const char* kStandardCommand =
    "[Service]\nExecStart=\nExecStart=/usr/local/bin/minio server /x\n"
    "LimitMEMLOCK=65536\n";

class ServiceUnread : public ServiceFixture {
  protected:
    // What a daemon-reload of anybody changes.
    Unread unread(const std::string& name = kUnit) {
        Unread result;
        static_cast<void>(
            pathsOnDisk(host.files, host.services.unit(name).value(), result));
        return result;
    }

    // A unit as systemd reports it.
    Unread unreadOf(const host::ServiceUnit& loaded) {
        Unread result;
        paths_ = pathsOnDisk(host.files, loaded, result);
        return result;
    }

    UnitPaths paths_;
};

TEST_F(ServiceUnread, A5_a_drop_in_of_a_new_directory_is_told_before_the_reload) {
    settle();
    host.files.addFile(kVendor, kStandardCommand);
    ASSERT_FALSE(host.services.unit(kUnit)->needDaemonReload);
    const engine::Report report = check();
    EXPECT_EQ(report.exitCode(), ExitCode::differences);
    EXPECT_EQ(outcome(report, "drop-in"), Outcome::drifted);
    EXPECT_THAT(
        reason(report, "drop-in"),
        AllOf(HasSubstr(std::string(kVendor) + " is new"), HasSubstr("next reload")));
    EXPECT_EQ(outcome(report, "exec-start"), Outcome::drifted);
    EXPECT_EQ(of(report, "exec-start").assessment.found, Value(kStandard));
    EXPECT_THAT(reason(report, "exec-start"),
                AllOf(HasSubstr("from the next reload"), HasSubstr(kVendor)));
    EXPECT_THAT(of(report, "exec-start").assessment.fix, HasSubstr(kVendor));
    EXPECT_EQ(of(report, "limit-memlock").assessment.found, Value(65536));
    EXPECT_EQ(host.services.reloads, 0U);
    // It reloads, and says what that brought.
    const engine::Report applied = apply();
    EXPECT_EQ(host.services.reloads, 1U);
    EXPECT_EQ(outcome(applied, "drop-in"), Outcome::changed);
    EXPECT_EQ(outcome(applied, "exec-start"), Outcome::failed);
    EXPECT_THAT(host.files.writes(), IsEmpty());
}

TEST_F(ServiceUnread, A5_a_drop_in_of_every_service_is_told_too) {
    settle();
    const std::string path = "/usr/lib/systemd/system/service.d/95-all.conf";
    host.files.addFile(path, "[Service]\nLimitMEMLOCK=65536\n");
    const engine::Report report = check();
    EXPECT_THAT(reason(report, "drop-in"), HasSubstr(path + " is new"));
    EXPECT_EQ(outcome(report, "exec-start"), Outcome::inSync);
    EXPECT_EQ(outcome(report, "limit-memlock"), Outcome::drifted);
    host.files.addFile(path, "[Service]\nNice=5\n");
    EXPECT_EQ(outcome(check(), "limit-memlock"), Outcome::inSync);
    EXPECT_EQ(apply().exitCode(), ExitCode::asWanted);
    EXPECT_EQ(check().exitCode(), ExitCode::asWanted);
}

TEST_F(ServiceUnread, A5_a_new_full_copy_of_the_unit_is_told) {
    settle();
    host.files.addFile("/etc/systemd/system/minio.service",
                       "[Service]\nExecStart=/usr/local/bin/minio server --copy\n");
    EXPECT_THAT(reason(check(), "drop-in"),
                HasSubstr("/etc/systemd/system/minio.service is the unit's file now"));
    static_cast<void>(apply());
    EXPECT_THAT(ours(), HasSubstr("minio.rdma server --copy\n"));
    EXPECT_EQ(host.services.reloads, 1U);
    EXPECT_EQ(outcome(check(), "drop-in"), Outcome::inSync);
    EXPECT_EQ(outcome(check(), "exec-start"), Outcome::inSync);
}

TEST_F(ServiceUnread,
       A5_a_mask_that_systemd_has_not_read_is_told_and_not_put_in_force) {
    settle();
    host.files.addFile("/dev/null");
    host.files.addLink("/etc/systemd/system/minio.service", "/dev/null");
    const engine::Report report = apply();
    EXPECT_EQ(outcome(report, "drop-in"), Outcome::failed);
    EXPECT_THAT(reason(report, "drop-in"),
                HasSubstr("/etc/systemd/system/minio.service masks the unit"));
    EXPECT_EQ(of(report, "drop-in").assessment.fix, "systemctl unmask minio.service");
    EXPECT_EQ(host.services.reloads, 0U);
}

TEST_F(ServiceUnread, A5_a_drop_in_that_is_hidden_now_is_told) {
    settle();
    host.files.addFile(kVendor, "[Service]\nNice=5\n");
    host.services.daemonReload();
    ASSERT_FALSE(unread().any());
    host.files.addFile("/dev/null");
    const std::string mask = "/run/systemd/system/minio.service.d/zz-vendor.conf";
    host.files.addLink(mask, "/dev/null");
    EXPECT_THAT(unread().added, ElementsAre(mask));
    EXPECT_THAT(unreadOf(*host.services.unit(kUnit)).gone, IsEmpty());
    EXPECT_THAT(paths_.dropIns, ElementsAre(kOurs));
}

TEST_F(ServiceUnread, A5_masks_copies_and_directories_that_hide_nothing_are_no_matter) {
    host.files.addFile("/dev/null");
    const std::string directory = "/run/systemd/generator/minio.service.d/";
    host.files.addLink(directory + "10-mask.conf", "/dev/null");
    host.files.addFile(directory + "20-empty.conf", "");
    host.files.addFile(directory + ".#30-editor.conf", "[Service]\nNice=1\n");
    host.files.addFile(directory + "40-readme.txt", "text");
    host.files.addFile(directory + "50-directory.conf/x", "text");
    host.files.addLink(directory + "60-nowhere.conf", "/missing");
    EXPECT_FALSE(unread().any());
}

TEST_F(ServiceUnread, A5_the_same_files_by_other_names_are_the_same) {
    host.files.addLink("/lib", "/usr/lib");
    host.files.addFile(kVendor, "[Service]\nNice=5\n");
    host.files.addLink("/etc/systemd/system/minio.service.d",
                       "/opt/site/minio.service.d");
    host.files.addFile("/opt/site/minio.service.d/20-site.conf", "[Service]\nNice=1\n");
    const host::ServiceUnit loaded{
        .name = kUnit,
        .loadState = "loaded",
        .fragmentPath = "/lib/systemd/system/minio.service",
        // The order of set-property: as they came.
        .dropInPaths = {"/lib/systemd/system/minio.service.d/zz-vendor.conf",
                        "/opt/site/minio.service.d/20-site.conf"}};
    EXPECT_FALSE(unreadOf(loaded).any());
    EXPECT_EQ(paths_.dropIns, loaded.dropInPaths);
}

TEST_F(ServiceUnread, A5_drop_ins_of_an_alias_stay) {
    host.files.addLink("/etc/systemd/system/store.service", kPackaged);
    const std::string ofAlias = "/etc/systemd/system/store.service.d/20-alias.conf";
    host.files.addFile(ofAlias, "[Service]\nNice=1\n");
    host::ServiceUnit loaded{.name = kUnit,
                             .loadState = "loaded",
                             .fragmentPath = kPackaged,
                             .dropInPaths = {ofAlias}};
    EXPECT_FALSE(unreadOf(loaded).any());
    loaded.name = "store.service";
    EXPECT_FALSE(unreadOf(loaded).any());
    host.files.addFile("/run/systemd/transient/minio.service.d/10-x.conf", "[Unit]\n");
    EXPECT_TRUE(unreadOf(loaded).any());
    EXPECT_THAT(
        paths_.dropIns,
        ElementsAre("/run/systemd/transient/minio.service.d/10-x.conf", ofAlias));
}

TEST_F(ServiceUnread, A5_a_unit_of_a_directory_of_its_own_is_as_loaded) {
    host.files.addFile("/opt/units/minio.service", "[Service]\n");
    const host::ServiceUnit loaded{.name = kUnit,
                                   .loadState = "loaded",
                                   .fragmentPath = "/opt/units/minio.service"};
    EXPECT_THAT(unreadOf(loaded).fragment, IsEmpty());
    EXPECT_EQ(paths_.fragment, "/opt/units/minio.service");
}

// Recorded facts need not hold every file: what is searched later hides nothing.
TEST_F(ServiceUnread, A5_a_file_that_is_searched_later_does_not_replace_the_units) {
    const host::ServiceUnit loaded{
        .name = kUnit,
        .loadState = "loaded",
        .fragmentPath = "/run/systemd/transient/minio.service"};
    host.files.addLink("/run/systemd/transient/minio.service", "/missing");
    EXPECT_THAT(unreadOf(loaded).fragment, IsEmpty());
}

TEST_F(ServiceUnread, A5_an_instance_and_dashed_names_have_their_own_directories) {
    host.files.addFile("/usr/lib/systemd/system/mi-nio@.service", "[Service]\n");
    host::ServiceUnit loaded{.name = "mi-nio@1.service",
                             .loadState = "loaded",
                             .fragmentPath = "/usr/lib/systemd/system/mi-nio@.service"};
    EXPECT_FALSE(unreadOf(loaded).any());
    for (const char* name : {"mi-nio@1.service", "mi-nio@.service", "mi-.service"}) {
        const std::string path =
            "/etc/systemd/system/" + std::string(name) + ".d/70-x.conf";
        host.files.addFile(path, "[Service]\nNice=1\n");
        EXPECT_THAT(unreadOf(loaded).added, ElementsAre(path));
        host.files.erase(path);
    }
    host.files.addFile("/etc/systemd/system/mi-nio@2.service.d/70-x.conf", "x");
    EXPECT_FALSE(unreadOf(loaded).any());
}

TEST_F(ServiceUnread, R3_a_drop_in_that_is_a_link_to_nothing_is_no_reload_at_each_run) {
    host.files.addLink("/etc/systemd/system/minio.service.d/20-gone.conf", "/missing");
    settle();
    ASSERT_TRUE(host.services.unit(kUnit)->needDaemonReload);
    const engine::Report report = apply();
    EXPECT_EQ(report.exitCode(), ExitCode::asWanted);
    EXPECT_EQ(host.services.reloads, 0U);
    const auto found = finding(report, "service.dangling-drop-in");
    ASSERT_TRUE(found);
    EXPECT_THAT(found->fix,
                HasSubstr("rm /etc/systemd/system/minio.service.d/20-gone"));
    host.files.erase("/etc/systemd/system/minio.service.d/20-gone.conf");
    EXPECT_FALSE(finding(check(), "service.dangling-drop-in"));
}

// NeedDaemonReload compares with the youngest of all drop-ins, often ours: what a
// package or rsync -t puts in place of a later one bears an older time.
TEST_F(ServiceUnread, R4_a_later_drop_in_that_changed_and_looks_old_is_told) {
    host.files.addFile(kVendor, "[Service]\nNice=5\n");
    host.services.daemonReload();
    settle();
    host.services.oldTimes = true;
    host.files.addFile(kVendor, kStandardCommand);
    ASSERT_FALSE(host.services.unit(kUnit)->needDaemonReload);
    const engine::Report report = check();
    EXPECT_EQ(outcome(report, "exec-start"), Outcome::drifted);
    EXPECT_THAT(reason(report, "exec-start"),
                AllOf(HasSubstr("from the next reload"), HasSubstr(kVendor)));
    EXPECT_EQ(outcome(report, "limit-memlock"), Outcome::drifted);
    EXPECT_EQ(report.exitCode(), ExitCode::differences);
    // Ours in other words: not to be told from the file.
    host.files.addFile(kVendor,
                       "[Service]\nExecStart=\nExecStart=/usr/local/bin/%p.rdma "
                       "server $MINIO_OPTS $MINIO_VOLUMES\n");
    EXPECT_EQ(check().exitCode(), ExitCode::asWanted);
}

TEST_F(ServiceUnread, R4_a_later_file_that_empties_the_limit_and_looks_old_is_told) {
    host.files.addFile(kVendor, "[Service]\nNice=5\n");
    host.services.daemonReload();
    settle();
    host.services.oldTimes = true;
    host.files.addFile(kVendor, "[Service]\nLimitMEMLOCK=\n");
    const engine::Report report = check();
    EXPECT_EQ(outcome(report, "limit-memlock"), Outcome::drifted);
    EXPECT_THAT(reason(report, "limit-memlock"),
                AllOf(HasSubstr("from the next reload"),
                      HasSubstr("systemd's own default"),
                      HasSubstr(kVendor)));
}

TEST_F(ServiceUnread, R4_a_later_file_of_other_variables_that_looks_old_is_told) {
    constexpr const char* kWanted = "  environment: { MINIO_RDMA_INTERNODE: \"on\" }\n";
    host.files.addFile(kVendor, "[Service]\nNice=5\n");
    host.files.addFile("/etc/other", "MINIO_RDMA_INTERNODE=off\n");
    host.services.daemonReload();
    settle(kWanted);
    host.services.oldTimes = true;
    for (const char* const lines :
         {"[Service]\nEnvironmentFile=\n", "[Service]\nEnvironmentFile=/etc/other\n"}) {
        host.files.addFile(kVendor, lines);
        const engine::Report report = check(kWanted);
        EXPECT_EQ(outcome(report, "environment"), Outcome::drifted) << lines;
        EXPECT_THAT(reason(report, "environment"),
                    AllOf(HasSubstr("from the next reload"), HasSubstr(kVendor)));
        EXPECT_THAT(fix(report, "environment"), HasSubstr(kVendor));
    }
    // Which file it is, only systemd can tell.
    host.files.addFile(kVendor, "[Service]\nEnvironmentFile=/etc/%p\n");
    EXPECT_EQ(outcome(check(kWanted), "environment"), Outcome::inSync);
}

TEST_F(ServiceUnread, R5_our_drop_in_below_a_link_is_ours_by_its_other_name_too) {
    host.files.addLink("/etc/systemd/system/minio.service.d",
                       "/opt/site/minio.service.d");
    host::ServiceUnit loaded{
        .name = kUnit,
        .dropInPaths = {"/opt/site/minio.service.d/20-site.conf",
                        "/opt/site/minio.service.d/90-fabricctl.conf",
                        "/opt/other/minio.service.d/90-fabricctl.conf"}};
    host.files.addFile("/opt/site/minio.service.d/20-site.conf", "[Service]\n");
    nameOurs(host.files, loaded);
    EXPECT_THAT(loaded.dropInPaths,
                ElementsAre("/opt/site/minio.service.d/20-site.conf",
                            kOurs,
                            "/opt/other/minio.service.d/90-fabricctl.conf"));
}

TEST_F(ServiceUnread, R5_a_linked_unit_has_no_drop_ins_of_the_files_own_name) {
    host.files.addFile("/opt/minio/server.service", "[Service]\n");
    host.files.addLink("/etc/systemd/system/minio.service",
                       "/opt/minio/server.service");
    host.files.addFile("/etc/systemd/system/server.service.d/x.conf",
                       "[Service]\nNice=1\n");
    const host::ServiceUnit loaded{.name = kUnit,
                                   .loadState = "loaded",
                                   .fragmentPath = "/etc/systemd/system/minio.service"};
    EXPECT_FALSE(unreadOf(loaded).any());
}

TEST_F(ServiceUnread, B4_one_apply_is_enough_after_a_later_file_was_renamed) {
    settle();
    host.files.addFile(kVendor, kStandardCommand);
    host.services.daemonReload();
    EXPECT_EQ(outcome(apply(), "exec-start"), Outcome::failed);
    host.files.erase(kVendor);
    const std::string renamed =
        "/usr/lib/systemd/system/minio.service.d/10-vendor.conf";
    host.files.addFile(renamed, kStandardCommand);
    EXPECT_THAT(reason(check(), "drop-in"),
                AllOf(HasSubstr(renamed + " is new"),
                      HasSubstr(std::string(kVendor) + " is gone")));
    const engine::Report report = apply();
    EXPECT_EQ(outcome(report, "drop-in"), Outcome::changed);
    EXPECT_EQ(outcome(report, "exec-start"), Outcome::changed);
    EXPECT_EQ(outcome(report, "limit-memlock"), Outcome::changed);
    EXPECT_THAT(ours(), HasSubstr("minio.rdma server /x\n"));
    host.files.forgetWrites();
    EXPECT_FALSE(apply().changed);
    EXPECT_THAT(host.files.writes(), IsEmpty());
}

}  // namespace
}  // namespace fabric::resource::service
