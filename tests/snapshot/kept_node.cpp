// SPDX-License-Identifier: Apache-2.0
#include "snapshot/kept_node.hpp"

#include "snapshot/capture.hpp"
#include "snapshot/store.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace fabric::snapshot {

KeptNode::KeptNode(unsigned rails, fake::DcbDriver driver)
    : StorageNode(rails, driver), rails_(rails), kind_(driver) {
    host.files.addDirectory("/var/lib");
    host.clock.start = std::chrono::sys_days(std::chrono::year(2026) / 11 / 30);
    for (unsigned rail = 0; rail < rails; ++rail) {
        host.links.find(linkOf(rail))->permanentMac =
            MacAddress{{0xb8, 0xce, 0xf6, 0, 0, static_cast<std::uint8_t>(rail + 1)}};
        // Hardware holds whole cells only, and never shows anything else.
        for (std::uint32_t& size : dcb(rail).buffer.buffer_size) {
            size -= size % dcb(rail).bufferCell;
        }
    }
}

Result<void> KeptNode::keep(const std::string& command,
                            const std::vector<resource::Step>& plan,
                            const inventory::Platform& platform) {
    const host::Reader read = reader();
    auto found = capture(read,
                         plan,
                         {.command = command,
                          .profileName = "test",
                          .profilePath = "test.yaml",
                          .platform = platform});
    if (found) {
        TRY(endKilled(read, host.files, platform));
        saved = save(host.files, host.files, *found);
        found->id = saved ? saved->id : "";
        begun_ = std::move(*found);
        platform_ = platform;
    } else {
        saved = fail(found.error());
    }
    return saved ? Result<void>{} : fail(saved.error());
}

void KeptNode::endRun() {
    if (begun_ && !killed) {
        kept = end(reader(), host.files, *begun_, platform_);
    }
    begun_.reset();
}

engine::Report KeptNode::apply(const profile::Profile& profile) {
    engine::ApplyOptions options;
    options.beforeWriting = [this](const std::vector<resource::Step>& plan,
                                   const engine::Preparation& preparation) {
        return keep("apply", plan, preparation.platform);
    };
    options.execution.stopRequested = [this] { return signal; };
    engine::Report report = engine::apply(reader(), writer(), profile, options);
    endRun();
    return report;
}

engine::Report KeptNode::restore(const Snapshot& snapshot) {
    RestoreOptions options{.known = {.gone = gone, .left = lastLeft(host.files)},
                           .execution = {}};
    options.beforeWriting = [this](const std::vector<resource::Step>& plan,
                                   const inventory::Platform& platform) {
        return keep("restore", plan, platform);
    };
    const host::Reader read = reader();
    engine::Report report = snapshot::restore(read, writer(), snapshot, options);
    endRun();
    if (report.exitCode() == engine::ExitCode::asWanted) {
        const auto noted = noteRestored(read.files, host.files, snapshot.id);
        EXPECT_TRUE(noted) << noted.error().message();
    }
    return report;
}

void KeptNode::addFiles(const std::string& directory, std::string& text) {
    const auto names = host.files.list(directory);
    for (const std::string& name : names.value_or(std::vector<std::string>{})) {
        const std::string path = (directory == "/" ? "" : directory) + "/" + name;
        if (path == "/var/lib/fabricctl" || path == "/run/fabricctl" ||
            host.files.readLink(path)) {
            continue;
        }
        const fake::FakeNode& node = *host.files.find(path);
        if (node.type == host::FileStatus::Type::directory) {
            addFiles(path, text);
            continue;
        }
        text += fmt::format("{} {:o} {}:{} {}\n",
                            path,
                            node.mode,
                            node.owner,
                            node.group,
                            node.content);
    }
}

void KeptNode::addRails(std::string& text) {
    for (unsigned rail = 0; rail < rails_; ++rail) {
        const fake::FakeDcbPort& port = dcb(rail);
        text +=
            fmt::format("rail {} mtu {} dcbx {:02x} trusts-dscp {} pfc {:02x} {} {}\n",
                        rail,
                        host.links.find(linkOf(rail))->mtu,
                        port.dcbx,
                        port.hardwareTrustsDscp,
                        port.pfc.pfc_en,
                        port.pfc.mbc,
                        port.pfc.delay);
        text += fmt::format("  ets {} {} {} {}\n",
                            std::to_array(port.ets.tc_tx_bw),
                            std::to_array(port.ets.tc_tsa),
                            std::to_array(port.ets.prio_tc),
                            port.ets.willing);
        text += fmt::format("  rate {} buffer {} {}\n",
                            std::to_array(port.maxRate.tc_maxrate),
                            std::to_array(port.buffer.prio2buffer),
                            std::to_array(port.buffer.buffer_size));
        for (const dcb_app& app : port.list) {
            text += fmt::format(
                "  app {} {} {}\n", app.selector, app.protocol, app.priority);
        }
        const host::PauseParameters& pause = host.ethtool.pauses.at(linkOf(rail));
        text +=
            fmt::format("  pause {} {} {}", pause.autonegotiate, pause.rx, pause.tx);
        for (const auto& [key, value] : host.ipv4.of(linkOf(rail))) {
            text += fmt::format(" {}={}", host::sysctlName(key), value);
        }
        text += "\n";
    }
}

std::string KeptNode::everything() {
    std::string text;
    addFiles("/", text);
    addRails(text);
    const auto functions = host.pci.functions().value();
    for (const host::PciFunction& function : functions) {
        const auto& config = host.pci.find(function.address)->config;
        text += function.address.text();
        for (const std::byte byte : config) {
            text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
        }
        text += "\n";
    }
    for (const auto& [key, value] : host.ipv4.allValues) {
        text += fmt::format("all {}={}\n", host::sysctlName(key), value);
    }
    return text;
}

profile::Profile wholeProfile() {
    return scenario::profileOf(R"(version: 1
name: whole
dcb:
  trust: dscp
  lossless: { priority: 3, dscp: 26, buffer: 1 }
ecn:
  when-uncontrollable: report
mtu: 9000
pause: { rx: off, tx: off }
acs:
  clear: redirect
arp: { persist: true }
)");
}

std::string notAsWanted(const engine::Report& report) {
    std::string text = report.stopped ? report.stopped->message() + "\n" : "";
    for (const auto& resource : report.resources) {
        if (engine::exitCodeOf(resource.outcome) != engine::ExitCode::asWanted) {
            text += resource.assessment.id + " " +
                    std::string(engine::toString(resource.outcome)) + ": wanted " +
                    resource.assessment.wanted.toText() + " found " +
                    resource.assessment.found.toText() + " (" +
                    resource.assessment.reason + ")\n";
        }
    }
    return text;
}

}  // namespace fabric::snapshot
