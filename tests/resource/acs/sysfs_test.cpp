// SPDX-License-Identifier: Apache-2.0
// The resource on libpci and a fabricated sysfs: real reads, real writes, several PCI
// domains.
#include "hosts/sysfs_tree.hpp"
#include "linux/pci_config.hpp"
#include "linux/pci_writer.hpp"
#include "linux/posix_files.hpp"
#include "resource/acs/acs_machine.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace fabric::resource::acs {
namespace {

using profile::AcsScope;

// The captured machine as files; what it looks like afterwards is read from the files.
class SysfsMachine {
  public:
    explicit SysfsMachine(AcsMachine& machine) : machine_(machine) {
        hosts::writeSysfs(machine.host, directory_);
    }

    [[nodiscard]] Comparison look() {
        const host::Reader fakes = machine_.host.reader();
        const host::Reader reader{.files = files_,
                                  .links = fakes.links,
                                  .watcher = fakes.watcher,
                                  .dcb = fakes.dcb,
                                  .ethtool = fakes.ethtool,
                                  .pci = pci_,
                                  .rdma = fakes.rdma,
                                  .ipv4 = fakes.ipv4,
                                  .clock = fakes.clock};
        const inventory::PciTopology topology(pci_.functions().value());
        const Scope scope{.rails = {},
                          .host = machine_.settings,
                          .platform = machine_.platform,
                          .pci = &topology};
        return assess(reader, scope);
    }

    void write(const Comparison& comparison) {
        for (const Step& step : comparison.steps) {
            const auto done =
                writer_.update(std::get<host::PciCapabilityWrite>(step.writes.at(0)));
            EXPECT_TRUE(done.has_value()) << done.error().message();
        }
    }

    // Two bytes of the `config` file, past all code under test.
    [[nodiscard]] unsigned word(std::string_view address, std::streamoff offset) const {
        std::ifstream file(
            directory_ / ("sys/bus/pci/devices/" + std::string(address) + "/config"),
            std::ios::binary);
        file.seekg(offset);
        const int low = file.get();
        return static_cast<unsigned>(low | (file.get() << 8));
    }

    [[nodiscard]] std::filesystem::path config(std::string_view address) const {
        return directory_ / ("sys/bus/pci/devices/" + std::string(address) + "/config");
    }

