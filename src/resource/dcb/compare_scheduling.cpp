// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/concerns.hpp"
#include "resource/dcb/message.hpp"
#include "resource/dcb/property_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace fabric::resource::dcb {

namespace {

std::uint8_t wireOf(profile::TransmissionSelection selection) {
    return selection == profile::TransmissionSelection::strict ? kTsaStrict : kTsaEts;
}

void layBandwidth(const profile::Ets& wanted, Ets& target) {
    if (wanted.bandwidthPercent.empty()) {
        return;
    }
    for (std::uint8_t number = 0; number < kTrafficClassCount; ++number) {
        const auto share = wanted.bandwidthPercent.find(TrafficClass::of(number));
        if (share != wanted.bandwidthPercent.end()) {
            target.transmitBandwidth.at(number) =
                static_cast<std::uint8_t>(share->second);
        } else if (target.selection.at(number) == kTsaEts) {
            target.transmitBandwidth.at(number) = 0;
        }
    }
}

// The owned part of what is there, in the words of the profile.
Value foundEts(const profile::Ets& wanted, const Ets& target, const Ets& found) {
    Value::Object map;
    for (const auto& [priority, tc] : wanted.priorityToTc) {
        map[std::to_string(priority.number())] =
            std::int64_t{found.priorityToTc.at(priority.number())};
    }
    Value::Object tsa;
    Value::Object bandwidth;
    for (std::uint8_t number = 0; number < kTrafficClassCount; ++number) {
        const TrafficClass tc = TrafficClass::of(number);
        const std::string key = std::to_string(number);
        const bool changes =
            target.transmitBandwidth.at(number) != found.transmitBandwidth.at(number);
        if (wanted.tsa.contains(tc) || wanted.bandwidthPercent.contains(tc)) {
            tsa[key] = selectionText(found.selection.at(number));
        }
        if (wanted.bandwidthPercent.contains(tc) || changes) {
            bandwidth[key] = std::int64_t{found.transmitBandwidth.at(number)};
        }
    }
    Value::Object object;
    object["priority-to-tc"] = std::move(map);
    object["tsa"] = std::move(tsa);
    object["bandwidth"] = std::move(bandwidth);
    std::erase_if(object,
                  [](const auto& entry) { return entry.second.asObject()->empty(); });
    return object;
}

unsigned etsShares(const Ets& ets) {
    unsigned sum = 0;
    for (std::size_t tc = 0; tc < kTrafficClassCount; ++tc) {
        sum += ets.selection.at(tc) == kTsaEts ? ets.transmitBandwidth.at(tc) : 0U;
    }
    return sum;
}

bool hasEtsClass(const Ets& ets) {
    return std::ranges::find(ets.selection, kTsaEts) != ets.selection.end();
}

void judgeEts(const PortTask& task,
              const profile::Ets& wanted,
              const Ets& present,
              Assessment& ets) {
    const Ets target = targetEts(wanted, present);
    ets.found = foundEts(wanted, target, present);
    if (target == present) {
        ets.verdict = Verdict::inSync;
        return;
    }
    ets.verdict = Verdict::differs;
    ets.reason = "the transmission classes are not as the profile says";
    ets.explanation =
        "Owned entries of priority-to-tc, tsa and bandwidth are laid over what is "
        "there; willing, cbs and the recommended values stay.";
    const unsigned sum = etsShares(target);
    if (driverFacts(task.port.driver).etsSumsTo100 && hasEtsClass(target) &&
        sum != 100) {
        ets.verdict = Verdict::failed;
        ets.reason = fmt::format(
            "with the entries that are there, the ETS classes would sum to {} percent, "
            "which {} refuses",
            sum,
            driverName(task.port));
        ets.fix = "list every ETS class under dcb.ets.bandwidth";
    }
}

}  // namespace

Ets targetEts(const profile::Ets& wanted, const Ets& found) {
    Ets target = found;
    for (const auto& [priority, tc] : wanted.priorityToTc) {
        target.priorityToTc.at(priority.number()) = tc.number();
    }
    for (const auto& [tc, percent] : wanted.bandwidthPercent) {
        target.selection.at(tc.number()) = kTsaEts;
    }
    for (const auto& [tc, selection] : wanted.tsa) {
        std::uint8_t& present = target.selection.at(tc.number());
        if (present == kTsaEts && selection == profile::TransmissionSelection::strict) {
            target.transmitBandwidth.at(tc.number()) = 0;
        }
        present = wireOf(selection);
    }
    layBandwidth(wanted, target);
    return target;
}

