// SPDX-License-Identifier: Apache-2.0
#include "snapshot/subject.hpp"

#include "resource/arp/sysctl_files.hpp"
#include "resource/module/boot_list.hpp"
#include "resource/service/drop_in.hpp"

#include <string>

namespace fabric::snapshot {

using resource::Kind;
using resource::Stage;

Kind kindOf(Stage stage) {
    switch (stage) {
        case Stage::module:
            return Kind::module;
        case Stage::acs:
            return Kind::acs;
        case Stage::mtu:
            return Kind::mtu;
        case Stage::pause:
            return Kind::pause;
        case Stage::dcbx:
        case Stage::ets:
        case Stage::maxRate:
        case Stage::pfc:
        case Stage::buffer:
        case Stage::classification:
            return Kind::dcb;
        case Stage::ecn:
            return Kind::ecn;
        case Stage::rdmaCm:
            return Kind::rdmaCm;
        case Stage::arp:
            return Kind::arp;
        case Stage::neighbour:
            return Kind::neighbour;
        case Stage::service:
            return Kind::service;
    }
    return Kind::rails;
}

bool isOwnNote(std::string_view path) {
    return path.starts_with("/run/fabricctl/");
}

bool isOwnFile(std::string_view path) {
    namespace service = resource::service;
    const auto oneOf = [&](std::string_view directory, std::string_view end) {
        const std::string begin = std::string(directory) + "/";
        return path.starts_with(begin) && path.ends_with(end) &&
               path.size() > begin.size() + end.size() &&
               !path.substr(begin.size(), path.size() - begin.size() - end.size())
                    .contains('/');
    };
    return path == resource::arp::kOurSysctlFile ||
           path == resource::kernel_module::kBootList ||
           oneOf(service::kUnitDirectory, ".d/" + std::string(service::kDropInName)) ||
           oneOf(service::kManagedDirectory, ".env");
}

bool isTrigger(std::string_view path) {
    return path.starts_with("/sys/kernel/config/bnxt_re/") && path.ends_with("/apply");
}

bool sharesPauseWithPfc(const resource::dcb::DriverFacts& driver) {
    return driver.name == "mlx5_core";
}

}  // namespace fabric::snapshot
