// SPDX-License-Identifier: Apache-2.0
#include "facts/facts.hpp"

#include "base/text.hpp"
#include "facts/describe.hpp"
#include "facts/json_reader.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace fabric::facts {

namespace {

constexpr std::string_view kSchemaFamily = "fabricctl/facts/";

Error unusable(std::string_view origin, std::string detail, std::string advice) {
    return {.kind = ErrorKind::malformed,
            .action = "read facts",
            .subject = escapeForTerminal(origin),
            .sysErrno = 0,
            .detail = std::move(detail),
            .advice = std::move(advice)};
}

Error unusable(std::string_view origin, const JsonProblem& problem) {
    const std::string place =
        problem.place.empty() ? "" : escapeForTerminal(problem.place) + ": ";
    return unusable(origin,
                    place + escapeForTerminal(problem.what),
                    "take the facts again: fabricctl facts --output FILE");
}

std::string textOf(const Value& document, std::string_view member) {
    const Value* const found = document.member(member);
    const std::string* const text = found == nullptr ? nullptr : found->asText();
    return text == nullptr ? "" : *text;
}

// No clock stands before its begin; what is computed from such a time would not fit.
std::optional<JsonProblem> timeProblem(const Observed& seen) {
    for (const auto& [member, time] :
         {std::pair("/steady_ns", seen.steadyNs), std::pair("/wall_ns", seen.wallNs)}) {
        if (time < 0) {
            return JsonProblem{.place = member, .what = "a time from 0 on is expected"};
        }
    }
    return std::nullopt;
}

// What keeps the document from being read, before anything in it is looked at.
std::optional<Error> foreign(std::string_view origin, const Value& document) {
    const std::string schema = textOf(document, "schema");
    if (schema == kSchema) {
        return std::nullopt;
    }
    if (!schema.starts_with(kSchemaFamily)) {
        return unusable(
            origin,
            fmt::format("/schema: \"{}\" is expected, so this is no file of "
                        "facts",
                        kSchema),
            "make one on the host in question: fabricctl facts --output FILE");
    }
    return unusable(origin,
                    fmt::format("/schema: it is {}, written by fabricctl {}; this one "
                                "reads {}",
                                escapeForTerminal(schema),
                                escapeForTerminal(textOf(document, "program")),
                                kSchema),
                    "use the fabricctl that wrote it, or a newer one");
}

}  // namespace

Value toValue(const Facts& facts) {
    Value::Object value{{"schema", kSchema},
                        {"program", facts.program},
                        {"taken", facts.taken},
                        {"host_name", portableText(facts.hostName)},
                        {"host", facts.host},
                        {"observed", Encoder::encoded(facts.observed)}};
    if (!facts.profile.empty()) {
        value.emplace("profile", facts.profile);
    }
    return value;
}

Result<Facts> parseFacts(std::string_view text,
                         std::string_view origin,
                         const JsonBounds& bounds) {
    const auto document = readJson(text, bounds);
    if (!document) {
        return fail(unusable(origin, document.error()));
    }
    if (auto error = foreign(origin, *document)) {
        return fail(std::move(*error));
    }
    const Value* const observed = document->member("observed");
    if (observed == nullptr) {
        return fail(unusable(
            origin, {.place = {}, .what = "the member \"observed\" is missing"}));
    }
    Facts facts{
        .program = textOf(*document, "program"),
        .taken = textOf(*document, "taken"),
        .hostName = fromPortableText(textOf(*document, "host_name")).value_or("")};
    facts.profile = textOf(*document, "profile");
    Decoder decoder(*observed);
    decoder.decode(facts.observed);
    auto problem = decoder.problem();
    problem = problem ? problem : timeProblem(facts.observed);
    if (problem) {
        problem->place.insert(0, "/observed");
        return fail(unusable(origin, *problem));
    }
    return facts;
}

}  // namespace fabric::facts
