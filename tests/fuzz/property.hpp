// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.hpp"
#include "linux/netlink_attributes.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <string_view>
#include <vector>

// What fuzz targets share: the input in the forms that decoders take, and properties
// beyond "it does not crash". A property that does not hold ends the process, and
// libFuzzer keeps the input.
namespace fabric::fuzz {

inline void require(bool holds,
                    std::string_view property,
                    std::source_location where = std::source_location::current()) {
    if (!holds) {
        std::fprintf(stderr,
                     "%s:%u: does not hold: %.*s\n",
                     where.file_name(),
                     static_cast<unsigned>(where.line()),
                     static_cast<int>(property.size()),
                     property.data());
        std::abort();
    }
}

// Text that may be printed as it is: nothing in it moves a cursor or turns the
// direction of writing. Lines of our own are allowed.
inline void requirePrintable(
    std::string_view text,
    std::source_location where = std::source_location::current()) {
    for (const std::string_view line : split(text, '\n')) {
        require(escapeForTerminal(line) == line, "the text is safe to print", where);
    }
}

struct Input {
    const std::uint8_t* data;
    std::size_t size;

    [[nodiscard]] std::string_view text() const {
        return {reinterpret_cast<const char*>(data), size};
    }

    [[nodiscard]] linux_host::ByteView bytes() const {
        return std::as_bytes(std::span(data, size));
    }

    // Several texts in one input, with a zero byte between them; at least `count`, the
    // missing ones empty.
    [[nodiscard]] std::vector<std::string_view> texts(std::size_t count) const {
        std::vector<std::string_view> pieces = split(text(), '\0');
        pieces.resize(std::max(pieces.size(), count));
        return pieces;
    }
};

// Runs a target on one input, which may take a second of processor time: waiting for a
// processor is not the decoder's fault.
inline void runOnce(void (*target)(const Input&), const Input& input) {
    const auto processorNow = [] {
        timespec now{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
    };
    const auto start = processorNow();
    target(input);
    require(processorNow() - start < std::chrono::seconds(1), "done within a second");
}

}  // namespace fabric::fuzz

// The body of a target, given an Input.
#define FABRIC_FUZZ_TARGET(input)                                                  \
    static void fuzzTarget(const fabric::fuzz::Input& input);                      \
    extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, size_t size);  \
    extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, size_t size) { \
        fabric::fuzz::runOnce(fuzzTarget, {data, size});                           \
        return 0;                                                                  \
    }                                                                              \
    static void fuzzTarget(const fabric::fuzz::Input& input)
