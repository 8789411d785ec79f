// SPDX-License-Identifier: Apache-2.0
#include "resource/arp/other_writer.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace fabric::resource::arp {

namespace {

struct Known {
    std::string_view name;  // as in /proc/PID/comm
    std::string_view habit;
};

constexpr std::array<Known, 4> kKnown{{
    {"kube-proxy",
     "with strictARP it sets arp_ignore and arp_announce in conf.all and never takes "
     "them back"},
    {"tuned",
     "at every profile change it sets its own values and all of sysctl.d again, "
     "/etc/sysctl.conf last"},
    {"wickedd", "it sets what its ifsysctl files say when an interface comes up"},
    {"keepalived", "its scripts and its documentation set arp_ignore in conf.all"},
}};

}  // namespace

std::string OtherWriter::text() const {
    return name + " (process " + process + ") is running: " + std::string(habit);
}

std::vector<OtherWriter> otherWriters(const host::FileReader& files) {
    std::vector<OtherWriter> running;
    const auto entries = files.list("/proc");
    for (const std::string& entry : entries ? *entries : std::vector<std::string>{}) {
        if (!parseUnsigned(entry)) {
            continue;
        }
        const auto comm = files.read("/proc/" + entry + "/comm");
        const auto* const known =
            comm ? std::ranges::find(kKnown, trimmed(*comm), &Known::name)
                 : kKnown.end();
        const bool first =
            known != kKnown.end() &&
            std::ranges::find(running, known->name, &OtherWriter::name) ==
                running.end();
        if (first) {
            running.push_back({.name = std::string(known->name),
                               .process = entry,
                               .habit = known->habit});
        }
    }
    return running;
}

std::string wickedFileOf(const host::FileReader& files, const std::string& interface) {
    std::string path = "/etc/sysconfig/network/ifsysctl-" + interface;
    return files.status(path) ? path : std::string();
}

}  // namespace fabric::resource::arp