void compareEts(const PortTask& task,
                const State& found,
                Earlier earlier,
                Comparison& out) {
    if (!task.wanted.ets) {
        return;
    }
    const profile::Ets& wanted = *task.wanted.ets;
    Assessment ets = assessmentOf(task, "ets");
    ets.wanted = valueOf(wanted);
    if (!found.ets) {
        judgeUncontrollable(task, true, "ETS", ets, out.findings);
        out.assessments.push_back(std::move(ets));
        return;
    }
    judgeEts(task, wanted, *found.ets, ets);
    addOwnerHint(task, found, ets);
    const bool again = earlier == Earlier::resets && ets.verdict == Verdict::inSync;
    if (ets.verdict == Verdict::differs || again) {
        Step step = stepOf(task,
                           Stage::ets,
                           Disturbs::traffic,
                           "set the transmission classes",
                           {&ets});
        step.writes.emplace_back(
            DcbWrite{setEtsRequest(task.port.link, targetEts(wanted, *found.ets))});
        out.steps.push_back(std::move(step));
    }
    out.assessments.push_back(std::move(ets));
}

namespace {

// Hardware steps, rounded down: 100 Mbit/s up to 25.5 Gbit/s, 1 Gbit/s above (mlx5,
// mlx5e_dcbnl_ieee_setmaxrate; the finest that the profile promises elsewhere too).
std::uint64_t rateStep(std::uint64_t kbps) {
    constexpr std::uint64_t kFineLimit = 25'500'000;
    return kbps <= kFineLimit ? 100'000 : 1'000'000;
}

bool rateEqual(std::uint64_t wanted, std::uint64_t found) {
    if (wanted == 0 || found == 0) {
        return wanted == found;
    }
    return found <= wanted && wanted - found <= rateStep(wanted);
}

// Why the hardware cannot hold a rate; "" when it can. A larger value than the ceiling
// wraps around in kernels that do not check it.
std::string rateProblem(const DriverFacts& driver, std::uint64_t kbps) {
    if (driver.maxRateCeiling && kbps > driver.maxRateCeiling->count) {
        return fmt::format("{} is above the {} that the hardware can limit to",
                           rateText(kbps),
                           rateText(driver.maxRateCeiling->count));
    }
    if (driver.maxRateFloor && kbps != 0 && kbps < driver.maxRateFloor->count) {
        return fmt::format("{} is below the {} that the hardware can limit to",
                           rateText(kbps),
                           rateText(driver.maxRateFloor->count));
    }
    return {};
}

using Rates = std::map<TrafficClass, Kbps>;

void judgeRates(const PortTask& task,
                const Rates& wanted,
                const MaxRates& found,
                Assessment& rates) {
    const DriverFacts& driver = driverFacts(task.port.driver);
    Value::Object shown;
    rates.verdict = Verdict::inSync;
    for (const auto& [tc, rate] : wanted) {
        const std::uint64_t present = found.at(tc.number());
        shown[std::to_string(tc.number())] = rateText(present);
        if (const std::string problem = rateProblem(driver, rate.count);
            !problem.empty()) {
            rates.verdict = Verdict::unsupported;
            rates.reason = problem;
            rates.fix = "choose a rate in range, or leave the class out";
        } else if (!rateEqual(rate.count, present) &&
                   rates.verdict == Verdict::inSync) {
            rates.verdict = Verdict::differs;
            rates.reason = "a class has another rate limit";
        }
    }
    rates.found = std::move(shown);
    rates.explanation =
        "A rate is equal when it lies within one hardware step below the wanted one: "
        "100 Mbit/s up to 25.5 Gbit/s, 1 Gbit/s above.";
}

MaxRates targetRates(const Rates& wanted, const MaxRates& found) {
    MaxRates target = found;
    for (const auto& [tc, rate] : wanted) {
        std::uint64_t& present = target.at(tc.number());
        present = rateEqual(rate.count, present) ? present : rate.count;
    }
    return target;
}

}  // namespace

void compareMaxRate(const PortTask& task, const State& found, Comparison& out) {
    if (!task.wanted.maxRate) {
        return;
    }
    const Rates& wanted = *task.wanted.maxRate;
    Assessment rates = assessmentOf(task, "max-rate");
    rates.wanted = valueOf(wanted);
    if (!found.maxRates) {
        judgeUncontrollable(task, true, "rate limit", rates, out.findings);
        out.assessments.push_back(std::move(rates));
        return;
    }
    judgeRates(task, wanted, *found.maxRates, rates);
    if (rates.verdict == Verdict::differs) {
        Step step = stepOf(task,
                           Stage::maxRate,
                           Disturbs::none,
                           "set rate limits of classes",
                           {&rates});
        step.writes.emplace_back(DcbWrite{
            setMaxRateRequest(task.port.link, targetRates(wanted, *found.maxRates))});
        out.steps.push_back(std::move(step));
    }
    out.assessments.push_back(std::move(rates));
}

}  // namespace fabric::resource::dcb
