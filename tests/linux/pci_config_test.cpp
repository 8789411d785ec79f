// SPDX-License-Identifier: Apache-2.0
#include "linux/pci_config.hpp"

#include "linux/pci_tree.hpp"
#include "linux/pci_writer.hpp"
#include "linux/posix_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace fabric::linux_host {
namespace {

using namespace testing;
using ::testing::HasSubstr;

host::PciCapabilityWrite clearing(PciAddress address, std::uint16_t bits) {
    return {.address = address,
            .capabilityId = kAcsId,
            .capability = kAcsAt,
            .registerOffset = 6,
            .clear = bits,
            .set = 0};
}

class PciConfigTest : public ::testing::Test {
  protected:
    PciTree tree_;
    RootDirectory root_{tree_.root()};
    PosixFiles files_{root_};
    LibpciAccess access_{tree_.root() + "/sys/bus/pci"};
    PciConfigReader reader_{files_, root_, access_};
    PciConfigWriter writer_{reader_, access_};
};

TEST_F(PciConfigTest, A07_functions_and_registers_of_every_domain) {
    const PciAddress near = tree_.addPort("pci0000:00/0000:00:01.0", 0x001D);
    const PciAddress far =
        tree_.addPort("pci0000:80/0000:80:00.5/pci10000:80/10000:80:01.0", 0x0011);
    const auto functions = reader_.functions().value();
    ASSERT_EQ(functions.size(), 2U);
    EXPECT_EQ(functions[1].hostBridge, "pci10000:80");
    EXPECT_EQ(reader_.readConfig(near, kAcsAt + 6, 2).value()[0], std::byte{0x1D});
    EXPECT_EQ(reader_.readConfig(far, kAcsAt + 6, 2).value()[0], std::byte{0x11});
    EXPECT_TRUE(writer_.update(clearing(far, 0x0011)));
    EXPECT_EQ(tree_.word(far, kAcsAt + 6), 0);
    EXPECT_EQ(tree_.word(near, kAcsAt + 6), 0x001D);
}

TEST_F(PciConfigTest, A10_a_masked_write_keeps_every_other_bit) {
    const PciAddress port = tree_.addPort("pci0000:00/0000:00:01.0", 0x1A9D);
    const auto done = writer_.update(clearing(port, 0x002C)).value();
    EXPECT_EQ(done.before, 0x1A9D);
    EXPECT_EQ(done.written, 0x1A91);
    EXPECT_EQ(tree_.word(port, kAcsAt + 6), 0x1A91);
    EXPECT_EQ(tree_.word(port, kAcsAt + 4), 0x005F);
    EXPECT_EQ(tree_.word(port, kAcsAt + 8), 0);
}

TEST_F(PciConfigTest, an_equal_value_is_not_written) {
    const PciAddress port = tree_.addPort("pci0000:00/0000:00:01.0", 0x0011);
    const auto before =
        files_.status("/sys/bus/pci/devices/0000:00:01.0/config")->mtimeNs;
    const auto done = writer_.update(clearing(port, 0x002C)).value();
    EXPECT_EQ(done.before, done.written);
    EXPECT_EQ(files_.status("/sys/bus/pci/devices/0000:00:01.0/config")->mtimeNs,
              before);
}

TEST_F(PciConfigTest, a_capability_that_moved_is_not_written_to) {
    const PciAddress port = tree_.addPort("pci0000:00/0000:00:01.0", 0x001D);
    host::PciCapabilityWrite write = clearing(port, 0x002C);
    write.capability = kAcsAt + 4;
    const auto done = writer_.update(write);
    EXPECT_EQ(done.error().kind, ErrorKind::mismatch);
    EXPECT_EQ(tree_.word(port, kAcsAt + 6), 0x001D);
}

TEST_F(PciConfigTest, A04_all_ones_are_returned_as_read) {
    const PciAddress dead =
        tree_.addFunction("pci0000:00/0000:00:01.0", std::string(4096, '\xff'));
    EXPECT_EQ(reader_.readConfig(dead, 0, 4).value(),
              std::vector<std::byte>(4, std::byte{0xFF}));
    EXPECT_EQ(writer_.update(clearing(dead, 0x002C)).error().kind, ErrorKind::mismatch);
}

TEST_F(PciConfigTest, a_config_space_that_is_too_short_is_malformed) {
    const PciAddress old =
        tree_.addFunction("pci0000:00/0000:00:01.0", std::string(256, '\0'));
    EXPECT_TRUE(reader_.readConfig(old, 0xFC, 4));
    const auto beyond = reader_.readConfig(old, 0x100, 4);
    EXPECT_EQ(beyond.error().kind, ErrorKind::malformed);
    EXPECT_THAT(beyond.error().detail, HasSubstr("256"));
}

TEST_F(PciConfigTest, a_function_that_is_gone_is_not_found) {
    tree_.addPort("pci0000:00/0000:00:01.0", 0x001D);
    const PciAddress gone{.domain = 0, .bus = 9, .device = 0, .function = 0};
    EXPECT_EQ(reader_.readConfig(gone, 0, 4).error().kind, ErrorKind::notFound);
    EXPECT_EQ(writer_.update(clearing(gone, 1)).error().kind, ErrorKind::notFound);
}

TEST_F(PciConfigTest, a_fatal_error_of_libpci_does_not_end_the_program) {
    const PciAddress port = tree_.addPort("pci0000:00/0000:00:01.0", 0x001D);
    host::PciCapabilityWrite unaligned = clearing(port, 0xFFFF);
    unaligned.registerOffset = 5;
    const auto done = writer_.update(unaligned);
    ASSERT_FALSE(done.has_value());
    EXPECT_THAT(done.error().detail, HasSubstr("nalign"));
    EXPECT_TRUE(reader_.readConfig(port, 0, 4));
}

// A sealed memory file opens for writing and refuses the write with EPERM, as a config
// file does under lockdown.
TEST_F(PciConfigTest, A01_a_write_refused_by_lockdown_is_a_permission_error) {
    const PciAddress port = tree_.addPort("pci0000:00/0000:00:01.0", 0x001D);
    const UniqueFd memory(::memfd_create("config", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    const std::string config =
        files_.read("/sys/bus/pci/devices/0000:00:01.0/config").value();
    ASSERT_EQ(::write(memory.get(), config.data(), config.size()), 4096);
    ASSERT_EQ(::fcntl(memory.get(), F_ADD_SEALS, F_SEAL_WRITE), 0);
    std::filesystem::remove(tree_.configOf(port));
    std::filesystem::create_symlink("/proc/self/fd/" + std::to_string(memory.get()),
                                    tree_.configOf(port));
    const auto done = writer_.update(clearing(port, 0x002C));
    ASSERT_FALSE(done.has_value());
    EXPECT_EQ(done.error().kind, ErrorKind::permission);
    EXPECT_EQ(done.error().sysErrno, EPERM);
    EXPECT_THAT(done.error().advice, HasSubstr("lockdown"));
    // The refusal does not spoil later reads of the same function.
    EXPECT_EQ(reader_.readConfig(port, kAcsAt + 6, 2).value()[0], std::byte{0x1D});
}

class ReadOnlyTreeTest : public PciConfigTest {
  protected:
    void SetUp() override {
        before_ = UniqueFd(::open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC));
        if (::unshare(CLONE_FS | CLONE_NEWNS) != 0) {
            before_ = UniqueFd();
            GTEST_SKIP() << "no mount namespace of our own: " << std::strerror(errno);
        }
        ASSERT_EQ(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), 0);
    }

    void TearDown() override {
        if (before_.valid()) {
            ASSERT_EQ(::setns(before_.get(), CLONE_NEWNS), 0);
        }
    }

    UniqueFd before_;
};

TEST_F(ReadOnlyTreeTest, A03_a_read_only_sysfs_reads_well_and_is_named_on_write) {
    const PciAddress port = tree_.addPort("pci0000:00/0000:00:01.0", 0x001D);
    const std::string root = tree_.root();
    ASSERT_EQ(::mount(root.c_str(), root.c_str(), nullptr, MS_BIND, nullptr), 0);
    ASSERT_EQ(
        ::mount(
            nullptr, root.c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr),
        0);
    EXPECT_EQ(reader_.readConfig(port, kAcsAt + 6, 2).value()[0], std::byte{0x1D});
    const auto done = writer_.update(clearing(port, 0x002C));
    ASSERT_FALSE(done.has_value());
    EXPECT_EQ(done.error().kind, ErrorKind::permission);
    EXPECT_EQ(done.error().sysErrno, EROFS);
    EXPECT_THAT(done.error().advice, HasSubstr("read-only"));
    EXPECT_TRUE(reader_.readConfig(port, kAcsAt + 6, 2));
}

// The real sysfs, as an ordinary user sees it; in a process of its own, since there is
// no way back from giving up root.
TEST(PciConfigUnprivileged, A02_what_the_kernel_holds_back_is_a_permission_error) {
    const RootDirectory root;
    const PosixFiles files(root);
    LibpciAccess access("/sys/bus/pci");
    const PciConfigReader reader(files, root, access);
    const auto functions = reader.functions();
    if (!functions || functions->empty()) {
        GTEST_SKIP() << "no PCI function on this machine";
    }
    if (::geteuid() != 0) {
        GTEST_SKIP() << "needs root, in order to give it up";
    }
    const PciAddress address = functions->front().address;
    EXPECT_TRUE(reader.readConfig(address, 0x40, 4));
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        constexpr uid_t kNobody = 65534;
        const bool dropped = ::setresuid(kNobody, kNobody, kNobody) == 0;
        access.forget();  // opened as root
        const auto visible = reader.readConfig(address, 0, 4);
        const auto hidden = reader.readConfig(address, 0x40, 4);
        const bool right = dropped && visible && !hidden &&
                           hidden.error().kind == ErrorKind::permission;
        std::_Exit(right ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace fabric::linux_host
