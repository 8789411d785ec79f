// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sdbus-c++/sdbus-c++.h>

#include <cstdint>
#include <string>
#include <vector>

namespace fabric::linux_host::testing {

// What the manager of systemd 252 sends, as org.freedesktop.systemd1(5) writes it. Not
// taken from the product: a wrong signature there has to be seen.
using LoadedCommand = sdbus::Struct<std::string,
                                    std::vector<std::string>,
                                    bool,
                                    std::uint64_t,
                                    std::uint64_t,
                                    std::uint64_t,
                                    std::uint64_t,
                                    std::uint32_t,
                                    std::int32_t,
                                    std::int32_t>;
using Assert = sdbus::Struct<std::string, bool, bool, std::string, std::int32_t>;
using EnvironmentFile = sdbus::Struct<std::string, bool>;
using LoadError = sdbus::Struct<std::string, std::string>;

}  // namespace fabric::linux_host::testing
