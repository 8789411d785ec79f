// SPDX-License-Identifier: Apache-2.0
#include "linux/systemd_sandbox.hpp"

#include <linux/capability.h>

#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <initializer_list>

namespace fabric::linux_host {

namespace {

using Words = std::vector<std::string>;
// Allowed (true) or forbidden words.
using WordFilter = sdbus::Struct<bool, Words>;
// Family, address, length of the prefix.
using AddressRange =
    sdbus::Struct<std::int32_t, std::vector<std::uint8_t>, std::uint32_t>;

constexpr std::uint32_t kUmask = 0022;

std::uint64_t capabilities() {
    std::uint64_t set = 0;
    for (const unsigned capability : {CAP_NET_ADMIN,
                                      CAP_NET_RAW,
                                      CAP_SYS_ADMIN,
                                      CAP_SYS_MODULE,
                                      CAP_DAC_READ_SEARCH,
                                      CAP_SYS_PTRACE,
                                      CAP_SETUID,
                                      CAP_SETGID,
                                      CAP_CHOWN,
                                      CAP_FOWNER}) {
        set |= std::uint64_t{1} << capability;
    }
    return set;
}

// IPAddressDeny=any: one range of each family, which holds every address.
std::vector<AddressRange> everyAddress() {
    constexpr std::size_t kIpv4Bytes = 4;
    constexpr std::size_t kIpv6Bytes = 16;
    return {AddressRange{AF_INET, std::vector<std::uint8_t>(kIpv4Bytes), 0U},
            AddressRange{AF_INET6, std::vector<std::uint8_t>(kIpv6Bytes), 0U}};
}

void addFlags(PropertyList& all) {
    for (const char* name : {"NoNewPrivileges",
                             "PrivateMounts",
                             "ProtectClock",
                             "ProtectHostname",
                             "ProtectControlGroups",
                             "ProtectKernelLogs",
                             "RestrictRealtime",
                             "RestrictSUIDSGID",
                             "LockPersonality",
                             "MemoryDenyWriteExecute"}) {
        all.emplace_back(name, sdbus::Variant(true));
    }
}

void addWords(PropertyList& all) {
    const auto add = [&all](const char* name, const char* value) {
        all.emplace_back(name, sdbus::Variant(std::string(value)));
    };
    add("ProtectSystem", "strict");
    add("ProtectHome", "read-only");
    add("KeyringMode", "private");
    add("DevicePolicy", "closed");
    add("RuntimeDirectoryPreserve", "yes");
}

}  // namespace

PropertyList commandSandbox() {
    PropertyList all;
    addFlags(all);
    addWords(all);
    const auto add = [&all](const char* name, auto value) {
        all.emplace_back(name, sdbus::Variant(value));
    };
    add("RestrictNamespaces", std::uint64_t{0});  // none may be made
    add("CapabilityBoundingSet", capabilities());
    add("UMask", kUmask);
    add("IPAddressDeny", everyAddress());
    add("SystemCallArchitectures", Words{"native"});
    add("SystemCallErrorNumber", std::int32_t{EPERM});
    add("SystemCallFilter", WordFilter{true, {"@system-service", "@module"}});
    add("RestrictAddressFamilies",
        WordFilter{true,
                   {"AF_UNIX", "AF_NETLINK", "AF_INET", "AF_INET6", "AF_PACKET"}});
    add("ReadWritePaths",
        Words{"-/etc/fabricctl",
              "-/etc/modules-load.d",
              "-/etc/sysctl.d",
              "-/etc/systemd/system"});
    add("RuntimeDirectory", Words{"fabricctl"});
    add("StateDirectory", Words{"fabricctl"});
    return all;
}

}  // namespace fabric::linux_host
