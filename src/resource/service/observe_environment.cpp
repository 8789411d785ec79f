// SPDX-License-Identifier: Apache-2.0
#include "resource/service/observe_environment.hpp"

#include "base/text.hpp"
#include "resource/service/drop_in.hpp"

#include <algorithm>
#include <cerrno>

namespace fabric::resource::service {

namespace {

// Where the packaged environment file points the server; it reads this file again at
// `mc admin service restart`, its RDMA settings not.
constexpr std::string_view kLateVariable = "MINIO_CONFIG_ENV_FILE";
constexpr std::string_view kLateFile = "/etc/minio/config.env";

EnvironmentSource readSource(const host::FileReader& files,
                             const std::string& path,
                             bool optional) {
    EnvironmentSource source{.path = path, .optional = optional};
    const auto text = files.read(path);
    if (text) {
        source.variables = parseEnvironmentFile(*text);
    } else if (!optional || text.error().sysErrno != ENOENT) {
        source.error = text.error();
    }
    return source;
}

// systemd takes a glob in any part; one in the last part is what people write.
std::vector<std::string> expanded(const host::FileReader& files,
                                  const std::string& pattern) {
    const std::size_t slash = pattern.rfind('/');
    if (slash == std::string::npos ||
        pattern.find_first_of("*?[", slash) == std::string::npos) {
        return {pattern};
    }
    std::vector<std::string> paths;
    const std::string directory = pattern.substr(0, slash);
    const auto names = files.list(directory.empty() ? "/" : directory);
    for (const std::string& name : names.value_or(std::vector<std::string>{})) {
        if (globMatches(pattern.substr(slash + 1), name)) {
            paths.push_back(directory + "/" + name);
        }
    }
    return paths.empty() ? std::vector{pattern} : paths;
}

std::string lateFileOf(const State& state) {
    std::string path(kLateFile);
    for (const EnvironmentSource& source : state.environment) {
        for (const auto& [name, value] : source.variables.value_or(Variables{})) {
            path = name == kLateVariable ? value : path;
        }
    }
    return path;
}

// The server's own file is a shell fragment.
Variables withoutExport(Variables variables) {
    constexpr std::string_view kExport = "export ";
    for (auto& [name, value] : variables) {
        if (name.starts_with(kExport)) {
            name = trimmed(std::string_view(name).substr(kExport.size()));
        }
    }
    return variables;
}

ManagedFile readManaged(const host::FileReader& files, const std::string& path) {
    ManagedFile managed;
    const auto text = files.read(path);
    const auto status = text ? files.status(path) : fail(text.error());
    if (status) {
        managed.text = *text;
        managed.mode = status->mode;
        managed.owner = status->owner;
    } else if (status.error().sysErrno != ENOENT) {
        managed.error = status.error();
    }
    return managed;
}

std::vector<EnvironmentSource> readSources(
    const host::FileReader& files,
    const std::vector<host::ServiceEnvironmentFile>& listed) {
    std::vector<EnvironmentSource> sources;
    for (const host::ServiceEnvironmentFile& file : listed) {
        for (const std::string& path : expanded(files, file.path)) {
            sources.push_back(readSource(files, path, file.optional));
        }
    }
    return sources;
}

// A specifier says only to systemd which file it is.
bool isToldByFiles(const std::vector<host::ServiceEnvironmentFile>& listed) {
    return std::ranges::none_of(listed, [](const host::ServiceEnvironmentFile& file) {
        return file.path.contains('%');
    });
}

}  // namespace

void observeEnvironment(const host::FileReader& files, State& state) {
    state.environment = readSources(files, state.unit.environmentFiles);
    if (state.coming && state.coming->environmentFiles != state.unit.environmentFiles &&
        isToldByFiles(state.coming->environmentFiles)) {
        state.comingEnvironment = readSources(files, state.coming->environmentFiles);
    }
    state.managed = readManaged(files, managedEnvironmentPath(state.unit.name));
    state.lateFile = lateFileOf(state);
    if (const auto late = files.read(state.lateFile)) {
        state.lateVariables = withoutExport(parseEnvironmentFile(*late));
    }
}

}  // namespace fabric::resource::service
