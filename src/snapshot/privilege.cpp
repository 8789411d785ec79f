// SPDX-License-Identifier: Apache-2.0
#include "snapshot/privilege.hpp"

#include <linux/capability.h>

#include <algorithm>
#include <array>
#include <string>
#include <variant>

namespace fabric::snapshot {

namespace {

bool isNetwork(const Thing& thing) {
    return std::holds_alternative<Mtu>(thing) || std::holds_alternative<Pause>(thing) ||
           std::holds_alternative<Dcb>(thing) ||
           std::holds_alternative<Ipv4Conf>(thing);
}

bool isRegister(const Thing& thing) {
    return std::holds_alternative<PciWord>(thing);
}

const FileContent* contentOf(const Thing& thing) {
    const auto* const file = std::get_if<File>(&thing);
    return file != nullptr && file->content ? &*file->content : nullptr;
}

bool isGivenAway(const Thing& thing) {
    const FileContent* const content = contentOf(thing);
    return content != nullptr &&
           content->owner != host::FileOwner{.user = 0, .group = 0};
}

// The owner is given before the mode, so that the mode of another one's file is set.
bool isOfAnother(const Thing& thing) {
    const FileContent* const content = contentOf(thing);
    return content != nullptr && content->owner.user != 0;
}

struct Need {
    unsigned capability;
    const char* name;
    const char* forWhat;
    bool (*isOf)(const Thing&);
    bool everywhere;  // the kernel asks for it in the initial user namespace
};

constexpr std::array<Need, 4> kNeeds{
    {{CAP_NET_ADMIN, "CAP_NET_ADMIN", "network settings", isNetwork, true},
     {CAP_SYS_ADMIN, "CAP_SYS_ADMIN", "PCI configuration space", isRegister, true},
     {CAP_CHOWN, "CAP_CHOWN", "a file of another user or group", isGivenAway, false},
     {CAP_FOWNER, "CAP_FOWNER", "a file of another user", isOfAnother, false}}};

Error lacks(const Need& need, bool otherNamespace) {
    return {.kind = ErrorKind::permission,
            .action = "restore",
            .subject = need.forWhat,
            .sysErrno = 0,
            .detail = std::string(need.name) + " is missing" +
                      (otherNamespace ? " in the initial user namespace (this process "
                                        "runs in another one)"
                                      : "") +
                      "; nothing was written",
            .advice = otherNamespace ? "run on the host, not inside a container with "
                                       "its own user namespace"
                                     : "run as root"};
}

}  // namespace

std::optional<Error> missingCapability(const Snapshot& snapshot,
                                       const inventory::Platform& platform,
                                       std::uint64_t capabilities) {
    for (const Need& need : kNeeds) {
        const bool needed = std::ranges::any_of(
            snapshot.items, [&](const Item& item) { return need.isOf(item.thing); });
        const bool held = (capabilities >> need.capability & 1U) != 0;
        const bool elsewhere = need.everywhere && !platform.initialUserNamespace;
        if (needed && (!held || elsewhere)) {
            return lacks(need, held);
        }
    }
    return std::nullopt;
}

}  // namespace fabric::snapshot
