// SPDX-License-Identifier: Apache-2.0
// Two looks at the metrics of a server: pages in the text format of Prometheus, and
// what rose between them.
#include "doctor/metrics.hpp"
#include "fuzz/property.hpp"

#include <algorithm>
#include <cmath>

namespace fabric::doctor {
namespace {

using fuzz::require;

bool isName(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
               (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
    });
}

void judgePage(const Result<Metrics>& page) {
    if (!page) {
        require(page.error().kind == ErrorKind::malformed,
                "a page is malformed or not");
        require(page.error().subject.starts_with("line "), "its line is told");
        fuzz::requirePrintable(page.error().message());
        return;
    }
    for (const auto& [name, series] : *page) {
        require(isName(name), "a name can be printed as it is");
        require(!series.empty(), "what is told has a value");
    }
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    const auto texts = input.texts(2);
    const auto before = parseMetrics(texts[0]);
    const auto after = parseMetrics(texts[1]);
    judgePage(before);
    judgePage(after);
    if (!before || !after) {
        return;
    }
    for (const ServerNumber& number : numbersOf(*before, &*after)) {
        require(!number.rise || (*number.rise >= 0 && number.unknown.empty()),
                "a rise is one");
    }
    require(numbersOf(*before, nullptr).size() == before->size(), "each is told");
}

}  // namespace fabric::doctor
