// SPDX-License-Identifier: Apache-2.0
#include "profile/initial.hpp"

#include "base/text.hpp"
#include "profile/text_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace fabric::profile {

namespace {

constexpr std::uint8_t kUsualPriority = 3;  // NVIDIA's convention for RoCE
constexpr std::uint8_t kUsualDscp = 26;
constexpr unsigned kTosPerDscp = 4;  // a ToS byte carries the DSCP above two ECN bits

// The driver of the RDMA device that comes with a network driver.
constexpr std::array kRdmaDrivers{
    std::pair{std::string_view("mlx5_core"), std::string_view("mlx5_ib")},
    std::pair{std::string_view("bnxt_en"), std::string_view("bnxt_re")},
    std::pair{std::string_view("ice"), std::string_view("irdma")},
    std::pair{std::string_view("qede"), std::string_view("qedr")},
};

// Text as a comment: one line, nothing that a terminal would obey.
std::string comment(std::string_view text) {
    return escapeForTerminal(text);
}

// A name as a selector value: a glob for exactly this name, quoted. Empty when a
// profile cannot express it.
std::string selectorText(std::string_view name) {
    std::string glob;
    for (const char character : name) {
        const bool special = std::string_view("*?[").contains(character);
        glob += special ? fmt::format("[{}]", character) : std::string(1, character);
    }
    const TextRuleForm& form = formOf(TextRule::glob);
    const bool writable = form.accepts(glob) && glob.size() <= form.maxBytes &&
                          escapeForTerminal(glob) == glob && !glob.contains('"') &&
                          !glob.contains('\\');
    return writable ? fmt::format("\"{}\"", glob) : std::string{};
}

std::string selector(const InitRail& rail) {
    const std::array choices{std::pair{"interface", &rail.interface},
                             std::pair{"pci", &rail.pci},
                             std::pair{"rdma", &rail.rdma}};
    for (const auto& [key, name] : choices) {
        if (const std::string value = selectorText(*name); !value.empty()) {
            return fmt::format("{{ {}: {} }}", key, value);
        }
    }
    return {};
}

std::string railNote(const InitRail& rail) {
    std::string note;
    for (const std::string* part :
         {&rail.rdma, &rail.pci, &rail.driver, &rail.vendor}) {
        if (!part->empty()) {
            note += (note.empty() ? "" : ", ") + comment(*part);
        }
    }
    return note.empty() ? note : "  # " + note;
}

std::string railsSection(const InitFacts& facts) {
    std::string lines;
    std::size_t count = 0;
    for (const InitRail& rail : facts.rails) {
        if (const std::string chosen = selector(rail); !chosen.empty()) {
            lines += fmt::format("    - {}{}\n", chosen, railNote(rail));
            ++count;
        }
    }
    if (count == 0) {
        // No rails.wait: one of 0s that is written holds at boot too.
        return "# No rail was found on this host. Without `rails`, every physical\n"
               "# Ethernet RDMA port is one.\n";
    }
    constexpr std::size_t kMostExpected = 1024;
    std::string text =
        "# The rails of this host. Globs serve many hosts with one profile.\n"
        "rails:\n"
        "  match:\n" +
        lines;
    if (count <= kMostExpected) {
        text += fmt::format("  expect: {}  # fewer or more is reported\n", count);
    }
    return text;
}

// A module called `on` or `123` is still a name.
std::string quotedName(const std::string& name) {
    return fmt::format("\"{}\"", name);
}

void addModule(std::vector<std::string>& modules, std::string_view name) {
    const TextRuleForm& form = formOf(TextRule::moduleName);
    const bool known = std::ranges::find(modules, name) != modules.end();
    if (!known && form.accepts(name) && name.size() <= form.maxBytes) {
        modules.emplace_back(name);
    }
}

std::string modulesSection(const InitFacts& facts) {
    std::vector<std::string> modules{"ib_core", "ib_uverbs", "rdma_cm"};
    for (const InitRail& rail : facts.rails) {
        addModule(modules, rail.driver);
        const auto* const pair = std::ranges::find(
            kRdmaDrivers, std::string_view(rail.driver), [](const auto& one) {
                return one.first;
            });
        if (pair != kRdmaDrivers.end()) {
            addModule(modules, pair->second);
        }
    }
    std::string text =
        "# Loaded now and at every boot.\n# "
        "modules:\n";
    for (const std::string& module : modules) {
        text += fmt::format("#   - {}\n", quotedName(module));
    }
    return text;
}

std::string dcbSection(const InitFacts& facts) {
    const bool seen = facts.losslessPriority && facts.losslessDscp;
    const unsigned priority =
        facts.losslessPriority ? facts.losslessPriority->number() : kUsualPriority;
    const unsigned dscp =
        facts.losslessDscp ? facts.losslessDscp->number() : kUsualDscp;
    return fmt::format(
        "# Lossless RoCE: PFC, DSCP map, receive buffers and ECN follow from these\n"
        "# numbers. Every switch in the path must use the same ones.\n"
        "dcb:\n"
        "  dcbx: host\n"
        "  trust: dscp\n"
        "  lossless:  # {}\n"
        "    priority: {}\n"
        "    dscp: {}\n"
        "    buffer: 1\n"
        "\n"
        "# Congestion control on the lossless priority.\n"
        "ecn: {{}}\n"
        "\n"
        "# Global pause and PFC exclude each other on a port.\n"
        "pause:\n"
        "  rx: off\n"
        "  tx: off\n"
        "\n"
        "# For programs that connect through rdma_cm: DSCP {} as a ToS byte.\n"
        "# rdma-cm-tos: {}\n",
        seen ? "as seen on this host" : "the usual values; nothing was seen here",
        priority,
        dscp,
        dscp,
        dscp * kTosPerDscp);
}

std::string acsSection(const InitFacts& facts) {
    if (!facts.hasGpu) {
        return "# This host has no GPU, which alone gains from clearing PCIe ACS.\n"
               "# acs: {}\n";
    }
    return "# GPUs and NICs reach each other below a PCIe switch only when ACS does\n"
           "# not redirect.\n"
           "acs:\n"
           "  clear: redirect\n"
           "  scope: upstream\n";
}

std::string addressSection(const InitFacts& facts) {
    if (facts.rails.size() < 2) {
        return "# One rail answers only for itself; several that share a broadcast\n"
               "# domain need interface-scoped ARP.\n"
               "# arp: {}\n"
               "# neighbours: {}\n";
    }
    return "# Rails that share a broadcast domain must not answer for each other.\n"
           "arp:\n"
           "  ignore: 1\n"
           "  announce: 2\n"
           "\n"
           "# Entries that were learned before are flushed once.\n"
           "neighbours:\n"
           "  flush: when-changed\n";
}

std::string nameLine(const InitFacts& facts) {
    const std::string host = escapeForTerminal(facts.hostName);
    constexpr std::size_t kLongestHost = 64;
    const bool plain = !host.empty() && host.size() <= kLongestHost &&
                       !host.contains('"') && !host.contains('\\');
    return fmt::format("name: \"{}\"\n", plain ? host + "-fabric" : "this-host");
}

}  // namespace

std::string initialProfile(const InitFacts& facts) {
    std::string text =
        "# Written by `fabricctl profile init`. A section that is left out is not\n"
        "# compared and not changed; `fabricctl profile explain KEY` tells what a key\n"
        "# means. See what would change with `fabricctl plan`.\n"
        "version: 1\n";
    text += nameLine(facts) + "\n";
    text += railsSection(facts) + "\n";
    text += modulesSection(facts) + "\n";
    text += dcbSection(facts) + "\n";
    text += acsSection(facts) + "\n";
    text += addressSection(facts) + "\n";
    return text +
           "# The storage server's systemd drop-in: program, locked memory, "
           "environment.\n"
           "# service:\n"
           "#   environment: { MINIO_RDMA_INTERNODE: \"on\" }\n";
}

}  // namespace fabric::profile
