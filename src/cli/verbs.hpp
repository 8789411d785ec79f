// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"

namespace fabric::cli {

// One function per verb; each prints its result and returns the exit code.
[[nodiscard]] int runApply(const Options& options);
[[nodiscard]] int runPlan(const Options& options);
[[nodiscard]] int runCheck(const Options& options);
// apply, plan and check of an image (--root).
[[nodiscard]] int runImage(const Options& options);
[[nodiscard]] int runStatus(const Options& options);
[[nodiscard]] int runFacts(const Options& options);
[[nodiscard]] int runDoctor(const Options& options);
[[nodiscard]] int runFleetCheck(const Options& options);
[[nodiscard]] int runSwitchRender(const Options& options);
[[nodiscard]] int runSwitchVerify(const Options& options);
[[nodiscard]] int runWatch(const Options& options);
// plan, check, status and doctor of a file of facts (--host).
[[nodiscard]] int runReplay(const Options& options);
[[nodiscard]] int runConfirm(const Options& options);
[[nodiscard]] int runHistory(const Options& options);
[[nodiscard]] int runPeersExport(const Options& options);
[[nodiscard]] int runRestore(const Options& options);
[[nodiscard]] int runSnapshotList(const Options& options);
[[nodiscard]] int runSnapshotShow(const Options& options);
[[nodiscard]] int runSnapshotDiff(const Options& options);
[[nodiscard]] int runProfileValidate(const Options& options);
[[nodiscard]] int runProfileShow(const Options& options);
[[nodiscard]] int runProfileInit(const Options& options);
[[nodiscard]] int runProfileSchema(const Options& options);
[[nodiscard]] int runProfileExplain(const Options& options);

}  // namespace fabric::cli
