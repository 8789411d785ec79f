// SPDX-License-Identifier: Apache-2.0
#include "resource/arp/sysctl_files.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <utility>

namespace fabric::resource::arp {

namespace {

constexpr std::array<const char*, 5> kDirectories{kSysctlDirectory,
                                                  "/run/sysctl.d",
                                                  "/usr/local/lib/sysctl.d",
                                                  "/usr/lib/sysctl.d",
                                                  "/lib/sysctl.d"};
constexpr const char* kClassicFile = "/etc/sysctl.conf";

std::string_view nameOf(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

bool isRead(std::string_view name) {
    return name.ends_with(".conf") && !name.starts_with('.');
}

// Empty: the directory does not exist.
Result<std::optional<std::vector<std::string>>> namesIn(const host::FileReader& files,
                                                        const std::string& directory) {
    auto names = files.list(directory);
    if (!names && names.error().sysErrno == ENOENT) {
        return std::nullopt;
    }
    return TRY(std::move(names));
}

// Empty: nothing is read there (a dangling link, a directory).
Result<std::optional<SysctlFile>> readOne(const host::FileReader& files,
                                          std::string path) {
    auto text = files.read(path);
    if (!text && (text.error().sysErrno == ENOENT || text.error().sysErrno == EISDIR)) {
        return std::nullopt;
    }
    return SysctlFile{.path = std::move(path), .text = TRY(std::move(text))};
}

}  // namespace

std::optional<std::string> SysctlFiles::ours() const {
    const auto found = std::ranges::find(inOrder, kOurSysctlFile, &SysctlFile::path);
    return found == inOrder.end() ? std::nullopt : std::optional(found->text);
}

SysctlFiles SysctlFiles::withOurs(std::string text) const {
    SysctlFiles changed = *this;
    const std::string_view name = nameOf(kOurSysctlFile);
    const auto place =
        std::ranges::lower_bound(changed.inOrder, name, {}, [](const SysctlFile& file) {
            return nameOf(file.path);
        });
    SysctlFile file{.path = kOurSysctlFile, .text = std::move(text)};
    if (place != changed.inOrder.end() && nameOf(place->path) == name) {
        *place = std::move(file);
    } else {
        changed.inOrder.insert(place, std::move(file));
    }
    return changed;
}

SysctlMerge SysctlFiles::merged(SysctlProgram program) const {
    if (program == SysctlProgram::systemd || !classic) {
        return SysctlMerge(program, inOrder);
    }
    std::vector<SysctlFile> all = inOrder;
    all.push_back(*classic);
    return SysctlMerge(program, all);
}

Result<SysctlFiles> readSysctlFiles(const host::FileReader& files) {
    SysctlFiles found;
    std::map<std::string, std::string> pathByName;
    for (const std::string directory : kDirectories) {
        const auto names = TRY(namesIn(files, directory));
        if (!names) {
            found.directoryMissing =
                found.directoryMissing || directory == kSysctlDirectory;
            continue;
        }
        for (const std::string& name : *names) {
            if (isRead(name)) {
                pathByName.try_emplace(name, directory + "/" + name);
            }
        }
    }
    for (auto& [name, path] : pathByName) {
        if (auto file = TRY(readOne(files, std::move(path)))) {
            found.inOrder.push_back(std::move(*file));
        }
    }
    found.classic = TRY(readOne(files, kClassicFile));
    return found;
}

}  // namespace fabric::resource::arp
