// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/dcb.hpp"

#include <linux/dcbnl.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace fabric::fake {

// One setter of struct dcbnl_rtnl_ops.
enum class DcbSetter { ets, maxRate, pfc, buffer, addApp, deleteApp, appTrust, dcbx };

// What a driver does with its setters, from the kernel's own drivers.
enum class DcbDriver { mlx5, bnxt, ice, plain, none };

// Everything that can go wrong, one switch each.
struct DcbFaults {
    std::set<DcbSetter> ignored;             // answers 0, changes nothing
    std::map<DcbSetter, std::uint8_t> code;  // answers this byte, changes nothing
    std::map<DcbSetter, std::uint8_t> codeAfterChange;  // changes, answers this byte
    std::set<DcbSetter> unsupported;    // the driver has neither setter nor getter
    std::set<DcbSetter> unreadable;     // the getter fails: attribute left out
    std::optional<int> setErrno;        // NLMSG_ERROR to every RTM_SETDCB (kernel core)
    std::optional<int> getErrno;        // NLMSG_ERROR to every RTM_GETDCB
    bool hardwareRefusesDscp = false;   // bnxt: firmware says no after the list edit
    bool pfcMovesThenNoMemory = false;  // mlx5: PFC written, buffer step -ENOMEM
    bool rateWraps = false;  // mlx5 before Linux 6.12: 8-bit field, no range check
    std::function<host::DcbAnswer(host::DcbAnswer)> mangleGet;
};

// One net device with dcbnl operations: hardware, the kernel's APP list, counters.
struct FakeDcbPort {
    explicit FakeDcbPort(DcbDriver kind);

    DcbDriver driver;
    DcbFaults faults;
    bool kernelHasAppTrust = false;  // Linux 6.2 and later
    bool driverHasAppTrust = false;
    bool driverHasAppOps = true;  // without: the core edits the list, nothing else

    std::uint8_t dcbx = 0;
    bool firmwareKeepsDcbx = false;  // SDCBX answers 1
    ieee_pfc pfc{};
    ieee_ets ets{};
    bool etsWasSet = false;  // bnxt keeps no ETS until then
    ieee_maxrate maxRate{};
    dcbnl_buffer buffer{};
    std::uint32_t bufferCell = 1;                // sizes are rounded down to this
    std::uint32_t losslessMinimum = 0;           // smallest size of a lossless buffer
    std::vector<dcb_app> list;                   // newest first, as the kernel keeps it
    std::array<std::uint8_t, 64> hardwareMap{};  // what packets really meet
    bool hardwareTrustsDscp = false;
    std::vector<std::uint8_t> trustOrder;

    std::map<DcbSetter, unsigned> calls;  // setter calls that reached the driver
    unsigned linkBounces = 0;
    unsigned queueResets = 0;  // ice: VSIs stopped and started
    unsigned trustFlips = 0;

    [[nodiscard]] unsigned setterCalls() const;
    // The list's priorities for one DSCP.
    [[nodiscard]] std::set<std::uint8_t> listed(std::uint16_t dscp) const;
};

// dcbnl of one machine, as net/dcb/dcbnl.c behaves. Takes real request bytes and
// builds real answers, with code of its own: the product's codec is not used.
class FakeDcb : public host::DcbReader, public host::DcbWriter {
  public:
    FakeDcbPort& add(IfIndex link, DcbDriver driver);
    [[nodiscard]] FakeDcbPort& port(IfIndex link);

    // Before the n-th GET from now (1 is the next) the port changes by itself.
    void changeAtGet(unsigned nth, std::function<void()> change);

    [[nodiscard]] unsigned setterCalls() const;

    [[nodiscard]] unsigned getCalls() const { return gets_; }

    std::function<void(IfIndex)> onLinkBounce;  // mlx5: PFC bits changed

    [[nodiscard]] Result<host::DcbAnswer> get(
        const host::DcbRequest& request) const override;
    [[nodiscard]] Result<host::DcbAnswer> set(const host::DcbRequest& request) override;

  private:
    mutable std::map<IfIndex, FakeDcbPort> ports_;
    mutable unsigned gets_ = 0;
    mutable std::multimap<unsigned, std::function<void()>> changes_;
};

}  // namespace fabric::fake
