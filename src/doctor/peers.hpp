// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doctor/evidence.hpp"
#include "doctor/traffic_class.hpp"
#include "host/connector.hpp"
#include "profile/peers.hpp"

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fabric::doctor {

// Where servers listen for their peers.
inline constexpr std::uint16_t kPeerPort = 5555;
inline constexpr std::chrono::milliseconds kPeerPatience{2000};
inline constexpr std::size_t kMostPairs = 4096;

// Each address of a rail with each address of the inventory in its network, but those
// that are this host's own. Not yet connected. Pure.
[[nodiscard]] PeerEvidence pairPeers(const Evidence& evidence,
                                     const profile::PeersRead& inventory);

// "10.0.0.1 to 10.0.0.2 (ens1f0np0 of node2)"
[[nodiscard]] std::string nameOf(const PeerPair& pair);

// Tries every pair at once, within kPeerPatience each.
void connectPeers(host::Connector& connector, PeerEvidence& peers);

// How the rate of this pair is measured from here, with the device, and the GID index
// that its address has now; or why it cannot be. Pure.
struct Measurement {
    std::string serve;  // to be run first, at the other end: as its own look prints it
    std::string run;
    std::string without;
};

[[nodiscard]] Measurement measurementOf(const RailEvidence& rail,
                                        std::span<const AutoClass> classes,
                                        const IpAddress& from,
                                        const IpAddress& to);

}  // namespace fabric::doctor
