// SPDX-License-Identifier: Apache-2.0
#include "doctor/metrics.hpp"

#include "base/ip_address.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace fabric::doctor {

namespace {

// A group of version 3 of the server's metrics.
struct Group {
    std::string_view path;
    std::string_view prefix;
};

constexpr Group kInternode{.path = "/minio/metrics/v3/system/network/internode/rdma",
                           .prefix = "minio_system_network_internode_rdma_"};
constexpr Group kApi{.path = "/minio/metrics/v3/api/rdma", .prefix = "minio_api_rdma_"};

constexpr std::size_t kMostOfToken = 16'384;  // bytes
constexpr std::size_t kMostNames = 256;       // of one group

struct Token {
    std::string text;
    std::string warning;
};

Error tokenError(const std::string& path, ErrorKind kind, std::string detail) {
    return {.kind = kind,
            .action = "read the token",
            .subject = escapeForTerminal(path),
            .sysErrno = 0,
            .detail = std::move(detail),
            .advice =
                "it is what 'mc admin prometheus generate ALIAS' prints as "
                "bearer_token, in a file of its own"};
}

// Who owns the directory of a link decides what it leads to.
bool isLink(const host::TracedFile& file, const std::string& path) {
    return std::ranges::any_of(file.way, [&](const host::PathStep& step) {
        return step.path == path && step.status.type == host::FileStatus::Type::symlink;
    });
}

// Nothing of the file stands in any error: it may be another secret.
Result<Token> readToken(const host::FileReader& files, const std::string& path) {
    constexpr mode_t kOfOthers = 0044;
    const auto file = TRY(files.readTraced(path, kMostOfToken));
    if (isLink(file, path)) {
        return fail(tokenError(path, ErrorKind::refused, "it is a symbolic link"));
    }
    Token token{.text = std::string(trimmed(file.text)), .warning = {}};
    const bool visible =
        std::ranges::all_of(token.text, [](char c) { return c > ' ' && c <= '~'; });
    if (token.text.empty() || !visible) {
        return fail(tokenError(
            path,
            ErrorKind::malformed,
            token.text.empty() ? "it is empty" : "it is not one word of ASCII"));
    }
    if ((file.status.mode & kOfOthers) != 0) {
        token.warning =
            fmt::format("{} can be read by others than its owner: chmod 600",
                        escapeForTerminal(path));
    }
    return token;
}

// What the token would cross a network to, in the clear.
bool leavesTheHost(std::string_view url) {
    constexpr std::string_view kPlain = "http://";
    constexpr std::uint8_t kLoopback = 127;
    if (!url.starts_with(kPlain)) {
        return false;
    }
    const std::string_view rest = url.substr(kPlain.size());
    const std::string host(rest.substr(0, rest.find_first_of(":/")));
    const auto address = IpAddress::parse(host);
    const bool near = host == "localhost" || rest.starts_with("[::1]") ||
                      (address && address->octets.front() == kLoopback);
    return !near;
}

// Of a page only what belongs to its group is kept: the rest says nothing here.
Result<Metrics> readGroup(host::WebReader& web,
                          host::WebRequest request,
                          const Group& group) {
    request.url += group.path;
    const std::string page = TRY(web.get(request));
    auto metrics = parseMetrics(page);
    if (!metrics) {
        Error error = std::move(metrics.error());
        error.subject = fmt::format("{}, {}", request.url, error.subject);
        return fail(std::move(error));
    }
    std::erase_if(*metrics, [&](const auto& one) {
        return !one.first.starts_with(group.prefix);
    });
    if (metrics->size() > kMostNames) {
        return fail({.kind = ErrorKind::malformed,
                     .action = "understand the metrics",
                     .subject = request.url,
                     .sysErrno = 0,
                     .detail = fmt::format("there are more than {} names", kMostNames),
                     .advice = {}});
    }
    return metrics;
}

// Whether the same way would fail for the next page too.
bool isUnreachable(const Result<Metrics>& page) {
    return !page && page.error().kind != ErrorKind::malformed &&
           page.error().kind != ErrorKind::notFound;
}

ServerMetrics readBoth(host::WebReader& web, const host::WebRequest& request) {
    ServerMetrics seen;
    seen.internode = readGroup(web, request, kInternode);
    seen.api =
        isUnreachable(seen.internode) ? seen.internode : readGroup(web, request, kApi);
    return seen;
}

host::WebRequest requestOf(const MetricsAccess& access, std::string token) {
    std::string base = access.url;
    while (base.ends_with('/')) {
        base.pop_back();
    }
    return {.url = std::move(base), .token = std::move(token), .caFile = access.caFile};
}

double sumOf(const Series& series) {
    double sum = 0;
    for (const auto& [labels, value] : series) {
        sum += value;
    }
    return sum;
}

bool isCount(const Series& series) {
    return std::ranges::all_of(series, [](const auto& one) {
        return std::isfinite(one.second) && one.second >= 0;
    });
}

// Compares one metric of two looks.
ServerNumber compared(const std::string& name,
                      const Series& before,
                      const Series& after) {
    ServerNumber number{.name = name, .value = sumOf(after), .rise = {}, .unknown = {}};
    if (!name.ends_with("_total")) {
        return number;  // it is no counter
    }
    if (!isCount(before) || !isCount(after) || !std::isfinite(number.value)) {
        number.unknown = "what it tells is no count";
        return number;
    }
    const bool same = std::ranges::equal(
        before, after, {}, &Series::value_type::first, &Series::value_type::first);
    if (!same) {
        number.unknown = "other labels than at the first look: another server answered";
        return number;
    }
    const bool backwards = std::ranges::any_of(
        before, [&](const auto& one) { return after.at(one.first) < one.second; });
    if (backwards) {
        number.unknown = "it went backwards: the server was restarted in between";
        return number;
    }
    number.rise = number.value - sumOf(before);
    return number;
}

}  // namespace

