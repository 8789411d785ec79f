// SPDX-License-Identifier: Apache-2.0
#include "faults/fault_case.hpp"

#include "engine/apply_image.hpp"
#include "engine/boot.hpp"
#include "engine/run.hpp"
#include "report/boot_record.hpp"

namespace fabric::faults {

namespace {

using Judge = std::function<std::string(StorageNode&)>;

constexpr const char* kDropIn = "/etc/systemd/system/minio.service.d/90-fabricctl.conf";
constexpr const char* kModuleList = "/etc/modules-load.d/fabricctl.conf";
constexpr std::string_view kRightMac = "02:00:00:00:02:01";
constexpr std::string_view kWrongMac = "02:00:00:00:02:02";
constexpr const char* kDcb = R"(dcb:
  trust: dscp
  lossless: { priority: 3, dscp: 26, buffer: 1 }
  dscp-to-priority: { 26: 3, 48: 6 }
  other-dscp: keep
)";

std::string joined(StorageNode& node, std::initializer_list<Judge> judges) {
    std::string wrong;
    for (const Judge& judge : judges) {
        wrong += judge(node);
    }
    return wrong;
}

template <typename Member>
Judge onEachRail(Member member) {
    return [member](StorageNode& node) {
        std::string wrong;
        for (unsigned rail = 0; rail < kRails; ++rail) {
            const std::string here = (node.*member)(rail);
            wrong += here.empty() ? "" : StorageNode::nameOf(rail) + ": " + here;
        }
        return wrong;
    };
}

// --- modules

void offerModules(StorageNode& node) {
    node.host.files.addDirectory("/etc/modules-load.d");
    node.host.files.addDirectory("/sys/module");
    node.host.files.addFile("/lib/modules/6.1.0-57-amd64/modules.builtin");
    for (const char* name : {"ib_core", "ib_uverbs", "rdma_cm"}) {
        node.host.modules.add(name);
    }
}

std::string wrongModules(StorageNode& node) {
    std::string wrong;
    const std::string list = "\n" + node.host.files.content(kModuleList);
    for (const std::string name : {"ib_core", "ib_uverbs", "rdma_cm"}) {
        const bool loaded =
            node.host.files.content("/sys/module/" + name + "/initstate") == "live\n";
        wrong += loaded ? "" : name + " not loaded ";
        wrong += list.contains("\n" + name + "\n") ? "" : name + " not listed ";
    }
    return wrong;
}

// --- DCB, pause

// rail1 has only a DSCP entry with a wrong priority, which drivers exchange in several
// writes.
void spoilDcb(StorageNode& node) {
    fake::FakeDcbPort& port = node.dcb(1);
    port.list = {{.selector = 5, .priority = 5, .protocol = 26}};
    port.hardwareMap.at(26) = 5;
    port.hardwareTrustsDscp = true;
}

void pauseEverything(StorageNode& node) {
    for (unsigned rail = 0; rail < kRails; ++rail) {
        node.host.ethtool.pauses[StorageNode::linkOf(rail)] = {.rx = true, .tx = true};
    }
}

// --- rdma_cm

std::string tosPath(const std::string& group) {
    return group + "/ports/1/default_roce_tos";
}

// drivers/infiniband/core/cma_configfs.c: a group fills itself when it is made, and a
// value that is no number is refused.
void mountConfigfs(StorageNode& node) {
    node.host.files.addFile("/proc/self/mounts",
                            "configfs /sys/kernel/config configfs rw,nosuid 0 0\n");
    node.host.files.addDirectory("/sys/kernel/config/rdma_cm");
    node.host.files.onMakeDirectory = [&node](const std::string& path) {
        if (path.starts_with("/sys/kernel/config/rdma_cm/")) {
            node.host.files.addAttribute(
                tosPath(path), "0\n", [&node, path](std::string_view text) {
                    node.host.files.find(tosPath(path))->content =
                        std::string(text) + "\n";
                    return 0;
                });
        }
    };
}

std::string wrongTos(StorageNode& node) {
    std::string wrong;
    for (unsigned rail = 0; rail < kRails; ++rail) {
        const std::string device = "mlx5_" + std::to_string(rail);
        const std::string text =
            node.host.files.content(tosPath("/sys/kernel/config/rdma_cm/" + device));
        wrong += text == "104\n" ? "" : device + " tos ";
    }
    return wrong;
}

// --- neighbours

// Both rails have learned a wrong MAC, rail1 also by hand; the peers answer rightly.
void learnWrong(StorageNode& node) {
    for (unsigned rail = 0; rail < kRails; ++rail) {
        const std::string net = "10.0." + std::to_string(rail);
        const IfIndex link = StorageNode::linkOf(rail);
        node.host.links.find(link)->mac =
            MacAddress{{2, 0, 0, 0, 1, static_cast<std::uint8_t>(rail)}};
        for (const char* last : {".2", ".3"}) {
            node.host.neighbours.add(link, net + last, kWrongMac);
            node.host.neighbours.answer(link, net + last, kRightMac);
        }
    }
    node.host.neighbours.add(StorageNode::linkOf(1), "10.0.1.3", kWrongMac).state =
        host::NeighbourState::permanent;
}

std::string wrongNeighbours(StorageNode& node) {
    std::string wrong;
    for (unsigned rail = 0; rail < kRails; ++rail) {
        for (const char* last : {".2", ".3"}) {
            const std::string address = "10.0." + std::to_string(rail) + last;
            const host::Neighbour* const entry =
                node.host.neighbours.find(StorageNode::linkOf(rail), address);
            const bool bad = entry != nullptr && entry->isUsable() &&
                             entry->mac != MacAddress::parse(kRightMac);
            wrong += bad ? address + " " : "";
        }
    }
    return wrong;
}

constexpr const char* kNeighbours = R"(neighbours:
  static: delete
  peers:
    - { host: node2, rail: ens1, address: 10.0.0.2, mac: "02:00:00:00:02:01" }
    - { host: node2, rail: ens2, address: 10.0.1.2, mac: "02:00:00:00:02:01" }
)";

