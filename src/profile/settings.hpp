// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

// What the operator wants, as plain values. An empty optional is "not owned": read,
// preserved, never reported as drift. The rules are those of fabricctl-profile(5).
namespace fabric::profile {

// Where a value comes from: written in the file, or derived from `dcb.lossless` or a
// default. A derived value on a driver without the control is not-applicable; an
// explicit one is unsupported.
enum class Origin { derived, explicitly };

template <typename T>
struct Setting {
    T value{};
    Origin origin = Origin::derived;

    [[nodiscard]] bool isExplicit() const { return origin == Origin::explicitly; }

    bool operator==(const Setting&) const = default;
};

enum class DcbxOwner { host, keep };
enum class Trust { dscp, pcp, keep };
// What the 64-entry map holds outside the owned entries. `standard` is dscp >> 3
// ("default").
enum class OtherDscp { standard, exclusive, keep, zero };
enum class TransmissionSelection { strict, ets };  // IEEE 802.1Q TSA

struct Ets {
    std::map<Priority, TrafficClass> priorityToTc;
    std::map<TrafficClass, TransmissionSelection> tsa;
    std::map<TrafficClass, unsigned> bandwidthPercent;
};

struct Lossless {
    Priority priority;
    Dscp dscp;
    BufferIndex buffer;
};

struct DcbSettings {
    Setting<DcbxOwner> dcbx{DcbxOwner::host, Origin::derived};
    Setting<Trust> trust{Trust::dscp, Origin::derived};
    std::optional<Lossless> lossless;
    std::optional<Setting<std::set<Priority>>> pfc;                   // the full list
    std::optional<Setting<std::map<Dscp, Priority>>> dscpToPriority;  // owned entries
    Setting<OtherDscp> otherDscp{OtherDscp::standard, Origin::derived};
    // Derived: all eight priorities are listed. Explicit: unlisted ones are kept.
    std::optional<Setting<std::map<Priority, BufferIndex>>> priorityToBuffer;
    std::optional<std::map<BufferIndex, Bytes>> bufferSize;
    std::optional<Meters> cableLength;  // 1..999
    std::optional<Ets> ets;
    std::optional<std::map<TrafficClass, Kbps>> maxRate;
};

enum class WhenUncontrollable { report, fail };

struct EcnSettings {
    std::optional<Setting<std::set<Priority>>> reactionPoint;  // enabled exactly there
    std::optional<Setting<std::set<Priority>>>
        notificationPoint;  // enabled exactly there
    std::optional<Dscp> cnpDscp;
    WhenUncontrollable whenUncontrollable = WhenUncontrollable::report;
};

struct PauseSettings {
    std::optional<bool> rx;
    std::optional<bool> tx;
};

struct MtuSettings {
    std::uint32_t bytes = 0;
    bool atLeast = false;  // { min: N }
};

struct ArpSettings {
    std::optional<int> ignore = 1;    // 1 or 2; empty: not owned
    std::optional<int> announce = 2;  // 2; empty: not owned
    std::optional<int> rpFilter;      // empty: keep
    bool scopeAll = false;
    bool persist = true;
};

struct NeighbourPeer {
    std::string host;
    std::string rail;
    std::string address;
    std::string mac;
    // What RDMA meets there; not told: 0, "".
    std::uint32_t mtu = 0;        // bytes, of the interface
    std::uint32_t activeMtu = 0;  // bytes, of the RDMA port
    std::string gid;              // the RoCE v2 GID of the address, or "none"

    bool operator==(const NeighbourPeer&) const = default;
};

enum class FlushMode { whenChanged, always, never };
enum class StaticEntries { report, remove };

struct NeighbourSettings {
    FlushMode flush = FlushMode::whenChanged;
    StaticEntries staticEntries = StaticEntries::report;
    bool announce = true;
    std::vector<NeighbourPeer> peers;
    std::string peersFrom;
};

// Everything that can differ from rail to rail, overrides merged, derivations done.
struct RailSettings {
    std::optional<DcbSettings> dcb;
    std::optional<EcnSettings> ecn;
    std::optional<PauseSettings> pause;
    std::optional<MtuSettings> mtu;
    std::optional<std::uint8_t> rdmaCmTos;
    std::optional<ArpSettings> arp;
    std::optional<NeighbourSettings> neighbours;
};

enum class AcsClear { redirect, all, platform, none };
enum class AcsScope { upstream, paths };
enum class Consent { refuse, warn, proceed };

struct EndpointSelector {
    std::string vendor;     // glob over four hexadecimal digits
    std::string device;     // same; "" matches any
    std::string classCode;  // glob over six hexadecimal digits
};

struct AcsSettings {
    AcsClear clear = AcsClear::redirect;
    AcsScope scope = AcsScope::upstream;
    std::vector<EndpointSelector> endpoints;  // empty: the built-in table
    bool clearWithoutGpu = false;
    Consent onTranslatingIommu = Consent::refuse;
    Consent onPassthrough = Consent::refuse;
    Consent onGuest = Consent::warn;
};

struct MemlockLimit {
    std::optional<Bytes> bytes;  // empty: infinity
};

struct ServiceSettings {
    std::string unit = "minio.service";
    std::string binary = "/usr/local/bin/minio.rdma";  // "": not owned
    std::string requireFeature = "GPU-Direct RDMA";    // "": not asked for
    std::optional<MemlockLimit> limitMemlock = MemlockLimit{};
    std::map<std::string, std::string> environment;
    bool manageEnvironment = false;
    bool restartIfNeeded = false;
};

// Host-wide sections.
struct HostSettings {
    std::optional<std::vector<std::string>> modules;
    std::optional<AcsSettings> acs;
    std::optional<ServiceSettings> service;
};

// All given keys must hold; values are globs.
struct RailSelector {
    std::optional<std::string> rdma;
    std::optional<std::string> interface;
    std::optional<std::string> pci;
    std::optional<std::string> driver;
    std::optional<std::string> vendor;  // four hexadecimal digits
    std::optional<std::string> mac;
    std::optional<std::string> numaNode;

    // As written, for messages: "{ rdma: mlx5_* }".
    [[nodiscard]] std::string text() const;
};

// What a selector is matched against. Empty text never matches a given key.
struct RailIdentity {
    std::string rdma;  // "" : the interface carries no RDMA port
    std::string interface;
    std::string pci;
    std::string driver;
    std::string vendor;
    std::string mac;
    std::string numaNode;
};

[[nodiscard]] bool matches(const RailSelector& selector, const RailIdentity& rail);

struct RailSelection {
    std::vector<RailSelector> match;  // empty: every physical Ethernet RDMA port
    std::vector<RailSelector> exclude;
    std::optional<unsigned> expectMin;
    std::optional<unsigned> expectMax;
    std::optional<std::chrono::milliseconds> wait;  // as written; empty: not said
    bool includeDefaultRoute = false;
};

}  // namespace fabric::profile
