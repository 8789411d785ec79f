// SPDX-License-Identifier: Apache-2.0
#include "fake/fake_dcb_driver.hpp"

#include <algorithm>
#include <cerrno>
#include <numeric>

namespace fabric::fake {

namespace {

constexpr std::uint8_t kHost = 0x01;
constexpr std::uint8_t kAgent = 0x02;
constexpr std::uint8_t kCee = 0x04;
constexpr std::uint8_t kIeee = 0x08;
constexpr int kKernelEnotsupp = 524;

bool sameApp(const dcb_app& left, const dcb_app& right) {
    return left.selector == right.selector && left.protocol == right.protocol &&
           left.priority == right.priority;
}

// dcb_ieee_setapp and dcb_ieee_delapp of net/dcb/dcbnl.c.
int listAdd(FakeDcbPort& port, const dcb_app& app) {
    const auto same = [&](const dcb_app& other) { return sameApp(other, app); };
    if (std::ranges::any_of(port.list, same)) {
        return -EEXIST;
    }
    port.list.insert(port.list.begin(), app);
    return 0;
}

int listDelete(FakeDcbPort& port, const dcb_app& app) {
    const auto same = [&](const dcb_app& other) { return sameApp(other, app); };
    return std::erase_if(port.list, same) == 0 ? -ENOENT : 0;
}

std::size_t dscpCount(const FakeDcbPort& port) {
    return static_cast<std::size_t>(std::ranges::count(
        port.list, std::uint8_t{IEEE_8021QAZ_APP_SEL_DSCP}, &dcb_app::selector));
}

void trust(FakeDcbPort& port, bool dscp) {
    port.trustFlips += port.hardwareTrustsDscp != dscp ? 1U : 0U;
    port.hardwareTrustsDscp = dscp;
}

// bnxt and ice take nothing while the firmware owns DCBX.
bool firmwareOwns(const FakeDcbPort& port) {
    if (port.driver == DcbDriver::bnxt) {
        return (port.dcbx & kIeee) == 0 || (port.dcbx & kHost) == 0;
    }
    return port.driver == DcbDriver::ice && (port.dcbx & kAgent) != 0;
}

// ice leaves DSCP mode with the defaults of VLAN mode.
void backToDefaults(FakeDcbPort& port) {
    if (port.driver == DcbDriver::ice) {
        port.pfc.pfc_en = 0;
    }
}

void resetQueues(FakeDcbPort& port) {
    port.queueResets += port.driver == DcbDriver::ice ? 1U : 0U;
}

}  // namespace

FakeDcbPort::FakeDcbPort(DcbDriver kind) : driver(kind) {
    for (std::uint8_t dscp = 0; dscp < 64; ++dscp) {
        hardwareMap.at(dscp) = static_cast<std::uint8_t>(dscp >> 3U);
    }
    switch (driver) {
        case DcbDriver::mlx5:
            dcbx = kCee | kIeee;  // firmware mode
            pfc.pfc_cap = 8;
            pfc.delay = 7;
            ets.ets_cap = 8;
            std::ranges::fill(ets.tc_tsa, std::uint8_t{IEEE_8021QAZ_TSA_VENDOR});
            std::iota(std::begin(ets.prio_tc), std::end(ets.prio_tc), std::uint8_t{0});
            std::swap(ets.prio_tc[0], ets.prio_tc[1]);
            buffer.buffer_size[0] = 130944;
            buffer.buffer_size[1] = 130944;
            buffer.total_size = 262016;
            bufferCell = 144;
            losslessMinimum = 65424;
            break;
        case DcbDriver::bnxt:
            dcbx = kHost | kIeee;
            pfc.pfc_cap = 2;
            ets.ets_cap = 8;
            faults.unsupported = {DcbSetter::buffer, DcbSetter::maxRate};
            hardwareMap.fill(0);
            break;
        case DcbDriver::ice:
            dcbx = kHost | kIeee;
            pfc.pfc_cap = 8;
            ets.ets_cap = 8;
            ets.tc_tsa[0] = IEEE_8021QAZ_TSA_ETS;
            ets.tc_tx_bw[0] = 100;
            faults.unsupported = {DcbSetter::buffer, DcbSetter::maxRate};
            hardwareMap.fill(0);
            break;
        case DcbDriver::plain:
            dcbx = kHost | kIeee;
            pfc.pfc_cap = 8;
            ets.ets_cap = 8;
            break;
        case DcbDriver::none:
            break;
    }
}

int driverSetEts(FakeDcbPort& port, const ieee_ets& wanted) {
    if (firmwareOwns(port)) {
        return -EINVAL;
    }
    unsigned sum = 0;
    bool any = false;
    for (std::size_t tc = 0; tc < 8; ++tc) {
        const std::uint8_t selection = wanted.tc_tsa[tc];
        if (wanted.prio_tc[tc] >= 8) {
            return -EINVAL;
        }
        if (selection == IEEE_8021QAZ_TSA_CB_SHAPER) {
            return -EOPNOTSUPP;
        }
        if (selection == IEEE_8021QAZ_TSA_VENDOR && port.driver == DcbDriver::bnxt) {
            return -kKernelEnotsupp;
        }
        any = any || selection == IEEE_8021QAZ_TSA_ETS;
        sum += selection == IEEE_8021QAZ_TSA_ETS ? wanted.tc_tx_bw[tc] : 0U;
    }
    const bool exact = port.driver == DcbDriver::mlx5;
    if (any && (exact ? sum != 100 : sum > 100)) {
        return -EINVAL;
    }
    port.ets = wanted;
    port.etsWasSet = true;
    resetQueues(port);
    return 0;
}

int driverSetMaxRate(FakeDcbPort& port, const ieee_maxrate& wanted) {
    constexpr std::uint64_t kSmall = 100'000;    // 100 Mbit/s
    constexpr std::uint64_t kLarge = 1'000'000;  // 1 Gbit/s
    constexpr std::uint64_t kSmallLimit = 25'500'000;
    ieee_maxrate taken{};
    for (std::size_t tc = 0; tc < 8; ++tc) {
        const std::uint64_t rate = wanted.tc_maxrate[tc];
        const std::uint64_t unit = rate <= kSmallLimit ? kSmall : kLarge;
        if (rate / unit > 255 && !port.faults.rateWraps) {
            return -EINVAL;
        }
        const std::uint64_t units =
            rate == 0 ? 0 : std::max<std::uint64_t>(rate / unit, 1);
        taken.tc_maxrate[tc] = (units & 0xffU) * unit;
    }
    port.maxRate = taken;
    return 0;
}

int driverSetPfc(FakeDcbPort& port, const ieee_pfc& wanted) {
    if (firmwareOwns(port) || (port.driver == DcbDriver::bnxt && !port.etsWasSet)) {
        return -EINVAL;
    }
    if (port.driver != DcbDriver::mlx5) {
        const std::uint8_t capability = port.pfc.pfc_cap;
        port.pfc = wanted;
        port.pfc.pfc_cap = capability;
        resetQueues(port);
        return 0;
    }
    if (port.pfc.pfc_en != wanted.pfc_en) {
        port.pfc.pfc_en = wanted.pfc_en;
        ++port.linkBounces;
    }
    if (wanted.delay > 0 && wanted.delay < 1000) {
        port.pfc.delay = wanted.delay;
    }
    return port.faults.pfcMovesThenNoMemory ? -ENOMEM : 0;
}

int driverSetBuffer(FakeDcbPort& port, const dcbnl_buffer& wanted) {
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < 8; ++at) {
        bool lossless = false;
        for (std::size_t priority = 0; priority < 8; ++priority) {
            lossless = lossless || (wanted.prio2buffer[priority] == at &&
                                    ((port.pfc.pfc_en >> priority) & 1U) != 0);
        }
        if (lossless && wanted.buffer_size[at] < port.losslessMinimum) {
            return -ENOMEM;
        }
        sum += wanted.buffer_size[at];
    }
    if (port.buffer.total_size != 0 && sum > port.buffer.total_size) {
        return -EINVAL;
    }
    const std::uint32_t total = port.buffer.total_size;
    port.buffer = wanted;
    port.buffer.total_size = total;
    for (std::uint32_t& size : port.buffer.buffer_size) {
        size -= size % port.bufferCell;
    }
    return 0;
}