// --- the service, running or in an image

void installServer(StorageNode& node) {
    fake::FakeFiles& files = node.host.files;
    files.addDirectory("/etc/systemd/system");
    files.addFile("/usr/lib/systemd/system/minio.service",
                  "[Unit]\nAssertFileIsExecutable=/usr/local/bin/minio\n"
                  "[Service]\nUser=minio-user\nEnvironmentFile=/etc/default/minio\n"
                  "ExecStart=/usr/local/bin/minio server $MINIO_VOLUMES\n");
    files.addFile("/usr/local/bin/minio", "ELF").mode = 0755;
    files.addFile("/usr/local/bin/minio.rdma", "ELF").mode = 0755;
    files.addFile("/etc/default/minio", "MINIO_VOLUMES=\"/data\"\n");
    files.addDirectory("/etc/fabricctl");
    node.host.programs.answers.insert_or_assign(
        "/usr/local/bin/minio.rdma",
        host::ProgramVersion{.text = "Features: GPU-Direct RDMA", .exitStatus = 0});
}

void runServer(StorageNode& node) {
    installServer(node);
    node.host.services.start("minio.service");
}

std::string wrongService(StorageNode& node) {
    const host::ServiceUnit unit = node.host.services.unit("minio.service").value();
    const bool command = unit.loadState == "loaded" && unit.execStart.size() == 1 &&
                         unit.execStart.front().path == "/usr/local/bin/minio.rdma" &&
                         unit.execStart.front().arguments.size() == 3;
    const std::string process = "/proc/" + std::to_string(unit.mainPid);
    fake::FakeFiles& files = node.host.files;
    std::string wrong = command ? "" : "command ";
    wrong += unit.limitMemlock.hard == host::kNoLimit ? "" : "limit ";
    wrong +=
        files.readLink(process + "/exe").value_or("") == "/usr/local/bin/minio.rdma"
            ? ""
            : "process ";
    wrong += files.content(process + "/limits")
                     .contains("Max locked memory         unlimited")
                 ? ""
                 : "process-limit ";
    wrong += files.content(process + "/environ").contains("MINIO_RDMA_INTERNODE=on")
                 ? ""
                 : "process-environment ";
    return wrong;
}

constexpr const char* kService = R"(service:
  unit: minio.service
  binary: /usr/local/bin/minio.rdma
  require-feature: "GPU-Direct RDMA"
  limit-memlock: infinity
  environment: { MINIO_RDMA_INTERNODE: "on" }
  manage-environment: true
  restart: if-needed
)";

FaultCase image() {
    return {.resource = "image",
            .profile =
                "modules: [ib_core, ib_uverbs, rdma_cm]\nmtu: 9000\n"
                "service: { unit: minio.service }\n",
            .prepare =
                [](StorageNode& node) {
                    installServer(node);
                    node.host.files.addDirectory("/etc/modules-load.d");
                },
            .wrong =
                [](StorageNode& node) {
                    const fake::FakeFiles& files = node.host.files;
                    const std::string list = "\n" + files.content(kModuleList);
                    const std::string unit = files.content(kDropIn);
                    std::string wrong;
                    wrong += list.contains("\nrdma_cm\n") ? "" : "module list ";
                    wrong += unit.contains(
                                 "\nExecStart=/usr/local/bin/minio.rdma "
                                 "server $MINIO_VOLUMES\n") &&
                                     unit.contains("\nLimitMEMLOCK=infinity\n")
                                 ? ""
                                 : "drop-in ";
                    return wrong;
                },
            .run =
                [](const host::Reader& reader,
                   const host::Writer& writer,
                   const profile::Profile& profile) {
                    host::Reader files = reader;
                    files.services = nullptr;
                    files.programs = nullptr;
                    files.modules = nullptr;
                    host::Writer out = writer;
                    out.services = nullptr;
                    out.modules = nullptr;
                    return engine::applyImage(files, out, profile, {});
                }};
}

// --- the boot

