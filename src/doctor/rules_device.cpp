// SPDX-License-Identifier: Apache-2.0
// Whether there are RDMA devices, and who made them.
#include "base/text.hpp"
#include "doctor/evidence.hpp"
#include "doctor/judgement.hpp"
#include "doctor/rail_view.hpp"
#include "doctor/rules.hpp"
#include "resource/module/stack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace fabric::doctor {

namespace {

namespace kernel_module = resource::kernel_module;
using kernel_module::ModuleState;
using kernel_module::Presence;

// What carries every RDMA device to a program.
constexpr std::array<std::string_view, 3> kCore{"ib_core", "ib_uverbs", "rdma_cm"};

// A driver of an adapter with the module that makes RDMA devices of it.
struct Pair {
    std::string_view driver;
    std::string_view rdma;
};

constexpr std::array<Pair, 3> kPairs{
    {{"mlx5_core", "mlx5_ib"}, {"bnxt_en", "bnxt_re"}, {"ice", "irdma"}}};

const ModuleState* moduleNamed(const Evidence& evidence, std::string_view name) {
    const auto found =
        std::ranges::find(evidence.modules.modules, name, &ModuleState::name);
    return found == evidence.modules.modules.end() ? nullptr : &*found;
}

bool isThere(const Evidence& evidence, std::string_view name) {
    const ModuleState* const module = moduleNamed(evidence, name);
    return module != nullptr && (module->presence == Presence::live ||
                                 module->presence == Presence::builtIn);
}

Judgement judgePorts(const Evidence& evidence) {
    if (!evidence.rdmaPorts) {
        return unreadable(evidence.rdmaPorts.error());
    }
    if (evidence.railsError) {
        return unreadable(*evidence.railsError);
    }
    const Value expected = "every rail active";
    Value::Object states;
    std::size_t active = 0;
    const auto add = [&](const std::string& name, const host::RdmaPort& port) {
        states.emplace(name, port.state.empty() ? "not told" : port.state);
        active += port.state == "active" ? 1 : 0;
    };
    for (const RailEvidence& rail : evidence.rails) {
        if (rail.rail.rdma) {
            add(rail.rail.name, *rail.rail.rdma);
        }
    }
    if (states.empty()) {
        for (const host::RdmaPort& port : *evidence.rdmaPorts) {
            add(fmt::format("{}/{}", port.device, port.port), port);
        }
    }
    const std::size_t count = states.size();
    if (count == 0) {
        return failed(expected, "no RDMA device", "the kernel shows no RDMA device");
    }
    if (active == 0) {
        return failed(expected, std::move(states), "no port is active");
    }
    return active < count
               ? warned(expected,
                        std::move(states),
                        fmt::format(
                            "{} of {} ports are not active", count - active, count))
               : passed(expected, std::move(states));
}

// Modules that must be there; the RDMA half of every driver that is loaded.
std::vector<std::string> requiredModules(const Evidence& evidence) {
    std::vector<std::string> required(kCore.begin(), kCore.end());
    for (const Pair& pair : kPairs) {
        if (isThere(evidence, pair.driver)) {
            required.emplace_back(pair.rdma);
        }
    }
    return required;
}

bool isKeptAtBoot(const Evidence& evidence, const std::string& name) {
    return std::ranges::find(evidence.bootModules, name) !=
               evidence.bootModules.end() ||
           evidence.rdmaCoreLoads;
}

Judgement judgeModules(const Evidence& evidence) {
    std::vector<std::string> missing;
    std::vector<std::string> fleeting;
    const auto required = requiredModules(evidence);
    for (const std::string& name : required) {
        const ModuleState* const module = moduleNamed(evidence, name);
        if (module == nullptr ||
            (module->unread && module->presence == Presence::absent)) {
            return unreadable(module != nullptr
                                  ? *module->unread
                                  : systemError("look up module", name, ENOENT));
        }
        if (!isThere(evidence, name)) {
            missing.push_back(name);
        } else if (name == "rdma_cm" && module->presence == Presence::live &&
                   !isKeptAtBoot(evidence, name)) {
            fleeting.push_back(name);
        }
    }
    const Value expected = fmt::format("{}", fmt::join(required, ", "));
    if (!missing.empty()) {
        return failed(expected,
                      fmt::format("without {}", fmt::join(missing, ", ")),
                      "a module of the RDMA stack is not loaded");
    }
    return fleeting.empty() ? passed(expected, "all loaded")
                            : warned("listed for every boot",
                                     fmt::format("{}", fmt::join(fleeting, ", ")),
                                     "it is loaded now, and nothing loads it at boot");
}

Judgement judgeOrigin(const Evidence& evidence) {
    for (const ModuleState& module : evidence.modules.modules) {
        if (module.unread && module.presence == Presence::absent) {
            return unreadable(*module.unread);
        }
    }
    const auto findings = kernel_module::stackFindings(evidence.modules);
    for (const resource::Finding& finding : findings) {
        if (finding.severity == resource::Severity::fail) {
            return failed("one source", finding.evidence, finding.summary);
        }
    }
    if (!findings.empty()) {
        return warned(
            "the installed build", findings.front().evidence, findings.front().summary);
    }
    return passed("one source", "one source");
}

Judgement judgeProviderOf(const RailEvidence& rail) {
    const Value expected = "a provider in user space";
    if (rail.attributes) {
        return passed(expected, rail.rail.rdma->device);
    }
    return rail.attributes.error().kind == ErrorKind::notFound
               ? failed(expected,
                        "not in the list of verbs devices",
                        rail.rail.rdma->device +
                            " has no user space driver (libibverbs provider)")
               : unreadable(rail.attributes.error());
}

Judgement judgeProvider(const Evidence& evidence) {
    return worstRail(evidence, "there is no RDMA device", judgeProviderOf);
}

Judgement judgeNamespace(const Evidence& evidence) {
    if (!evidence.rdmaPorts) {
        return unreadable(evidence.rdmaPorts.error());
    }
    Judged ports;
    for (const host::RdmaPort& port : *evidence.rdmaPorts) {
        const std::string name = fmt::format("{}/{}", port.device, port.port);
        if (port.linkLayer == host::LinkLayer::ethernet) {
            ports.add(name,
                      port.link.none()
                          ? warned("a net device of this namespace",
                                   Value{},
                                   name + " has its net device elsewhere, or none")
                          : passed("a net device of this namespace",
                                   std::int64_t{port.link.number}));
        }
    }
    return ports.worst("there is no RoCE device");
}

Judgement judgeFirmware(const Evidence& evidence) {
    if (evidence.railsError) {
        return unreadable(*evidence.railsError);
    }
    std::map<std::string, std::map<std::string, std::vector<std::string>>> byModel;
    for (const RailEvidence& rail : evidence.rails) {
        if (!rail.rail.firmware.empty() && !rail.rail.device.empty()) {
            byModel[rail.rail.vendor + ":" + rail.rail.device][rail.rail.firmware]
                .push_back(rail.rail.name);
        }
    }
    Judged models;
    for (const auto& [model, versions] : byModel) {
        Value::Object found;
        for (const auto& [version, rails] : versions) {
            found.emplace(version, fmt::format("{}", fmt::join(rails, ", ")));
        }
        models.add(model,
                   versions.size() > 1
                       ? warned("one version",
                                found,
                                "adapters of one kind run different firmware")
                       : passed("one version", found));
    }
    return models.worst("no adapter tells its firmware");
}

Judgement judgeKernel(const Evidence& evidence) {
    const std::string& release = evidence.platform.kernelRelease;
    if (release.empty()) {
        return unreadable(systemError("read", "/proc/sys/kernel/osrelease", EIO));
    }
    const Value expected = "5.4, better 6.15 or later";
    if (!inventory::kernelAtLeast(release, 5, 4)) {
        return failed(expected, release, "the kernel is older than RDMA needs");
    }
    return passed(expected, release);
}

Judgement judgeBond(const Evidence& evidence) {
    if (!evidence.links) {
        return unreadable(evidence.links.error());
    }
    Judged bonds;
    for (const host::Link& bond : *evidence.links) {
        if (bond.kind != "bond") {
            continue;
        }
        std::set<std::string> adapters;
        for (const host::Link& member : *evidence.links) {
            if (member.master == bond.index && !member.parentDevice.empty()) {
                adapters.insert(
                    member.parentDevice.substr(0, member.parentDevice.rfind('.')));
            }
        }
        const Value found = fmt::format("{}", fmt::join(adapters, ", "));
        bonds.add(bond.name,
                  adapters.size() > 1
                      ? warned("ports of one adapter",
                               found,
                               bond.name + " spans adapters: they make no RDMA bond")
                      : passed("ports of one adapter", found));
    }
    return bonds.worst("there is no bond");
}

constexpr auto kRules = std::to_array<Rule>({
    {.id = "mod.loaded",
     .worst = Verdict::fail,
     .cause = "a kernel module of the RDMA stack is not loaded",
     .source = "Configure the RDMA fabric: load the RDMA modules",
     .look = "lsmod | grep -E 'ib_|rdma_|mlx'",
     .fix =
         "modprobe each that is missing, and name it in a file of /etc/modules-load.d",
     .action = "{apply} --only module",
     .restart = Restart::thisNode,
     .judge = judgeModules},
    {.id = "driver.split",
     .worst = Verdict::fail,
     .cause = "the RDMA stack is mixed from two sources",
     .source = "experience",
     .look = "modinfo -F intree ib_core mlx5_core",
     .fix = "install one stack for this kernel as a whole (dkms status), then reboot",
     .action = {},
     .restart = Restart::reboot,
     .judge = judgeOrigin},
    {.id = "verbs.port",
     .worst = Verdict::fail,
     .cause = "there is no RDMA device, or no port is active",
     .source = "Troubleshoot RDMA: RDMA never activates",
     .look = "ibv_devinfo",
     .fix = "bring the links up, check cables and switch ports",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgePorts},
    {.id = "abi.userspace",
     .worst = Verdict::fail,
     .cause = "libibverbs has no provider for the device",
     .source = "experience",
     .look = "ibv_devinfo; ls /etc/libibverbs.d",
     .fix = "install the package with the provider (ibverbs-providers, rdma-core)",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgeProvider},
    {.id = "netns.mode",
     .worst = Verdict::warn,
     .cause = "a device's net device is in another network namespace",
     .source = "experience",
     .look = "rdma system show netns; rdma link show",
     .fix = "move the net device back, or the RDMA device to where it is used",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgeNamespace},
    {.id = "bond.lag",
     .worst = Verdict::warn,
     .cause = "a bond spans several adapters",
     .source = "experience",
     .look = "ip -d link show type bond; rdma link show",
     .fix = "bond two ports of one adapter, or use the ports as rails",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgeBond},
    {.id = "fw.version",
     .worst = Verdict::warn,
     .cause = "adapters of one kind run different firmware",
     .source = "experience",
     .look = "ibv_devinfo | grep -E 'hca_id|fw_ver'",
     .fix = "bring them to one version with the vendor's tool",
     .action = {},
     .restart = Restart::none,
     .judge = judgeFirmware,
     .unobserved = "the versions of other nodes"},
    {.id = "kernel.version",
     .worst = Verdict::fail,
     .cause = "the kernel is too old",
     .source = "Configure the RDMA fabric: kernel",
     .look = "uname -r",
     .fix = "install a newer kernel, 6.15 or later where there is one",
     .action = {},
     .restart = Restart::reboot,
     .judge = judgeKernel},
});

}  // namespace

std::span<const Rule> deviceRules() {
    return kRules;
}

}  // namespace fabric::doctor
