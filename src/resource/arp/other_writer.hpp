// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fabric::resource::arp {

// A running program that is known to write ARP settings by itself.
struct OtherWriter {
    std::string name;     // "tuned"
    std::string process;  // its process id
    std::string_view habit;

    // "tuned (process 812) is running: it ...".
    [[nodiscard]] std::string text() const;
};

// One look at the process table. What cannot be read is not there.
[[nodiscard]] std::vector<OtherWriter> otherWriters(const host::FileReader& files);

// The wicked file that sets values of this interface when it is brought up (SUSE,
// ifsysctl(5)); "" none.
[[nodiscard]] std::string wickedFileOf(const host::FileReader& files,
                                       const std::string& interface);

}  // namespace fabric::resource::arp
