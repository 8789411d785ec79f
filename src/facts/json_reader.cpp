// SPDX-License-Identifier: Apache-2.0
#include "facts/json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace fabric::facts {

namespace {

using Json = nlohmann::json;

// A list or an object whose end has not come yet.
struct Open {
    bool isObject = false;
    Value::List list;
    Value::Object object;
    std::string key;  // of the member whose value comes next
};

// Events of the parser, which itself does not recurse (nlohmann::json::sax_parse).
class Builder : public nlohmann::json_sax<Json> {
  public:
    explicit Builder(const JsonBounds& bounds) : bounds_(bounds) {}

    bool null() override { return add(Value{}); }

    bool boolean(bool value) override { return add(value); }

    bool number_integer(std::int64_t value) override { return add(value); }

    bool number_unsigned(std::uint64_t value) override {
        constexpr auto kMost =
            static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        return value <= kMost ? add(static_cast<std::int64_t>(value))
                              : refuse("the number is larger than 64 bits hold");
    }

    bool number_float(double value, const std::string& text) override {
        const bool whole = text.find_first_of(".eE") == std::string::npos;
        return std::isfinite(value) && !whole
                   ? add(value)
                   : refuse("the number is larger than 64 bits hold");
    }

    bool string(std::string& value) override { return add(std::move(value)); }

    bool binary(Json::binary_t& /*value*/) override {
        return refuse("binary values are no JSON");
    }

    bool start_object(std::size_t /*elements*/) override { return open(true); }

    bool start_array(std::size_t /*elements*/) override { return open(false); }

    bool key(std::string& name) override {
        if (skipped_ > 0) {
            return true;
        }
        Open& around = open_.back();
        around.key = name;
        skipsNext_ = isLeftOut();
        return !around.object.contains(name) || refuse("the member stands there twice");
    }

    bool end_object() override { return close(); }

    bool end_array() override { return close(); }

    bool parse_error(std::size_t position,
                     const std::string& /*lastToken*/,
                     const Json::exception& /*error*/) override {
        broken_ = position;
        return false;
    }

    [[nodiscard]] Value take() { return std::move(root_); }

    // Where the syntax ends, when nothing else was refused.
    [[nodiscard]] std::size_t broken() const { return broken_; }

    [[nodiscard]] const std::optional<JsonProblem>& problem() const { return problem_; }

  private:
    // Members within lists have no names that lead to them.
    [[nodiscard]] bool isLeftOut() {
        constexpr std::size_t kDeepest = 4;
        std::array<std::string_view, kDeepest> path;
        if (bounds_.leavesOut == nullptr || open_.size() > kDeepest ||
            !std::ranges::all_of(open_, &Open::isObject)) {
            return false;
        }
        std::ranges::transform(
            open_, path.begin(), [](const Open& one) -> std::string_view {
                return one.key;
            });
        return bounds_.leavesOut(std::span(path).first(open_.size()));
    }

    bool open(bool isObject) {
        if (open_.size() + skipped_ >= bounds_.depth) {
            return refuse(fmt::format("it is nested deeper than {}", bounds_.depth));
        }
        if (!count()) {
            return false;
        }
        if (skipped_ > 0 || skipsNext_) {
            skipsNext_ = false;
            ++skipped_;
            return true;
        }
        open_.push_back({.isObject = isObject, .list = {}, .object = {}, .key = {}});
        return true;
    }

    bool close() {
        if (skipped_ > 0) {
            --skipped_;
            return true;
        }
        Open done = std::move(open_.back());
        open_.pop_back();
        return place(done.isObject ? Value(std::move(done.object))
                                   : Value(std::move(done.list)));
    }

    bool add(Value value) {
        if (skipped_ > 0 || skipsNext_) {
            skipsNext_ = false;
            return count();
        }
        return count() && place(std::move(value));
    }

    bool count() {
        return ++values_ <= bounds_.values ||
               refuse(fmt::format("it holds more than {} values", bounds_.values));
    }

    bool place(Value value) {
        if (open_.empty()) {
            root_ = std::move(value);
        } else if (Open& around = open_.back(); around.isObject) {
            around.object.emplace(std::move(around.key), std::move(value));
        } else {
            around.list.push_back(std::move(value));
        }
        return true;
    }

    bool refuse(std::string what) {
        problem_ = {.place = pointer(), .what = std::move(what)};
        return false;
    }

    // To the value that comes next.
    [[nodiscard]] std::string pointer() const {
        std::string path;
        for (const Open& one : open_) {
            path += "/" + (one.isObject ? pointerStep(one.key)
                                        : std::to_string(one.list.size()));
        }
        return path;
    }

    JsonBounds bounds_;
    std::vector<Open> open_;
    std::size_t skipped_ = 0;  // lists and objects around, of what is left out
    bool skipsNext_ = false;
    Value root_;
    std::size_t values_ = 0;
    std::size_t broken_ = 0;
    std::optional<JsonProblem> problem_;
};

std::string lineAndColumn(std::string_view text, std::size_t position) {
    const std::string_view before = text.substr(0, std::min(position, text.size()));
    const std::size_t lineStart = before.rfind('\n');
    const std::size_t column =
        before.size() - (lineStart == std::string_view::npos ? 0 : lineStart + 1);
    return fmt::format("line {}, column {}",
                       std::ranges::count(before, '\n') + 1,
                       std::max<std::size_t>(column, 1));
}

}  // namespace

std::string pointerStep(std::string_view name) {
    std::string step;
    for (const char letter : name) {
        step += letter == '~' ? "~0" : letter == '/' ? "~1" : std::string(1, letter);
    }
    return step;
}

std::expected<Value, JsonProblem> readJson(std::string_view text,
                                           const JsonBounds& bounds) {
    if (text.size() > bounds.bytes) {
        return std::unexpected(JsonProblem{
            .place = "",
            .what = fmt::format("it has {} bytes, more than {} are not read",
                                text.size(),
                                bounds.bytes)});
    }
    Builder builder(bounds);
    // It throws nothing itself once parse_error() is there, but may run out of memory.
    if (Json::sax_parse(text.begin(), text.end(), &builder)) {
        return builder.take();
    }
    if (builder.problem()) {
        return std::unexpected(*builder.problem());
    }
    return std::unexpected(
        JsonProblem{.place = lineAndColumn(text, builder.broken()),
                    .what = builder.broken() >= text.size()
                                ? "the document ends too early: it is cut off"
                                : "this is no JSON"});
}

}  // namespace fabric::facts
