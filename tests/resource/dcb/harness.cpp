// SPDX-License-Identifier: Apache-2.0
#include "harness.hpp"

#include "resource/dcb/answer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace fabric::resource::dcb {

namespace {

std::string sysfsName(fake::DcbDriver kind) {
    switch (kind) {
        case fake::DcbDriver::mlx5:
            return "mlx5_core";
        case fake::DcbDriver::bnxt:
            return "bnxt_en";
        case fake::DcbDriver::ice:
            return "ice";
        case fake::DcbDriver::plain:
        case fake::DcbDriver::none:
            break;
    }
    return "some_driver";
}

Result<std::string> writeDcb(fake::FakeDcb& dcb, const DcbWrite& write) {
    const auto answer = dcb.set(write.request);
    if (!answer) {
        return std::unexpected(answer.error());
    }
    const auto outcome = decodeSetResult(write.request, *answer);
    if (!outcome) {
        if (write.ifRefused) {
            static_cast<void>(dcb.set(*write.ifRefused));
        }
        return std::unexpected(outcome.error());
    }
    return outcome->note;
}

}  // namespace

profile::DcbSettings losslessSettings() {
    using profile::Origin;
    profile::DcbSettings settings;
    settings.trust = {profile::Trust::dscp, Origin::explicitly};
    settings.lossless = profile::Lossless{.priority = Priority::of(3),
                                          .dscp = Dscp::of(26),
                                          .buffer = BufferIndex::of(1)};
    settings.pfc = {{Priority::of(3)}, Origin::derived};
    settings.dscpToPriority = {{{Dscp::of(26), Priority::of(3)}}, Origin::derived};
    std::map<Priority, BufferIndex> buffers;
    for (std::uint8_t priority = 0; priority < 8; ++priority) {
        buffers[Priority::of(priority)] = BufferIndex::of(priority == 3 ? 1 : 0);
    }
    settings.priorityToBuffer = {buffers, Origin::derived};
    return settings;
}

Machine::Machine(fake::DcbDriver kind) {
    host.useDcb(dcb, dcb);
    host.links.add(7, "rail0");
    dcb.add({7}, kind);
    rail.rail = {.name = "rail0",
                 .link = {7},
                 .kind = inventory::FunctionKind::physical,
                 .rdma = host::RdmaPort{.device = "mlx5_0", .port = 1},
                 .driver = sysfsName(kind)};
    rail.rail.ports = {{.link = {7},
                        .name = "rail0",
                        .pci = PciAddress::parse("0000:1a:00.0"),
                        .driver = sysfsName(kind)}};
}

Comparison Machine::look() const {
    RailTask task = rail;
    task.settings.dcb = wanted;
    const profile::HostSettings hostSettings;
    const inventory::Platform platform;
    const std::vector<RailTask> rails{task};
    return assess(host.reader(),
                  {.rails = rails, .host = hostSettings, .platform = platform});
}

Result<std::string> Machine::carryOut(const Write& write) {
    if (const auto* request = std::get_if<DcbWrite>(&write)) {
        return writeDcb(dcb, *request);
    }
    const auto& attribute = std::get<AttributeWrite>(write);
    TRY(host.files.writeAttribute(attribute.path, attribute.text));
    return std::string{};
}

Machine::Round Machine::carryOut(const Comparison& comparison) {
    Round round;
    const unsigned before = dcb.setterCalls();
    for (const Step& step : comparison.steps) {
        for (const Write& write : step.writes) {
            const Result<std::string> note = carryOut(write);
            if (!note) {
                round.errors.push_back(note.error().message());
                break;
            }
            if (!note->empty()) {
                round.notes.push_back(*note);
            }
        }
    }
    round.setterCalls = dcb.setterCalls() - before;
    return round;
}

Comparison Machine::apply() {
    last = carryOut(look());
    return look();
}

const Assessment& of(const Comparison& comparison, std::string_view property) {
    static const Assessment kNone;
    const auto found =
        std::ranges::find(comparison.assessments, property, &Assessment::property);
    if (found == comparison.assessments.end()) {
        ADD_FAILURE() << "no assessment of " << property;
        return kNone;
    }
    return *found;
}

Verdict verdictOf(const Comparison& comparison, std::string_view property) {
    return of(comparison, property).verdict;
}

const Step* stepFor(const Comparison& comparison, std::string_view property) {
    const std::string& id = of(comparison, property).id;
    const auto found = std::ranges::find_if(comparison.steps, [&](const Step& step) {
        return std::ranges::find(step.ids, id) != step.ids.end();
    });
    return found == comparison.steps.end() ? nullptr : &*found;
}

const Finding* findingOf(const Comparison& comparison, std::string_view id) {
    const auto found = std::ranges::find(comparison.findings, id, &Finding::id);
    return found == comparison.findings.end() ? nullptr : &*found;
}

namespace {

std::string messageOf(const Write& write) {
    if (const auto* dcb = std::get_if<DcbWrite>(&write)) {
        return describe(dcb->request);
    }
    const auto& attribute = std::get<AttributeWrite>(write);
    return attribute.path + " " + attribute.text;
}

}  // namespace

std::vector<std::string> messages(const Comparison& comparison) {
    std::vector<std::string> texts;
    for (const Step& step : comparison.steps) {
        std::ranges::transform(step.writes, std::back_inserter(texts), messageOf);
    }
    return texts;
}

}  // namespace fabric::resource::dcb

namespace fabric::resource {

std::ostream& operator<<(std::ostream& out, Verdict verdict) {
    constexpr std::array<std::string_view, 7> kNames{"inSync",
                                                     "differs",
                                                     "failed",
                                                     "unsupported",
                                                     "unreadable",
                                                     "skipped",
                                                     "notApplicable"};
    return out << kNames.at(static_cast<std::size_t>(verdict));
}

}  // namespace fabric::resource
