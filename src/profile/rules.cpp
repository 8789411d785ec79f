// SPDX-License-Identifier: Apache-2.0
#include "profile/rules.hpp"

#include "profile/values.hpp"
#include "profile/wording.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fabric::profile {

namespace {

bool lists(const TreeNode& list, const std::string& word) {
    return std::ranges::find(list.items, word, &TreeNode::scalar) != list.items.end();
}

std::int64_t numberOf(const TreeNode& scalar) {
    return parseNumber(scalar.scalar).value_or(0);
}

// Two values that cannot both hold, each in words.
struct Clash {
    const TreeNode* value = nullptr;
    std::string valueText;
    const TreeNode* against = nullptr;
    std::string againstText;
    std::string suggestion;
};

ProfileError clashError(const Clash& clash) {
    const bool againstIsOuter = clash.against->layer > clash.value->layer;
    const TreeNode& blamed = againstIsOuter ? *clash.against : *clash.value;
    const TreeNode& other = againstIsOuter ? *clash.value : *clash.against;
    return errorAt(blamed.at,
                   fmt::format("{} contradicts {} at {}",
                               againstIsOuter ? clash.againstText : clash.valueText,
                               againstIsOuter ? clash.valueText : clash.againstText,
                               other.at.text()),
                   againstIsOuter ? "" : clash.suggestion);
}

const TreeNode* explicitMember(const TreeNode& root, std::string_view path) {
    const TreeNode* node = root.member(path);
    const bool written =
        node != nullptr && !node->isNull() && node->origin == Origin::explicitly;
    return written ? node : nullptr;
}

class LosslessRules {
  public:
    LosslessRules(const TreeNode& root, ProfileErrors& errors)
        : root_(root), errors_(errors) {}

    void check() {
        const TreeNode* lossless = root_.member("dcb.lossless");
        if (lossless == nullptr || !lossless->isMap()) {
            return;
        }
        priority_ = lossless->find("priority");
        priorityText_ = fmt::format("dcb.lossless.priority {}", priority_->scalar);
        checkPfc();
        checkDscp(*lossless->find("dscp"));
        checkBuffer(*lossless->find("buffer"));
        checkEcn("ecn.reaction-point");
        checkEcn("ecn.notification-point");
    }

  private:
    void checkPfc() {
        const TreeNode* pfc = explicitMember(root_, "dcb.pfc");
        if (pfc != nullptr && !lists(*pfc, priority_->scalar)) {
            add({.value = pfc,
                 .valueText = fmt::format("dcb.pfc without {}", priority_->scalar),
                 .against = priority_,
                 .againstText = priorityText_});
        }
    }

    void checkDscp(const TreeNode& dscp) {
        const TreeNode* map = explicitMember(root_, "dcb.dscp-to-priority");
        if (map == nullptr) {
            return;
        }
        const TreeNode* mapped = map->find(dscp.scalar);
        if (mapped == nullptr || mapped->isNull()) {
            add({.value = map,
                 .valueText =
                     fmt::format("dcb.dscp-to-priority without {}", dscp.scalar),
                 .against = &dscp,
                 .againstText = fmt::format("dcb.lossless.dscp {}", dscp.scalar),
                 .suggestion = fmt::format("{}: {}", dscp.scalar, priority_->scalar)});
        } else if (mapped->scalar != priority_->scalar) {
            add({.value = mapped,
                 .valueText = fmt::format(
                     "dcb.dscp-to-priority {}: {}", dscp.scalar, mapped->scalar),
                 .against = priority_,
                 .againstText = priorityText_,
                 .suggestion = priority_->scalar});
        }
    }

    void checkBuffer(const TreeNode& buffer) {
        const TreeNode* map = explicitMember(root_, "dcb.priority-to-buffer");
        const TreeNode* mapped =
            map == nullptr ? nullptr : map->find(priority_->scalar);
        const bool bufferWritten = buffer.origin == Origin::explicitly;
        if (mapped != nullptr && !mapped->isNull() && bufferWritten &&
            mapped->scalar != buffer.scalar) {
            add({.value = mapped,
                 .valueText = fmt::format("dcb.priority-to-buffer {}: {}",
                                          priority_->scalar,
                                          mapped->scalar),
                 .against = &buffer,
                 .againstText = fmt::format("dcb.lossless.buffer {}", buffer.scalar),
                 .suggestion = buffer.scalar});
        }
    }

    void checkEcn(std::string_view path) {
        const TreeNode* list = explicitMember(root_, path);
        const bool elsewhere =
            list != nullptr && !list->items.empty() && !lists(*list, priority_->scalar);
        if (elsewhere) {
            add({.value = list,
                 .valueText = fmt::format("{} without {}", path, priority_->scalar),
                 .against = priority_,
                 .againstText = priorityText_});
        }
    }

