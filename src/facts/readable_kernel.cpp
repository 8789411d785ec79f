// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "facts/hex.hpp"
#include "facts/readable.hpp"
#include "inventory/platform.hpp"

#include <cstdint>
#include <map>
#include <utility>

namespace fabric::facts {

namespace {

std::string_view nameOf(inventory::Lockdown lockdown) {
    switch (lockdown) {
        case inventory::Lockdown::none:
            return "none";
        case inventory::Lockdown::integrity:
            return "integrity";
        case inventory::Lockdown::confidentiality:
            return "confidentiality";
        case inventory::Lockdown::unknown:
            break;
    }
    return "unknown";
}

// /sys/module/NAME as the kernel tells it, beside what the module tools know.
Value moduleValue(const host::Reader& host,
                  const std::string& name,
                  Unreadable& unreadable) {
    const std::string folder = "/sys/module/" + name;
    const Value state = textValue(host.files, folder + "/initstate");
    Value::Object value{
        {"name", name},
        {"loaded", !state.isNull()},
        {"loaded_srcversion", textValue(host.files, folder + "/srcversion")},
        {"loaded_version", textValue(host.files, folder + "/version")},
        {"taint", textValue(host.files, folder + "/taint")}};
    const auto known = host.modules->module(name);
    if (!known) {
        unreadable.note("module " + name, known.error());
        return value;
    }
    value.emplace("built_in", known->builtIn);
    value.emplace("file", portableText(known->file));
    value.emplace("vermagic", portableText(known->vermagic));
    value.emplace("srcversion", known->sourceVersion);
    value.emplace("in_tree", known->inTree ? Value(*known->inTree) : Value{});
    value.emplace("blacklisted", known->blacklisted);
    return value;
}

// The kernel's default of its domains (drivers/iommu/iommu.c, the `type` of a group).
Value iommuTypes(const host::Reader& host, Unreadable& unreadable) {
    const std::string folder = "/sys/kernel/iommu_groups";
    const auto groups = host.files.list(folder);
    if (!groups) {
        unreadable.note("IOMMU groups", groups.error());
        return {};
    }
    std::map<std::string, std::int64_t> counts;
    for (const std::string& group : *groups) {
        const Value type = textValue(host.files, folder + "/" + group + "/type");
        ++counts[type.asText() == nullptr ? "unknown" : *type.asText()];
    }
    Value::Object types;
    for (const auto& [type, count] : counts) {
        types.emplace(type, count);
    }
    return types;
}

}  // namespace

Value::Object readableKernel(const host::Reader& host, Unreadable& unreadable) {
    const inventory::Platform platform = inventory::observePlatform(host);
    return {{"release", portableText(platform.kernelRelease)},
            {"boot_id", portableText(platform.bootId)},
            {"command_line", portableText(platform.kernelCommandLine)},
            {"lockdown", nameOf(platform.lockdown)},
            {"guest", platform.guest ? Value(*platform.guest) : Value{}},
            {"hypervisor", platform.hypervisor},
            {"iommu_group_types", iommuTypes(host, unreadable)},
            {"seen_as",
             Value::Object{{"root", platform.effectiveRoot},
                           {"cap_net_admin", platform.hasNetAdmin},
                           {"cap_sys_admin", platform.hasSysAdmin},
                           {"initial_user_namespace", platform.initialUserNamespace}}}};
}

Value::List readableModules(const host::Reader& host,
                            const std::set<std::string>& names,
                            Unreadable& unreadable) {
    Value::List modules;
    if (host.modules == nullptr) {
        return modules;
    }
    for (const std::string& name : names) {
        Value module = moduleValue(host, name, unreadable);
        const Value* const loaded = module.member("loaded");
        const Value* const file = module.member("file");
        const Value* const builtIn = module.member("built_in");
        const bool exists = (loaded != nullptr && *loaded->asBool()) ||
                            (file != nullptr && !file->asText()->empty()) ||
                            (builtIn != nullptr && *builtIn->asBool());
        if (exists) {
            modules.push_back(std::move(module));
        }
    }
    return modules;
}

}  // namespace fabric::facts
