// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fake/fake_files.hpp"
#include "host/modules.hpp"

#include <map>
#include <string>
#include <vector>

namespace fabric::fake {

struct ModuleLoadRecord {
    std::string name;
    int sysErrno = 0;  // 0: it took effect
    bool operator==(const ModuleLoadRecord&) const = default;
};

// The modules of one kernel: what is on the disk, and /sys/module of what is loaded.
class FakeModules : public host::ModuleReader, public host::ModuleWriter {
  public:
    explicit FakeModules(FakeFiles& files) : files_(files) {}

    // A module of the kernel's own tree on the disk, not loaded.
    host::Module& add(const std::string& name);
    // Shows it in /sys/module as loaded; `taint` as the kernel writes it ("OE").
    void showLoaded(const std::string& name, const std::string& taint = "");

    std::map<std::string, int> loadErrors;  // errno of load()
    std::map<std::string, int> readErrors;  // errno of module()
    std::vector<ModuleLoadRecord> loads;    // every try, in order
    bool loadsInVain = false;               // load() answers 0 and loads nothing

    [[nodiscard]] Result<host::Module> module(std::string_view name) const override;
    [[nodiscard]] Result<void> load(std::string_view name) override;

  private:
    FakeFiles& files_;
    std::map<std::string, host::Module> modules_;
};

}  // namespace fabric::fake
