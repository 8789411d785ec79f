// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doctor/evidence.hpp"
#include "doctor/judgement.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// What several rules ask of the storage server's evidence.
namespace fabric::doctor {

// Why a rule about the server has nothing to say here; empty: there is one.
[[nodiscard]] std::optional<Judgement> withoutServer(const Evidence& evidence);
// Likewise for its running process.
[[nodiscard]] std::optional<Judgement> withoutProcess(const Evidence& evidence);

// Only after the functions above said nothing.
[[nodiscard]] const resource::service::State& stateOf(const Evidence& evidence);
[[nodiscard]] const resource::service::Process& processOf(const Evidence& evidence);

// What a process that starts now gets: environment files win over Environment=, the
// last one over the others (systemd.exec(5)). Empty: not set.
[[nodiscard]] std::optional<std::string> variable(const Evidence& evidence,
                                                  std::string_view name);
// The number that a variable holds; empty: not set, or no number.
[[nodiscard]] std::optional<std::uint64_t> numberOf(const Evidence& evidence,
                                                    std::string_view name);
// Whether all environment files could be read; the first error if not.
[[nodiscard]] std::optional<Error> environmentError(const Evidence& evidence);

// What a distributed node registers with default settings, as the vendor says: 40 GiB.
inline constexpr std::uint64_t kNeededByDefault = std::uint64_t{40} << 30U;

// Locked memory that the server registers, in bytes: its pool where both of its sizes
// are set, else what a node registers with default settings.
[[nodiscard]] std::uint64_t neededMemory(const Evidence& evidence);

// "process 4711"
[[nodiscard]] std::string nameOfProcess(const OtherServer& server);

// "infinity", "8 MiB", "1234 bytes".
[[nodiscard]] std::string bytesText(std::uint64_t bytes);

}  // namespace fabric::doctor
