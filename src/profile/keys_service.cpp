// SPDX-License-Identifier: Apache-2.0
#include "profile/keys.hpp"

#include <array>
#include <limits>

namespace fabric::profile {

namespace {

constexpr std::string_view kDropIn = "/etc/systemd/system/UNIT.d";
constexpr std::string_view kAtRestart = "nothing until the service restarts";

constexpr ValueType kMemlockType{.form = Form::size,
                                 .noun = "size",
                                 .min = 1,
                                 .max = std::numeric_limits<std::int64_t>::max(),
                                 .words = "infinity"};

constexpr std::array kService{
    Key{.path = "service",
        .shape = Shape::section,
        .meaning = "The systemd drop-in of the storage server.",
        .touches = kDropIn,
        .disturbs = kAtRestart,
        .owns = true},
    Key{.path = "service.unit",
        .value = textOf(TextRule::unitName),
        .standard = "minio.service",
        .meaning = "The systemd unit of the storage server, none of fabricctl's own.",
        .touches = kDropIn,
        .disturbs = kAtRestart},
    Key{.path = "service.binary",
        .value = textOf(TextRule::programPath),
        .standard = "/usr/local/bin/minio.rdma",
        .meaning =
            "The program that the unit must run. It replaces the server's own in "
            "the unit's command, also behind chrt, env, ionice, nice, numactl, "
            "prlimit or taskset; a shell or another launcher is refused.",
        .touches = kDropIn,
        .disturbs = kAtRestart,
        .owns = true},
    Key{.path = "service.require-feature",
        .value = textOf(TextRule::line),
        .standard = "GPU-Direct RDMA",
        .meaning = "Text that the program's --version must print.",
        .touches = "runs the program with --version",
        .disturbs = "nothing",
        .owns = true},
    Key{.path = "service.limit-memlock",
        .value = kMemlockType,
        .standard = "infinity",
        .meaning = "Locked memory limit of the unit.",
        .touches = kDropIn,
        .disturbs = kAtRestart,
        .owns = true},
    Key{.path = "service.environment",
        .shape = Shape::mapping,
        .value = {.form = Form::text,
                  .noun = "text",
                  .rule = TextRule::environmentValue},
        .index = {.form = Form::text,
                  .noun = "name",
                  .rule = TextRule::environmentName},
        .meaning = "Variables that the unit's own environment files must set. A name "
                   "that is a slip away from a MINIO_RDMA_ setting, and a value that "
                   "the server would ignore, are errors.",
        .touches = "the unit's environment files (read)",
        .disturbs = kAtRestart,
        .owns = true},
    Key{.path = "service.manage-environment",
        .value = kFlagType,
        .standard = "false",
        .meaning = "true writes the variables to a file of their own, which only root "
                   "can read, and adds it as EnvironmentFile= to the drop-in. Once "
                   "false again, the file is named by a finding, not removed.",
        .touches = "/etc/fabricctl/UNIT.env",
        .disturbs = kAtRestart},
    Key{.path = "service.restart",
        .value = choiceOf("never|if-needed"),
        .standard = "never",
        .meaning = "Whether apply restarts a service that runs with old settings; "
                   "never while the system is still booting.",
        .touches = "the running service",
        .disturbs = "the service"},
};

}  // namespace

std::span<const Key> serviceKeys() {
    return kService;
}

}  // namespace fabric::profile
