// SPDX-License-Identifier: Apache-2.0
// Snapshots: what a restore writes as root.
#include "fuzz/property.hpp"
#include "report/snapshots.hpp"
#include "snapshot/base64.hpp"
#include "snapshot/json.hpp"
#include "snapshot/seal.hpp"
#include "snapshot/subject.hpp"

#include <nlohmann/json.hpp>

namespace fabric::snapshot {
namespace {

using fuzz::require;

void judgePaths(const Item& item) {
    if (const auto* const file = std::get_if<File>(&item.thing)) {
        require(isOwnFile(file->path), "files of this program only");
    }
    if (const auto* const attributes = std::get_if<Attributes>(&item.thing)) {
        for (const auto& [place, text] : attributes->texts) {
            const bool ofDevice = place.starts_with("/sys/") && place.contains("/{");
            require(ofDevice && !place.contains("/../"), "attributes of devices only");
        }
    }
}

void judgeSnapshot(const Snapshot& snapshot) {
    const std::string written = toJson(snapshot);
    const auto again = fromJson(written);
    require(again && *again == snapshot, "a snapshot survives");
    require(toJson(*again) == written, "and is written the same");
    fuzz::requirePrintable(report::toText(snapshot));
    std::vector<Item> items;
    for (const Item& item : snapshot.items) {
        judgePaths(item);
        absorb(item, items);
    }
    require(items.size() <= snapshot.items.size(), "no thing out of nothing");
    const std::vector<Item> once = items;
    for (const Item& item : snapshot.items) {
        absorb(item, items);
    }
    require(items == once, "what was read first stays");
}

// As if it had been written so: else only its digest would be judged.
std::string sealed(std::string_view text) {
    auto tree = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!tree.is_object()) {
        return std::string(text);
    }
    tree[kSeal] = sealOf(tree);
    return tree.dump();
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    if (!input.text().starts_with('{')) {
        const auto bytes = fromBase64(input.text());
        require(!bytes || toBase64(*bytes) == input.text(), "base64 survives");
        require(fromBase64(toBase64(input.text())) == input.text(), "and any bytes");
        return;
    }
    const auto snapshot = fromJson(sealed(input.text()));
    if (snapshot) {
        judgeSnapshot(*snapshot);
        return;
    }
    require(snapshot.error().kind == ErrorKind::malformed ||
                snapshot.error().kind == ErrorKind::unsupported,
            "broken or of another version");
    fuzz::requirePrintable(snapshot.error().message());
}

}  // namespace fabric::snapshot
