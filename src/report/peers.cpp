// SPDX-License-Identifier: Apache-2.0
#include "report/peers.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <utility>

namespace fabric::report {

namespace {

constexpr std::string_view kSchema = "fabricctl/peers/1";

// A double-quoted YAML scalar (YAML 1.2, 5.7): every byte that is not plain text is an
// escape, so that no name can end its quotes.
std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char character : text) {
        const auto byte = static_cast<unsigned char>(character);
        if (character == '"' || character == '\\') {
            result += '\\';
            result += character;
        } else if (byte < 0x20 || byte >= 0x7f) {
            result += fmt::format("\\x{:02x}", byte);
        } else {
            result += character;
        }
    }
    return result + "\"";
}

// The members that are not always told.
std::string toldText(const profile::NeighbourPeer& peer) {
    std::string text;
    if (peer.mtu != 0) {
        text += fmt::format(", mtu: {}", peer.mtu);
    }
    if (peer.activeMtu != 0) {
        text += fmt::format(", active-mtu: {}", peer.activeMtu);
    }
    if (!peer.gid.empty()) {
        text += ", gid: " + quoted(peer.gid);
    }
    return text;
}

}  // namespace

std::string toYaml(const engine::OwnPeers& own) {
    std::string text = fmt::format("schema: {}\nhost: {}\npeers:{}\n",
                                   kSchema,
                                   quoted(own.host),
                                   own.peers.empty() ? " []" : "");
    for (const profile::NeighbourPeer& peer : own.peers) {
        text += fmt::format("  - {{ host: {}, rail: {}, address: {}, mac: {}{} }}\n",
                            quoted(peer.host),
                            quoted(peer.rail),
                            quoted(peer.address),
                            quoted(peer.mac),
                            toldText(peer));
    }
    return text;
}

Value toValue(const engine::OwnPeers& own) {
    Value::List peers;
    for (const profile::NeighbourPeer& peer : own.peers) {
        Value::Object entry{{"host", peer.host},
                            {"rail", peer.rail},
                            {"address", peer.address},
                            {"mac", peer.mac}};
        if (peer.mtu != 0) {
            entry.emplace("mtu", peer.mtu);
        }
        if (peer.activeMtu != 0) {
            entry.emplace("active-mtu", peer.activeMtu);
        }
        if (!peer.gid.empty()) {
            entry.emplace("gid", peer.gid);
        }
        peers.emplace_back(std::move(entry));
    }
    return Value::Object{
        {"schema", kSchema}, {"host", own.host}, {"peers", std::move(peers)}};
}

}  // namespace fabric::report
