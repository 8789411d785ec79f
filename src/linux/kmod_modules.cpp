// SPDX-License-Identifier: Apache-2.0
#include "linux/kmod_modules.hpp"

#include "linux/kmod_library.hpp"

namespace fabric::linux_host {

Result<host::Module> KmodModuleReader::module(std::string_view name) const {
    const KmodContext context = TRY(openKmod(root_));
    const KmodModule module = TRY(findModule(context.get(), name));
    return describeModule(context.get(), module.get());
}

}  // namespace fabric::linux_host
