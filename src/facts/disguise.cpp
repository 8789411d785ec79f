// SPDX-License-Identifier: Apache-2.0
#include "facts/disguise.hpp"

#include "base/text.hpp"
#include "facts/codec.hpp"
#include "facts/describe.hpp"
#include "facts/hex.hpp"
#include "facts/learnt_names.hpp"
#include "facts/replay.hpp"
#include "facts/text_scanner.hpp"
#include "inventory/rail.hpp"

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

namespace fabric::facts {

namespace {

constexpr std::string_view kHexPrefix = "hex:";

bool isOneOf(std::string_view word, const auto& words) {
    return std::ranges::find(words, word) != words.end();
}

// Parts of paths behind which the name of an interface or of an RDMA device stands.
bool leadsToName(std::string_view part, std::string_view before) {
    constexpr std::array<std::string_view, 7> kLeads{
        "net", "conf", "neigh", "infiniband", "rdma_cm", "bnxt_re", "vlan"};
    return isOneOf(part, kLeads) && before != "sys";
}

// Names of the kernel alone: "node0" there is no host of that name.
bool isOfProcessors(std::string_view path) {
    return path.starts_with("/sys/devices/system/");
}

// Where paths are made of words that this program or the kernel chose. Elsewhere, as in
// /srv/node7/minio.env, anybody did.
bool isOfSystem(std::string_view path) {
    constexpr std::array<std::string_view, 15> kPlaces{"/sys/",
                                                       "/proc/",
                                                       "/dev/",
                                                       "/run/",
                                                       "/usr/",
                                                       "/lib/",
                                                       "/etc/default/",
                                                       "/etc/fabricctl/",
                                                       "/etc/infiniband/",
                                                       "/etc/mod",
                                                       "/etc/rdma/",
                                                       "/etc/security/",
                                                       "/etc/sysc",
                                                       "/etc/systemd/",
                                                       "/var/lib/fabricctl/"};
    return !isOfProcessors(path) && std::ranges::any_of(kPlaces, [&](auto place) {
        return path.starts_with(place);
    });
}

// The other parts of such paths, and what this program compares with, are no names.
void keepWords(const Observed& seen, NameDisguise& names) {
    constexpr std::array<std::string_view, 24> kWords{
        "all",    "default", "lo",   "server", "minio",   "rdma",  "on",    "off",
        "true",   "false",   "auto", "none",   "active",  "down",  "up",    "root",
        "loaded", "running", "ipv4", "ipv6",   "enabled", "error", "value", "text"};
    for (const std::string_view word : kWords) {
        names.keep(std::string(word));
    }
    for (const std::string& path : std::views::keys(seen.files)) {
        if (!isOfSystem(path)) {
            continue;
        }
        std::string_view last;
        std::string_view before;
        for (const std::string_view part : split(path, '/')) {
            if (!leadsToName(last, before)) {
                names.keep(std::string(part));
            }
            before = std::exchange(last, part);
        }
    }
    for (const std::string& unit : std::views::keys(seen.units)) {
        names.keep(unit.substr(0, unit.find('.')));
    }
    for (const std::string& module : std::views::keys(seen.modules)) {
        names.keep(module);
    }
}

// Whose home a file lies in.
void addOwners(const Observed& seen, NameDisguise& names) {
    constexpr std::string_view kHomes = "/home/";
    for (const std::string& path : std::views::keys(seen.files)) {
        if (path.starts_with(kHomes)) {
            const std::string_view rest = std::string_view(path).substr(kHomes.size());
            names.addUser(rest.substr(0, rest.find('/')));
        }
    }
}

// Rails first, in their order.
void addDevices(const Observed& seen, NameDisguise& names) {
    const ReplayHost replay(seen);
    const host::Reader reader = replay.reader();
    const auto rails = inventory::observeRails(reader);
    for (const inventory::Rail& rail : rails.value_or(std::vector<inventory::Rail>{})) {
        names.addInterface(rail.link.none() ? "" : rail.name);
        names.addRdmaDevice(rail.rdma ? rail.rdma->device : "");
    }
    const auto links = reader.links.links();
    for (const host::Link& link : links.value_or(std::vector<host::Link>{})) {
        names.addInterface(link.name);
    }
    for (const auto& link : std::views::values(seen.linkByIndex)) {
        names.addInterface(link ? link->name : "");
    }
    const auto ports = reader.rdma.ports();
    for (const host::RdmaPort& port : ports.value_or(std::vector<host::RdmaPort>{})) {
        names.addRdmaDevice(port.device);
    }
}

// Of devices that are gone there may still be settings in a file.
void addConfigured(const Observed& seen, NameDisguise& names) {
    for (const auto& [path, answers] : seen.files) {
        learnConfigured(path, names);
        if (answers.text && *answers.text) {
            learnConfigured(**answers.text, names);
        }
    }
}

// Numbers with dots are versions there.
bool holdsVersions(std::string_view member) {
    constexpr std::array<std::string_view, 8> kMembers{"firmware",
                                                       "version",
                                                       "vermagic",
                                                       "source_version",
                                                       "program",
                                                       "fw_ver",
                                                       "release",
                                                       "program_versions"};
    constexpr std::array<std::string_view, 4> kFiles{"/sys/module/*",
                                                     "/proc/cpuinfo",
                                                     "/proc/sys/kernel/osrelease",
                                                     "/sys/class/dmi/*"};
    return isOneOf(member, kMembers) ||
           std::ranges::any_of(kFiles, [&](std::string_view pattern) {
               return globMatches(pattern, member);
           });
}

// A directory's names come sorted.
Value sortedAnswer(const Value& answer) {
    const Value* const value = answer.member("value");
    if (value == nullptr || value->asList() == nullptr) {
        return answer;
    }
    Value::List sorted = *value->asList();
    std::ranges::sort(sorted, {}, [](const Value& one) {
        return one.asText() == nullptr ? std::string() : *one.asText();
    });
    return Value::Object{{"value", std::move(sorted)}};
}

}  // namespace

Disguise::Disguise(const Facts& facts, std::string salt)
    : hostName_(facts.hostName), addresses_(std::move(salt)) {
    keepWords(facts.observed, names_);
    names_.addHost(facts.hostName);
    addDevices(facts.observed, names_);
    addConfigured(facts.observed, names_);
    addOwners(facts.observed, names_);
    for (const auto& unit : std::views::values(facts.observed.units)) {
        names_.addUser(unit ? unit->user : "");
    }
    reserveWords(toValue(facts), Reserve::values, names_);
}

std::string Disguise::text(std::string_view text, Reading reading) {
    if (!text.starts_with(kHexPrefix)) {
        return TextScanner(addresses_, names_, reading).scan(text);
    }
    const auto bytes = fromPortableText(text);
    return bytes ? portableText(TextScanner(addresses_, names_, reading).scan(*bytes))
                 : std::string(text);
}

// What a member's name says of what is in it.
Value Disguise::member(std::string_view name, const Value& value, Reading reading) {
    // Which message it is, whoever says it: the same on every host.
    if (name == "message_id") {
        return value;
    }
    // What the kernel and the service manager said, in anybody's words.
    if (name == "kernel_log" || name == "manager_problems") {
        return tree(value, Reading::anyone);
    }
    // Bytes, named by numbers.
    if (name == "dcb" || name == "config") {
        return tree(value, Reading::names);
    }
    const std::string* const text = value.asText();
    if (name == "profile" && value.asObject() != nullptr) {
        return profileMember(value, reading);
    }
    if (name == "phys_switch_id" && text != nullptr) {
        return addresses_.hexDigits(*text);
    }
    if (text != nullptr && !hostName_.empty() && *text == hostName_ &&
        (name == "host" || name == "host_name")) {
        const std::string other = names_.of(hostName_.substr(0, hostName_.find('.')));
        // It may be a word that stays everywhere else.
        return other == hostName_ ? "host1" : other;
    }
    Value other = tree(value, holdsVersions(name) ? Reading::names : reading);
    return name == "names" ? sortedAnswer(other) : other;
}

// {"name", "path"}: the name may be a word that stays everywhere else.
Value Disguise::profileMember(const Value& value, Reading reading) {
    Value other = tree(value, reading);
    const Value* const named = value.member("name");
    if (named == nullptr || named->asText() == nullptr) {
        return other;
    }
    Value::Object members = *other.asObject();
    members.insert_or_assign("name", names_.profileOf(*named->asText()));
    return members;
}

Value Disguise::tree(const Value& tree, Reading reading) {
    if (const std::string* const text = tree.asText()) {
        return this->text(*text, reading);
    }
    if (const Value::List* const list = tree.asList()) {
        Value::List other;
        for (const Value& item : *list) {
            other.push_back(this->tree(item, reading));
        }
        return other;
    }
    if (const Value::Object* const object = tree.asObject()) {
        Value::Object other;
        for (const auto& [name, value] : *object) {
            other.emplace(isOfProcessors(name) ? name : text(name, reading),
                          member(name, value, reading));
        }
        return other;
    }
    return tree;
}

Result<Facts> Disguise::facts(const Facts& facts) {
    const Value whole = tree(toValue(facts));
    Facts other{.program = facts.program, .taken = facts.taken};
    const Value* const observed = whole.member("observed");
    const Value* const name = whole.member("host_name");
    const Value* const host = whole.member("host");
    if (observed == nullptr || host == nullptr || name == nullptr ||
        name->asText() == nullptr) {
        return fail(
            {.kind = ErrorKind::bug, .action = "anonymise", .subject = "facts"});
    }
    other.hostName = fromPortableText(*name->asText()).value_or("");
    other.host = *host;
    Decoder decoder(*observed);
    decoder.decode(other.observed);
    if (decoder.problem()) {
        return fail(
            {.kind = ErrorKind::bug,
             .action = "anonymise",
             .subject = "facts",
             .sysErrno = 0,
             .detail = decoder.problem()->place + ": " + decoder.problem()->what});
    }
    return other;
}

}  // namespace fabric::facts
