// SPDX-License-Identifier: Apache-2.0
#include "linux/kmod_library.hpp"

#include "base/text.hpp"

#include <libkmod.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace fabric::linux_host {

namespace {

std::string kernelRelease() {
    utsname names{};
    return ::uname(&names) == 0 ? names.release : "";
}

struct InfoEnd {
    void operator()(kmod_list* list) const { kmod_module_info_free_list(list); }
};

struct ConfigEnd {
    void operator()(kmod_config_iter* entry) const {
        kmod_config_iter_free_iter(entry);
    }
};

std::string textOr(const char* text) {
    return text == nullptr ? std::string() : std::string(text);
}

bool isBlacklisted(kmod_ctx* context, std::string_view name) {
    const std::unique_ptr<kmod_config_iter, ConfigEnd> entry(
        kmod_config_get_blacklists(context));
    while (entry && kmod_config_iter_next(entry.get())) {
        if (name == textOr(kmod_config_iter_get_key(entry.get()))) {
            return true;
        }
    }
    return false;
}

bool isLoaded(kmod_module* module) {
    const int state = kmod_module_get_initstate(module);
    return state == KMOD_MODULE_LIVE || state == KMOD_MODULE_BUILTIN;
}

void addInstallCommand(kmod_module* module, host::Module& told) {
    const std::string command = textOr(kmod_module_get_install_commands(module));
    if (!command.empty() && !isLoaded(module)) {
        told.installCommands.push_back({kmod_module_get_name(module), command});
    }
}

void addInstallCommands(const KmodModules& modules, host::Module& told) {
    kmod_list* entry = nullptr;
    kmod_list_foreach(entry, modules.get()) {
        const KmodModule module(kmod_module_get_module(entry));
        addInstallCommand(module.get(), told);
    }
}

void addSoftDependencies(const KmodModules& modules, host::Module& told) {
    addInstallCommands(modules, told);
    kmod_list* entry = nullptr;
    kmod_list_foreach(entry, modules.get()) {
        const KmodModule module(kmod_module_get_module(entry));
        if (!isLoaded(module.get())) {
            told.softDependencies.emplace_back(kmod_module_get_name(module.get()));
        }
    }
}

void addCompanions(kmod_module* module, host::Module& told) {
    addInstallCommand(module, told);
    addInstallCommands(KmodModules(kmod_module_get_dependencies(module)), told);
    kmod_list* before = nullptr;
    kmod_list* after = nullptr;
    if (kmod_module_get_softdeps(module, &before, &after) == 0) {
        addSoftDependencies(KmodModules(before), told);
        addSoftDependencies(KmodModules(after), told);
    }
}

void addFileFacts(kmod_module* module, host::Module& told) {
    kmod_list* list = nullptr;
    if (kmod_module_get_info(module, &list) < 0) {
        return;
    }
    const std::unique_ptr<kmod_list, InfoEnd> facts(list);
    told.inTree = false;
    kmod_list* entry = nullptr;
    kmod_list_foreach(entry, facts.get()) {
        const std::string key = textOr(kmod_module_info_get_key(entry));
        const std::string value = textOr(kmod_module_info_get_value(entry));
        if (key == "vermagic") {
            told.vermagic = value;
        } else if (key == "srcversion") {
            told.sourceVersion = value;
        } else if (key == "intree") {
            told.inTree = value == "Y";
        }
    }
}

struct Cause {
    int sysErrno;
    std::string_view detail;
    std::string_view advice;
};

constexpr std::string_view kSignatureAdvice =
    "sign the module with a key that this kernel trusts (mokutil --import enrols one), "
    "or install the package that carries a signed one";
constexpr std::string_view kSymbolAdvice =
    "the kernel log says which symbol (journalctl -k -g 'Unknown symbol|disagrees'); "
    "take the whole stack from one source, in the kernel or out of it";

constexpr std::array<Cause, 8> kCauses{{
    {EKEYREJECTED, "its signature was rejected", kSignatureAdvice},
    {ENOKEY,
     "it is signed with a key that this kernel does not know",
     kSignatureAdvice},
    {EBADMSG, "its signature is damaged", kSignatureAdvice},
    {EPERM,
     "CAP_SYS_MODULE is missing, /proc/sys/kernel/modules_disabled is 1, "
     "module_blacklist= names it, or lockdown refuses an unsigned module",
     "run as root of the host; the kernel log says which (journalctl -k)"},
    {ENOENT, "a symbol that it needs is not there", kSymbolAdvice},
    {EINVAL,
     "a symbol that it needs is of another build, or an option is wrong",
     kSymbolAdvice},
    {ENODEV,
     "its driver found nothing that it can work with",
     "journalctl -k says what it looked for"},
    {ENOMEM, "the kernel has no memory for it", "free memory and try again"},
}};

}  // namespace

