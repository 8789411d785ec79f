// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "resource/ecn/ecn.hpp"
#include "resource/rail_property.hpp"

#include <string>
#include <utility>

namespace fabric::resource::ecn {

namespace {

constexpr std::string_view kDebugfs = "/sys/kernel/debug";

class Observation {
  public:
    Observation(const host::FileReader& files,
                const inventory::PhysicalPort& port,
                std::string interface,
                const std::optional<host::RdmaPort>& rdma)
        : files_(files), port_(port), interface_(std::move(interface)), rdma_(rdma) {}

    State state() {
        readEvidence();
        if (!readSysfs()) {
            if (port_.driver == "bnxt_en") {
                readBroadcom();
            } else if (port_.driver == "mlx5_core") {
                readMlx5Debugfs();
            }
        }
        return std::move(state_);
    }

  private:
    [[nodiscard]] Attribute read(std::string path) const {
        auto text = files_.read(path);
        return decodeAttribute(std::move(path), text);
    }

    // False when the path does not exist; any other answer, also a refusal, is "there".
    [[nodiscard]] bool isThere(const std::string& path) const {
        const auto status = files_.status(path);
        return status.has_value() || status.error().kind != ErrorKind::notFound;
    }

    [[nodiscard]] Point readPriorities(const std::string& folder) const {
        Point point;
        if (!isThere(folder)) {
            return point;
        }
        point.control = Control::perPriority;
        for (unsigned priority = 0; priority < kPriorityCount; ++priority) {
            point.switches.push_back(read(folder + "/" + std::to_string(priority)));
        }
        return point;
    }

    bool readSysfs() {
        const std::string folder = "/sys/class/net/" + interface_ + "/ecn";
        if (!isThere(folder)) {
            return false;
        }
        state_.mechanism = "ecn/ in sysfs";
        state_.interface = interface_;
        state_.reactionPoint = readPriorities(folder + "/roce_rp/enable");
        state_.notificationPoint = readPriorities(folder + "/roce_np/enable");
        const std::string dscp = folder + "/roce_np/cnp_dscp";
        if (isThere(dscp)) {
            state_.cnpDscp = read(dscp);
        }
        return true;
    }

    void readBroadcom() {
        const std::string folder = debugfs("bnxt_re") + "/cc_config";
        if (port_.pci && isThere(folder)) {
            state_.mechanism = "cc_config in debugfs";
            useWholePort({folder + "/enable_cc", folder + "/tos_ecn"});
            // The driver calls the DSCP of CNPs the alternative one (roce_hsi.h,
            // ALT_TOS_DSCP).
            state_.cnpDscp = read(folder + "/alt_vlan_dscp");
            return;
        }
        readBroadcomConfigfs();
    }

    void readBroadcomConfigfs() {
        const std::string root = "/sys/kernel/config/bnxt_re";
        const bool ownDevice = rdma_ && port_.pci && rdma_->pci == port_.pci->text();
        if (!ownDevice || !isThere(root)) {
            state_.absence =
                "bnxt_re offers it through cc_config in debugfs on newer kernels, or "
                "through a configfs group of its own";
            if (isDebugfsUnmounted()) {
                const Attribute closed = behindDebugfs(debugfs("bnxt_re"));
                state_.reactionPoint = {Control::wholePort, {closed}};
                state_.notificationPoint = state_.reactionPoint;
                state_.cnpDscp = closed;
            }
            return;
        }
        const std::string group = root + "/" + rdma_->device;
        const std::string folder =
            group + "/ports/" + std::to_string(rdma_->port) + "/cc";
        state_.mechanism = "configfs of bnxt_re";
        state_.group = isThere(group) ? "" : group;
        state_.commit = folder + "/apply";
        useWholePort({folder + "/ecn_enable", folder + "/ecn_marking"});
        state_.cnpDscp = read(folder + "/cnp_dscp");
    }

    void useWholePort(const std::vector<std::string>& switches) {
        Point point;
        point.control = Control::wholePort;
        for (const std::string& path : switches) {
            point.switches.push_back(read(path));
        }
        state_.reactionPoint = point;
        // Whether outgoing packets may be marked is the sender's business.
        point.switches.resize(1);
        state_.notificationPoint = std::move(point);
    }

    void readMlx5Debugfs() {
        const std::string path = debugfs("mlx5") + "/cc_params/np_cnp_dscp";
        if (port_.pci && isThere(path)) {
            state_.mechanism = "cc_params in debugfs";
            state_.cnpDscp = read(path);
            return;
        }
        if (isDebugfsUnmounted()) {
            state_.cnpDscp = behindDebugfs(path);
        }
        state_.absence =
            "cc_params in debugfs needs mlx5_ib loaded and a NIC that lets its "
            "congestion parameters be set";
    }

    // debugfs that is not mounted looks like a driver without the control.
    [[nodiscard]] bool isDebugfsUnmounted() const {
        const auto names = files_.list(kDebugfs);
        return names ? names->empty() : names.error().kind == ErrorKind::notFound;
    }

    [[nodiscard]] static Attribute behindDebugfs(std::string path) {
        Attribute attribute;
        attribute.error = Error{.kind = ErrorKind::io,
                                .action = "read",
                                .subject = path,
                                .sysErrno = 0,
                                .detail = "debugfs is not mounted",
                                .advice = "mount -t debugfs none /sys/kernel/debug"};
        attribute.path = std::move(path);
        return attribute;
    }

    [[nodiscard]] std::string debugfs(std::string_view driver) const {
        return std::string(kDebugfs) + "/" + std::string(driver) + "/" +
               (port_.pci ? port_.pci->text() : "");
    }

    void readEvidence() {
        if (!rdma_) {
            return;
        }
        const std::string folder = "/sys/class/infiniband/" + rdma_->device +
                                   "/ports/" + std::to_string(rdma_->port) +
                                   "/hw_counters/";
        const auto count = [&](const char* name) -> std::optional<std::uint64_t> {
            const auto text = files_.read(folder + name);
            return text ? parseUnsigned(trimmed(*text)) : std::nullopt;
        };
        state_.evidence = {.markedReceived = count("np_ecn_marked_roce_packets"),
                           .notificationsSent = count("np_cnp_sent"),
                           .notificationsHandled = count("rp_cnp_handled")};
    }

    const host::FileReader& files_;
    const inventory::PhysicalPort& port_;
    const std::string interface_;
    const std::optional<host::RdmaPort>& rdma_;
    State state_;
};

// A port whose interface is gone or changed its name meanwhile: nothing is known, which
// is not the same as a driver without the control.
State unseen(const Error& error) {
    Attribute closed;
    closed.path = error.subject;
    closed.error = error;
    State state;
    state.reactionPoint = {Control::perPriority,
                           std::vector<Attribute>(kPriorityCount, closed)};
    state.notificationPoint = state.reactionPoint;
    state.cnpDscp = closed;
    return state;
}

}  // namespace

State observe(const host::Reader& host,
              const inventory::PhysicalPort& port,
              const std::optional<host::RdmaPort>& rdma) {
    const auto name = presentName(host.links, port.link);
    if (!name) {
        return unseen(name.error());
    }
    State state = Observation(host.files, port, *name, rdma).state();
    const auto named = stillNamed(host.links, port.link, *name, "read ECN");
    return named ? state : unseen(named.error());
}

}  // namespace fabric::resource::ecn
