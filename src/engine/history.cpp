// SPDX-License-Identifier: Apache-2.0
#include "engine/history.hpp"

#include "base/digest.hpp"
#include "profile/document.hpp"
#include "resource/dcb/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>
#include <variant>

namespace fabric::engine {

namespace {

using Object = Value::Object;

template <typename... Visitors>
struct Overloaded : Visitors... {
    using Visitors::operator()...;
};

Value indexOf(IfIndex link) {
    return std::int64_t{link.number};
}

std::string hexadecimal(const std::vector<std::byte>& bytes) {
    std::string text;
    for (const std::byte byte : bytes) {
        text += fmt::format("{:02x}", static_cast<unsigned>(byte));
    }
    return text;
}

Object described(const resource::DcbWrite& dcb) {
    Object object{{"kind", "dcb"},
                  {"ifindex", indexOf(dcb.request.link)},
                  {"message", resource::dcb::describe(dcb.request)},
                  {"command", static_cast<int>(dcb.request.command)},
                  {"attributes", hexadecimal(dcb.request.attributes)}};
    if (dcb.ifRefused) {
        object["if_refused"] = resource::dcb::describe(*dcb.ifRefused);
    }
    return object;
}

Object described(const resource::FileReplace& file) {
    return {{"kind", "file"},
            {"path", file.path},
            {"mode", fmt::format("{:04o}", file.mode)},
            {"bytes", static_cast<std::int64_t>(file.text.size())},
            {"sha256", sha256(file.text)}};
}

Object described(const resource::DropInWrite& dropIn) {
    Object object = described(dropIn.file);
    object["kind"] = "drop-in";
    object["unit"] = dropIn.unit;
    object["old_sha256"] = dropIn.previous ? Value(sha256(*dropIn.previous)) : Value();
    return object;
}

Object described(const resource::Ipv4ConfWrite& conf) {
    Object values;
    for (const auto& [key, value] : conf.values) {
        values.emplace(host::sysctlName(key), std::int64_t{value});
    }
    return {{"kind", "ipv4-conf"},
            {"ifindex", conf.link.none() ? Value("all") : indexOf(conf.link)},
            {"values", std::move(values)}};
}

Object described(const host::RestartRequest& restart) {
    return {{"kind", "restart"}, {"unit", restart.unit}};
}

Object described(const host::PciCapabilityWrite& pci) {
    return {{"kind", "pci-capability"},
            {"address", pci.address.text()},
            {"capability", fmt::format("0x{:04x}", pci.capabilityId)},
            {"offset", fmt::format("0x{:03x}", pci.capability + pci.registerOffset)},
            {"clear", fmt::format("0x{:04x}", pci.clear)},
            {"set", fmt::format("0x{:04x}", pci.set)}};
}

Value::List textsOf(const std::vector<IpAddress>& addresses) {
    Value::List list;
    std::ranges::transform(addresses,
                           std::back_inserter(list),
                           [](const IpAddress& each) { return Value(each.text()); });
    return list;
}

// Both maps without what is the same in both.
void keepDifferences(HistoryChange& change) {
    if (change.old.asObject() == nullptr || change.wanted.asObject() == nullptr) {
        return;
    }
    Object old = *change.old.asObject();
    Object wanted = *change.wanted.asObject();
    for (const auto& [key, value] : *change.wanted.asObject()) {
        if (const auto same = old.find(key);
            same != old.end() && same->second == value) {
            old.erase(same);
            wanted.erase(key);
        }
    }
    change.old = std::move(old);
    change.wanted = std::move(wanted);
}

// Every file that something in the tree was written in, each once.
void addFilesOf(const profile::TreeNode& node, std::vector<std::string>& paths) {
    const auto& file = node.at.file;
    if (file != nullptr && std::ranges::find(paths, *file) == paths.end()) {
        paths.push_back(*file);
    }
    for (const profile::TreeNode& item : node.items) {
        addFilesOf(item, paths);
    }
    for (const profile::Entry& entry : node.entries) {
        addFilesOf(entry.value, paths);
    }
}

}  // namespace

std::vector<HashedFile> hashesOf(const host::FileReader& files,
                                 const profile::Profile& profile) {
    const profile::Document& document = profile.document();
    std::vector<std::string> paths{profile.path()};
    addFilesOf(document.root, paths);
    for (const profile::Override& one : document.overrides) {
        addFilesOf(one.matchAsWritten, paths);
        addFilesOf(one.sections, paths);
    }
    std::vector<HashedFile> hashes;
    for (const std::string& path : paths) {
        std::error_code unknownPlace;
        const auto absolute = std::filesystem::absolute(path, unknownPlace);
        const auto text = files.read(unknownPlace ? path : absolute.string());
        hashes.push_back({.path = path, .sha256 = text ? sha256(*text) : ""});
    }
    return hashes;
}

Value describeWrite(const resource::Write& write,
                    std::optional<host::PciWordUpdate> word) {
    const Overloaded visitor{
        [](const auto& other) -> Object { return described(other); },
        [](const resource::AttributeWrite& attribute) -> Object {
            return {{"kind", "attribute"},
                    {"path", attribute.path},
                    {"text", attribute.text}};
        },
        [](const resource::DirectoryCreate& directory) -> Object {
            return {{"kind", "directory"}, {"path", directory.path}};
        },
        [](const resource::FileRemove& file) -> Object {
            return {{"kind", "file-removal"}, {"path", file.path}};
        },
        [](const resource::MtuWrite& mtu) -> Object {
            return {{"kind", "mtu"},
                    {"ifindex", indexOf(mtu.link)},
                    {"bytes", std::int64_t{mtu.bytes}}};
        },
        [](const resource::PauseWrite& pause) -> Object {
            return {{"kind", "pause"},
                    {"ifindex", indexOf(pause.link)},
                    {"autonegotiate", pause.wanted.autonegotiate},
                    {"rx", pause.wanted.rx},
                    {"tx", pause.wanted.tx}};
        },
        [](const resource::ModuleLoad& module) -> Object {
            return {{"kind", "module"}, {"name", module.name}};
        },
        [](const resource::ManagerReload& reload) -> Object {
            return {{"kind", "reload"}, {"unit", reload.unit}};
        },
        [](const resource::NeighbourDelete& entries) -> Object {
            return {{"kind", "neighbour-deletion"},
                    {"ifindex", indexOf(entries.link)},
                    {"addresses", textsOf(entries.addresses)},
                    {"every_dynamic", entries.everyDynamic}};
        },
        [](const resource::NeighbourResolve& entries) -> Object {
            return {{"kind", "neighbour-request"},
                    {"ifindex", indexOf(entries.link)},
                    {"addresses", textsOf(entries.addresses)}};
        },
        [](const resource::GratuitousArp& arp) -> Object {
            return {{"kind", "announcement"},
                    {"ifindex", indexOf(arp.link)},
                    {"mac", arp.mac.text()},
                    {"address", arp.ipv4.text()}};
        }};
    Object object = std::visit(visitor, write);
    if (word) {
        object["before"] = fmt::format("0x{:04x}", word->before);
        object["after"] = fmt::format("0x{:04x}", word->written);
    }
    return object;
}

HistoryChanges changesOf(const std::vector<resource::Assessment>& before) {
    HistoryChanges changes;
    for (const resource::Assessment& assessment : before) {
        HistoryChange change{
            .id = assessment.id, .old = assessment.found, .wanted = assessment.wanted};
        keepDifferences(change);
        changes.insert_or_assign(assessment.id, std::move(change));
    }
    return changes;
}

}  // namespace fabric::engine