namespace {

int addToMlx5(FakeDcbPort& port, const dcb_app& app) {
    if (app.selector != IEEE_8021QAZ_APP_SEL_DSCP || app.protocol >= 64) {
        return -EINVAL;
    }
    if (dscpCount(port) == 0) {
        trust(port, true);
    }
    const dcb_app old{.selector = app.selector,
                      .priority = port.hardwareMap.at(app.protocol),
                      .protocol = app.protocol};
    port.hardwareMap.at(app.protocol) = app.priority;
    static_cast<void>(listDelete(port, old));
    return listAdd(port, app);
}

int addToBnxt(FakeDcbPort& port, const dcb_app& app) {
    if (firmwareOwns(port)) {
        return -EINVAL;
    }
    if (const int code = listAdd(port, app); code != 0) {
        return code;
    }
    if (app.selector != IEEE_8021QAZ_APP_SEL_DSCP) {
        return 0;
    }
    if (port.faults.hardwareRefusesDscp) {
        return -EIO;
    }
    port.hardwareMap.at(app.protocol) = app.priority;
    port.hardwareTrustsDscp = true;
    return 0;
}

int addToIce(FakeDcbPort& port, const dcb_app& app) {
    if (firmwareOwns(port) || app.selector != IEEE_8021QAZ_APP_SEL_DSCP ||
        app.protocol >= 64 || app.priority >= port.ets.ets_cap ||
        !port.listed(app.protocol).empty()) {
        return -EINVAL;
    }
    if (dscpCount(port) == 0) {
        trust(port, true);
    }
    port.hardwareMap.at(app.protocol) = app.priority;
    resetQueues(port);
    return listAdd(port, app);
}

int deleteFromMlx5(FakeDcbPort& port, const dcb_app& app) {
    if (app.selector != IEEE_8021QAZ_APP_SEL_DSCP || app.protocol >= 64) {
        return -EINVAL;
    }
    if (dscpCount(port) == 0 || port.hardwareMap.at(app.protocol) != app.priority) {
        return -ENOENT;
    }
    if (const int code = listDelete(port, app); code != 0) {
        return code;
    }
    port.hardwareMap.at(app.protocol) = 0;
    if (dscpCount(port) == 0) {
        trust(port, false);
    }
    return 0;
}

int deleteFromListAndMap(FakeDcbPort& port, const dcb_app& app) {
    if (firmwareOwns(port)) {
        return -EINVAL;
    }
    if (const int code = listDelete(port, app); code != 0) {
        return code;
    }
    if (app.selector == IEEE_8021QAZ_APP_SEL_DSCP && app.protocol < 64) {
        port.hardwareMap.at(app.protocol) = 0;
        resetQueues(port);
        if (dscpCount(port) == 0 && !port.driverHasAppTrust) {
            trust(port, false);
            backToDefaults(port);
        }
    }
    return 0;
}

}  // namespace

