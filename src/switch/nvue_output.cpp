// SPDX-License-Identifier: Apache-2.0
#include "switch/nvue_output.hpp"

#include "base/text.hpp"
#include "facts/json_reader.hpp"
#include "switch/nvue_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fabric::switches {

namespace {

constexpr std::size_t kLongest = std::size_t{1} << 20U;
constexpr facts::JsonBounds kBounds{.bytes = kLongest, .depth = 16, .values = 100'000};

Error unusable(const std::string& origin, const std::string& detail) {
    return {.kind = ErrorKind::malformed,
            .action = "read the switch's output",
            .subject = escapeForTerminal(origin),
            .sysErrno = 0,
            .detail = escapeForTerminal(detail),
            .advice =
                "give what 'nv show qos roce' and 'nv show qos congestion-control "
                "default-global traffic-class 3' print, as text or with -o json"};
}

std::string plainText(const Value& value) {
    if (const std::string* const text = value.asText()) {
        return std::string(trimmed(*text));
    }
    return value.isNull() ? std::string() : value.toText();
}

bool isEmptyObject(const Value& value) {
    return value.asObject() != nullptr && value.asObject()->empty();
}

// A set is an object of empty objects there: {"0": {}, "3": {}}.
bool isSet(const Value::Object& object) {
    return !object.empty() && std::ranges::all_of(object, [](const auto& member) {
        return isEmptyObject(member.second);
    });
}

void flatten(const Value& value, const std::string& path, NvueValues& values) {
    if (const Value::Object* const object = value.asObject()) {
        std::string names;
        for (const auto& [name, member] : *object) {
            if (isSet(*object)) {
                names += (names.empty() ? "" : ",") + name;
            } else {
                flatten(member, path.empty() ? name : path + "/" + name, values);
            }
        }
        if (!names.empty()) {
            values[path] = names;
        }
    } else if (const Value::List* const list = value.asList()) {
        std::string items;
        for (const Value& item : *list) {
            items += (items.empty() ? "" : ",") + plainText(item);
        }
        values[path] = items;
    } else {
        values[path] = plainText(value);
    }
}

}  // namespace

Result<NvueValues> parseNvue(std::string_view text, const std::string& origin) {
    if (text.size() > kLongest) {
        return fail(unusable(origin, "it is longer than 1 MiB"));
    }
    NvueValues values;
    if (trimmed(text).starts_with('{')) {
        const auto document = facts::readJson(text, kBounds);
        if (!document) {
            return fail(unusable(
                origin,
                fmt::format("{}: {}", document.error().place, document.error().what)));
        }
        flatten(*document, "", values);
        values.erase("");
    } else {
        values = tableValues(text);
    }
    if (values.empty()) {
        return fail(unusable(origin, "it holds no property"));
    }
    return values;
}

}  // namespace fabric::switches
