// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "doctor/evidence.hpp"
#include "facts/facts.hpp"
#include "host/files.hpp"

#include <string>

namespace fabric::cli {

// A file of 'fabricctl facts'.
[[nodiscard]] Result<facts::Facts> readFactsFile(const host::FileReader& files,
                                                 const std::string& path);

// What an earlier file of facts of the same host says, to compare with. Refused is that
// of a host with another name.
[[nodiscard]] Result<doctor::EarlierLook> readEarlierLook(const host::FileReader& files,
                                                          const std::string& path,
                                                          const std::string& hostName);

}  // namespace fabric::cli
