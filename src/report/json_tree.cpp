// SPDX-License-Identifier: Apache-2.0
#include "report/json_tree.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>

namespace fabric::report {

Json treeOf(const Value& value) {
    if (const bool* flag = value.asBool()) {
        return *flag;
    }
    if (const std::int64_t* number = value.asInteger()) {
        return *number;
    }
    if (const double* real = value.asReal()) {
        return *real;
    }
    if (const std::string* text = value.asText()) {
        return *text;
    }
    if (const Value::List* list = value.asList()) {
        Json tree = Json::array();
        for (const Value& item : *list) {
            tree.push_back(treeOf(item));
        }
        return tree;
    }
    if (const Value::Object* object = value.asObject()) {
        Json tree = Json::object();
        for (const auto& [key, item] : *object) {
            tree[key] = treeOf(item);
        }
        return tree;
    }
    return nullptr;
}

Value valueOf(const Json& tree) {
    if (tree.is_boolean()) {
        return tree.get<bool>();
    }
    if (tree.is_number_unsigned() &&
        !std::in_range<std::int64_t>(tree.get<std::uint64_t>())) {
        return {};
    }
    if (tree.is_number_integer()) {
        return tree.get<std::int64_t>();
    }
    if (tree.is_number_float()) {
        return tree.get<double>();
    }
    if (tree.is_string()) {
        return tree.get<std::string>();
    }
    if (tree.is_array()) {
        Value::List list;
        for (const Json& item : tree) {
            list.push_back(valueOf(item));
        }
        return list;
    }
    if (tree.is_object()) {
        Value::Object object;
        for (const auto& [key, item] : tree.items()) {
            object.insert_or_assign(key, valueOf(item));
        }
        return object;
    }
    return {};
}

Json parseTree(std::string_view text) {
    constexpr int kDeepest = 16;
    return Json::parse(
        text, [](int depth, Json::parse_event_t, Json&) { return depth <= kDeepest; });
}

const Json& listAt(const Json& tree, const char* key) {
    constexpr int kWrongType = 302;
    const Json& list = tree.at(key);
    if (!list.is_array()) {
        throw Json::type_error::create(
            kWrongType, std::string("no list: ") + key, &list);
    }
    return list;
}

std::uint64_t countAt(const Json& tree, const char* key) {
    static_cast<void>(numberAt<std::int64_t>(tree, key));  // it fits a Value
    return numberAt<std::uint64_t>(tree, key);
}

std::string problemOf(const nlohmann::json::exception& error) {
    const auto* const parse = dynamic_cast<const nlohmann::json::parse_error*>(&error);
    return parse != nullptr
               ? fmt::format("it is no JSON from byte {} on", parse->byte)
               : "a member is missing, or is not of the kind that it should be";
}

}  // namespace fabric::report
