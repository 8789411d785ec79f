// SPDX-License-Identifier: Apache-2.0
#include "resource/module/boot_file.hpp"
#include "resource/module/compare.hpp"
#include "resource/module/module.hpp"
#include "resource/module/state.hpp"

#include <utility>

namespace fabric::resource::kernel_module {

Comparison assess(const host::Reader& host, const Scope& scope) {
    if (!scope.hostWide) {
        return {};
    }
    if (scope.host.modules) {
        return compare(observe(host, scope, *scope.host.modules), scope.platform);
    }
    Comparison result;
    if (auto left = leftOverList(host.files, false)) {
        result.findings.push_back(std::move(*left));
    }
    return result;
}

}  // namespace fabric::resource::kernel_module
