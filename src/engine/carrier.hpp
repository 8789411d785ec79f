// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/executor.hpp"
#include "host/host.hpp"
#include "resource/step.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace fabric::engine {

// Sees to it that a rail whose link was bounced is up again before another rail is
// disturbed. It waits on link events with a deadline; IFLA_CARRIER_DOWN_COUNT tells a
// link that has come back from one that has not gone down yet.
class CarrierGuard {
  public:
    CarrierGuard(const host::Reader& reader, const ExecutionOptions& options)
        : reader_(reader), options_(options) {}

    // Called before the first write of a step that bounces the link.
    void expectBounce(const resource::Step& step);
    // Leaves the present rail: waits for its carriers when `rail` is another one. The
    // rail that was left when one of its carriers did not come back.
    std::optional<std::string> leaveUnless(const std::string& rail);

    // The first rail that did not come back, or "".
    [[nodiscard]] const std::string& lostRail() const { return lostRail_; }

  private:
    struct Before {
        bool carrier = false;
        std::uint32_t downCount = 0;
    };

    bool cameBack(IfIndex link, const Before& before);

    const host::Reader& reader_;
    const ExecutionOptions& options_;
    std::unique_ptr<host::LinkWatch> watch_;
    std::string rail_;
    std::map<IfIndex, Before> bounced_;
    std::string lostRail_;
};

}  // namespace fabric::engine
