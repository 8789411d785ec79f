// SPDX-License-Identifier: Apache-2.0
#include "fake/fake_modules.hpp"

#include <cerrno>

namespace fabric::fake {

host::Module& FakeModules::add(const std::string& name) {
    host::Module& module = modules_[name];
    module.name = name;
    module.file = "/lib/modules/6.1.0-57-amd64/kernel/drivers/" + name + ".ko";
    module.vermagic = "6.1.0-57-amd64 SMP preempt mod_unload modversions ";
    module.sourceVersion = "AAAA";
    module.inTree = true;
    return module;
}

void FakeModules::showLoaded(const std::string& name, const std::string& taint) {
    const std::string directory = "/sys/module/" + name;
    files_.addFile(directory + "/initstate", "live\n");
    files_.addFile(directory + "/taint", taint + "\n");
    files_.addFile(directory + "/srcversion", "AAAA\n");
}

Result<host::Module> FakeModules::module(std::string_view name) const {
    const std::string key(name);
    if (const auto error = readErrors.find(key); error != readErrors.end()) {
        return fail(systemError("look up module", key, error->second));
    }
    const auto known = modules_.find(key);
    return known == modules_.end() ? host::Module{.name = key} : known->second;
}

Result<void> FakeModules::load(std::string_view name) {
    const std::string key(name);
    const auto error = loadErrors.find(key);
    const int refused = error == loadErrors.end() ? 0 : error->second;
    loads.push_back({key, refused});
    if (refused != 0) {
        return fail(systemError("load module", key, refused));
    }
    if (!loadsInVain) {
        showLoaded(key);
    }
    return {};
}

}  // namespace fabric::fake
