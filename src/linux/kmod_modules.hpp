// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/modules.hpp"

#include <string>

namespace fabric::linux_host {

// Modules as libkmod finds them, looked up anew with each question.
class KmodModuleReader : public host::ModuleReader {
  public:
    // `root` stands for "/"; "" is the real one.
    explicit KmodModuleReader(std::string root) : root_(std::move(root)) {}

    [[nodiscard]] Result<host::Module> module(std::string_view name) const override;

  private:
    std::string root_;
};

}  // namespace fabric::linux_host
