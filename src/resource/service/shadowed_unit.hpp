// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "host/services.hpp"

#include <string>

namespace fabric::resource::service {

// The packaged unit that a file of the same name in /etc or /run hides, "" none.
[[nodiscard]] std::string shadowedBy(const host::FileReader& files,
                                     const host::ServiceUnit& unit);

}  // namespace fabric::resource::service
