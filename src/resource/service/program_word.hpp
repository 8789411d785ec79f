// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::resource::service {

// Whether a word names the storage server: `minio`, a build of it (`minio.rdma`), or
// the program of the profile, also without the last suffix of its name.
[[nodiscard]] bool isServerProgram(std::string_view word, std::string_view binary);

// Whether a word names one of the wrappers below.
[[nodiscard]] bool isWrapper(std::string_view word);

// Whether a program is a shell or another interpreter of scripts.
[[nodiscard]] bool isInterpreter(std::string_view program);

// Where the server's program stands in {path, arguments...}: first, or as the command
// of a wrapper that runs it in its own place and leaves its words alone (chrt, env,
// ionice, nice, numactl, prlimit, taskset; also one below the other). The error says
// what stands there instead: a shell's text or a launcher may start anything.
[[nodiscard]] std::expected<std::size_t, std::string> programWord(
    const std::vector<std::string>& command, std::string_view binary);

}  // namespace fabric::resource::service
