// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/modules.hpp"

namespace fabric::linux_host {

// Loads modules through libkmod, always into the running kernel.
class KmodModuleWriter : public host::ModuleWriter {
  public:
    [[nodiscard]] Result<void> load(std::string_view name) override;
};

}  // namespace fabric::linux_host
