// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/service/state.hpp"

namespace fabric::resource::service {

// Reads what EnvironmentFile= lists, globs expanded as systemd does, and the file that
// the server reads by itself.
void observeEnvironment(const host::FileReader& files, State& state);

}  // namespace fabric::resource::service
