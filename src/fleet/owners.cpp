// SPDX-License-Identifier: Apache-2.0
#include "fleet/owners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace fabric::fleet {

namespace {

constexpr unsigned kByte = 8;

std::size_t hashOf(std::span<const std::uint8_t> octets) {
    // FNV-1a would do; the library's hash of the bytes does as well.
    return std::hash<std::string_view>()(
        {reinterpret_cast<const char*>(octets.data()), octets.size()});
}

void addOwner(std::vector<Owner>& owners, const Owner& owner) {
    if (std::ranges::find(owners, owner) == owners.end()) {
        owners.push_back(owner);
    }
}

template <typename Key, typename Table>
std::vector<Key> sharedOf(const Table& table) {
    std::vector<Key> shared;
    for (const auto& [key, owners] : table) {
        if (owners.size() > 1) {
            shared.push_back(key);
        }
    }
    std::ranges::sort(shared);
    return shared;
}

template <typename Table, typename Key>
std::span<const Owner> find(const Table& table, const Key& key) {
    const auto found = table.find(key);
    return found == table.end() ? std::span<const Owner>() : std::span(found->second);
}

}  // namespace

std::size_t Owners::AddressHash::operator()(const IpAddress& address) const {
    return hashOf(address.bytes());
}

std::size_t Owners::MacHash::operator()(const MacAddress& mac) const {
    return hashOf(mac.octets);
}

Subnet Subnet::of(const OwnAddress& address) {
    Subnet subnet{.network = address.address, .prefixLength = address.prefixLength};
    for (unsigned at = 0; at < subnet.network.octets.size(); ++at) {
        const unsigned begin = at * kByte;
        const unsigned kept =
            address.prefixLength > begin
                ? std::min(kByte, unsigned{address.prefixLength} - begin)
                : 0;
        subnet.network.octets.at(at) =
            static_cast<std::uint8_t>(subnet.network.octets.at(at) & ~(0xFFU >> kept));
    }
    return subnet;
}

std::string Subnet::text() const {
    return fmt::format("{}/{}", network.text(), prefixLength);
}

void Owners::add(HostId id, const HostRecord& host) {
    for (const RailRecord& rail : host.rails) {
        const TextId name = texts_.idOf(rail.name);
        for (const MacAddress& mac : rail.macs) {
            addOwner(macs_[mac], {.host = id, .rail = name, .mac = mac});
        }
        for (const OwnAddress& own : rail.addresses) {
            addOwner(addresses_[own.address],
                     {.host = id, .rail = name, .mac = own.mac});
            SubnetUse& use = subnets_[Subnet::of(own)];
            ++use.hostsByRail[name];
            use.hosts += use.hosts == 0 || use.lastHost != id ? 1 : 0;
            use.lastHost = id;
        }
    }
}

void Owners::close() {
    for (auto& [subnet, use] : subnets_) {
        std::size_t most = 0;
        for (const auto& [rail, hosts] : use.hostsByRail) {
            use.rail = hosts == most ? 0 : hosts > most ? rail : use.rail;
            most = std::max(most, hosts);
            rails_[rail].hosts += hosts;
            rails_[rail].lonely += use.hosts == 1 ? hosts : 0;
        }
    }
}

std::span<const Owner> Owners::ofAddress(const IpAddress& address) const {
    return find(addresses_, address);
}

std::span<const Owner> Owners::ofMac(const MacAddress& mac) const {
    return find(macs_, mac);
}

std::vector<IpAddress> Owners::sharedAddresses() const {
    return sharedOf<IpAddress>(addresses_);
}

std::vector<MacAddress> Owners::sharedMacs() const {
    return sharedOf<MacAddress>(macs_);
}

TextId Owners::railOf(const Subnet& subnet) const {
    const auto found = subnets_.find(subnet);
    return found == subnets_.end() ? 0 : found->second.rail;
}

bool Owners::isStray(const Subnet& subnet, TextId rail) const {
    constexpr std::size_t kFewest = 3;
    constexpr std::size_t kTenth = 10;
    const auto found = subnets_.find(subnet);
    const auto use = rails_.find(rail);
    if (found == subnets_.end() || use == rails_.end() || found->second.hosts != 1) {
        return false;
    }
    const std::size_t hosts = use->second.hosts;
    return hosts >= kFewest &&
           use->second.lonely <= std::max<std::size_t>(1, hosts / kTenth);
}

}  // namespace fabric::fleet
