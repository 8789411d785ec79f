// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/order.hpp"

namespace fabric::resource::acs {

namespace {

using profile::AcsClear;

Order skipped(std::string reason) {
    return {.masks = {},
            .verdict = Verdict::skipped,
            .reason = std::move(reason),
            .fix = {}};
}

}  // namespace

Orders::Orders(const profile::AcsSettings& settings,
               const inventory::PciTopology& pci,
               bool anyGpu) {
    const bool platform = hasPlatformMasks(pci);
    if (settings.clear == AcsClear::none) {
        skips_ = true;
        same_ = skipped("acs.clear is none");
    } else if (!anyGpu && !settings.clearWithoutGpu) {
        skips_ = true;
        same_ = skipped("this host has no GPU (acs.without-gpu: skip)");
    } else if (settings.clear == AcsClear::platform && platform) {
        perPort_ = true;
        platform_ = platformMasks(pci);
    } else if (settings.clear == AcsClear::platform) {
        same_ = {.masks = {},
                 .verdict = Verdict::unsupported,
                 .reason =
                     "no platform masks are known for this machine (neither NVIDIA "
                     "Grace or Vera nor ConnectX-8 Data Direct)",
                 .fix = "set acs.clear: redirect"};
    } else if (platform) {
        wrongForPlatform_ = true;
        same_ = {.masks = {},
                 .verdict = Verdict::failed,
                 .reason =
                     "this machine (NVIDIA Grace or Vera, or ConnectX-8 Data "
                     "Direct) needs some of these bits on; clearing them breaks "
                     "its direct path",
                 .fix = "set acs.clear: platform"};
    } else {
        same_.masks = settings.clear == AcsClear::all ? kAllMasks : kRedirectMasks;
    }
}

Order Orders::forPort(PciAddress port) const {
    if (!perPort_) {
        return same_;
    }
    const auto found = platform_.find(port);
    if (found == platform_.end()) {
        return {.masks = {},
                .verdict = Verdict::notApplicable,
                .reason = "the platform has no mask for this port",
                .fix = {}};
    }
    if (!found->second.refusal.empty()) {
        return {.masks = {},
                .verdict = Verdict::failed,
                .reason = found->second.refusal,
                .fix = "compare with the vendor's own tool: rdma_topo check"};
    }
    return {.masks = found->second.masks,
            .verdict = Verdict::skipped,
            .reason = {},
            .fix = {}};
}

}  // namespace fabric::resource::acs
