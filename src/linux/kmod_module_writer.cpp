// SPDX-License-Identifier: Apache-2.0
#include "linux/kmod_module_writer.hpp"

#include "linux/kmod_library.hpp"

#include <libkmod.h>
#include <sys/utsname.h>

#include <cerrno>

namespace fabric::linux_host {

namespace {

// libkmod would hand the line to a shell. A soft dependency that is refused here is
// skipped by libkmod, anything else ends the load.
int refuseCommand(kmod_module* module, const char* /*command*/, void* refused) {
    auto* const name = static_cast<std::string*>(refused);
    *name = kmod_module_get_name(module);
    return -ECANCELED;
}

Error refusal(std::string_view name, std::string_view why, std::string_view advice) {
    return {.kind = ErrorKind::refused,
            .action = "load module",
            .subject = std::string(name),
            .sysErrno = 0,
            .detail = std::string(why),
            .advice = std::string(advice)};
}

}  // namespace

Result<void> KmodModuleWriter::load(std::string_view name) {
    const KmodContext context = TRY(openKmod({}));
    const KmodModule module = TRY(findModule(context.get(), name));
    const host::Module told = describeModule(context.get(), module.get());
    if (told.builtIn) {
        return {};
    }
    if (told.file.empty()) {
        return fail(refusal(name,
                            "this kernel has no such module",
                            "install the package that carries it for this kernel"));
    }
    std::string refused;
    const int result = kmod_module_probe_insert_module(module.get(),
                                                       KMOD_PROBE_APPLY_BLACKLIST,
                                                       nullptr,
                                                       refuseCommand,
                                                       &refused,
                                                       nullptr);
    if (result == 0) {
        return {};
    }
    if (result == KMOD_PROBE_APPLY_BLACKLIST) {
        return fail(refusal(name, "it is blacklisted", "take the blacklist line out"));
    }
    if (result == -ECANCELED) {
        return fail(refusal(name,
                            "modprobe.d has an install line for " + refused +
                                ", which would run a shell",
                            "load it with modprobe, or take the install line out"));
    }
    utsname names{};
    const bool known = ::uname(&names) == 0;
    return fail(explainLoadFailure(told, known ? names.release : "", -result));
}

}  // namespace fabric::linux_host
