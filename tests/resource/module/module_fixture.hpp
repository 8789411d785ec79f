// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/executor.hpp"
#include "engine/planner.hpp"
#include "resource/module/boot_list.hpp"
#include "resource/module/module.hpp"
#include "resource/rail_fixture.hpp"

namespace fabric::resource::kernel_module {

// A machine in memory whose profile wants modules.
class ModuleFixture : public RailFixture {
  protected:
    ModuleFixture() {
        platform.kernelRelease = "6.1.0-57-amd64";
        host.files.addDirectory("/etc/modules-load.d");
        host.files.addDirectory("/sys/module");
        host.files.addFile("/lib/modules/6.1.0-57-amd64/modules.builtin");
    }

    void want(std::vector<std::string> modules) {
        settings.modules = std::move(modules);
    }

    void list(const std::set<std::string>& modules) {
        host.files.addFile(kBootList, renderBootList(modules));
    }

    [[nodiscard]] Comparison look() const { return assess(host.reader(), scope()); }

    std::vector<engine::StepResult> apply() {
        return engine::execute(
            engine::orderSteps(look().steps), host.reader(), host.writer(), {});
    }

    [[nodiscard]] Assessment of(std::string_view id) const { return only(look(), id); }

    [[nodiscard]] static const Finding* findingIn(const Comparison& comparison,
                                                  std::string_view id) {
        const auto found = std::ranges::find(comparison.findings, id, &Finding::id);
        return found == comparison.findings.end() ? nullptr : &*found;
    }
};

}  // namespace fabric::resource::kernel_module
