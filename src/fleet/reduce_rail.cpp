// SPDX-License-Identifier: Apache-2.0
#include "fleet/reduce_rail.hpp"

#include "base/text.hpp"
#include "doctor/traffic_class.hpp"
#include "engine/status.hpp"
#include "fleet/port_text.hpp"
#include "resource/arp/effective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fabric::fleet {

namespace {

class RailReduction {
  public:
    RailReduction(const RailSources& sources, const inventory::Rail& rail)
        : sources_(sources), rail_(rail) {
        record_.name = rail.name;
        record_.model = rail.vendor + ":" + rail.device;
        record_.device = rail.rdma ? rail.rdma->device : "";
    }

    RailRecord take() {
        reduceDevice();
        reducePorts();
        reduceArp();
        reduceAddresses();
        for (Reading& reading : record_.readings) {
            reading.text = boundedText(std::move(reading.text));
        }
        std::ranges::stable_sort(record_.readings, {}, &Reading::trait);
        return std::move(record_);
    }

  private:
    void say(Trait trait, std::string text) {
        record_.readings.push_back({.trait = trait, .text = std::move(text)});
    }

    void say(Trait trait, PortText text) {
        record_.readings.push_back(
            {.trait = trait, .text = std::move(text.text), .known = text.known});
    }

    [[nodiscard]] bool isEthernet() const {
        return !rail_.rdma || rail_.rdma->linkLayer == host::LinkLayer::ethernet;
    }

    void reduceDevice() {
        say(Trait::linkLayer,
            !rail_.rdma ? "no RDMA port" : (isEthernet() ? "RoCE" : "InfiniBand"));
        say(Trait::rdmaDevice,
            rail_.rdma ? fmt::format("{}/{}", rail_.rdma->device, rail_.rdma->port)
                       : "none");
        say(Trait::state,
            rail_.rdma && !rail_.rdma->state.empty() ? rail_.rdma->state
            : rail_.carrier                          ? "carrier"
                                                     : "no carrier");
        const auto speed =
            sources_.host.files.read("/sys/class/net/" + rail_.name + "/speed");
        if (speed) {
            say(Trait::speed, std::string(trimmed(*speed)) + " Mb/s");
        }
        std::string version;
        if (const auto driver = sources_.host.ethtool.driver(rail_.link)) {
            version = driver->version;
        }
        say(Trait::driver, rail_.driver + (version.empty() ? "" : " " + version));
        say(Trait::firmware, rail_.firmware.empty() ? "not told" : rail_.firmware);
        if (!rail_.rdma) {
            return;
        }
        if (const auto attributes = sources_.host.rdma.attributes(*rail_.rdma)) {
            record_.maxSrq = attributes->maxSrqWorkRequests;
            say(Trait::pathMtu, std::to_string(attributes->activeMtu));
        } else {
            say(Trait::pathMtu,
                PortText{.text = attributes.error().message(), .known = false});
        }
    }

    void reducePorts() {
        if (!isEthernet()) {
            return;
        }
        doctor::Evidence evidence;
        doctor::RailEvidence seen{.rail = rail_};
        for (const inventory::PhysicalPort& port : rail_.ports) {
            seen.ports.push_back(engine::observePort(sources_.host, rail_, port));
            for (auto& [trait, text] : portTexts(seen.ports.back())) {
                say(trait, std::move(text));
            }
        }
        if (rail_.ports.empty()) {
            reduceMtuOfLink();
        }
        evidence.rails.push_back(std::move(seen));
        for (const doctor::AutoClass& one : doctor::autoClasses(evidence)) {
            const bool known = !one.error || one.error->kind == ErrorKind::unsupported;
            say(Trait::autoClass, PortText{.text = one.text(), .known = known});
        }
    }

    // An interface without a physical port, which a profile selects, has an MTU still.
    void reduceMtuOfLink() {
        if (!sources_.links) {
            say(Trait::mtu,
                PortText{.text = sources_.links.error().message(), .known = false});
            return;
        }
        const auto found =
            std::ranges::find(*sources_.links, rail_.link, &host::Link::index);
        if (found != sources_.links->end()) {
            say(Trait::mtu, std::to_string(found->mtu));
        }
    }

    void reduceArp() {
        if (!isEthernet()) {
            return;
        }
        if (!sources_.arp) {
            say(Trait::arp,
                PortText{.text = sources_.arp.error().message(), .known = false});
            return;
        }
        for (const inventory::RailInterface& interface : rail_.interfaces) {
            const auto own = sources_.arp->own.find(interface.link);
            if (own == sources_.arp->own.end() ||
                !sources_.arp->ownsAddress(interface.link)) {
                continue;
            }
            std::string text;
            for (const auto& [key, name] : resource::arp::kProperties) {
                const auto value = own->second.find(key);
                const auto all = sources_.arp->all.find(key);
                if (value != own->second.end() && all != sources_.arp->all.end()) {
                    text += fmt::format(
                        "{}{} {}",
                        text.empty() ? "" : ", ",
                        name,
                        resource::arp::combined(key, value->second, all->second));
                }
            }
            say(Trait::arp, std::move(text));
        }
    }

    [[nodiscard]] std::optional<MacAddress> macOf(IfIndex link) const {
        if (sources_.links) {
            const auto found =
                std::ranges::find(*sources_.links, link, &host::Link::index);
            return found != sources_.links->end() ? found->mac : std::nullopt;
        }
        return std::nullopt;
    }

    void reduceAddresses() {
        for (const inventory::RailInterface& interface : rail_.interfaces) {
            const auto mac = macOf(interface.link);
            if (mac) {
                record_.macs.push_back(*mac);
            }
            if (!sources_.addresses) {
                continue;
            }
            for (const host::LinkAddress& own : *sources_.addresses) {
                const IpAddress address{.ipv6 = own.ipv6, .octets = own.octets};
                if (own.link == interface.link && isCompared(address)) {
                    record_.addresses.push_back({.address = address,
                                                 .prefixLength = own.prefixLength,
                                                 .mac = mac});
                }
            }
        }
        std::ranges::sort(record_.macs);
        const auto repeated = std::ranges::unique(record_.macs);
        record_.macs.erase(repeated.begin(), repeated.end());
    }

    const RailSources& sources_;
    const inventory::Rail& rail_;
    RailRecord record_;
};

}  // namespace

RailRecord reduceRail(const RailSources& sources, const inventory::Rail& rail) {
    return RailReduction(sources, rail).take();
}

}  // namespace fabric::fleet
