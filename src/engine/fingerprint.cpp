// SPDX-License-Identifier: Apache-2.0
#include "engine/fingerprint.hpp"

#include "base/digest.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

namespace fabric::engine {

namespace {

using resource::Step;

// Each write is taken apart by name: a field that is added to one does not compile here
// before it counts.
class WriteFingerprint {
  public:
    WriteFingerprint(Fingerprint& print, bool churns)
        : print_(print), churns_(churns) {}

    void operator()(const resource::DcbWrite& write) const {
        const auto& [request, ifRefused] = write;
        begin("dcb");
        add(request);
        if (ifRefused) {
            add(*ifRefused);
        }
    }

    void operator()(const resource::AttributeWrite& write) const {
        const auto& [path, text] = write;
        begin("attribute", path, text);
    }

    void operator()(const resource::DirectoryCreate& write) const {
        const auto& [path] = write;
        begin("directory", path);
    }

    void operator()(const resource::FileReplace& write) const {
        const auto& [path, text, mode, owner] = write;
        begin("file", path, text, mode);
        if (owner) {
            begin("owner", owner->user, owner->group);
        }
    }

    void operator()(const resource::FileRemove& write) const {
        const auto& [path] = write;
        begin("removal", path);
    }

    void operator()(const resource::MtuWrite& write) const {
        const auto& [link, bytes] = write;
        begin("mtu", link.number, bytes);
    }

    void operator()(const resource::PauseWrite& write) const {
        const auto& [link, wanted] = write;
        const auto& [autonegotiate, rx, tx] = wanted;
        begin("pause", link.number, autonegotiate, rx, tx);
    }

    void operator()(const resource::Ipv4ConfWrite& write) const {
        const auto& [link, values] = write;
        begin("ipv4", link.number);
        for (const auto& [key, value] : values) {
            begin("key", std::to_underlying(key), value);
        }
    }

    void operator()(const resource::ModuleLoad& write) const {
        const auto& [name] = write;
        begin("module", name);
    }

    void operator()(const resource::DropInWrite& write) const {
        const auto& [unit, file, previous] = write;
        begin("drop-in", unit, previous.has_value(), previous.value_or(""));
        (*this)(file);
    }

    void operator()(const resource::ManagerReload& write) const {
        const auto& [unit] = write;
        begin("reload", unit);
    }

    void operator()(const host::RestartRequest& write) const {
        const auto& [unit, program, place, limit] = write;
        begin("restart", unit, program, place);
        if (limit) {
            begin("limit", limit->soft, limit->hard);
        }
    }

    void operator()(const resource::NeighbourDelete& write) const {
        const auto& [link, addresses, everyDynamic] = write;
        begin("deletion", link.number, everyDynamic);
        add(addresses);
    }

    void operator()(const resource::NeighbourResolve& write) const {
        const auto& [link, addresses] = write;
        begin("request", link.number);
        add(addresses);
    }

    void operator()(const resource::GratuitousArp& write) const {
        const auto& [link, mac, ipv4] = write;
        begin("announcement", link.number, mac.text(), ipv4.text());
    }

    void operator()(const host::PciCapabilityWrite& write) const {
        const auto& [address, id, capability, offset, clear, set] = write;
        begin("pci", address.text(), id, capability, offset, clear, set);
    }

  private:
    template <typename... Parts>
    void begin(std::string_view kind, const Parts&... parts) const {
        print_.add(kind);
        (print_.add(parts), ...);
    }

    void add(const host::DcbRequest& request) const {
        const auto& [link, command, attributes] = request;
        std::string bytes;
        std::ranges::transform(attributes,
                               std::back_inserter(bytes),
                               [](std::byte each) { return static_cast<char>(each); });
        begin("request", link.number, std::to_underlying(command), bytes);
    }

    void add(const std::vector<IpAddress>& addresses) const {
        if (churns_) {
            return;
        }
        for (const IpAddress& address : addresses) {
            print_.add(address.text());
        }
    }

    Fingerprint& print_;
    bool churns_;
};

bool flushesAll(const resource::Write& write) {
    const auto* const deletion = std::get_if<resource::NeighbourDelete>(&write);
    return deletion != nullptr && deletion->everyDynamic;
}

}  // namespace

void Fingerprint::part(char kind, std::string_view bytes) {
    bytes_ += kind;
    bytes_ += std::to_string(bytes.size());
    bytes_ += ':';
    bytes_ += bytes;
}

void Fingerprint::add(std::string_view text) {
    part('t', text);
}

void Fingerprint::addValue(const Value& value) {
    if (const Value::List* const list = value.asList()) {
        part('[', std::to_string(list->size()));
        std::ranges::for_each(*list, [this](const Value& item) { addValue(item); });
    } else if (const Value::Object* const object = value.asObject()) {
        part('{', std::to_string(object->size()));
        for (const auto& [key, item] : *object) {
            add(key);
            addValue(item);
        }
    } else if (const std::string* const text = value.asText()) {
        add(*text);
    } else {
        // null, true, 3, 1.5: no two of them print alike.
        part('v', value.toText());
    }
}

std::string Fingerprint::digest() const {
    return sha256(bytes_);
}

std::string fingerprintOf(const Step& step) {
    const bool churns = std::ranges::any_of(step.writes, flushesAll);
    Fingerprint print;
    print.add(std::to_underlying(step.stage));
    print.add(step.rail);
    print.add(step.link.number);
    print.add(step.linkName);
    print.add(churns ? -1 : std::to_underlying(step.disturbs));
    for (const std::string& id : step.ids) {
        print.add(id);
    }
    for (const resource::Write& write : step.writes) {
        std::visit(WriteFingerprint(print, churns), write);
    }
    return print.digest();
}

}  // namespace fabric::engine
