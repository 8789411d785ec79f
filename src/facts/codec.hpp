// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"
#include "base/result.hpp"
#include "base/value.hpp"
#include "facts/json_reader.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// One description per type (`describe`, facts/describe.hpp) serves both directions:
// what the encoder writes is what the decoder takes.
namespace fabric::facts {

// A type that is one text in JSON: TextForm<T>::text(value) and ::parsed(text).
template <typename T>
struct TextForm;

template <typename T>
concept HasTextForm = requires(const T& value, const std::string& text) {
    { TextForm<T>::text(value) } -> std::same_as<std::string>;
    { TextForm<T>::parsed(text) } -> std::same_as<std::optional<T>>;
};

template <typename T>
inline constexpr bool kIsList = false;
template <typename T>
inline constexpr bool kIsList<std::vector<T>> = true;
template <typename T>
inline constexpr bool kIsMap = false;
template <typename Key, typename T>
inline constexpr bool kIsMap<std::map<Key, T>> = true;
template <typename T>
inline constexpr bool kIsResult = false;
template <typename T>
inline constexpr bool kIsResult<std::expected<T, Error>> = true;

class Encoder {
  public:
    template <typename T>
    using Ref = const T&;

    template <typename T>
    void operator()(std::string_view name, const T& value) {
        object_.emplace(std::string(name), encoded(value));
    }

    template <typename T>
    void operator()(std::string_view name, const std::optional<T>& value) {
        if (value) {
            (*this)(name, *value);
        }
    }

    // Left out when it is empty, false or 0.
    template <typename T>
    void orEmpty(std::string_view name, const T& value) {
        if (!(value == T{})) {
            (*this)(name, value);
        }
    }

    template <typename T>
    [[nodiscard]] static Value encoded(const T& value) {
        if constexpr (std::same_as<T, bool>) {
            return value;
        } else if constexpr (std::integral<T>) {
            return number(value);
        } else if constexpr (std::same_as<T, IfIndex>) {
            return number(value.number);
        } else if constexpr (HasTextForm<T>) {
            return TextForm<T>::text(value);
        } else if constexpr (kIsList<T>) {
            Value::List list;
            for (const auto& item : value) {
                list.push_back(encoded(item));
            }
            return list;
        } else if constexpr (kIsMap<T>) {
            Value::Object object;
            for (const auto& [key, item] : value) {
                object.emplace(TextForm<typename T::key_type>::text(key),
                               encoded(item));
            }
            return object;
        } else if constexpr (kIsResult<T>) {
            return value ? Value::Object{{"value", encoded(*value)}}
                         : Value::Object{{"error", encoded(value.error())}};
        } else {
            Encoder encoder;
            describe(encoder, value);
            return std::move(encoder.object_);
        }
    }

  private:
    // What no JSON reader holds in an integer of 64 bits goes as text.
    template <std::integral T>
    static Value number(T value) {
        if (!std::in_range<std::int64_t>(value)) {
            return std::to_string(value);
        }
        return static_cast<std::int64_t>(value);
    }

    Value::Object object_;
};

// Takes a tree apart. The first thing that is wrong ends it: what comes later does
// nothing.
class Decoder {
  public:
    template <typename T>
    using Ref = T&;

    explicit Decoder(const Value& tree) : here_(&tree) {}

    template <typename T>
    void operator()(std::string_view name, T& value) {
        if (!orEmpty(name, value) && !problem_) {
            refuse(std::string("the member \"") + std::string(name) + "\" is missing");
        }
    }

    template <typename T>
    void operator()(std::string_view name, std::optional<T>& value) {
        if (const Value* const member = memberOf(name)) {
            within(name, *member, value.emplace());
        }
    }

    // False when there is no such member; the value stays as it is.
    template <typename T>
    bool orEmpty(std::string_view name, T& value) {
        const Value* const member = memberOf(name);
        if (member != nullptr) {
            within(name, *member, value);
        }
        return member != nullptr;
    }

