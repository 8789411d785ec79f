// SPDX-License-Identifier: Apache-2.0
#include "profile/decode.hpp"

#include "profile/decode_dcb.hpp"
#include "profile/decode_value.hpp"

namespace fabric::profile {

namespace {

using std::pair;
using Word = std::string_view;

constexpr std::array kFlushWords{pair{Word("when-changed"), FlushMode::whenChanged},
                                 pair{Word("always"), FlushMode::always},
                                 pair{Word("never"), FlushMode::never}};
constexpr std::array kClearWords{pair{Word("redirect"), AcsClear::redirect},
                                 pair{Word("all"), AcsClear::all},
                                 pair{Word("platform"), AcsClear::platform},
                                 pair{Word("none"), AcsClear::none}};
constexpr std::array kConsentWords{pair{Word("refuse"), Consent::refuse},
                                   pair{Word("warn"), Consent::warn},
                                   pair{Word("proceed"), Consent::proceed}};

std::optional<Setting<std::set<Priority>>> prioritiesIn(const TreeNode& section,
                                                        Word key) {
    const TreeNode* list = owned(&section, key);
    if (list == nullptr) {
        return std::nullopt;
    }
    return Setting<std::set<Priority>>{.value = setIn<Priority>(*list),
                                       .origin = list->origin};
}

EcnSettings decodeEcn(const TreeNode& ecn) {
    EcnSettings settings;
    settings.reactionPoint = prioritiesIn(ecn, "reaction-point");
    settings.notificationPoint = prioritiesIn(ecn, "notification-point");
    if (const TreeNode* dscp = owned(&ecn, "cnp-dscp")) {
        settings.cnpDscp = strong<Dscp>(dscp->scalar);
    }
    settings.whenUncontrollable = textIn(&ecn, "when-uncontrollable") == "fail"
                                      ? WhenUncontrollable::fail
                                      : WhenUncontrollable::report;
    return settings;
}

MtuSettings decodeMtu(const TreeNode& mtu) {
    const TreeNode* least = owned(&mtu, "min");
    return MtuSettings{
        .bytes = static_cast<std::uint32_t>(numberIn(least == nullptr ? mtu : *least)),
        .atLeast = least != nullptr};
}

std::optional<int> smallNumber(const TreeNode& section, Word key) {
    const TreeNode* node = owned(&section, key);
    const auto number =
        node == nullptr ? std::nullopt : parseNumber(node->scalar);  // "keep": empty
    return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

ArpSettings decodeArp(const TreeNode& arp) {
    return ArpSettings{.ignore = smallNumber(arp, "ignore"),
                       .announce = smallNumber(arp, "announce"),
                       .rpFilter = smallNumber(arp, "rp-filter"),
                       .scopeAll = textIn(&arp, "scope") == "all",
                       .persist = switchIn(&arp, "persist").value_or(true)};
}

// 0 when it is not told.
std::uint32_t bytesIn(const TreeNode& section, std::string_view key) {
    const TreeNode* const value = owned(&section, key);
    return value == nullptr ? 0 : static_cast<std::uint32_t>(numberIn(*value));
}

NeighbourSettings decodeNeighbours(const TreeNode& neighbours) {
    NeighbourSettings settings;
    settings.flush = wordIn(&neighbours, "flush", kFlushWords, FlushMode::whenChanged);
    settings.staticEntries = textIn(&neighbours, "static") == "delete"
                                 ? StaticEntries::remove
                                 : StaticEntries::report;
    settings.announce = switchIn(&neighbours, "announce").value_or(true);
    settings.peersFrom = textIn(&neighbours, "peers-from");
    if (const TreeNode* peers = owned(&neighbours, "peers")) {
        for (const TreeNode& peer : peers->items) {
            settings.peers.push_back(
                NeighbourPeer{.host = textIn(&peer, "host"),
                              .rail = textIn(&peer, "rail"),
                              .address = textIn(&peer, "address"),
                              .mac = textIn(&peer, "mac"),
                              .mtu = bytesIn(peer, "mtu"),
                              .activeMtu = bytesIn(peer, "active-mtu"),
                              .gid = textIn(&peer, "gid")});
        }
    }
    return settings;
}

AcsSettings decodeAcs(const TreeNode& acs) {
    AcsSettings settings;
    settings.clear = wordIn(&acs, "clear", kClearWords, AcsClear::redirect);
    settings.scope =
        textIn(&acs, "scope") == "paths" ? AcsScope::paths : AcsScope::upstream;
    settings.clearWithoutGpu = textIn(&acs, "without-gpu") == "clear";
    settings.onTranslatingIommu =
        wordIn(&acs, "on-translating-iommu", kConsentWords, Consent::refuse);
    settings.onPassthrough =
        wordIn(&acs, "on-passthrough", kConsentWords, Consent::refuse);
    settings.onGuest = wordIn(&acs, "on-guest", kConsentWords, Consent::warn);
    if (const TreeNode* endpoints = owned(&acs, "endpoints")) {
        for (const TreeNode& one : endpoints->items) {
            settings.endpoints.push_back(
                EndpointSelector{.vendor = textIn(&one, "vendor"),
                                 .device = textIn(&one, "device"),
                                 .classCode = textIn(&one, "class")});
        }
    }
    return settings;
}

std::optional<MemlockLimit> decodeMemlock(const TreeNode& service) {
    const TreeNode* limit = owned(&service, "limit-memlock");
    if (limit == nullptr) {
        return std::nullopt;
    }
    const auto bytes = parseAmount(Form::size, limit->scalar);
    return bytes ? MemlockLimit{.bytes = Bytes{static_cast<std::uint64_t>(*bytes)}}
                 : MemlockLimit{};
}

ServiceSettings decodeService(const TreeNode& service) {
    ServiceSettings settings;
    settings.unit = textIn(&service, "unit");
    settings.binary = textIn(&service, "binary");
    settings.requireFeature = textIn(&service, "require-feature");
    settings.limitMemlock = decodeMemlock(service);
    settings.manageEnvironment =
        switchIn(&service, "manage-environment").value_or(false);
    settings.restartIfNeeded = textIn(&service, "restart") == "if-needed";
    if (const TreeNode* environment = owned(&service, "environment")) {
        for (const Entry& entry : environment->entries) {
            if (!entry.value.isNull()) {
                settings.environment.emplace(entry.key, entry.value.scalar);
            }
        }
    }
    return settings;
}

std::vector<RailSelector> selectorsIn(const TreeNode* rails, Word key) {
    std::vector<RailSelector> selectors;
    if (const TreeNode* list = owned(rails, key)) {
        for (const TreeNode& one : list->items) {
            selectors.push_back(decodeSelector(one));
        }
    }
    return selectors;
}

void decodeExpect(const TreeNode* expect, RailSelection& selection) {
    if (expect == nullptr) {
        return;
    }
    const bool exact = !expect->isMap();
    const TreeNode* least = exact ? expect : owned(expect, "min");
    const TreeNode* most = exact ? expect : owned(expect, "max");
    if (least != nullptr) {
        selection.expectMin = static_cast<unsigned>(numberIn(*least));
    }
    if (most != nullptr) {
        selection.expectMax = static_cast<unsigned>(numberIn(*most));
    }
}

}  // namespace

RailSelector decodeSelector(const TreeNode& selector) {
    return RailSelector{.rdma = optionalText(&selector, "rdma"),
                        .interface = optionalText(&selector, "interface"),
                        .pci = optionalText(&selector, "pci"),
                        .driver = optionalText(&selector, "driver"),
                        .vendor = optionalText(&selector, "vendor"),
                        .mac = optionalText(&selector, "mac"),
                        .numaNode = optionalText(&selector, "numa-node")};
}

RailSelection decodeRails(const TreeNode& root) {
    RailSelection selection;
    const TreeNode* rails = owned(&root, "rails");
    selection.match = selectorsIn(rails, "match");
    selection.exclude = selectorsIn(rails, "exclude");
    decodeExpect(owned(rails, "expect"), selection);
    const TreeNode* const wait = owned(rails, "wait");
    if (wait != nullptr && wait->origin == Origin::explicitly) {
        selection.wait = std::chrono::milliseconds(
            parseAmount(Form::duration, wait->scalar).value_or(0));
    }
    selection.includeDefaultRoute = textIn(rails, "default-route") == "include";
    return selection;
}

HostSettings decodeHost(const TreeNode& root) {
    HostSettings settings;
    if (const TreeNode* modules = owned(&root, "modules")) {
        settings.modules.emplace();
        for (const TreeNode& module : modules->items) {
            settings.modules->push_back(module.scalar);
        }
    }
    if (const TreeNode* acs = owned(&root, "acs")) {
        settings.acs = decodeAcs(*acs);
    }
    if (const TreeNode* service = owned(&root, "service")) {
        settings.service = decodeService(*service);
    }
    return settings;
}

RailSettings decodeRailSettings(const TreeNode& root) {
    RailSettings settings;
    if (const TreeNode* dcb = owned(&root, "dcb")) {
        settings.dcb = decodeDcb(*dcb);
    }
    if (const TreeNode* ecn = owned(&root, "ecn")) {
        settings.ecn = decodeEcn(*ecn);
    }
    if (const TreeNode* pause = owned(&root, "pause")) {
        settings.pause =
            PauseSettings{.rx = switchIn(pause, "rx"), .tx = switchIn(pause, "tx")};
    }
    if (const TreeNode* mtu = owned(&root, "mtu")) {
        settings.mtu = decodeMtu(*mtu);
    }
    if (const TreeNode* tos = owned(&root, "rdma-cm-tos")) {
        settings.rdmaCmTos = static_cast<std::uint8_t>(numberIn(*tos));
    }
    if (const TreeNode* arp = owned(&root, "arp")) {
        settings.arp = decodeArp(*arp);
    }
    if (const TreeNode* neighbours = owned(&root, "neighbours")) {
        settings.neighbours = decodeNeighbours(*neighbours);
    }
    return settings;
}

}  // namespace fabric::profile
