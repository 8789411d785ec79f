// SPDX-License-Identifier: Apache-2.0
#include "facts/describe.hpp"
#include "facts/readable.hpp"
#include "resource/service/environment_file.hpp"
#include "resource/service/process.hpp"

#include <utility>

namespace fabric::facts {

namespace {

namespace service = resource::service;

Value limitValue(std::uint64_t bytes) {
    return bytes == host::kNoLimit ? Value("infinity") : Encoder::encoded(bytes);
}

Value processValue(const host::Reader& host,
                   std::uint32_t pid,
                   Unreadable& unreadable) {
    const auto process = service::observeProcess(host.files, pid);
    if (!process) {
        unreadable.note("process " + std::to_string(pid), process.error());
        return {};
    }
    return Value::Object{
        {"pid", std::int64_t{process->pid}},
        {"program", portableText(process->program)},
        {"deleted", process->deleted},
        {"memlock_soft", limitValue(process->memlock.soft)},
        {"memlock_hard", limitValue(process->memlock.hard)},
        {"environment", Encoder::encoded(process->environment)},
        {"pinned_bytes",
         process->pinnedBytes ? Encoder::encoded(*process->pinnedBytes) : Value{}}};
}

// Each environment file with the variables that may be told.
Value::List environmentValue(const host::Reader& host, const host::ServiceUnit& unit) {
    Value::List files;
    for (const host::ServiceEnvironmentFile& file : unit.environmentFiles) {
        const auto text = host.files.read(file.path);
        Value::Object variables;
        for (const auto& [name, value] :
             service::parseEnvironmentFile(text.value_or(""))) {
            variables.insert_or_assign(portableText(name), portableText(value));
        }
        files.emplace_back(Value::Object{{"path", portableText(file.path)},
                                         {"readable", text.has_value()},
                                         {"variables", std::move(variables)}});
    }
    return files;
}

}  // namespace

Value::List readableServices(const host::Reader& host,
                             const std::set<std::string>& units,
                             Unreadable& unreadable) {
    Value::List list;
    if (host.services == nullptr) {
        return list;
    }
    for (const std::string& name : units) {
        const auto unit = host.services->unit(name);
        if (!unit) {
            unreadable.note("unit " + name, unit.error());
            continue;
        }
        Value::Object value{{"unit", Encoder::encoded(*unit)},
                            {"environment_files", environmentValue(host, *unit)}};
        if (unit->mainPid != 0) {
            value.emplace("process", processValue(host, unit->mainPid, unreadable));
        }
        list.emplace_back(std::move(value));
    }
    return list;
}

}  // namespace fabric::facts
