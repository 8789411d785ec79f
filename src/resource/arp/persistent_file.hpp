// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

// The text of our own file in sysctl.d. Pure.
namespace fabric::resource::arp {

// By interface, then by sysctl name ("arp_ignore"): the value as text. "all" stands for
// conf.all; no interface can be called so (net/ipv4/devinet.c).
using Stanzas = std::map<std::string, std::map<std::string, std::string>>;

// The key in slash spelling, where dots of the interface's name stay what they are.
// Glob characters of the name are written as a set of one, since the readers take any
// key with one of "*?[" for a pattern. std::nullopt for a name that no line can carry:
// one with "=", or with both a backslash and a glob character.
[[nodiscard]] std::optional<std::string> fileKey(std::string_view interface,
                                                 std::string_view name);

// What a file of ours says, whoever changed it since.
[[nodiscard]] Stanzas parseStanzas(const std::string& text);

// Interfaces that no line can carry are left out.
[[nodiscard]] std::string render(const Stanzas& stanzas);

// `wanted`, a text of render(), with the lines of these interfaces as `present` has
// them: what is said of them stays as it is.
[[nodiscard]] std::string leaveLinesOf(const std::set<std::string>& interfaces,
                                       const std::string& present,
                                       const std::string& wanted);

}  // namespace fabric::resource::arp
