// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fabric::resource {

enum class Severity { info, warn, fail };

struct Finding {
    std::string id;  // "acs.guest"
    Severity severity = Severity::info;
    std::string summary;
    std::string evidence;
    std::string fix;
    std::string device = {};  // the interface that it is about; "" several, or the host
    bool operator==(const Finding&) const = default;
};

}  // namespace fabric::resource
