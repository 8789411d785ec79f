// SPDX-License-Identifier: Apache-2.0
#include "resource/module/compare.hpp"
#include "resource/module/module.hpp"
#include "resource/module/state.hpp"

namespace fabric::resource::kernel_module {

Comparison assess(const host::Reader& host, const Scope& scope) {
    if (!scope.hostWide || !scope.host.modules || scope.host.modules->empty()) {
        return {};
    }
    return compare(observe(host, scope, *scope.host.modules), scope.platform);
}

}  // namespace fabric::resource::kernel_module
