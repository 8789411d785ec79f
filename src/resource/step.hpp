// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/address.hpp"
#include "base/ip_address.hpp"
#include "base/quantity.hpp"
#include "host/dcb.hpp"
#include "host/ethtool.hpp"
#include "host/files.hpp"
#include "host/ipv4_conf.hpp"
#include "host/pci.hpp"
#include "host/services.hpp"
#include "resource/finding.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fabric::resource {

enum class Disturbs { none, traffic, link };

[[nodiscard]] std::string_view toString(Disturbs disturbs);

// The order of writing. Within a rail the stages run in this order; rails run one after
// the other, so that the link-disturbing steps of a rail come together.
enum class Stage {
    module,
    acs,
    mtu,
    pause,
    dcbx,
    ets,
    maxRate,
    pfc,
    buffer,
    classification,  // APP table and trust
    ecn,
    rdmaCm,
    arp,
    neighbour,
    service,
};

inline constexpr unsigned kPublicFile = 0644;

// Writes are values: a plan can be printed, compared and kept without any code that
// writes.
struct DcbWrite {
    host::DcbRequest request;
    // Sent when, and only when, `request` was refused: takes back what a refusal leaves
    // behind. Some drivers list an APP entry before their firmware is asked, and a list
    // entry must not pass for hardware in the next run. Its own failure is not counted.
    std::optional<host::DcbRequest> ifRefused = std::nullopt;
    bool operator==(const DcbWrite&) const = default;
};

struct AttributeWrite {  // sysfs, procfs, configfs
    std::string path;
    std::string text;
    bool operator==(const AttributeWrite&) const = default;
};

struct DirectoryCreate {  // configfs groups, directories below /run and /etc
    std::string path;
    bool operator==(const DirectoryCreate&) const = default;
};

// A whole file, replaced atomically. Its directory must exist (DirectoryCreate).
struct FileReplace {
    std::string path;
    std::string text;
    unsigned mode = kPublicFile;                          // permission bits
    std::optional<host::FileOwner> owner = std::nullopt;  // empty: of the process
    bool operator==(const FileReplace&) const = default;
};

// A file that is already gone is as wanted.
struct FileRemove {
    std::string path;
    bool operator==(const FileRemove&) const = default;
};

struct MtuWrite {
    IfIndex link;
    std::uint32_t bytes = 0;
    bool operator==(const MtuWrite&) const = default;
};

struct PauseWrite {
    IfIndex link;
    host::PauseParameters wanted;
    bool operator==(const PauseWrite&) const = default;
};

struct Ipv4ConfWrite {
    IfIndex link;  // none: conf.all
    host::Ipv4Values values;
    bool operator==(const Ipv4ConfWrite&) const = default;
};

// A kernel module with what it depends on.
struct ModuleLoad {
    std::string name;
    bool operator==(const ModuleLoad&) const = default;
};

// A drop-in of a unit, written, and the service manager reloaded. When the unit does
// not load with it, or the reload fails, what stood there before is put back.
struct DropInWrite {
    std::string unit;
    FileReplace file;
    std::optional<std::string> previous;  // empty: there was no file
    bool operator==(const DropInWrite&) const = default;
};

struct ManagerReload {
    std::string unit;  // that must be loaded afterwards
    bool operator==(const ManagerReload&) const = default;
};

// Deletes entries of the neighbour cache and proves by fresh dumps, in a bounded number
// of rounds, that none of them outlived it.
struct NeighbourDelete {
    IfIndex link;
    std::vector<IpAddress> addresses;
    // Also every dynamic entry that is found on the link when the write happens: the
    // cache goes on learning between plan and write.
    bool everyDynamic = false;
    bool operator==(const NeighbourDelete&) const = default;
};

// Asks for these addresses, and for what a deletion on this link took beyond its list,
// at once; the answers are awaited when all steps are done.
struct NeighbourResolve {
    IfIndex link;
    std::vector<IpAddress> addresses;
    bool operator==(const NeighbourResolve&) const = default;
};

// One gratuitous ARP for an address of the link.
struct GratuitousArp {
    IfIndex link;
    MacAddress mac;
    IpAddress ipv4;
    bool operator==(const GratuitousArp&) const = default;
};

using Write = std::variant<DcbWrite,
                           AttributeWrite,
                           DirectoryCreate,
                           FileReplace,
                           FileRemove,
                           MtuWrite,
                           PauseWrite,
                           Ipv4ConfWrite,
                           ModuleLoad,
                           DropInWrite,
                           ManagerReload,
                           host::RestartRequest,
                           NeighbourDelete,
                           NeighbourResolve,
                           GratuitousArp,
                           host::PciCapabilityWrite>;

// One change that succeeds or fails as a whole: its writes run in order and stop at the
// first failure. It serves one or more assessments.
struct Step {
    Stage stage = Stage::module;
    std::string rail;  // "" host-wide
    IfIndex link;      // the physical port, for carrier waits; none host-wide
    // The name that `link` bore when it was observed, when paths in `writes` carry it.
    // The step is not carried out when the link bears another name by then: the path
    // would be another interface's. "": no path hangs on a name.
    std::string linkName;
    Disturbs disturbs = Disturbs::none;
    std::string summary;           // "set PFC priorities to [3]"
    std::vector<std::string> ids;  // the assessments it repairs
    std::vector<Write> writes;
    std::vector<Finding> consequences = {};  // told when every write was accepted
};

}  // namespace fabric::resource
