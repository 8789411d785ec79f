// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/concerns.hpp"
#include "resource/dcb/message.hpp"
#include "resource/dcb/property_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace fabric::resource::dcb {

namespace {

// The hardware rounds a size down to whole cells, of which none is larger.
constexpr std::uint64_t kLargestCell = 1024;

bool sizeEqual(std::uint64_t wanted, std::uint64_t found) {
    return found <= wanted && wanted - found <= kLargestCell;
}

std::optional<Assessment> assessMap(const PortTask& task,
                                    const State& found,
                                    Comparison& out) {
    const auto& wanted = task.wanted.priorityToBuffer;
    if (!wanted) {
        return std::nullopt;
    }
    Assessment map = assessmentOf(task, "priority-to-buffer");
    map.wanted = valueOf(wanted->value);
    if (!found.buffers) {
        judgeUncontrollable(
            task, wanted->isExplicit(), "receive buffers", map, out.findings);
        return map;
    }
    Value::Object shown;
    map.verdict = Verdict::inSync;
    for (const auto& [priority, buffer] : wanted->value) {
        const std::uint8_t present =
            found.buffers->priorityToBuffer.at(priority.number());
        shown[std::to_string(priority.number())] = std::int64_t{present};
        if (present != buffer.number()) {
            map.verdict = Verdict::differs;
            map.reason = "a priority is received into another buffer";
        }
    }
    map.found = std::move(shown);
    map.explanation =
        "A buffer is lossless only when every priority in it has PFC: the lossless "
        "priority must not share its buffer with others.";
    return map;
}

std::optional<Assessment> assessSizes(const PortTask& task,
                                      const State& found,
                                      Comparison& out) {
    const auto& wanted = task.wanted.bufferSize;
    if (!wanted) {
        return std::nullopt;
    }
    Assessment sizes = assessmentOf(task, "buffer-size");
    sizes.wanted = valueOf(*wanted);
    if (!found.buffers) {
        judgeUncontrollable(task, true, "receive buffers", sizes, out.findings);
        return sizes;
    }
    Value::Object shown;
    sizes.verdict = Verdict::inSync;
    for (const auto& [buffer, size] : *wanted) {
        const std::uint32_t present = found.buffers->bytes.at(buffer.number());
        shown[std::to_string(buffer.number())] = std::int64_t{present};
        if (!sizeEqual(size.count, present)) {
            sizes.verdict = Verdict::differs;
            sizes.reason =
                fmt::format("a buffer has another size; all buffers may use {} bytes",
                            found.buffers->totalBytes);
        }
    }
    sizes.found = std::move(shown);
    sizes.explanation =
        "A size is equal when it lies at most 1 KiB below the wanted one, which is how "
        "the hardware rounds.";
    return sizes;
}

// Everything that is not owned, and sizes that are equal but for rounding, stay.
Buffers targetBuffers(const PortTask& task, const Buffers& found) {
    Buffers target = found;
    if (task.wanted.priorityToBuffer) {
        for (const auto& [priority, buffer] : task.wanted.priorityToBuffer->value) {
            target.priorityToBuffer.at(priority.number()) = buffer.number();
        }
    }
    if (task.wanted.bufferSize) {
        for (const auto& [buffer, size] : *task.wanted.bufferSize) {
            std::uint32_t& present = target.bytes.at(buffer.number());
            if (!sizeEqual(size.count, present)) {
                present = static_cast<std::uint32_t>(size.count);
            }
        }
    }
    return target;
}

// A size that struct dcbnl_buffer cannot carry must not be cut off silently.
bool fitsTheWire(const PortTask& task) {
    return !task.wanted.bufferSize ||
           std::ranges::all_of(*task.wanted.bufferSize, [](const auto& entry) {
               return entry.second.count <= UINT32_MAX;
           });
}

}  // namespace

void compareBuffers(const PortTask& task, const State& found, Comparison& out) {
    auto map = assessMap(task, found, out);
    auto sizes = assessSizes(task, found, out);
    std::vector<Assessment*> serves;
    for (auto* const assessment : {&map, &sizes}) {
        if (*assessment && (*assessment)->verdict == Verdict::differs) {
            serves.push_back(&**assessment);
        }
    }
    if (!serves.empty() && !fitsTheWire(task)) {
        sizes->verdict = Verdict::unsupported;
        sizes->reason = "a buffer of 4 GiB or more cannot be asked for";
    } else if (!serves.empty()) {
        Step step = stepOf(task,
                           Stage::buffer,
                           Disturbs::traffic,
                           "set receive buffers",
                           std::move(serves));
        step.writes.emplace_back(DcbWrite{
            setBufferRequest(task.port.link, targetBuffers(task, *found.buffers))});
        out.steps.push_back(std::move(step));
    }
    for (auto* const assessment : {&map, &sizes}) {
        if (*assessment) {
            out.assessments.push_back(std::move(**assessment));
        }
    }
}

}  // namespace fabric::resource::dcb