    void add(const Clash& clash) { errors_.push_back(clashError(clash)); }

    const TreeNode& root_;
    ProfileErrors& errors_;
    const TreeNode* priority_ = nullptr;
    std::string priorityText_;
};

// DSCP entries without DSCP trust: mlx5 would flip the trust back at each entry
// (drivers/net/ethernet/mellanox/mlx5/core/en_dcbnl.c, mlx5e_dcbnl_ieee_setapp).
void checkTrust(const TreeNode& root, ProfileErrors& errors) {
    const TreeNode* trust = root.member("dcb.trust");
    const TreeNode* map = root.member("dcb.dscp-to-priority");
    if (trust == nullptr || trust->scalar != "pcp" || map == nullptr ||
        map->entries.empty()) {
        return;
    }
    const bool derived = map->origin == Origin::derived;
    errors.push_back(clashError(
        {.value = trust,
         .valueText = "dcb.trust pcp",
         .against = map,
         .againstText = derived ? "dcb.lossless.dscp" : "dcb.dscp-to-priority",
         .suggestion = "dscp"}));
}

// IEEE 802.1Q 36.1.1: link-level PAUSE is not used on a port with PFC.
void checkPause(const TreeNode& root, ProfileErrors& errors) {
    const TreeNode* pfc = root.member("dcb.pfc");
    if (pfc == nullptr || pfc->items.empty()) {
        return;
    }
    for (const std::string_view path : {"pause.rx", "pause.tx"}) {
        const TreeNode* pause = root.member(path);
        if (pause != nullptr && !pause->isNull() &&
            parseSwitch(pause->scalar) == true) {
            errors.push_back(clashError({.value = pause,
                                         .valueText = fmt::format("{} on", path),
                                         .against = pfc,
                                         .againstText = "PFC (dcb.pfc or dcb.lossless)",
                                         .suggestion = "off"}));
        }
    }
}

void checkBandwidth(const TreeNode& root, ProfileErrors& errors) {
    constexpr std::int64_t kWhole = 100;
    const TreeNode* bandwidth = root.member("dcb.ets.bandwidth");
    if (bandwidth == nullptr || bandwidth->isNull()) {
        return;
    }
    const TreeNode* tsa = root.member("dcb.ets.tsa");
    std::int64_t sum = 0;
    for (const Entry& entry : bandwidth->entries) {
        const std::int64_t share = entry.value.isNull() ? 0 : numberOf(entry.value);
        const TreeNode* scheduling = tsa == nullptr ? nullptr : tsa->find(entry.key);
        if (scheduling != nullptr && scheduling->scalar == "strict" && share != 0) {
            errors.push_back(clashError(
                {.value = &entry.value,
                 .valueText = fmt::format(
                     "dcb.ets.bandwidth {} percent of class {}", share, entry.key),
                 .against = scheduling,
                 .againstText = fmt::format("dcb.ets.tsa {}: strict", entry.key),
                 .suggestion = "0"}));
            continue;
        }
        sum += share;
    }
    if (sum != kWhole) {
        errors.push_back(errorAt(
            bandwidth->at,
            fmt::format("dcb.ets.bandwidth sums to {} percent over the ETS classes; it "
                        "must be 100",
                        sum)));
    }
}

void checkExpect(const TreeNode& root, ProfileErrors& errors) {
    const TreeNode* least = root.member("rails.expect.min");
    const TreeNode* most = root.member("rails.expect.max");
    if (least == nullptr || most == nullptr || least->isNull() || most->isNull() ||
        numberOf(*least) <= numberOf(*most)) {
        return;
    }
    errors.push_back(
        clashError({.value = most,
                    .valueText = fmt::format("rails.expect.max {}", most->scalar),
                    .against = least,
                    .againstText = fmt::format("rails.expect.min {}", least->scalar),
                    .suggestion = least->scalar}));
}

void checkPeers(const TreeNode& root, ProfileErrors& errors) {
    const TreeNode* peers = explicitMember(root, "neighbours.peers");
    const TreeNode* from = explicitMember(root, "neighbours.peers-from");
    if (peers != nullptr && from != nullptr) {
        errors.push_back(clashError({.value = from,
                                     .valueText = "neighbours.peers-from",
                                     .against = peers,
                                     .againstText = "neighbours.peers"}));
    }
}

}  // namespace

ProfileErrors checkRules(const TreeNode& completed) {
    ProfileErrors errors;
    LosslessRules(completed, errors).check();
    checkTrust(completed, errors);
    checkPause(completed, errors);
    checkBandwidth(completed, errors);
    checkExpect(completed, errors);
    checkPeers(completed, errors);
    return errors;
}

}  // namespace fabric::profile
