// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/ethtool.hpp"
#include "host/files.hpp"
#include "host/ipv4_conf.hpp"
#include "host/services.hpp"
#include "resource/assessment.hpp"
#include "resource/dcb/state.hpp"
#include "snapshot/identity.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fabric::snapshot {

struct Mtu {
    LinkIdentity link;
    std::uint32_t bytes = 0;
    bool operator==(const Mtu&) const = default;
};

struct Pause {
    LinkIdentity link;
    host::PauseParameters parameters;
    bool operator==(const Pause&) const = default;
};

// What one DCB write can change, each read and put back as a whole.
enum class DcbConcern { dcbx, ets, maxRate, pfc, buffers, apps, appTrust };

[[nodiscard]] std::string_view toString(DcbConcern concern);
[[nodiscard]] std::optional<DcbConcern> parseConcern(std::string_view text);

struct Dcb {
    LinkIdentity link;
    // Those of a plan's writes and of what a driver changes along with them. Of these,
    // and of no other, `state` and `apps` hold what was read.
    std::set<DcbConcern> concerns;
    resource::dcb::State state;  // without `apps` and `sysfs`
    // As the kernel lists them, newest first: it takes the first that matches.
    std::vector<resource::dcb::AppEntry> apps;
    bool operator==(const Dcb&) const = default;
};

// Kernel attributes of one net device, or of none, as raw text. A place is a path in
// which {interface}, {rdma} and {pci} stand for the present names of the device.
struct Attributes {
    std::optional<LinkIdentity> link;
    std::map<std::string, std::string> texts;  // by place
    bool operator==(const Attributes&) const = default;
};

struct Ipv4Conf {
    std::optional<LinkIdentity> link;  // empty: conf.all
    host::Ipv4Values values;
    bool operator==(const Ipv4Conf&) const = default;
};

struct FileContent {
    std::string bytes;
    unsigned mode = 0;  // permission bits
    host::FileOwner owner;
    bool operator==(const FileContent&) const = default;
};

struct File {
    std::string path;
    std::optional<FileContent> content;  // empty: there was none
    std::string unit = {};               // that must be reloaded with it; "" no unit
    bool operator==(const File&) const = default;
};

// Bits of a 16-bit register in an extended capability.
struct PciWord {
    PciIdentity function;
    std::uint16_t capabilityId = 0;
    std::uint16_t capability = 0;      // offset of the extended capability header
    std::uint16_t registerOffset = 0;  // from the header
    std::uint16_t mask = 0;            // the bits that a plan's writes name
    std::uint16_t value = 0;           // the whole word as read
    bool operator==(const PciWord&) const = default;
};

// What systemd had in force of a unit whose files are about to change. It is not
// written: putting back the files has to bring it back.
struct UnitInForce {
    std::string unit;
    std::vector<host::ServiceCommand> execStart;
    std::vector<host::ServiceAssert> asserts;
    host::ResourceLimit limitMemlock;
    bool operator==(const UnitInForce&) const = default;
};

using Thing =
    std::variant<Mtu, Pause, Dcb, Attributes, Ipv4Conf, File, PciWord, UnitInForce>;

// What was really read at one thing before it was overwritten.
struct Item {
    resource::Kind kind = resource::Kind::rails;  // of the step that overwrites it
    std::string label;  // what it was called then, for people: "rail0"
    std::string from;   // the snapshot in which it was read
    Thing thing;
    bool operator==(const Item&) const = default;
};

// Copies one concern of a port into `to`, without saying that `to` holds it.
void copyConcern(DcbConcern concern,
                 const resource::dcb::State& state,
                 const std::vector<resource::dcb::AppEntry>& apps,
                 Dcb& to);

// Takes what `later` read into `items`, as far as they hold nothing of it yet: what was
// read first stays.
void absorb(const Item& later, std::vector<Item>& items);

}  // namespace fabric::snapshot
