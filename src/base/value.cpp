// SPDX-License-Identifier: Apache-2.0
#include "base/value.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace fabric {

const Value* Value::member(std::string_view key) const {
    const Object* object = asObject();
    if (object == nullptr) {
        return nullptr;
    }
    const auto found = object->find(key);
    return found == object->end() ? nullptr : &found->second;
}

namespace {

std::string listText(const Value::List& list) {
    std::string text = "[";
    for (const Value& item : list) {
        text += text.size() > 1 ? ", " : "";
        text += item.toText();
    }
    return text + "]";
}

// Keys that are numbers stand in numeric order, before the others.
std::string objectText(const Value::Object& object) {
    std::vector<const Value::Object::value_type*> members;
    for (const auto& member : object) {
        members.push_back(&member);
    }
    std::ranges::stable_sort(members, {}, [](const auto* member) {
        const auto number = parseUnsigned(member->first);
        return std::pair(!number, number.value_or(0));
    });
    std::string text = "{";
    for (const auto* member : members) {
        text += text.size() > 1 ? ", " : "";
        text += escapeForTerminal(member->first) + ": " + member->second.toText();
    }
    return text + "}";
}

}  // namespace

std::string Value::toText() const {
    if (isNull()) {
        return "-";
    }
    if (const bool* flag = asBool()) {
        return *flag ? "true" : "false";
    }
    if (const std::int64_t* number = asInteger()) {
        return std::to_string(*number);
    }
    if (const double* real = asReal()) {
        return fmt::format("{}", *real);
    }
    if (const std::string* text = asText()) {
        return escapeForTerminal(*text);
    }
    if (const List* list = asList()) {
        return listText(*list);
    }
    return objectText(*asObject());
}

}  // namespace fabric
