// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/property_values.hpp"

#include <fmt/format.h>

#include <array>

namespace fabric::resource::dcb {

namespace {

// A map between bounded numbers, as an object with decimal keys.
template <typename Map>
Value numberObject(const Map& map) {
    Value::Object object;
    for (const auto& [key, number] : map) {
        object[std::to_string(key.number())] = std::int64_t{number.number()};
    }
    return object;
}

}  // namespace

Value valueOf(const std::set<Priority>& priorities) {
    Value::List list;
    for (const Priority priority : priorities) {
        list.emplace_back(std::int64_t{priority.number()});
    }
    return list;
}

Value valueOf(const std::map<Dscp, Priority>& map) {
    return numberObject(map);
}

Value valueOf(const std::map<Priority, BufferIndex>& map) {
    return numberObject(map);
}

Value valueOf(const std::map<BufferIndex, Bytes>& sizes) {
    Value::Object object;
    for (const auto& [buffer, size] : sizes) {
        object[std::to_string(buffer.number())] = static_cast<std::int64_t>(size.count);
    }
    return object;
}

Value valueOf(const std::map<TrafficClass, Kbps>& rates) {
    Value::Object object;
    for (const auto& [tc, rate] : rates) {
        object[std::to_string(tc.number())] = rateText(rate.count);
    }
    return object;
}

Value valueOf(const profile::Ets& ets) {
    Value::Object object;
    if (!ets.priorityToTc.empty()) {
        object["priority-to-tc"] = numberObject(ets.priorityToTc);
    }
    Value::Object tsa;
    for (const auto& [tc, selection] : ets.tsa) {
        const bool strict = selection == profile::TransmissionSelection::strict;
        tsa[std::to_string(tc.number())] = strict ? "strict" : "ets";
    }
    Value::Object bandwidth;
    for (const auto& [tc, percent] : ets.bandwidthPercent) {
        bandwidth[std::to_string(tc.number())] = std::int64_t{percent};
    }
    if (!tsa.empty()) {
        object["tsa"] = std::move(tsa);
    }
    if (!bandwidth.empty()) {
        object["bandwidth"] = std::move(bandwidth);
    }
    return object;
}

std::string rateText(std::uint64_t kbps) {
    constexpr std::array<std::pair<std::uint64_t, std::string_view>, 3> kUnits{
        {{1'000'000, "Gbit"}, {1'000, "Mbit"}, {1, "Kbit"}}};
    if (kbps == 0) {
        return "unlimited";
    }
    for (const auto& [unit, name] : kUnits) {
        if (kbps % unit == 0) {
            return fmt::format("{}{}", kbps / unit, name);
        }
    }
    return {};
}

std::string selectionText(std::uint8_t selection) {
    switch (selection) {
        case kTsaStrict:
            return "strict";
        case 1:
            return "cbs";
        case kTsaEts:
            return "ets";
        case 255:
            return "vendor";
        default:
            return std::to_string(selection);
    }
}

}  // namespace fabric::resource::dcb
