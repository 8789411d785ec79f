// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fabric {

// A plain tree of what a report can say: null, boolean, integer, real, text, list,
// object. It carries wanted, found and after values from the resources to the report
// without binding either to a JSON library. Objects keep their keys sorted, so that
// equal values print equally.
class Value {
  public:
    using List = std::vector<Value>;
    using Object = std::map<std::string, Value, std::less<>>;

    Value() = default;

    // What can stand in a report converts without ceremony.
    // NOLINTBEGIN(google-explicit-constructor)
    Value(bool value) : data_(value) {}

    Value(int value) : data_(std::int64_t{value}) {}

    Value(unsigned value) : data_(std::int64_t{value}) {}

    Value(std::int64_t value) : data_(value) {}

    Value(double value) : data_(value) {}

    Value(const char* value) : data_(std::string(value)) {}

    Value(std::string_view value) : data_(std::string(value)) {}

    Value(std::string value) : data_(std::move(value)) {}

    Value(List value) : data_(std::move(value)) {}

    Value(Object value) : data_(std::move(value)) {}

    // NOLINTEND(google-explicit-constructor)

    [[nodiscard]] bool isNull() const {
        return std::holds_alternative<std::monostate>(data_);
    }

    [[nodiscard]] const bool* asBool() const { return std::get_if<bool>(&data_); }

    [[nodiscard]] const std::int64_t* asInteger() const {
        return std::get_if<std::int64_t>(&data_);
    }

    [[nodiscard]] const double* asReal() const { return std::get_if<double>(&data_); }

    [[nodiscard]] const std::string* asText() const {
        return std::get_if<std::string>(&data_);
    }

    [[nodiscard]] const List* asList() const { return std::get_if<List>(&data_); }

    [[nodiscard]] const Object* asObject() const { return std::get_if<Object>(&data_); }

    // The member of an object, or nullptr when there is none.
    [[nodiscard]] const Value* member(std::string_view key) const;

    bool operator==(const Value& other) const = default;

    // Compact one-line text for people: 3, "dscp" as dscp, [3], {26: 3}. Text is
    // escaped.
    [[nodiscard]] std::string toText() const;

  private:
    std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Object>
        data_;
};

}  // namespace fabric