  private:
    AcsMachine& machine_;
    linux_host::testing::TemporaryDirectory directory_;
    linux_host::RootDirectory root_{directory_.path().string()};
    linux_host::PosixFiles files_{root_};
    linux_host::LibpciAccess access_{(directory_.path() / "sys/bus/pci").string()};
    linux_host::PciConfigReader pci_{files_, root_, access_};
    linux_host::PciConfigWriter writer_{pci_, access_};
};

void add(AcsMachine& machine,
         std::string_view address,
         std::uint32_t classCode,
         std::vector<std::string_view> bridges,
         std::string_view ids) {
    host::PciFunction function;
    function.address = bdf(address);
    function.classCode = classCode;
    for (const std::string_view bridge : bridges) {
        function.bridges.push_back(bdf(bridge));
    }
    const PciAddress root =
        function.bridges.empty() ? function.address : function.bridges.front();
    function.hostBridge = "pci" + root.text().substr(0, root.text().size() - 5);
    function.vendor = static_cast<std::uint16_t>(
        std::stoul(std::string(ids.substr(0, 4)), nullptr, 16));
    function.device =
        static_cast<std::uint16_t>(std::stoul(std::string(ids.substr(5)), nullptr, 16));
    fake::FakeFunction& made = machine.host.pci.add(function);
    if (classCode == 0x060400) {
        made.setWord(0x42, bridges.empty() ? 0x0040 : 0x0060);
        made.addExtendedCapability(0x100, 0x000D, 0);
        made.setDword(0x104, 0x001D005F);
    }
    if (ids.starts_with("15b3")) {
        machine.host.rdma.add(
            "mlx5_" + std::string(address), IfIndex{}, std::string(address));
    }
}

// A GPU and a NIC below one switch, whose upstream port is left out, in `domain`.
void addPair(AcsMachine& machine, const std::string& domain) {
    const std::string root = domain + ":15:01.0";
    const std::string gpuPort = domain + ":17:01.0";
    const std::string nicPort = domain + ":17:02.0";
    add(machine, root, 0x060400, {}, "8086:352a");
    add(machine, gpuPort, 0x060400, {root}, "1000:c030");
    add(machine, nicPort, 0x060400, {root}, "1000:c030");
    add(machine, domain + ":19:00.0", 0x030200, {root, gpuPort}, "10de:2330");
    add(machine, domain + ":1a:00.0", 0x020000, {root, nicPort}, "15b3:1021");
}

TEST(AcsSysfs, A07_every_domain_is_found_written_and_read_back) {
    AcsMachine machine("h200-pex890xx");
    for (const char* domain : {"0008", "10000"}) {
        addPair(machine, domain);
    }
    SysfsMachine sysfs(machine);
    const Comparison before = sysfs.look();
    EXPECT_EQ(count(before, Verdict::differs), 6U);
    sysfs.write(before);
    for (const char* port : {"0008:15:01.0", "0008:17:01.0", "10000:17:02.0"}) {
        EXPECT_EQ(sysfs.word(port, 0x106), 0x0011U) << port;
        EXPECT_EQ(sysfs.word(port, 0x104), 0x005FU) << port;
    }
    const Comparison after = sysfs.look();
    EXPECT_EQ(count(after, Verdict::inSync), 6U);
    EXPECT_TRUE(after.steps.empty());
}

TEST(AcsSysfs, A07_scope_paths_keeps_root_ports_in_every_domain) {
    AcsMachine machine("h200-pex890xx");
    machine.acs().scope = AcsScope::paths;
    for (const char* domain : {"0008", "10000"}) {
        addPair(machine, domain);
    }
    add(machine, "0009:15:01.0", 0x060400, {}, "8086:352a");
    add(machine, "0009:19:00.0", 0x030200, {"0009:15:01.0"}, "10de:2330");
    SysfsMachine sysfs(machine);
    sysfs.write(sysfs.look());
    for (const char* domain : {"0008", "10000"}) {
        EXPECT_EQ(sysfs.word(std::string(domain) + ":17:01.0", 0x106), 0x0011U);
        EXPECT_EQ(sysfs.word(std::string(domain) + ":17:02.0", 0x106), 0x0011U);
        EXPECT_EQ(sysfs.word(std::string(domain) + ":15:01.0", 0x106), 0x001DU);
    }
    EXPECT_EQ(sysfs.word("0009:15:01.0", 0x106), 0x001DU) << "a GPU without a NIC";
}

TEST(AcsSysfs, a_captured_machine_is_the_same_through_libpci) {
    AcsMachine machine("h100-pex890xx");
    SysfsMachine sysfs(machine);
    const Comparison real = sysfs.look();
    const Comparison fake = machine.look();
    ASSERT_EQ(real.assessments.size(), fake.assessments.size());
    for (std::size_t at = 0; at < real.assessments.size(); ++at) {
        EXPECT_EQ(real.assessments[at].id, fake.assessments[at].id);
        EXPECT_EQ(real.assessments[at].verdict, fake.assessments[at].verdict)
            << real.assessments[at].id << ": " << real.assessments[at].reason;
        EXPECT_EQ(real.assessments[at].found, fake.assessments[at].found);
    }
}

TEST(AcsSysfs, A05_truncated_config_files_are_unreadable_and_not_absent) {
    AcsMachine machine("h100-pex890xx");
    SysfsMachine sysfs(machine);
    std::filesystem::resize_file(sysfs.config("0000:17:01.0"), 256);
    EXPECT_EQ(of(sysfs.look(), "0000:17:01.0").verdict, Verdict::unreadable);
    EXPECT_EQ(of(sysfs.look(), "0000:17:02.0").verdict, Verdict::inSync);
}

TEST(AcsSysfs, A15_a_sunrise_point_file_is_never_changed) {
    AcsMachine machine("h100-pex890xx");
    fake::FakeFunction& port = machine.at("0000:15:01.0");
    port.config = hosts::loadConfig("sunrise-point-root-port");
    port.setWord(0x148, 0x000D);
    SysfsMachine sysfs(machine);
    sysfs.write(sysfs.look());
    EXPECT_EQ(of(sysfs.look(), "0000:15:01.0").verdict, Verdict::unsupported);
    EXPECT_EQ(sysfs.word("0000:15:01.0", 0x146), 0U);
    EXPECT_EQ(sysfs.word("0000:15:01.0", 0x148), 0x000DU);
}

}  // namespace
}  // namespace fabric::resource::acs