std::string urlProblem(std::string_view url) {
    const bool plain = url.starts_with("http://");
    if (!plain && !url.starts_with("https://")) {
        return "it does not begin with http:// or https://";
    }
    const std::string_view rest = url.substr(url.find("//") + 2);
    const bool visible =
        std::ranges::all_of(rest, [](char c) { return c > ' ' && c <= '~'; });
    if (!visible || rest.empty() || rest.starts_with('/') || rest.starts_with(':')) {
        return "there is no host in it, or something that is no character of a URL";
    }
    return rest.find_first_of("@?#\\") == std::string_view::npos
               ? ""
               : "neither a user nor a question belongs into it; a token has a file of "
                 "its own: --metrics-token-file";
}

MetricsEvidence readMetrics(const host::FileReader& files,
                            host::WebReader& web,
                            const MetricsAccess& access) {
    MetricsEvidence evidence{
        .url = access.url, .warning = {}, .first = {}, .second = {}};
    Token token;
    if (!access.tokenFile.empty()) {
        auto read = readToken(files, access.tokenFile);
        if (!read) {
            evidence.first = {.internode = fail(read.error()),
                              .api = fail(read.error())};
            return evidence;
        }
        token = std::move(*read);
    }
    evidence.warning = token.warning;
    if (evidence.warning.empty() && !token.text.empty() && leavesTheHost(access.url)) {
        evidence.warning = "the token goes over the network in the clear: use https";
    }
    evidence.first = readBoth(web, requestOf(access, token.text));
    return evidence;
}

void readMetricsAgain(const host::FileReader& files,
                      host::WebReader& web,
                      const MetricsAccess& access,
                      MetricsEvidence& evidence) {
    if (evidence.first.internode || evidence.first.api) {
        evidence.second = readMetrics(files, web, access).first;
    }
}

Value countValue(double number) {
    constexpr double kMostWhole = 9007199254740992.0;
    if (!std::isfinite(number)) {
        return {};
    }
    return number == std::trunc(number) && std::abs(number) <= kMostWhole
               ? Value(static_cast<std::int64_t>(number))
               : Value(number);
}

std::vector<ServerNumber> numbersOf(const Metrics& before, const Metrics* after) {
    std::vector<ServerNumber> numbers;
    for (const auto& [name, series] : after != nullptr ? *after : before) {
        const auto former = before.find(name);
        if (after == nullptr) {
            numbers.push_back(
                {.name = name, .value = sumOf(series), .rise = {}, .unknown = {}});
        } else if (former == before.end()) {
            numbers.push_back({.name = name,
                               .value = sumOf(series),
                               .rise = {},
                               .unknown = "it was not told at the first look"});
        } else {
            numbers.push_back(compared(name, former->second, series));
        }
    }
    return numbers;
}

}  // namespace fabric::doctor
