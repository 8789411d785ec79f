// SPDX-License-Identifier: Apache-2.0
#include "engine/lossless.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace fabric::engine {
namespace {

PortObservation unread() {
    return {.port = {},
            .dcb = fail(Error{.kind = ErrorKind::permission, .action = "read DCB"}),
            .ecn = {},
            .pause = fail(Error{.kind = ErrorKind::permission, .action = "read pause"}),
            .rdmaCm = std::nullopt,
            .mtu = 0};
}

LosslessPart partOf(const PortObservation& seen, std::string_view name) {
    const auto parts = losslessParts(seen);
    const auto part = std::ranges::find(parts, name, &LosslessPart::name);
    EXPECT_NE(part, parts.end()) << name;
    return part == parts.end() ? LosslessPart{} : *part;
}

TEST(LosslessParts, a_port_without_rdma_has_no_type_of_service_of_connections) {
    EXPECT_EQ(partOf(unread(), "rdma-cm-tos").verdict, PartVerdict::absent);
}

TEST(LosslessParts,
     a_type_of_service_that_nobody_made_visible_is_unknown_and_says_why) {
    PortObservation seen = unread();
    seen.rdmaCm.emplace();
    const LosslessPart hidden = partOf(seen, "rdma-cm-tos");
    EXPECT_EQ(hidden.verdict, PartVerdict::unknown);
    EXPECT_NE(hidden.note.find("configfs"), std::string::npos) << hidden.note;
    seen.rdmaCm->error = Error{.kind = ErrorKind::permission, .action = "read tos"};
    EXPECT_NE(partOf(seen, "rdma-cm-tos").note.find("read tos"), std::string::npos);
}

TEST(LosslessParts,
     a_type_of_service_whose_dscp_reaches_no_lossless_priority_is_wrong) {
    PortObservation seen = unread();
    seen.rdmaCm.emplace();
    seen.rdmaCm->tos = 104;
    const LosslessPart part = partOf(seen, "rdma-cm-tos");
    EXPECT_EQ(part.verdict, PartVerdict::wrong);
    EXPECT_FALSE(part.decides);
    EXPECT_NE(part.note.find("best effort"), std::string::npos) << part.note;
}

TEST(LosslessParts, what_could_not_be_read_is_unknown_and_never_lossless) {
    const auto parts = losslessParts(unread());
    EXPECT_EQ(losslessVerdict(parts), LosslessVerdict::unknown);
}

}  // namespace
}  // namespace fabric::engine