FaultCase boot() {
    return {.resource = "boot",
            .profile = "service: { unit: minio.service }\nmtu: 1500\n",
            .prepare =
                [](StorageNode& node) {
                    installServer(node);
                    node.host.files.addFile(
                        "/usr/lib/systemd/system/fabricctl.service",
                        "[Service]\nExecStart=/usr/bin/fabricctl apply\n");
                    node.host.files.addFile(
                        engine::kBootRecord,
                        report::toJson(engine::BootRecord{.bootId = "another-boot",
                                                          .profile = "p",
                                                          .finished = true,
                                                          .started = "s",
                                                          .ended = "e",
                                                          .endedUs = 5,
                                                          .result = "converged"}));
                },
            .wrong = [](StorageNode&) { return "no run in this boot"; },
            .run =
                [](const host::Reader& reader,
                   const host::Writer&,
                   const profile::Profile& profile) {
                    engine::RunOptions options;
                    options.only = {resource::Kind::boot, resource::Kind::mtu};
                    return engine::check(
                        reader,
                        profile,
                        options,
                        engine::assessBoot(
                            reader, profile, report::readBootRecord(reader.files)));
                },
            .writes = false};
}

std::vector<FaultCase> railCases() {
    return {
        {.resource = "mtu",
         .profile = "mtu: 9000\n",
         .prepare = [](StorageNode&) {},
         .wrong = onEachRail(&StorageNode::wrongMtuOn)},
        {.resource = "pause",
         .profile = "pause: { rx: off, tx: off }\n",
         .prepare = pauseEverything,
         .wrong = onEachRail(&StorageNode::wrongPauseOn)},
        {.resource = "dcb mlx5",
         .profile = kDcb,
         .prepare = spoilDcb,
         .wrong = onEachRail(&StorageNode::wrongDcbOn)},
        {.resource = "dcb bnxt",
         .profile = kDcb,
         .prepare = spoilDcb,
         .wrong = onEachRail(&StorageNode::wrongDcbOn),
         .driver = fake::DcbDriver::bnxt},
        {.resource = "dcb ice",
         .profile = kDcb,
         .prepare = spoilDcb,
         .wrong = onEachRail(&StorageNode::wrongDcbOn),
         .driver = fake::DcbDriver::ice},
        {.resource = "ecn",
         .profile = "ecn: { reaction-point: [3], notification-point: [3] }\n",
         .prepare = [](StorageNode&) {},
         .wrong = onEachRail(&StorageNode::wrongEcnOn)},
        {.resource = "rdma-cm",
         .profile = "rdma-cm-tos: 104\n",
         .prepare = mountConfigfs,
         .wrong = wrongTos},
        {.resource = "arp",
         .profile = "arp: { persist: true }\n",
         .prepare = [](StorageNode&) {},
         .wrong = onEachRail(&StorageNode::wrongArpOn)},
        {.resource = "neighbour",
         .profile = std::string("arp: { persist: false }\n") + kNeighbours,
         .prepare = learnWrong,
         .wrong = wrongNeighbours},
    };
}

// Everything at once: what one resource leaves must not mislead another.
FaultCase whole() {
    return {.resource = "whole",
            .profile = "modules: [ib_core, ib_uverbs, rdma_cm]\n" + std::string(kDcb) +
                       "ecn: { reaction-point: [3], notification-point: [3] }\n"
                       "mtu: 9000\npause: { rx: off, tx: off }\nrdma-cm-tos: 104\n"
                       "acs: { clear: redirect }\narp: { persist: true }\n" +
                       kNeighbours + kService,
            .prepare =
                [](StorageNode& node) {
                    offerModules(node);
                    spoilDcb(node);
                    pauseEverything(node);
                    mountConfigfs(node);
                    learnWrong(node);
                    runServer(node);
                },
            .wrong =
                [](StorageNode& node) {
                    return joined(node,
                                  {wrongModules,
                                   onEachRail(&StorageNode::wrongOn),
                                   wrongTos,
                                   onEachRail(&StorageNode::wrongArpOn),
                                   wrongNeighbours,
                                   wrongService});
                }};
}

}  // namespace

std::vector<FaultCase> faultCases() {
    std::vector<FaultCase> cases{{.resource = "module",
                                  .profile = "modules: [ib_core, ib_uverbs, rdma_cm]\n",
                                  .prepare = offerModules,
                                  .wrong = wrongModules},
                                 {.resource = "acs",
                                  .profile = "acs: { clear: redirect }\n",
                                  .prepare = [](StorageNode&) {},
                                  .wrong = onEachRail(&StorageNode::wrongAcsOn)}};
    for (FaultCase& one : railCases()) {
        cases.push_back(std::move(one));
    }
    cases.push_back({.resource = "service",
                     .profile = kService,
                     .prepare = runServer,
                     .wrong = wrongService});
    cases.push_back(image());
    cases.push_back(boot());
    for (FaultCase& one : keptCases()) {
        cases.push_back(std::move(one));
    }
    cases.push_back(whole());
    return cases;
}

}  // namespace fabric::faults
