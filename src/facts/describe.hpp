// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/codec.hpp"
#include "facts/observed.hpp"
#include "facts/text_forms.hpp"

// The members of each type of the seams as they stand in a facts file; codec.hpp.
namespace fabric::facts {

template <typename Io>
void describe(Io& io, typename Io::template Ref<Error> error) {
    io("kind", error.kind);
    io.orEmpty("action", error.action);
    io.orEmpty("subject", error.subject);
    io.orEmpty("errno", error.sysErrno);
    io.orEmpty("detail", error.detail);
    io.orEmpty("advice", error.advice);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::FileStatus> status) {
    io("type", status.type);
    io("mode", status.mode);
    io("owner", status.owner);
    io("group", status.group);
    io("size", status.size);
    io("device", status.device);
    io("inode", status.inode);
    io("mtime_ns", status.mtimeNs);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<FileAnswers> file) {
    io("text", file.text);
    io("names", file.names);
    io("target", file.target);
    io("resolved", file.resolved);
    io("status", file.status);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::Link> link) {
    io("index", link.index);
    io("name", link.name);
    io("mac", link.mac);
    io("permanent_mac", link.permanentMac);
    io("mtu", link.mtu);
    io.orEmpty("min_mtu", link.minMtu);
    io.orEmpty("max_mtu", link.maxMtu);
    io("admin_up", link.adminUp);
    io("carrier", link.carrier);
    io.orEmpty("carrier_down_count", link.carrierDownCount);
    io.orEmpty("kind", link.kind);
    io.orEmpty("master", link.master);
    io.orEmpty("lower", link.lower);
    io.orEmpty("parent_bus", link.parentBus);
    io.orEmpty("parent_device", link.parentDevice);
    io.orEmpty("phys_port_name", link.physPortName);
    io.orEmpty("phys_switch_id", link.physSwitchId);
}

// As one address, which says its family.
template <typename Io>
void describe(Io& io, typename Io::template Ref<host::LinkAddress> address) {
    IpAddress text{.ipv6 = address.ipv6, .octets = address.octets};
    io("link", address.link);
    io("address", text);
    io("prefix_length", address.prefixLength);
    if constexpr (std::same_as<Io, Decoder>) {
        address.ipv6 = text.ipv6;
        address.octets = text.octets;
    }
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::DriverInfo> driver) {
    io("driver", driver.driver);
    io("version", driver.version);
    io("firmware", driver.firmware);
    io("bus", driver.bus);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::PauseParameters> pause) {
    io("autonegotiate", pause.autonegotiate);
    io("rx", pause.rx);
    io("tx", pause.tx);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::PciFunction> function) {
    io("address", function.address);
    io("host_bridge", function.hostBridge);
    io("bridges", function.bridges);
    io("vendor", function.vendor);
    io("device", function.device);
    io("class", function.classCode);
    io.orEmpty("driver", function.driver);
    io("numa_node", function.numaNode);
    io("iommu_group", function.iommuGroup);
    io.orEmpty("virtual_function", function.virtualFunction);
}

// A read of config space that failed.
struct ConfigError {
    std::uint16_t offset = 0;
    std::uint16_t length = 0;
    Error error;
};

template <typename Io>
void describe(Io& io, typename Io::template Ref<ConfigError> failed) {
    io("offset", failed.offset);
    io("length", failed.length);
    io("error", failed.error);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<ConfigSpace> space) {
    std::vector<ConfigError> errors;
    for (const auto& [read, error] : space.errors) {
        errors.push_back({.offset = read.first, .length = read.second, .error = error});
    }
    std::map<std::uint16_t, std::vector<std::byte>> ranges = space.ranges;
    io("ranges", ranges);
    if constexpr (std::same_as<Io, Decoder>) {
        io.orEmpty("errors", errors);
        for (const auto& [offset, bytes] : ranges) {
            space.add(offset, bytes);
        }
        for (ConfigError& failed : errors) {
            space.errors.emplace(std::pair(failed.offset, failed.length),
                                 std::move(failed.error));
        }
    } else if (!errors.empty()) {
        io("errors", errors);
    }
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::RdmaPort> port) {
    io("device", port.device);
    io("port", port.port);
    io("link_layer", port.linkLayer);
    io.orEmpty("link", port.link);
    io("state", port.state);
    io("firmware", port.firmware);
    io("pci", port.pci);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::RdmaPortAttributes> attributes) {
    io("active_mtu", attributes.activeMtu);
    io("max_mtu", attributes.maxMtu);
    io("max_srq_wr", attributes.maxSrqWorkRequests);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::Ipv4Conf> conf) {
    io("link", conf.link);
    io("values", conf.values);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::ServiceCommand> command) {
    io("path", command.path);
    io("arguments", command.arguments);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::ServiceEnvironmentFile> file) {
    io("path", file.path);
    io("optional", file.optional);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::ServiceAssert> check) {
    io("type", check.type);
    io("trigger", check.trigger);
    io("negate", check.negate);
    io("parameter", check.parameter);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::ResourceLimit> limit) {
    io("soft", limit.soft);
    io("hard", limit.hard);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::ServiceUnit> unit) {
    io("name", unit.name);
    io("load_state", unit.loadState);
    io("load_error", unit.loadError);
    io("active_state", unit.activeState);
    io("sub_state", unit.subState);
    io("unit_file_state", unit.unitFileState);
    io("fragment_path", unit.fragmentPath);
    io("drop_in_paths", unit.dropInPaths);
    io("need_daemon_reload", unit.needDaemonReload);
    io("inactive_exit_us", unit.inactiveExitUs);
    io("active_enter_us", unit.activeEnterUs);
    io("asserts", unit.asserts);
    io("exec_start", unit.execStart);
    io("limit_memlock", unit.limitMemlock);
    io("environment", unit.environment);
    io("environment_files", unit.environmentFiles);
    io("user", unit.user);
    io("main_pid", unit.mainPid);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::ProgramVersion> version) {
    io("text", version.text);
    io("exit_status", version.exitStatus);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::ModuleCommand> command) {
    io("module", command.module);
    io("command", command.command);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::Module> module) {
    io("name", module.name);
    io("built_in", module.builtIn);
    io("file", module.file);
    io("vermagic", module.vermagic);
    io("source_version", module.sourceVersion);
    io("in_tree", module.inTree);
    io("blacklisted", module.blacklisted);
    io("install_commands", module.installCommands);
    io("soft_dependencies", module.softDependencies);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::Neighbour> entry) {
    std::optional<std::int64_t> since;
    if (entry.sinceUpdate) {
        since = entry.sinceUpdate->count();
    }
    io("link", entry.key.link);
    io("address", entry.key.address);
    io("state", entry.state);
    io("mac", entry.mac);
    io.orEmpty("extern_learned", entry.externLearned);
    io.orEmpty("managed", entry.managed);
    io.orEmpty("proxy", entry.proxy);
    io("since_update_ms", since);
    if constexpr (std::same_as<Io, Decoder>) {
        if (since) {
            entry.sinceUpdate = std::chrono::milliseconds(*since);
        }
    }
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::Route> route) {
    io("type", route.type);
    io("destination", route.destination);
    io("prefix_length", route.prefixLength);
    io("table", route.table);
    io.orEmpty("metric", route.metric);
    io("links", route.links);
    io("gateway", route.gateway);
    io("source", route.source);
    io.orEmpty("nexthop_id", route.nexthopId);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::Routes> routes) {
    io("routes", routes.routes);
    io.orEmpty("left", routes.left);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::RoutingRule> rule) {
    io.orEmpty("ipv6", rule.ipv6);
    io("priority", rule.priority);
    io("action", rule.action);
    io.orEmpty("table", rule.table);
    io("from", rule.from);
    io.orEmpty("from_length", rule.fromLength);
    io("to", rule.to);
    io.orEmpty("to_length", rule.toLength);
    io.orEmpty("in_interface", rule.inInterface);
    io.orEmpty("out_interface", rule.outInterface);
    io.orEmpty("inverted", rule.inverted);
    io.orEmpty("selective", rule.selective);
    io("suppressed_length", rule.suppressedLength);
    io.orEmpty("jump_to", rule.jumpTo);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::JournalLine> line) {
    io("wall_us", line.wallUs);
    io("source", line.source);
    io("message", line.message);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::JournalLines> log) {
    io("lines", log.lines);
    io.orEmpty("cut", log.cut);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<host::JournalEntry> entry) {
    io("message", entry.message);
    io.orEmpty("message_id", entry.messageId);
    io.orEmpty("unit", entry.unit);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<Observed> seen) {
    io("steady_ns", seen.steadyNs);
    io("wall_ns", seen.wallNs);
    io("files", seen.files);
    io("links", seen.links);
    io("link_by_index", seen.linkByIndex);
    io("default_routes", seen.defaultRoutes);
    io("addresses", seen.addresses);
    io("dcb", seen.dcb);
    io("drivers", seen.drivers);
    io("pauses", seen.pauses);
    io("statistics", seen.statistics);
    io("functions", seen.functions);
    io("config", seen.config);
    io("rdma_ports", seen.ports);
    io("rdma_attributes", seen.attributes);
    io("ipv4", seen.ipv4);
    io("ipv4_all", seen.ipv4All);
    io("has_services", seen.hasServices);
    io("has_programs", seen.hasPrograms);
    io("has_modules", seen.hasModules);
    io("has_neighbours", seen.hasNeighbours);
    io("units", seen.units);
    io("system_state", seen.systemState);
    io("program_versions", seen.versions);
    io("modules", seen.modules);
    io("neighbours", seen.neighbours);
    io("routes", seen.routes);
    io("routing_rules", seen.rules);
    io("kernel_log", seen.kernelLog);
    io("manager_problems", seen.managerProblems);
}

}  // namespace fabric::facts
