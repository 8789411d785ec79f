// SPDX-License-Identifier: Apache-2.0
#include "report/status.hpp"

#include "base/text.hpp"
#include "inventory/pci_topology.hpp"
#include "report/json.hpp"
#include "report/palette.hpp"
#include "report/wire.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fabric::report {

namespace {

using engine::LosslessPart;
using engine::LosslessVerdict;
using engine::PartVerdict;
using engine::RailStatus;
using engine::Status;

constexpr std::size_t kNoteIndent = 6;

Tone toneOf(LosslessVerdict verdict) {
    switch (verdict) {
        case LosslessVerdict::lossless:
            return Tone::good;
        case LosslessVerdict::lossy:
            return Tone::bad;
        case LosslessVerdict::unknown:
            return Tone::change;
        case LosslessVerdict::notApplicable:
            return Tone::dim;
    }
    return Tone::plain;
}

Tone toneOf(PartVerdict verdict) {
    switch (verdict) {
        case PartVerdict::right:
            return Tone::good;
        case PartVerdict::wrong:
            return Tone::bad;
        case PartVerdict::unknown:
            return Tone::change;
        case PartVerdict::absent:
            return Tone::dim;
    }
    return Tone::plain;
}

std::string_view layerName(host::LinkLayer layer) {
    switch (layer) {
        case host::LinkLayer::ethernet:
            return "RoCE";
        case host::LinkLayer::infiniband:
            return "InfiniBand";
        case host::LinkLayer::unknown:
            return "unknown link layer";
    }
    return "unknown link layer";
}

// "mlx5_0, RoCE, active, 0000:1a:00.0, mlx5_core, firmware 28.39, NUMA 0"
std::string identityOf(const inventory::Rail& rail) {
    std::string text;
    const auto add = [&](std::string_view item) {
        if (!item.empty()) {
            text += (text.empty() ? "" : ", ") + escapeForTerminal(item);
        }
    };
    if (rail.rdma) {
        add(rail.rdma->device);
        add(layerName(rail.rdma->linkLayer));
        add(rail.rdma->state);
    } else {
        add("no RDMA port");
    }
    add(rail.pci ? rail.pci->text() : "");
    add(rail.driver);
    add(rail.firmware.empty() ? "" : "firmware " + rail.firmware);
    add(rail.numaNode ? "NUMA " + std::to_string(*rail.numaNode) : "");
    return text;
}

class StatusWriter {
  public:
    StatusWriter(const Status& status, const TextOptions& options)
        : status_(status), options_(options), palette_(options.color) {}

    std::string write() {
        const inventory::Platform& platform = status_.platform;
        text_ += fmt::format(
            "{}: kernel {}{}\n",
            palette_.paint(Tone::strong, escapeForTerminal(platform.hostName)),
            escapeForTerminal(platform.kernelRelease),
            platform.guest.value_or(false)
                ? ", virtual machine" +
                      (platform.hypervisor.empty()
                           ? ""
                           : " (" + escapeForTerminal(platform.hypervisor) + ")")
                : "");
        if (status_.rails.empty()) {
            text_ +=
                "no RDMA port: none in RDMA netlink or /sys/class/infiniband\n"
                "  next: load the NIC's RDMA driver (modprobe mlx5_ib, bnxt_re or "
                "irdma)\n";
        }
        for (const RailStatus& rail : status_.rails) {
            writeRail(rail);
        }
        writePaths();
        text_ += toText(status_.wire, options_);
        for (const resource::Finding& finding : status_.findings) {
            writeFinding(finding);
        }
        for (const std::string& problem : status_.problems) {
            text_ += "\n" + palette_.paint(Tone::bad, "could not be read: ") +
                     wrapped(escapeForTerminal(problem), 2) + "\n";
        }
        return std::move(text_);
    }

  private:
    void writeFinding(const resource::Finding& finding) {
        text_ += fmt::format("\n{} {} [{}]\n",
                             palette_.paint(Tone::change, "warning:"),
                             wrapped(escapeForTerminal(finding.summary), 2),
                             finding.id);
        if (!finding.fix.empty()) {
            text_ += "  fix: " + wrapped(escapeForTerminal(finding.fix), 7) + "\n";
        }
    }

    void writeRail(const RailStatus& rail) {
        text_ += fmt::format(
            "\n{}  {}\n  {}\n",
            palette_.paint(Tone::strong, escapeForTerminal(rail.rail.name)),
            palette_.paint(toneOf(rail.verdict), engine::toString(rail.verdict)),
            wrapped(identityOf(rail.rail), 2));
        if (!rail.rail.resolution.empty()) {
            text_ += "  " + wrapped(escapeForTerminal(rail.rail.resolution), 2) + "\n";
        }
        for (const engine::PortStatus& port : rail.ports) {
            if (rail.ports.size() > 1) {
                text_ += "  port " + escapeForTerminal(port.name) + "\n";
            }
            writeParts(port.parts);
        }
    }

    void writeParts(const std::vector<LosslessPart>& parts) {
        std::string right;
        for (const LosslessPart& part : parts) {
            if (part.verdict == PartVerdict::right && !options_.verbose) {
                right += fmt::format("{}{} {}",
                                     right.empty() ? "" : ", ",
                                     part.name,
                                     part.value.toText());
            }
        }
        if (!right.empty() && !options_.quiet) {
            text_ += "    " + palette_.paint(Tone::good, "ok:") + " " +
                     wrapped(right, 8) + "\n";
        }
        for (const LosslessPart& part : parts) {
            if (part.verdict == PartVerdict::right && !options_.verbose) {
                continue;
            }
            if (part.verdict == PartVerdict::absent && options_.quiet) {
                continue;
            }
            text_ += fmt::format(
                "    {}: {}{}\n",
                palette_.paint(toneOf(part.verdict), engine::toString(part.verdict)),
                part.name,
                part.value.isNull() ? "" : " " + part.value.toText());
            if (!part.note.empty()) {
                text_ += std::string(kNoteIndent, ' ') +
                         wrapped(escapeForTerminal(part.note), kNoteIndent) + "\n";
            }
        }
    }

