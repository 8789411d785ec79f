// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "host/modules.hpp"

#include <memory>
#include <string>
#include <string_view>

struct kmod_ctx;
struct kmod_list;
struct kmod_module;

namespace fabric::linux_host {

struct KmodContextEnd {
    void operator()(kmod_ctx* context) const;
};

struct KmodModuleEnd {
    void operator()(kmod_module* module) const;
};

struct KmodListEnd {
    void operator()(kmod_list* list) const;
};

using KmodContext = std::unique_ptr<kmod_ctx, KmodContextEnd>;
using KmodModule = std::unique_ptr<kmod_module, KmodModuleEnd>;
using KmodModules = std::unique_ptr<kmod_list, KmodListEnd>;

// libkmod as it stands for one look: modprobe.d and the indexes of the running kernel
// are read when it is opened. `root` stands for "/"; "" is the real one.
[[nodiscard]] Result<KmodContext> openKmod(const std::string& root);

// A module by name, whether it exists or not.
[[nodiscard]] Result<KmodModule> findModule(kmod_ctx* context, std::string_view name);

[[nodiscard]] host::Module describeModule(kmod_ctx* context, kmod_module* module);

// Why the kernel did not take a module: what the errno of finit_module(2) stands for
// (kernel/module/main.c, kernel/module/signing.c) and what to do. Pure.
[[nodiscard]] Error explainLoadFailure(const host::Module& module,
                                       std::string_view kernelRelease,
                                       int sysErrno);

}  // namespace fabric::linux_host
