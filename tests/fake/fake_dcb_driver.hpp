// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fake/fake_dcb.hpp"

// The setters of the drivers that FakeDcb plays. Each returns what the driver's own
// function would: 0, a negative errno, or a positive code.
namespace fabric::fake {

[[nodiscard]] int driverSetEts(FakeDcbPort& port, const ieee_ets& wanted);
[[nodiscard]] int driverSetMaxRate(FakeDcbPort& port, const ieee_maxrate& wanted);
[[nodiscard]] int driverSetPfc(FakeDcbPort& port, const ieee_pfc& wanted);
[[nodiscard]] int driverSetBuffer(FakeDcbPort& port, const dcbnl_buffer& wanted);
[[nodiscard]] int driverAddApp(FakeDcbPort& port, const dcb_app& app);
[[nodiscard]] int driverDeleteApp(FakeDcbPort& port, const dcb_app& app);
[[nodiscard]] int driverSetDcbx(FakeDcbPort& port, std::uint8_t mode);

// Counts the call and lets the port's faults decide before the driver does.
template <typename Driver>
int callDriver(FakeDcbPort& port, DcbSetter setter, Driver driver) {
    ++port.calls[setter];
    if (port.faults.ignored.contains(setter)) {
        return 0;
    }
    if (const auto fault = port.faults.code.find(setter);
        fault != port.faults.code.end()) {
        return fault->second;
    }
    const int code = driver();
    const auto after = port.faults.codeAfterChange.find(setter);
    return code == 0 && after != port.faults.codeAfterChange.end() ? after->second
                                                                   : code;
}

}  // namespace fabric::fake