    // The pairs that GPUDirect uses; farther ones are counted.
    void writePaths() {
        if (status_.paths.empty()) {
            return;
        }
        text_ += "\n" + palette_.paint(Tone::strong, "GPU to RDMA NIC") + "\n";
        std::size_t farther = 0;
        for (const resource::acs::GpuNicPath& path : status_.paths) {
            const bool near = path.relation == inventory::PciRelation::pix ||
                              path.relation == inventory::PciRelation::pxb;
            if (near || options_.verbose) {
                writePath(path);
            } else {
                ++farther;
            }
        }
        if (farther > 0) {
            text_ += fmt::format(
                "  {} pairs meet only at a host bridge or farther (PHB, NODE, SYS); "
                "--verbose lists them\n",
                farther);
        }
    }

    void writePath(const resource::acs::GpuNicPath& path) {
        std::string redirecting;
        std::string unknown;
        for (const resource::acs::PathBridge& bridge : path.between) {
            const auto redirects = bridge.redirects();
            if (!redirects || *redirects) {
                std::string& list = redirects ? redirecting : unknown;
                list += (list.empty() ? "" : " ") + bridge.address.text();
            }
        }
        text_ += fmt::format("  {} - {}  {}  ",
                             path.gpu.text(),
                             path.nic.text(),
                             inventory::toString(path.relation));
        if (!redirecting.empty()) {
            text_ += palette_.paint(Tone::bad, "ACS redirects at ") +
                     wrapped(redirecting, kNoteIndent) + "\n";
        } else if (!unknown.empty()) {
            text_ += palette_.paint(Tone::change, "ACS cannot be read at ") +
                     wrapped(unknown, kNoteIndent) + "\n";
        } else {
            text_ += palette_.paint(Tone::good, "direct") + "\n";
        }
    }

    const Status& status_;
    const TextOptions& options_;
    Palette palette_;
    std::string text_;
};

Value partValue(const LosslessPart& part) {
    return Value::Object{{"name", part.name},
                         {"value", part.value},
                         {"verdict", engine::toString(part.verdict)},
                         {"decides", part.decides},
                         {"note", part.note}};
}

Value railValue(const RailStatus& status) {
    const inventory::Rail& rail = status.rail;
    Value::List ports;
    for (const engine::PortStatus& port : status.ports) {
        Value::List parts;
        std::ranges::transform(port.parts, std::back_inserter(parts), partValue);
        ports.emplace_back(
            Value::Object{{"interface", port.name}, {"parts", std::move(parts)}});
    }
    Value::Object value{
        {"name", rail.name},
        {"ifindex", rail.link.number},
        {"rdma", rail.rdma ? Value(rail.rdma->device) : Value{}},
        {"port", rail.rdma ? Value(rail.rdma->port) : Value{}},
        {"link_layer", rail.rdma ? Value(layerName(rail.rdma->linkLayer)) : Value{}},
        {"state", rail.rdma ? Value(rail.rdma->state) : Value{}},
        {"pci", rail.pci ? Value(rail.pci->text()) : Value{}},
        {"driver", rail.driver},
        {"firmware", rail.firmware},
        {"numa_node", rail.numaNode ? Value(*rail.numaNode) : Value{}},
        {"carrier", rail.carrier},
        {"default_route_via", rail.defaultRouteVia},
        {"resolution", rail.resolution},
        {"verdict", engine::toString(status.verdict)},
        {"ports", std::move(ports)}};
    if (status.attributes) {
        value.emplace("active_mtu", status.attributes->activeMtu);
        value.emplace("max_mtu", status.attributes->maxMtu);
        value.emplace("max_srq_wr", status.attributes->maxSrqWorkRequests);
    } else {
        value.emplace("verbs_error", status.attributesError);
    }
    return value;
}

Value findingValue(const resource::Finding& finding) {
    return Value::Object{{"id", finding.id},
                         {"severity", severityName(finding.severity)},
                         {"summary", finding.summary},
                         {"evidence", finding.evidence},
                         {"fix", finding.fix}};
}

}  // namespace

std::string toText(const Status& status, const TextOptions& options) {
    return StatusWriter(status, options).write();
}

Value toValue(const Status& status) {
    Value::List rails;
    std::ranges::transform(status.rails, std::back_inserter(rails), railValue);
    Value::List paths;
    std::ranges::transform(status.paths,
                           std::back_inserter(paths),
                           [](const resource::acs::GpuNicPath& path) {
                               return resource::acs::toValue(path);
                           });
    Value::List findings;
    std::ranges::transform(status.findings, std::back_inserter(findings), findingValue);
    Value::List problems(status.problems.begin(), status.problems.end());
    Value::Object value{
        {"schema", "fabricctl/status/1"},
        {"exit_code", static_cast<int>(status.exitCode())},
        {"host", status.platform.hostName},
        {"boot_id", status.platform.bootId},
        {"kernel", status.platform.kernelRelease},
        {"guest", status.platform.guest ? Value(*status.platform.guest) : Value{}},
        {"gpus", static_cast<std::int64_t>(status.gpus)},
        {"rails", std::move(rails)},
        {"gpu_nic_paths", std::move(paths)},
        {"problems", std::move(problems)},
        {"findings", std::move(findings)}};
    addWire(status.wire, value);
    if (status.stopped) {
        value.emplace("error", status.stopped->message());
    }
    return value;
}

}  // namespace fabric::report
