// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fabric::resource::service {

// One "Key=value" of a unit file, continuation lines joined.
struct UnitSetting {
    std::string section;  // "Service"
    std::string key;
    std::string value;
    bool operator==(const UnitSetting&) const = default;
};

// The settings in the order of the file; systemd.syntax(7).
[[nodiscard]] std::vector<UnitSetting> parseUnitFile(std::string_view text);

// A file that systemd read for a unit, in its present state on the disk.
struct UnitFile {
    std::string path;
    std::vector<UnitSetting> settings;

    [[nodiscard]] bool sets(std::string_view section, std::string_view key) const;
};

// The last of the files that sets the key in [Service], "" none.
[[nodiscard]] std::string lastSetter(const std::vector<UnitFile>& files,
                                     std::string_view key);

// What the last of the files says of the key in [Service], "" nothing.
[[nodiscard]] std::string lastValue(const std::vector<UnitFile>& files,
                                    std::string_view key);

using Checks = std::vector<std::pair<std::string, std::string>>;  // key, value

// What several files make of the lists that a drop-in has to repeat: an empty value
// empties the list, and for checks any Assert…= empties all of them.
struct UnitLists {
    std::vector<std::string> execStart;  // raw, as written
    Checks asserts;
    Checks conditions;
};

[[nodiscard]] UnitLists mergeLists(const std::vector<UnitFile>& files);

}  // namespace fabric::resource::service
