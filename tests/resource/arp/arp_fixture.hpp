// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/executor.hpp"
#include "engine/planner.hpp"
#include "resource/arp/arp.hpp"
#include "resource/rail_fixture.hpp"

#include <array>

namespace fabric::resource::arp {

// Rails with addresses on a machine in memory.
class ArpFixture : public RailFixture {
  protected:
    ArpFixture() { host.files.addDirectory("/run"); }

    using Octets = std::array<std::uint8_t, 4>;

    RailTask& addRail(const std::string& name, std::uint32_t index, Octets address) {
        addLink(name, index, "");
        addAddress(index, address);
        RailTask task = physicalRail(name);
        task.rail.link = IfIndex{index};
        task.rail.interfaces = {{IfIndex{index}, name, ""}};
        task.settings.arp = profile::ArpSettings{.persist = false};
        rails.push_back(std::move(task));
        return rails.back();
    }

    void addLink(const std::string& name,
                 std::uint32_t index,
                 const std::string& kind) {
        host.links.add(index, name).kind = kind;
        host.ipv4.add(IfIndex{index});
    }

    void addAddress(std::uint32_t index, Octets address, std::uint8_t prefix = 24) {
        host::LinkAddress made{.link = IfIndex{index}, .prefixLength = prefix};
        std::ranges::copy(address, made.octets.begin());
        host.links.addressList.push_back(made);
    }

    host::Ipv4Values& own(std::uint32_t index) { return host.ipv4.of(IfIndex{index}); }

    [[nodiscard]] Comparison look() const { return assess(host.reader(), scope()); }

    // Carries out what a look plans, as the engine does.
    std::vector<engine::StepResult> apply() {
        return engine::execute(
            engine::orderSteps(look().steps), host.reader(), host.writer(), {});
    }

    [[nodiscard]] Verdict verdictOf(std::string_view id) const {
        return only(look(), id).verdict;
    }

    [[nodiscard]] static const Finding* findingIn(const Comparison& comparison,
                                                  std::string_view id) {
        const auto found = std::ranges::find(comparison.findings, id, &Finding::id);
        return found == comparison.findings.end() ? nullptr : &*found;
    }
};

}  // namespace fabric::resource::arp
