// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "host/files.hpp"

#include <sys/types.h>

#include <string>

namespace fabric::linux_host {

// What may stand on the way to a directory in which something is written.
enum class Way {
    // No symbolic link of a stranger. For a file that a person named: its directory may
    // be another program's, which then can only spoil what is its own.
    withoutForeignLinks,
    // Nothing that a stranger could exchange. For the files that this program keeps.
    trusted,
};

// Why a directory or link on the way lets somebody else decide where a file ends up, ""
// when it does not. Strangers are all but root, the user of this process and `owner`;
// in a directory with the sticky bit they cannot touch what is not theirs.
[[nodiscard]] std::string strangerOn(const host::PathStep& step,
                                     Way way,
                                     uid_t owner = 0);

// Whose the top of a way is. Below another root (an image) its owner may do anything,
// and everything below is seen from there.
enum class Top { host, image };

// The directory at the end of an absolute path, walked descriptor by descriptor from
// `top`, so that what was judged is what is opened. A refusal is ErrorKind::permission
// and names the step.
[[nodiscard]] Result<UniqueFd> openDirectory(UniqueFd top,
                                             const std::string& path,
                                             Way way,
                                             Top whose = Top::host);
// The same from the real root; a link in the last place is not followed (ENOTDIR).
[[nodiscard]] Result<UniqueFd> openOwnDirectory(const std::string& path);

}  // namespace fabric::linux_host
