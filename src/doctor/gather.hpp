// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doctor/evidence.hpp"
#include "host/host.hpp"
#include "profile/profile.hpp"

namespace fabric::doctor {

// Looks at everything that a rule compares. Reads only; what cannot be read becomes an
// Error in its place. `profile`: what the host is compared with besides, nullptr none.
[[nodiscard]] Evidence gather(const host::Reader& host,
                              const profile::Profile* profile);

// The second look at the counters of every rail, `interval` after the first one.
void lookAgain(const host::Reader& host,
               std::chrono::milliseconds interval,
               Evidence& evidence);

// The GID tables of a host at another time, such as that of earlier facts.
[[nodiscard]] EarlierLook lookEarlier(const host::Reader& earlier, std::string taken);

// Parts of gather().
// The rails that a profile without `rails` selects, and InfiniBand ones, which it
// leaves out.
[[nodiscard]] std::vector<inventory::Rail> judgedRails(
    const std::vector<inventory::Rail>& candidates, const profile::Profile* profile);
// Of a PCI function at `node`; no vector in use is no error.
[[nodiscard]] Result<InterruptSpread> gatherInterrupts(const host::FileReader& files,
                                                       PciAddress function,
                                                       unsigned node);
[[nodiscard]] std::vector<RailEvidence> gatherRails(
    const host::Reader& host, const std::vector<inventory::Rail>& rails);
// Servers by their names in /proc, but for the process `main`.
[[nodiscard]] Result<std::vector<OtherServer>> gatherOtherServers(
    const host::FileReader& files, std::uint32_t main);
[[nodiscard]] ServerEvidence gatherServer(const host::Reader& host,
                                          const profile::Profile* profile);

}  // namespace fabric::doctor
