// SPDX-License-Identifier: Apache-2.0
#include "profile/amounts.hpp"
#include "profile/keys.hpp"
#include "profile/reference.hpp"
#include "profile/values.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace fabric::profile {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kIndent = 2;
constexpr int kMostNamedEntries = 256;

Json wordValue(const std::string& word) {
    const auto number = parseNumber(word);
    return number ? Json(*number) : Json(word);
}

Json amountSchema(const ValueType& type) {
    const bool zero = type.min <= 0;
    Json schema;
    schema["anyOf"] = Json::array();
    const std::string pattern = amountPattern(type.form);
    schema["anyOf"].push_back({{"type", "string"}, {"pattern", pattern}});
    if (zero) {
        schema["anyOf"].push_back({{"enum", {0, "0"}}});
    }
    for (const std::string& word : wordsOf(type)) {
        schema["anyOf"].push_back({{"const", word}});
    }
    return schema;
}

Json textSchema(const TextRuleForm& form) {
    Json schema;
    schema["type"] = form.takesNumbers ? Json{"string", "number"} : Json("string");
    schema["maxLength"] = form.maxBytes;
    if (!form.pattern.empty()) {
        schema["pattern"] = form.pattern;
    }
    return schema;
}

Json typeSchema(const ValueType& type) {
    switch (type.form) {
        case Form::flag:
            return {{"type", "boolean"}};
        case Form::onOff:
            return {{"enum", {"on", "off", true, false}}};
        case Form::number:
            return {{"type", "integer"}, {"minimum", type.min}, {"maximum", type.max}};
        case Form::choice: {
            Json words = Json::array();
            for (const std::string& word : wordsOf(type)) {
                words.push_back(wordValue(word));
            }
            return {{"enum", words}};
        }
        case Form::text:
            return textSchema(formOf(type.rule));
        case Form::size:
        case Form::rate:
        case Form::length:
        case Form::duration:
            return amountSchema(type);
    }
    return {};
}

Json orNull(Json schema) {
    return {{"anyOf", Json::array({std::move(schema), {{"type", "null"}}})}};
}

Json indexSchema(const ValueType& index) {
    if (index.form != Form::number) {
        return textSchema(formOf(index.rule));
    }
    Json names = Json::array();
    for (std::int64_t number = index.min; number <= index.max; ++number) {
        names.push_back(std::to_string(number));
    }
    return {{"enum", names}};
}

Json mappingSchema(const Key& key) {
    Json schema{{"type", "object"},
                {"propertyNames", indexSchema(key.index)},
                {"additionalProperties", orNull(typeSchema(key.value))}};
    schema["maxProperties"] = kMostNamedEntries;
    return schema;
}

Json keySchema(const Key* parent, const Key& key);

Json fieldsSchema(const Key* parent) {
    Json schema{{"type", "object"}, {"additionalProperties", false}};
    Json required = Json::array();
    for (const Key* child : childrenOf(parent)) {
        const std::string leaf(leafOf(*child));
        const bool lent = parent != nullptr && child->perRail;
        schema["properties"][leaf] =
            lent ? Json{{"$ref", "#/properties/" + leaf}} : keySchema(parent, *child);
        if (child->required) {
            required.push_back(leaf);
        }
    }
    if (!required.empty()) {
        schema["required"] = required;
    }
    return schema;
}

Json fieldsOf(const Key& key) {
    if (!key.fields.empty()) {
        return {{"$ref", fmt::format("#/$defs/{}", key.fields)}};
    }
    Json schema = fieldsSchema(&key);
    if (key.nonEmpty || key.shape == Shape::sections) {
        schema["minProperties"] = 1;
    }
    return schema;
}

Json shapeSchema(const Key& key) {
    switch (key.shape) {
        case Shape::value:
            return key.orSection
                       ? Json{{"anyOf", {typeSchema(key.value), fieldsOf(key)}}}
                       : typeSchema(key.value);
        case Shape::section:
            return fieldsOf(key);
        case Shape::mapping:
            return mappingSchema(key);
        case Shape::list:
            return {{"type", "array"},
                    {"items", typeSchema(key.value)},
                    {"uniqueItems", true}};
        case Shape::sections: {
            Json schema{{"type", "array"}, {"items", fieldsOf(key)}};
            if (key.nonEmpty) {
                schema["minItems"] = 1;
            }
            return schema;
        }
    }
    return {};
}

Json standardValue(const Key& key) {
    const std::string text(key.standard);
    if (key.value.form == Form::flag) {
        return text == "true";
    }
    return key.value.form == Form::number ? wordValue(text) : Json(text);
}

Json keySchema(const Key* parent, const Key& key) {
    Json schema{{"description", key.meaning}};
    if (!key.standard.empty()) {
        schema["default"] = standardValue(key);
    }
    const Json shape =
        takesNull(parent, key) ? orNull(shapeSchema(key)) : shapeSchema(key);
    schema.update(shape);
    return schema;
}

Json selectorSchema() {
    Json schema = fieldsSchema(findKey("overrides.match"));
    schema["minProperties"] = 1;
    return schema;
}

}  // namespace

std::string jsonSchema() {
    Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                {"title", "fabricctl profile, version 1"}};
    schema.update(fieldsSchema(nullptr));
    schema["anyOf"] =
        Json::array({{{"required", {"name"}}}, {{"required", {"extends"}}}});
    schema["$defs"]["selector"] = selectorSchema();
    return schema.dump(kIndent) + "\n";
}

}  // namespace fabric::profile
