// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/apply.hpp"
#include "engine/image.hpp"

namespace fabric::engine {

// Writes the files of an image and reads them back. Touches no kernel, no bus, no
// process.
[[nodiscard]] Report applyImage(const host::Reader& image,
                                const host::Writer& writer,
                                const profile::Profile& profile,
                                const ApplyOptions& options);

}  // namespace fabric::engine
