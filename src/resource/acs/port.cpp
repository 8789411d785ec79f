// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/port.hpp"

#include <fmt/format.h>

namespace fabric::resource::acs {

namespace {

constexpr const char* kExplanation =
    "RR and CR make a port send requests and completions between two devices "
    "below it up to the root complex, EC filters them by target; GPU and NIC then "
    "exchange data by way of the processor. SV, UF, TB and DT do not change that "
    "way. With the three bits off, any device below this switch can reach the "
    "memory of every other one below it, and the IOMMU does not see it. The kernel "
    "writes its own value again after a reset, a rescan and a resume.";

struct Unreadable {
    std::string reason;
    std::string fix;
};

Unreadable unreadableText(const Port& port) {
    const std::string name = port.address.text();
    const std::string& detail = port.registers.detail;
    switch (port.registers.presence) {
        case Presence::unprivileged:
            return {"the kernel hides the extended config space from this process: " +
                        detail,
                    "run as root with CAP_SYS_ADMIN in the initial user namespace"};
        case Presence::noAnswer:
            return {
                "the function does not answer, it is dead, powered down or behind a "
                "link that is down: " +
                    detail,
                fmt::format("look at dmesg and at "
                            "/sys/bus/pci/devices/{}/power_state",
                            name)};
        case Presence::damaged:
            return {
                "the capability list is damaged: " + detail,
                fmt::format("look at 'lspci -s {} -xxxx' and at the firmware of the "
                            "device",
                            name)};
        case Presence::truncated:
            return {
                "the extended config space cannot be reached: " + detail,
                "check that the kernel found the memory mapped config space (dmesg: "
                "MMCONFIG or ECAM)"};
        case Presence::gone:
            return {"the function was removed since it was listed: " + detail,
                    "run 'fabricctl check' again"};
        default:
            return {"the config space cannot be read: " + detail, "look at dmesg"};
    }
}

std::string absentText(const Registers& registers) {
    if (!registers.portType) {
        return "the function is not PCI Express and has no ACS";
    }
    return fmt::format("the {} has no ACS capability", toString(*registers.portType));
}

std::uint16_t touched(Masks masks) {
    return masks.clear | masks.set;
}

// What differs, in words that also hold when it still differs after a write.
std::string differenceText(const Registers& registers, Masks masks) {
    const std::uint16_t on = registers.control & masks.clear;
    const std::uint16_t off = masks.set & registers.capability & ~registers.control;
    std::string text;
    if (on != 0) {
        text = fmt::format("{} on, to be cleared", bitNames(on));
    }
    if (off != 0) {
        text +=
            fmt::format("{}{} off, to be set", text.empty() ? "" : "; ", bitNames(off));
    }
    const std::uint16_t ghost = on & ~registers.capability;
    if (ghost != 0) {
        text +=
            fmt::format("; the capability {} does not offer {}, yet control shows it",
                        hex(registers.capability),
                        bitNames(ghost));
    }
    return text + "; a bit that does not follow a write is hardwired in the port";
}

Assessment blank(const Port& port) {
    const std::string name = port.address.text();
    Assessment assessment{.id = "acs/" + name + "/control",
                          .kind = Kind::acs,
                          .device = name,
                          .pci = name,
                          .property = "control",
                          .explanation = kExplanation};
    if (port.registers.presence == Presence::present) {
        assessment.found = hex(port.registers.control);
    }
    return assessment;
}

Assessment& settle(Assessment& assessment,
                   Verdict verdict,
                   std::string reason,
                   std::string fix = {}) {
    assessment.verdict = verdict;
    assessment.reason = std::move(reason);
    assessment.fix = std::move(fix);
    return assessment;
}

// A reason why this difference is not to be repaired, "" when it is.
Refusal refusalOf(const Port& port, const Policy& policy) {
    using profile::Consent;
    if (policy.onTranslatingIommu == Consent::refuse &&
        !port.hazard.translating.empty()) {
        return {
            "the IOMMU translates for a device below, whose addresses a switch would "
            "take for bus addresses: " +
                port.hazard.translating,
            "boot with iommu=pt, or set acs.on-translating-iommu"};
    }
    if (policy.onPassthrough == Consent::refuse && !port.hazard.passthrough.empty()) {
        return {
            "a device below is handed to a guest or a user process, which relies on "
            "the isolation: " +
                port.hazard.passthrough,
            "release the device, or set acs.on-passthrough"};
    }
    if (policy.refuseGuest) {
        return {"this is a virtual machine, where ACS is cosmetic",
                "configure ACS on the host, or set acs.on-guest"};
    }
    return {};
}

// A difference that is to be repaired, by apply or, under lockdown, by the next boot.
void settleDifference(Assessment& assessment,
                      const std::string& text,
                      const Policy& policy) {
    if (policy.lockedDown()) {
        settle(assessment,
               Verdict::differs,
               "kernel lockdown refuses writes to PCI config space; " + text,
               policy.bootAdvice);
    } else if (policy.lockdown == inventory::Lockdown::unknown) {
        settle(assessment,
               Verdict::differs,
               text,
               "if the kernel refuses the write (lockdown): " + policy.bootAdvice);
    } else {
        settle(assessment, Verdict::differs, text);
    }
}

// The port has ACS and the order has masks that concern it.
void compareBits(const Port& port,
                 Masks masks,
                 const Policy& policy,
                 Assessment& assessment) {
    const Registers& registers = port.registers;
    const std::uint16_t wanted =
        applied(registers.control, registers.capability, masks);
    assessment.wanted = hex(wanted);
    if (wanted == registers.control) {
        assessment.verdict = Verdict::inSync;
        return;
    }
    const std::string text = differenceText(registers, masks);
    if (registers.doubleWords) {
        settle(
            assessment,
            Verdict::unsupported,
            "this root port keeps its ACS control at +8 instead of +6 (Intel Sunrise "
            "Point), it is not written: " +
                text,
            policy.bootAdvice);
        return;
    }
    const Refusal refusal = refusalOf(port, policy);
    if (!refusal.reason.empty()) {
        settle(assessment, Verdict::failed, refusal.reason + "; " + text, refusal.fix);
        return;
    }
    settleDifference(assessment, text, policy);
}

void compareRegisters(const Port& port,
                      const Order& order,
                      const Policy& policy,
                      Assessment& assessment) {
    const Registers& registers = port.registers;
    if (registers.presence == Presence::absent) {
        settle(assessment, Verdict::notApplicable, absentText(registers));
    } else if (registers.presence != Presence::present) {
        const Unreadable text = unreadableText(port);
        settle(assessment, Verdict::unreadable, text.reason, text.fix);
    } else if (!order.masks) {
        settle(assessment, order.verdict, order.reason, order.fix);
    } else if (!concerns(port, order)) {
        settle(assessment,
               Verdict::notApplicable,
               fmt::format("the port implements none of {} (capability {}, control {})",
                           bitNames(touched(*order.masks)),
                           hex(registers.capability),
                           hex(registers.control)));
    } else if (port.translatedTraffic && order.masks->set == 0) {
        settle(assessment,
               Verdict::notApplicable,
               "a NIC below uses address translation services and DT is on: translated "
               "requests pass the port directly, it is left as it is");
    } else {
        compareBits(port, *order.masks, policy, assessment);
    }
}

}  // namespace

bool concerns(const Port& port, const Order& order) {
    const Registers& registers = port.registers;
    if (!order.masks || registers.presence != Presence::present) {
        return false;
    }
    // A bit to be set must be offered; one to be cleared may also stand there
    // unoffered.
    return ((registers.capability | registers.control) & order.masks->clear) != 0 ||
           (registers.capability & order.masks->set) != 0;
}

Assessment compare(const Port& port, const Order& order, const Policy& policy) {
    Assessment assessment = blank(port);
    if (!order.masks && order.verdict == Verdict::skipped) {
        return settle(assessment, order.verdict, order.reason, order.fix);
    }
    compareRegisters(port, order, policy, assessment);
    return assessment;
}

}  // namespace fabric::resource::acs