int driverAddApp(FakeDcbPort& port, const dcb_app& app) {
    if (!port.driverHasAppOps) {
        return listAdd(port, app);
    }
    switch (port.driver) {
        case DcbDriver::mlx5:
            return addToMlx5(port, app);
        case DcbDriver::bnxt:
            return addToBnxt(port, app);
        case DcbDriver::ice:
            return addToIce(port, app);
        case DcbDriver::plain:
            if (app.selector == IEEE_8021QAZ_APP_SEL_DSCP && app.protocol < 64) {
                port.hardwareMap.at(app.protocol) = app.priority;
            }
            return listAdd(port, app);
        case DcbDriver::none:
            break;
    }
    return -EOPNOTSUPP;
}

int driverDeleteApp(FakeDcbPort& port, const dcb_app& app) {
    if (!port.driverHasAppOps) {
        return listDelete(port, app);
    }
    return port.driver == DcbDriver::mlx5 ? deleteFromMlx5(port, app)
                                          : deleteFromListAndMap(port, app);
}

namespace {

bool mlx5TakesDcbx(std::uint8_t mode) {
    return (mode & kHost) != 0;
}

bool bnxtTakesDcbx(const FakeDcbPort& port, std::uint8_t mode) {
    return (port.dcbx & kAgent) == 0 && (mode & kCee) == 0 && (mode & kIeee) != 0;
}

// Also refuses what is set already: "no change" looks like "failed".
bool iceTakesDcbx(const FakeDcbPort& port, std::uint8_t mode) {
    const bool both = (mode & kCee) != 0 && (mode & kIeee) != 0;
    return (port.dcbx & kAgent) == 0 && !both && (mode & kHost) != 0 &&
           mode != port.dcbx;
}

bool takesDcbx(const FakeDcbPort& port, std::uint8_t mode) {
    switch (port.driver) {
        case DcbDriver::mlx5:
            return mlx5TakesDcbx(mode);
        case DcbDriver::bnxt:
            return bnxtTakesDcbx(port, mode);
        case DcbDriver::ice:
            return iceTakesDcbx(port, mode);
        case DcbDriver::plain:
        case DcbDriver::none:
            break;
    }
    return true;
}

}  // namespace

int driverSetDcbx(FakeDcbPort& port, std::uint8_t mode) {
    if (port.firmwareKeepsDcbx || (mode & kAgent) != 0) {
        return 1;
    }
    if (port.driver == DcbDriver::mlx5 && mode == 0) {
        port.dcbx = kCee | kIeee;
        return 0;
    }
    if (!takesDcbx(port, mode)) {
        return 1;
    }
    port.dcbx = mode;
    return 0;
}

}  // namespace fabric::fake
