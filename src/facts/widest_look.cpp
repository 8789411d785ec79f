// SPDX-License-Identifier: Apache-2.0
#include "facts/widest_look.hpp"

#include "doctor/gather.hpp"
#include "engine/guide_units.hpp"
#include "engine/run.hpp"
#include "engine/status.hpp"
#include "profile/load.hpp"
#include "resource/arp/other_writer.hpp"
#include "resource/arp/sysctl_files.hpp"
#include "resource/module/modprobe_lines.hpp"

#include <array>

namespace fabric::facts {

namespace {

// Every section, every rail, every bridge. The modules are those of RDMA stacks and of
// what disturbs them.
constexpr std::string_view kEverything = R"(version: 1
name: everything
rails:
  match: [{ interface: "*" }, { rdma: "*" }]
  default-route: include
modules: [ib_core, ib_uverbs, ib_umad, ib_cm, iw_cm, ib_ipoib, rdma_cm, rdma_ucm, rpcrdma,
  mlx5_core, mlx5_ib, mlxfw, mlx_compat, mlx4_core, mlx4_en, mlx4_ib, bnxt_en, bnxt_re,
  ice, irdma, i40e, qede, qedr, cxgb4, iw_cxgb4, ionic, ionic_rdma, ena, efa, rdma_rxe,
  siw, nvidia, nvidia_peermem, nv_peer_mem, gdrdrv, amdgpu, vfio_pci, nvme, nvme_rdma,
  nvmet_rdma, bonding, 8021q]
dcb:
  dcbx: host
  trust: dscp
  lossless: { priority: 3, dscp: 26, buffer: 1 }
  other-dscp: default
  cable-length: 5m
ecn: { reaction-point: [3], notification-point: [3], cnp-dscp: 48 }
pause: { rx: off, tx: off }
mtu: 9000
rdma-cm-tos: 104
acs:
  clear: all
  scope: upstream
  endpoints: [{ class: "*" }]
  without-gpu: clear
  on-translating-iommu: proceed
  on-passthrough: proceed
  on-guest: proceed
arp: { ignore: 1, announce: 2, rp-filter: 2, scope: all, persist: true }
neighbours: { flush: when-changed, static: delete, announce: true }
service:
  unit: minio.service
  binary: /usr/local/bin/minio.rdma
  require-feature: "GPU-Direct RDMA"
  limit-memlock: infinity
  environment: { MINIO_RDMA_INTERNODE: "on" }
  manage-environment: true
  restart: if-needed
)";

// Masks and choices that the first one does not make.
constexpr std::string_view kPlatform = R"(version: 1
name: platform
rails: { match: [{ interface: "*" }, { rdma: "*" }] }
acs: { clear: platform, scope: paths }
arp: { scope: rails, persist: false }
)";

constexpr std::array kProfiles{kEverything, kPlatform};

// Questions that a run asks only when it found something.
void askWhatDifferencesAsk(const host::Reader& machine) {
    static_cast<void>(engine::guideUnits(machine.files));
    static_cast<void>(resource::kernel_module::readModprobeLines(machine.files));
    static_cast<void>(resource::arp::otherWriters(machine.files));
    static_cast<void>(resource::arp::readSysctlFiles(machine.files));
    static_cast<void>(machine.files.read("/proc/self/mounts"));
    static_cast<void>(machine.files.read("/proc/uptime"));
    static_cast<void>(machine.files.list("/sys/kernel/debug"));
    static_cast<void>(machine.pci.functions());
    const auto links = machine.links.links();
    for (const host::Link& link : links.value_or(std::vector<host::Link>{})) {
        static_cast<void>(resource::arp::wickedFileOf(machine.files, link.name));
        static_cast<void>(machine.files.read("/sys/class/net/" + link.name + "/speed"));
    }
}

void run(const host::Reader& machine,
         const profile::Profile& profile,
         std::vector<Untold>& untold) {
    // plan asks the same.
    const engine::Report report = engine::check(machine, profile, {});
    if (report.stopped) {
        untold.push_back({.part = "host", .reason = report.stopped->message()});
    }
    for (const engine::ResourceReport& resource : report.resources) {
        if (resource.outcome == engine::Outcome::unreadable) {
            untold.push_back(
                {.part = resource.assessment.id, .reason = resource.assessment.reason});
        }
    }
}

// status judges parts of a rail that no profile can own.
void runStatus(const host::Reader& machine, std::vector<Untold>& untold) {
    const engine::Status status = engine::observeStatus(machine, "");
    if (status.stopped) {
        untold.push_back({.part = "host", .reason = status.stopped->message()});
    }
    for (const std::string& problem : status.problems) {
        untold.push_back({.part = "host", .reason = problem});
    }
    for (const engine::RailStatus& rail : status.rails) {
        for (const engine::PortStatus& port : rail.ports) {
            for (const engine::LosslessPart& part : port.parts) {
                if (part.verdict == engine::PartVerdict::unknown && part.decides) {
                    untold.push_back({.part = "status/" + port.name + "/" + part.name,
                                      .reason = part.note});
                }
            }
        }
    }
}

}  // namespace

std::span<const std::string_view> widestProfiles() {
    return kProfiles;
}

std::vector<Untold> askEverything(const host::Reader& machine,
                                  std::span<const profile::Profile> profiles) {
    std::vector<Untold> untold;
    runStatus(machine, untold);
    static_cast<void>(doctor::gather(machine, nullptr));
    for (const std::string_view text : kProfiles) {
        // Held by a test to be a valid profile.
        if (const auto profile = profile::parse(text, "built in")) {
            run(machine, *profile, untold);
            static_cast<void>(doctor::gather(machine, &*profile));
        }
    }
    for (const profile::Profile& profile : profiles) {
        run(machine, profile, untold);
        static_cast<void>(doctor::gather(machine, &profile));
    }
    askWhatDifferencesAsk(machine);
    return untold;
}

}  // namespace fabric::facts
