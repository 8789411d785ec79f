// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "profile/settings.hpp"
#include "resource/service/environment_file.hpp"
#include "resource/service/process.hpp"
#include "resource/service/unit_file.hpp"

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace fabric::resource::service {

// Whether the wanted program may be given to the unit.
struct Binary {
    std::string resolved;  // every link followed, "" when it does not exist
    std::string refusal;   // why it may not, "" when it may or is not owned
    std::string fix;
};

// One file that EnvironmentFile= means, with what it sets.
struct EnvironmentSource {
    std::string path;
    bool optional = false;
    std::optional<Variables> variables;  // empty: could not be read
    std::optional<Error> error;          // unless it is optional and not there
};

// The environment file that fabricctl writes, as it lies on the disk.
struct ManagedFile {
    std::optional<std::string> text;  // empty: not there, or not readable
    std::optional<Error> error;       // why it could not be read, when it is there
    mode_t mode = 0;
    uid_t owner = 0;
};

// Files of the unit that are not what systemd has loaded. NeedDaemonReload does not
// tell all of them: systemd 252 looks for new drop-ins only in directories that were
// there when it read the units last (src/core/unit.c, unit_need_daemon_reload()).
struct Unread {
    std::string fragment;  // the unit's file from the next reload on; "" as loaded
    std::string mask;      // what masks the name from the next reload on
    std::vector<std::string> added;  // drop-ins that the next reload brings
    std::vector<std::string> gone;   // drop-ins in force that are there no more
    // Drop-ins that are links to nothing, no difference: systemd lists them, reads them
    // as empty, and says NeedDaemonReload for as long as they are there.
    std::vector<std::string> nowhere;

    [[nodiscard]] bool any() const {
        return !fragment.empty() || !mask.empty() || !added.empty() || !gone.empty();
    }
};

// What the unit's files will give, as far as files tell it.
struct Coming {
    std::vector<host::ServiceCommand> execStart;
    bool plain = false;  // the command is loaded as it is written
    std::optional<host::ResourceLimit> limitMemlock;  // empty: set by none
    std::vector<host::ServiceEnvironmentFile> environmentFiles;
};

// Everything that was seen of one service. Taken fresh by each look.
struct State {
    host::ServiceUnit unit;
    bool image = false;  // no systemd: `unit` is what the files will give
    // Of an image: directories that are not there, above those that ours lie in.
    std::vector<std::string> missingDirectories;
    bool limitUnset = false;  // of an image: no file sets a locked memory limit
    std::string systemState;  // "" when nothing depends on it
    Unread unread;            // of a running host
    // When something is unread, or may have changed unseen behind ours: systemd
    // compares the times of drop-ins with that of the youngest.
    std::optional<Coming> coming;
    // As they are on the disk, which is what counts from the next reload on.
    std::vector<UnitFile> below;      // fragment and drop-ins that apply before ours
    std::vector<UnitFile> above;      // drop-ins that apply after ours
    std::optional<std::string> ours;  // text of our drop-in on the disk
    Binary binary;
    std::vector<EnvironmentSource> environment;  // later ones win
    // What they will be from the next reload on; empty: as they are, or not to be told.
    std::optional<std::vector<EnvironmentSource>> comingEnvironment;
    ManagedFile managed;   // our environment file
    std::string lateFile;  // read by the server itself, too late
    Variables lateVariables;
    std::optional<Result<Process>> process;  // empty: not running
    // Bytes, when the process has less than wanted: what systemd may give; empty: any.
    std::optional<std::uint64_t> memlockCeiling;
    std::vector<host::ServiceAssert> failing;  // asserts that would stop a start
    std::string shadowedUnit;                  // a packaged unit that a copy hides
    std::string programLink;  // where the unit's own program leads, when it is a link
    std::vector<std::string>
        loginLimits;                 // files whose memlock lines mean nothing here
    std::chrono::seconds active{0};  // how long the process has been ready
};

// An error here means that nothing of the service can be told.
[[nodiscard]] Result<State> observe(const host::Reader& host,
                                    const profile::ServiceSettings& settings);

// The part of it that files tell: unit files, our drop-in, the program, environment.
// `state.unit` says which.
[[nodiscard]] Result<void> observeFiles(const host::Reader& host,
                                        const profile::ServiceSettings& settings,
                                        State& state);

}  // namespace fabric::resource::service
