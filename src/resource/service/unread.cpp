// SPDX-License-Identifier: Apache-2.0
#include "resource/service/unread.hpp"

#include "resource/service/drop_in.hpp"
#include "resource/service/exec_line.hpp"
#include "resource/service/unit_search.hpp"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

namespace fabric::resource::service {

namespace {

std::string directoryOf(std::string_view path) {
    return std::string(path.substr(0, path.rfind('/')));
}

std::string nameOf(std::string_view path) {
    return std::string(path.substr(path.rfind('/') + 1));
}

// systemd searches for the name of the unit's file before its aliases.
std::string idOf(const host::ServiceUnit& loaded) {
    std::string name = nameOf(loaded.fragmentPath);
    const bool isTemplate = name.contains("@.");
    return name.ends_with(".service") && !isTemplate ? name : loaded.name;
}

class DiskComparer {
  public:
    DiskComparer(const host::FileReader& files,
                 const host::ServiceUnit& loaded,
                 Unread& unread)
        : files_(files),
          loaded_(loaded),
          unread_(unread),
          located_(locateUnit(files, idOf(loaded), SearchIn::host)) {}

    UnitPaths compare() {
        UnitPaths paths{.fragment = loaded_.fragmentPath,
                        .dropIns = loaded_.dropInPaths};
        if (loaded_.fragmentPath.empty() || loaded_.loadState == "masked") {
            return paths;
        }
        if (located_.loadState == "masked") {
            unread_.mask = isReplaced() ? located_.fragmentPath : "";
            return paths;
        }
        if (located_.loadState != "loaded") {
            return paths;
        }
        if (isReplaced()) {
            unread_.fragment = located_.fragmentPath;
            paths.fragment = located_.fragmentPath;
        }
        compareDropIns();
        if (!unread_.added.empty() || !unread_.gone.empty()) {
            paths.dropIns = merged();
        }
        return paths;
    }

  private:
    // systemd names a drop-in by the directory that its own leads to: /lib of a merged
    // /usr and a link between two .d directories are one.
    [[nodiscard]] std::string keyOf(const std::string& path) const {
        const std::string directory = directoryOf(path);
        return files_.resolve(directory).value_or(directory) + "/" + nameOf(path);
    }

    [[nodiscard]] bool isGone(const std::string& path) const {
        const auto status = files_.status(path);
        // A link to nothing is listed and read as empty.
        return !status && status.error().sysErrno == ENOENT && !files_.readLink(path);
    }

    [[nodiscard]] bool leadsNowhere(const std::string& path) const {
        const auto status = files_.status(path);
        return !status && status.error().sysErrno == ENOENT;
    }

    // A file hides one of its name in a directory that is searched later, and stands
    // for one that is gone. Of a directory that is not searched nothing is known.
    [[nodiscard]] bool isReplaced() const {
        const std::string& old = loaded_.fragmentPath;
        const std::string& now = located_.fragmentPath;
        const bool same =
            files_.resolve(old).value_or(old) == files_.resolve(now).value_or(now) ||
            keyOf(old) == keyOf(now);
        const auto rank = searchRank(directoryOf(old));
        const bool hidden =
            rank && (nameOf(old) != nameOf(now) || searchRank(directoryOf(now)) < rank);
        return !same && (hidden || isGone(old));
    }

    // A mask, an empty file and what is no file change nothing but what they hide.
    [[nodiscard]] bool setsNothing(const std::string& path) const {
        const auto status = files_.status(path);
        return !status || status->type != host::FileStatus::Type::regular ||
               status->size == 0;
    }

    void compareDropIns() {
        const std::string ours = dropInPath(loaded_.name);
        std::set<std::string> loadedKeys;
        std::set<std::string> loadedNames;
        for (const std::string& path : loaded_.dropInPaths) {
            loadedKeys.insert(keyOf(path));
            loadedNames.insert(nameOf(path));
        }
        for (const std::string& path : located_.dropInPaths) {
            names_.insert(nameOf(path));
            const bool matters =
                !setsNothing(path) || loadedNames.contains(nameOf(path));
            if (path != ours && matters && !loadedKeys.contains(keyOf(path))) {
                unread_.added.push_back(path);
            }
        }
        for (const std::string& path : loaded_.dropInPaths) {
            if (path != ours && isGone(path)) {
                unread_.gone.push_back(path);
            } else if (path != ours && leadsNowhere(path)) {
                unread_.nowhere.push_back(path);
            }
        }
    }

    // What the search finds, and what is in force, still there and hidden by nothing:
    // systemd knows aliases of the unit that the search does not.
    [[nodiscard]] std::vector<std::string> merged() const {
        std::vector<std::string> paths = located_.dropInPaths;
        std::erase_if(paths,
                      [&](const std::string& path) { return setsNothing(path); });
        std::ranges::copy_if(loaded_.dropInPaths,
                             std::back_inserter(paths),
                             [&](const std::string& path) {
                                 return !names_.contains(nameOf(path)) && !isGone(path);
                             });
        std::ranges::sort(paths, {}, nameOf);
        return paths;
    }

    const host::FileReader& files_;
    const host::ServiceUnit& loaded_;
    Unread& unread_;
    host::ServiceUnit located_;
    std::set<std::string> names_;  // of the drop-ins on the disk
};

}  // namespace

void nameOurs(const host::FileReader& files, host::ServiceUnit& loaded) {
    const std::string directory = dropInDirectory(loaded.name);
    for (std::string& path : loaded.dropInPaths) {
        if (nameOf(path) == kDropInName && directoryOf(path) != directory &&
            directoryOf(path) == files.resolve(directory).value_or("")) {
            path = dropInPath(loaded.name);
        }
    }
}

UnitPaths pathsOnDisk(const host::FileReader& files,
                      const host::ServiceUnit& loaded,
                      Unread& unread) {
    return DiskComparer(files, loaded, unread).compare();
}

Coming comingOf(const State& state) {
    std::vector<UnitFile> files = state.below;
    if (state.ours) {
        files.push_back({.path = dropInPath(state.unit.name),
                         .settings = parseUnitFile(*state.ours)});
    }
    std::ranges::copy(state.above, std::back_inserter(files));
    host::ServiceUnit unit;
    applyFiles(files, unit);
    const auto commands = mergeLists(files).execStart;
    const auto line = commands.size() == 1 ? parseExecLine(commands.front())
                                           : std::unexpected(std::string());
    return {.execStart = std::move(unit.execStart),
            .plain = line && line->plain(),
            .limitMemlock = limitOf(files),
            .environmentFiles = std::move(unit.environmentFiles)};
}

}  // namespace fabric::resource::service
