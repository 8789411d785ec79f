// SPDX-License-Identifier: Apache-2.0
#include "doctor/judgement.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace fabric::doctor {

namespace {

constexpr std::array kWorstFirst{Verdict::fail,
                                 Verdict::unreadable,
                                 Verdict::warn,
                                 Verdict::inconclusive,
                                 Verdict::pass,
                                 Verdict::notApplicable};

auto rankOf(Verdict verdict) {
    return std::ranges::find(kWorstFirst, verdict) - kWorstFirst.begin();
}

}  // namespace

std::string_view toString(Verdict verdict) {
    switch (verdict) {
        case Verdict::pass:
            return "pass";
        case Verdict::fail:
            return "fail";
        case Verdict::warn:
            return "warn";
        case Verdict::inconclusive:
            return "inconclusive";
        case Verdict::unreadable:
            return "unreadable";
        case Verdict::notApplicable:
            return "not-applicable";
    }
    return "unreadable";
}

std::string_view toString(Restart restart) {
    switch (restart) {
        case Restart::none:
            return "none";
        case Restart::thisNode:
            return "the storage server of this node";
        case Restart::allNodes:
            return "the storage servers of all nodes";
        case Restart::reboot:
            return "this node: reboot it";
    }
    return "none";
}

Judgement passed(Value expected, Value found) {
    return {.verdict = Verdict::pass,
            .expected = std::move(expected),
            .found = std::move(found),
            .reason = {}};
}

Judgement failed(Value expected, Value found, std::string reason) {
    return {.verdict = Verdict::fail,
            .expected = std::move(expected),
            .found = std::move(found),
            .reason = std::move(reason)};
}

Judgement warned(Value expected, Value found, std::string reason) {
    return {.verdict = Verdict::warn,
            .expected = std::move(expected),
            .found = std::move(found),
            .reason = std::move(reason)};
}

Judgement notApplicable(std::string reason) {
    return {.verdict = Verdict::notApplicable,
            .expected = {},
            .found = {},
            .reason = std::move(reason)};
}

Judgement inconclusive(std::string reason) {
    return {.verdict = Verdict::inconclusive,
            .expected = {},
            .found = {},
            .reason = std::move(reason)};
}

Judgement unreadable(const Error& error) {
    std::string reason = error.message();
    if (error.kind == ErrorKind::permission && !reason.contains("root")) {
        reason += "; run as root";
    }
    return {.verdict = Verdict::unreadable,
            .expected = {},
            .found = {},
            .reason = std::move(reason)};
}

bool isWorse(Verdict left, Verdict right) {
    return rankOf(left) < rankOf(right);
}

void Judged::add(const std::string& name, Judgement judgement) {
    all_.push_back({.name = name, .judgement = std::move(judgement)});
}

Judgement Judged::worst(const std::string& otherwise) const {
    if (all_.empty()) {
        return notApplicable(otherwise);
    }
    const auto first = std::ranges::min_element(
        all_, isWorse, [](const One& one) { return one.judgement.verdict; });
    Judgement whole = first->judgement;
    whole.where.clear();
    Value::Object found;
    for (const One& one : all_) {
        if (one.judgement.verdict != whole.verdict) {
            continue;
        }
        whole.where.push_back(one.name);
        found.emplace(one.name, one.judgement.found);
        if (&one != &*first && one.judgement.reason != whole.reason &&
            !one.judgement.reason.empty()) {
            whole.reason += "; " + one.judgement.reason;
        }
    }
    const bool told = std::ranges::any_of(
        found, [](const auto& member) { return !member.second.isNull(); });
    whole.found = told ? Value(std::move(found)) : Value{};
    return whole;
}

}  // namespace fabric::doctor
