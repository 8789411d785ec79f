// SPDX-License-Identifier: Apache-2.0
// A profile with what it extends, and an inventory of peers: parse, merge, decode,
// rules, settings per rail, and the effective profile read back.
#include "fuzz/property.hpp"
#include "profile/load.hpp"
#include "profile/peers.hpp"
#include "profile/show.hpp"

#include <array>

namespace fabric::profile {
namespace {

using fuzz::require;

const std::array<RailIdentity, 2> kRails{
    {{.rdma = "mlx5_0",
      .interface = "ens1f0np0",
      .pci = "0000:1a:00.0",
      .driver = "mlx5_core",
      .vendor = "15b3",
      .mac = "b8:ce:f6:00:00:01",
      .numaNode = "0"},
     {.rdma = "", .interface = "eth0", .pci = "", .driver = "ice", .vendor = "8086"}}};

// The files of one input by name.
class Sources {
  public:
    Sources(std::string_view site, std::string_view base) : site_(site), base_(base) {}

    [[nodiscard]] ProfileResult<Profile> parsed() const {
        const SourceReader reader =
            [this](const std::string& path) -> std::expected<SourceText, std::string> {
            if (path.ends_with("site.yaml")) {
                return SourceText{
                    .identity = "site", .text = std::string(site_), .warnings = {}};
            }
            if (path.ends_with("base.yaml")) {
                return SourceText{
                    .identity = "base", .text = std::string(base_), .warnings = {}};
            }
            return std::unexpected("there is no such file");
        };
        return parse({.identity = "site", .text = std::string(site_), .warnings = {}},
                     "/etc/site.yaml",
                     reader);
    }

    // Whether an error points at something that is there. One column behind the end of
    // a line, and one line behind the last, is where something is missing.
    void requireInside(const ProfileError& error) const {
        require(!error.message.empty(), "an error says something");
        fuzz::requirePrintable(error.text());
        if (error.line == 0) {
            return;
        }
        const std::string_view text = error.file.ends_with("base.yaml") ? base_ : site_;
        const auto lines = split(text, '\n');
        require(error.column > 0, "columns count from 1");
        require(error.line <= lines.size() + 1, "the line is in the file");
        const std::size_t width =
            error.line <= lines.size() ? lines[error.line - 1].size() : 0;
        require(error.column <= width + 2, "the column is in the line");
    }

  private:
    std::string_view site_;
    std::string_view base_;
};

void judgeErrors(const Sources& sources, const ProfileErrors& errors) {
    require(!errors.empty(), "a refusal has a reason");
    for (const ProfileError& error : errors) {
        sources.requireInside(error);
    }
}

// What is shown for these rails is a profile of its own that means the same.
void judgeShown(const Profile& profile, std::span<const RailIdentity> rails) {
    const auto shown = showProfile(profile, rails);
    if (!shown) {
        require(!shown.error().empty(), "a refusal has a reason");
        return;
    }
    const auto again = parse(*shown, "/etc/shown.yaml");
    require(again.has_value(), "the effective profile can be read");
    require(again->effectiveHost() == profile.effectiveHost(),
            "the host's part is kept");
    for (const RailIdentity& rail : rails) {
        require(again->effectiveFor(rail) == profile.effectiveFor(rail),
                "the rail's part is kept");
    }
}

void judgeSettings(const Profile& profile) {
    for (const RailIdentity& rail : kRails) {
        const auto settings = profile.settingsFor(rail);
        require(settings.has_value() == profile.effectiveFor(rail).has_value(),
                "settings and the effective profile agree");
    }
    (void)profile.unmatchedOverrides(kRails);
}

void judgePeers(std::string_view text) {
    const PeersRead read = parsePeers(text, "/etc/peers.yaml");
    for (const std::string& problem : read.problems) {
        fuzz::requirePrintable(problem);
    }
    for (const NeighbourPeer& peer : read.peers) {
        require(!peer.host.empty() && !peer.rail.empty(), "a peer is whole");
    }
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    const auto texts = input.texts(3);
    const Sources sources(texts[0], texts[1]);
    if (const auto profile = sources.parsed()) {
        // What is shown, for these rails or for any, in a quarter of the runs each, by
        // the length: it is most of their time.
        constexpr std::size_t kOneIn = 4;
        if (const std::size_t choice = input.size % kOneIn; choice < 2) {
            judgeShown(*profile, std::span(kRails).first(choice * kRails.size()));
        } else {
            judgeSettings(*profile);
        }
    } else {
        judgeErrors(sources, profile.error());
    }
    if (!texts[2].empty()) {
        judgePeers(texts[2]);
    }
}

}  // namespace fabric::profile
