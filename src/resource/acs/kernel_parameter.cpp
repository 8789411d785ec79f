// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/kernel_parameter.hpp"

#include "base/text.hpp"
#include "inventory/platform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace fabric::resource::acs {

namespace {

constexpr unsigned kNamedBits = 7;  // DT down to SV, the last character is bit 0

std::string flags(const PortGoal& port) {
    std::string text;
    for (unsigned bit = kNamedBits; bit-- > 0;) {
        const bool offered = ((port.capability >> bit) & 1U) != 0;
        const bool on = ((port.control >> bit) & 1U) != 0;
        text += !offered ? 'x' : on ? '1' : '0';
    }
    return text;
}

std::string joined(std::span<const PortGoal> ports, bool withFlags) {
    std::string text;
    for (const PortGoal& port : ports) {
        text += text.empty() ? "" : ";";
        text += withFlags ? flags(port) + "@" : "";
        text += port.address.text();
    }
    return text;
}

KernelParameter configAcs(std::string_view release, std::span<const PortGoal> ports) {
    KernelParameter parameter{.text = "pci=config_acs=" + joined(ports, true),
                              .note = {}};
    // 47c8846a49ba brought the option in 6.11, 9cf8a952d57b repaired it in 6.15.
    if (!inventory::kernelAtLeast(release, 6, 15)) {
        parameter.note =
            "kernels 6.11 to 6.14 without commit 9cf8a952d57b read this option "
            "wrongly: check the registers after the boot";
    }
    return parameter;
}

KernelParameter disableAcsRedir(profile::AcsClear clear,
                                std::span<const PortGoal> ports) {
    KernelParameter parameter{.text = "pci=disable_acs_redir=" + joined(ports, false),
                              .note = {}};
    if (clear == profile::AcsClear::all) {
        parameter.note =
            "it clears RR, CR and EC only; the other bits need kernel 6.11 "
            "(pci=config_acs=)";
    }
    return parameter;
}

std::string_view unquoted(std::string_view text) {
    return text.starts_with('"') ? text.substr(1) : text;
}

// The comma separated options of a "pci=" token; none for any other token.
std::vector<std::string_view> pciOptions(std::string_view token) {
    constexpr std::string_view kPrefix = "pci=";
    token = unquoted(token);
    if (!token.starts_with(kPrefix)) {
        return {};
    }
    auto options = split(token.substr(kPrefix.size()), ',');
    std::ranges::transform(options, options.begin(), unquoted);
    return options;
}

bool isAcsOption(std::string_view option) {
    return option.starts_with("config_acs=") ||
           option.starts_with("disable_acs_redir=") || option == "noacs";
}

}  // namespace

std::string KernelParameter::advice() const {
    if (text.empty()) {
        return note;
    }
    return "add to the kernel command line, quoted because of the semicolons: " + text +
           (note.empty() ? "" : " (" + note + ")");
}

KernelParameter kernelParameter(std::string_view release,
                                profile::AcsClear clear,
                                std::span<const PortGoal> ports) {
    if (inventory::kernelAtLeast(release, 6, 11)) {
        return configAcs(release, ports);
    }
    if (clear == profile::AcsClear::platform) {
        return {.text = {},
                .note =
                    "setting single bits at boot needs kernel 6.11 or later "
                    "(pci=config_acs=)"};
    }
    if (inventory::kernelAtLeast(release, 4, 19)) {
        return disableAcsRedir(clear, ports);
    }
    return {
        .text = {},
        .note = fmt::format("kernel '{}' has no parameter for it: switch ACS off in "
                            "the firmware setup",
                            escapeForTerminal(release))};
}

std::string acsOptions(std::string_view commandLine) {
    std::string found;
    for (const std::string_view token : split(commandLine, ' ')) {
        for (const std::string_view option : pciOptions(token)) {
            if (isAcsOption(option)) {
                found += (found.empty() ? "" : " ") + std::string(option);
            }
        }
    }
    return found;
}

}  // namespace fabric::resource::acs