    template <typename T>
    void decode(T& value) {
        if (problem_) {
            return;
        }
        if constexpr (std::same_as<T, bool>) {
            const bool* const flag = here_->asBool();
            flag != nullptr ? void(value = *flag) : refuse("true or false is expected");
        } else if constexpr (std::integral<T>) {
            decodeNumber(value);
        } else if constexpr (std::same_as<T, IfIndex>) {
            decodeNumber(value.number);
        } else if constexpr (HasTextForm<T>) {
            decodeText(value);
        } else if constexpr (kIsList<T>) {
            decodeList(value);
        } else if constexpr (kIsMap<T>) {
            decodeMap(value);
        } else if constexpr (kIsResult<T>) {
            decodeResult(value);
        } else {
            decodeObject(value);
        }
    }

    [[nodiscard]] const std::optional<JsonProblem>& problem() const { return problem_; }

  private:
    template <typename T>
    void within(std::string_view name, const Value& tree, T& value) {
        const Value* const outside = std::exchange(here_, &tree);
        auto* const members = std::exchange(members_, nullptr);
        path_.emplace_back(name);
        decode(value);
        path_.pop_back();
        members_ = members;
        here_ = outside;
    }

    template <typename T>
    void decodeNumber(T& value) {
        const std::optional<Wide> number = wideNumber();
        if (!number || (number->negative ? !std::in_range<T>(number->below)
                                         : !std::in_range<T>(number->above))) {
            refuse("a whole number in its range is expected");
            return;
        }
        value = number->negative ? static_cast<T>(number->below)
                                 : static_cast<T>(number->above);
    }

    template <typename T>
    void decodeText(T& value) {
        const std::string* const text = here_->asText();
        auto parsed = text != nullptr ? TextForm<T>::parsed(*text) : std::nullopt;
        if (!parsed) {
            refuse(text == nullptr ? "a text is expected"
                                   : "the text is not of the form that is expected");
            return;
        }
        value = std::move(*parsed);
    }

    template <typename T>
    void decodeList(std::vector<T>& value) {
        const Value::List* const list = here_->asList();
        if (list == nullptr) {
            refuse("a list is expected");
            return;
        }
        for (std::size_t at = 0; at < list->size() && !problem_; ++at) {
            T item{};
            within(std::to_string(at), (*list)[at], item);
            value.push_back(std::move(item));
        }
    }

    template <typename Key, typename T>
    void decodeMap(std::map<Key, T>& value) {
        const Value::Object* const object = here_->asObject();
        if (object == nullptr) {
            refuse("an object is expected");
            return;
        }
        for (const auto& [name, member] : *object) {
            auto key = TextForm<Key>::parsed(name);
            if (!key) {
                refuse("the member \"" + name + "\" has no name of the expected form");
            }
            if (problem_) {
                return;
            }
            T item{};
            within(name, member, item);
            if (!value.emplace(std::move(*key), std::move(item)).second) {
                refuse("the member \"" + name + "\" stands there twice");
            }
        }
    }

    template <typename T>
    void decodeResult(std::expected<T, Error>& value) {
        const Value::Object* const object = here_->asObject();
        const Value* const answer = here_->member("value");
        const Value* const error = here_->member("error");
        const bool one = (answer == nullptr) != (error == nullptr);
        if (object == nullptr || object->size() != 1 || !one) {
            refuse("an object with either \"value\" or \"error\" is expected");
        } else if (answer != nullptr) {
            within("value", *answer, value.emplace());
        } else {
            Error read;
            within("error", *error, read);
            value = std::unexpected(std::move(read));
        }
    }

    template <typename T>
    void decodeObject(T& value) {
        if (here_->asObject() == nullptr) {
            refuse("an object is expected");
            return;
        }
        std::set<std::string, std::less<>> members;
        members_ = &members;
        describe(*this, value);
        members_ = nullptr;
        refuseOthers(members);
    }

    struct Wide {
        bool negative = false;
        std::int64_t below = 0;
        std::uint64_t above = 0;
    };

    [[nodiscard]] const Value* memberOf(std::string_view name);
    [[nodiscard]] std::optional<Wide> wideNumber() const;
    void refuseOthers(const std::set<std::string, std::less<>>& members);
    void refuse(std::string what);

    const Value* here_;
    std::vector<std::string> path_;
    std::set<std::string, std::less<>>* members_ = nullptr;  // asked for in this object
    std::optional<JsonProblem> problem_;
};

}  // namespace fabric::facts
