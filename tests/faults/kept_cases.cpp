// SPDX-License-Identifier: Apache-2.0
// Runs that keep what they overwrite, and the run that puts it back.
#include "faults/fault_case.hpp"
#include "snapshot/capture.hpp"
#include "snapshot/restore.hpp"
#include "snapshot/save.hpp"
#include "snapshot/store.hpp"

#include <memory>

namespace fabric::faults {

namespace {

constexpr const char* kProfile =
    "mtu: 9000\npause: { rx: off, tx: off }\narp: { persist: true }\n"
    "acs: { clear: redirect }\n"
    "dcb:\n  trust: dscp\n  lossless: { priority: 3, dscp: 26, buffer: 1 }\n"
    "  other-dscp: keep\n";

void pauseEverything(KeptNode& node) {
    for (unsigned rail = 0; rail < kRails; ++rail) {
        node.host.ethtool.pauses[StorageNode::linkOf(rail)] = {.rx = true, .tx = true};
    }
}

std::string wrongOf(KeptNode& node) {
    std::string wrong;
    for (unsigned rail = 0; rail < kRails; ++rail) {
        const fake::FakeDcbPort& port = node.dcb(rail);
        const bool dcb = port.pfc.pfc_en == 0x08 && port.hardwareTrustsDscp &&
                         port.hardwareMap.at(26) == 3;
        wrong += node.wrongMtuOn(rail) + node.wrongPauseOn(rail) +
                 node.wrongArpOn(rail) + node.wrongAcsOn(rail) + (dcb ? "" : "dcb ");
    }
    return wrong;
}

engine::Report applyAndKeep(const host::Reader& reader,
                            const host::Writer& writer,
                            const profile::Profile& profile) {
    engine::ApplyOptions options;
    options.beforeWriting = [&](const std::vector<resource::Step>& plan,
                                const engine::Preparation& preparation) {
        auto found = snapshot::capture(reader,
                                       plan,
                                       {.command = "apply",
                                        .profileName = "kept",
                                        .profilePath = "kept.yaml",
                                        .platform = preparation.platform});
        auto saved = found ? snapshot::save(reader.files, writer.files, *found)
                           : fail(found.error());
        return saved ? Result<void>{} : fail(saved.error());
    };
    return engine::apply(reader, writer, profile, options);
}

// What the first run of all found comes back exactly, whatever happened between.
std::string restoredWrongly(KeptNode& node, const std::string& original) {
    const host::Reader reader = node.reader();
    const auto baseline = snapshot::load(reader.files, snapshot::kBaselineId);
    if (!baseline) {
        return baseline.error().message();
    }
    const engine::Report report =
        snapshot::restore(reader, node.writer(), *baseline, {});
    const bool same = node.everything() == original;
    return same && report.exitCode() == engine::ExitCode::asWanted
               ? ""
               : "restore baseline does not bring back what was there";
}

FaultCase keeping() {
    const auto original = std::make_shared<std::string>();
    return {.resource = "snapshot",
            .profile = kProfile,
            .prepare =
                [original](KeptNode& node) {
                    pauseEverything(node);
                    *original = node.everything();
                },
            .wrong = wrongOf,
            .run = applyAndKeep,
            .atLast = [original](
                          KeptNode& node) { return restoredWrongly(node, *original); }};
}

FaultCase restoring() {
    struct Before {
        std::string everything;
        std::optional<snapshot::Snapshot> snapshot;
    };

    const auto before = std::make_shared<Before>();
    const profile::Profile profile =
        scenario::profileOf(std::string("version: 1\nname: matrix\n") + kProfile);
    return {
        .resource = "restore",
        .profile = kProfile,
        .prepare =
            [before, profile](KeptNode& node) {
                pauseEverything(node);
                before->everything = node.everything();
                static_cast<void>(applyAndKeep(node.reader(), node.writer(), profile));
                before->snapshot =
                    snapshot::load(node.host.files, snapshot::kBaselineId).value();
            },
        .wrong =
            [before](KeptNode& node) {
                return node.everything() == before->everything
                           ? ""
                           : "not what was there before";
            },
        .run =
            [before](const host::Reader& reader,
                     const host::Writer& writer,
                     const profile::Profile&) {
                return snapshot::restore(reader, writer, *before->snapshot, {});
            }};
}

}  // namespace

std::vector<FaultCase> keptCases() {
    std::vector<FaultCase> cases;
    cases.push_back(keeping());
    cases.push_back(restoring());
    return cases;
}

}  // namespace fabric::faults