void KmodContextEnd::operator()(kmod_ctx* context) const {
    kmod_unref(context);
}

void KmodModuleEnd::operator()(kmod_module* module) const {
    kmod_module_unref(module);
}

void KmodListEnd::operator()(kmod_list* list) const {
    kmod_module_unref_list(list);
}

Result<KmodContext> openKmod(const std::string& root) {
    const std::string modules = root + "/lib/modules/" + kernelRelease();
    const std::array<std::string, 4> directories{root + "/etc/modprobe.d",
                                                 root + "/run/modprobe.d",
                                                 root + "/usr/local/lib/modprobe.d",
                                                 root + "/lib/modprobe.d"};
    std::array<const char*, directories.size() + 1> paths{};
    std::ranges::transform(directories, paths.begin(), &std::string::c_str);
    const bool real = root.empty();
    KmodContext context(
        kmod_new(real ? nullptr : modules.c_str(), real ? nullptr : paths.data()));
    if (!context) {
        return fail(systemError("open libkmod", modules, ENOMEM));
    }
    // What it has to say comes back as errors; its own lines would mix with the report.
    kmod_set_log_fn(context.get(), nullptr, nullptr);
    // Fails where there are no indexes: then every module is looked up the slow way.
    static_cast<void>(kmod_load_resources(context.get()));
    return context;
}

Result<KmodModule> findModule(kmod_ctx* context, std::string_view name) {
    kmod_module* module = nullptr;
    const int error =
        kmod_module_new_from_name(context, std::string(name).c_str(), &module);
    if (error < 0) {
        return fail(systemError("look up module", std::string(name), -error));
    }
    return KmodModule(module);
}

host::Module describeModule(kmod_ctx* context, kmod_module* module) {
    host::Module told{.name = kmod_module_get_name(module)};
    told.file = textOr(kmod_module_get_path(module));
    told.builtIn =
        told.file.empty() && kmod_module_get_initstate(module) == KMOD_MODULE_BUILTIN;
    told.blacklisted = isBlacklisted(context, told.name);
    if (!told.file.empty()) {
        addFileFacts(module, told);
        addCompanions(module, told);
    } else if (!told.builtIn) {
        addInstallCommand(module, told);
    }
    return told;
}

Error explainLoadFailure(const host::Module& module,
                         std::string_view release,
                         int sysErrno) {
    Error error = systemError("load module", module.name, sysErrno);
    if (sysErrno == ENOEXEC) {
        error.detail = "it is built for another kernel, or damaged: it says " +
                       escapeForTerminal(module.vermagic) + ", this kernel is " +
                       escapeForTerminal(release);
        error.advice =
            "install the module for this kernel (dkms status), or boot the "
            "kernel that it is for";
        return error;
    }
    const auto* const cause = std::ranges::find(kCauses, sysErrno, &Cause::sysErrno);
    if (cause != kCauses.end()) {
        error.detail = cause->detail;
        error.advice = cause->advice;
    } else {
        error.advice = "the kernel log may say why (journalctl -k)";
    }
    return error;
}

}  // namespace fabric::linux_host
