// SPDX-License-Identifier: Apache-2.0
#include "snapshot/capture.hpp"

#include "base/text.hpp"
#include "resource/dcb/answer.hpp"
#include "resource/dcb/driver.hpp"
#include "resource/dcb/message.hpp"
#include "snapshot/dcb_concern.hpp"
#include "snapshot/ipv4_look.hpp"
#include "snapshot/place.hpp"
#include "snapshot/register_word.hpp"
#include "snapshot/stored_file.hpp"
#include "snapshot/subject.hpp"
#include "snapshot/unit_in_force.hpp"
#include "snapshot/whereabouts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fabric::snapshot {

namespace {

using resource::Kind;
using resource::Step;

template <typename... Visitors>
struct Overloaded : Visitors... {
    using Visitors::operator()...;
};

// What the reader of a snapshot would refuse must not be in one.
Error notOurs(const std::string& path) {
    return {.kind = ErrorKind::unsupported,
            .action = "keep",
            .subject = escapeForTerminal(path),
            .sysErrno = 0,
            .detail = "no snapshot holds such a place",
            .advice = {}};
}

class Capture {
  public:
    Capture(const host::Reader& host, const Occasion& occasion)
        : host_(host), where_(host, occasion.pci), ipv4_(host.ipv4) {}

    void step(const Step& step) {
        step_ = &step;
        for (const resource::Write& write : step.writes) {
            one(write);
        }
    }

    Snapshot finish(const Occasion& occasion) {
        found_.taken = std::chrono::floor<std::chrono::seconds>(host_.clock.wallTime());
        found_.command = occasion.command;
        found_.profileName = occasion.profileName;
        found_.profilePath = occasion.profilePath;
        found_.host = occasion.platform.hostName;
        found_.bootId = occasion.platform.bootId;
        return std::move(found_);
    }

    [[nodiscard]] Result<void> linksKnown() {
        TRY(where_.graph());
        return {};
    }

  private:
    // One line for every way of writing: a new one does not compile until it is said
    // here what it overwrites.
    void one(const resource::Write& any) {
        const Overloaded visitor{
            [this](const resource::DcbWrite& write) { dcb(write.request); },
            [this](const resource::AttributeWrite& write) { attribute(write.path); },
            [this](const resource::DirectoryCreate& write) { directory(write.path); },
            [this](const resource::FileReplace& write) { file(write.path, {}); },
            [this](const resource::FileRemove& write) { file(write.path, {}); },
            [this](const resource::MtuWrite& write) { mtus(write.link); },
            [this](const resource::PauseWrite& write) { pause(write.link); },
            [this](const resource::Ipv4ConfWrite& write) { ipv4(write); },
            [this](const resource::ModuleLoad& write) {
                keep("kernel module " + write.name, "a loaded module stays loaded");
            },
            [this](const resource::DropInWrite& write) {
                file(write.file.path, write.unit);
                unit(write.unit);
            },
            [this](const resource::ManagerReload& write) { unit(write.unit); },
            [this](const host::RestartRequest& write) {
                keep("process of " + write.unit,
                     "a restarted service is not started as it was");
            },
            [this](const resource::NeighbourDelete&) { neighbours(); },
            [this](const resource::NeighbourResolve&) { neighbours(); },
            [this](const resource::GratuitousArp&) {
                keep("announcements of addresses", "a frame cannot be called back");
            },
            [this](const host::PciCapabilityWrite& write) { pciWord(write); },
        };
        std::visit(visitor, any);
    }

    void neighbours() {
        keep("neighbour cache",
             "learned entries come anew; a permanent or noarp entry that was deleted "
             "is put back by hand");
    }

    void keep(std::string what, std::string why) {
        addKept({.what = std::move(what), .why = std::move(why)});
    }

    void unread(std::string what, const Error& error) {
        addKept({.what = std::move(what), .why = error.message(), .unread = true});
    }

    void addKept(Kept kept) {
        if (std::ranges::find(found_.notRestored, kept) == found_.notRestored.end()) {
            found_.notRestored.push_back(std::move(kept));
        }
    }

    void add(std::string label, Thing thing) {
        add(kindOf(step_->stage), std::move(label), std::move(thing));
    }

    void add(Kind kind, std::string label, Thing thing) {
        absorb({.kind = kind,
                .label = std::move(label),
                .from = {},
                .thing = std::move(thing)},
               found_.items);
    }

    // A link with what it is known by.
    struct Known {
        host::Link link;
        LinkIdentity identity;
        const resource::dcb::DriverFacts* driver = nullptr;
    };

    Result<Known> lookUp(IfIndex index) {
        const inventory::LinkGraph& graph = *TRY(where_.graph());
        LinkIdentity identity = TRY(where_.identityOf(index));
        const host::Link& link = *graph.find(index);
        return Known{.link = link,
                     .identity = std::move(identity),
                     .driver = &resource::dcb::driverFacts(where_.driverOf(link))};
    }

    // nullptr when it cannot be identified; `what` is then noted as not read.
    const Known* known(IfIndex index, std::string_view what) {
        auto at = known_.find(index);
        if (at == known_.end()) {
            at = known_.emplace(index, lookUp(index)).first;
        }
        if (!at->second) {
            unread(std::string(what), at->second.error());
            return nullptr;
        }
        return &*at->second;
    }

    // A bond takes its members along, and what stands on a link is cut down to it
    // (drivers/net/bonding/bond_main.c, bond_change_mtu; net/8021q/vlan.c,
    // vlan_device_event).
    void mtus(IfIndex index) {
        const auto graph = where_.graph();
        const host::Link* const link = graph ? (*graph)->find(index) : nullptr;
        if (link == nullptr) {
            known(index, "MTU");
            return;
        }
        inventory::LinkGraph::Links concerned = (*graph)->withInterfacesAbove(*link);
        std::ranges::copy((*graph)->members(index), std::back_inserter(concerned));
        for (const host::Link* one : concerned) {
            if (const Known* const found = known(one->index, "MTU")) {
                add(found->link.name,
                    Mtu{.link = found->identity, .bytes = found->link.mtu});
            }
        }
    }

    void pause(IfIndex index) {
        const Known* const found = known(index, "global pause");
        if (found == nullptr) {
            return;
        }
        if (const auto parameters = host_.ethtool.pause(index)) {
            add(found->link.name,
                Pause{.link = found->identity, .parameters = *parameters});
            pfcBesidePause(*found);
        } else {
            unread("global pause of " + escapeForTerminal(found->link.name),
                   parameters.error());
        }
    }

    void pfcBesidePause(const Known& port) {
        if (!sharesPauseWithPfc(*port.driver)) {
            return;
        }
        const auto& now = portDcb(port.link.index);
        const bool isNew = taken_.emplace(port.link.index, DcbConcern::pfc).second;
        if (!now || !isNew) {
            return;
        }
        Dcb thing{.link = port.identity, .concerns = {}, .state = {}, .apps = {}};
        take(DcbConcern::pfc, *now, thing);
        if (!thing.concerns.empty()) {
            add(Kind::dcb, port.link.name, std::move(thing));
        }
    }

    void pauseBesidePfc(const Known& port) {
        if (!sharesPauseWithPfc(*port.driver)) {
            return;
        }
        if (const auto parameters = host_.ethtool.pause(port.link.index)) {
            add(Kind::pause,
                port.link.name,
                Pause{.link = port.identity, .parameters = *parameters});
        }
    }

    // One look per port, whatever the number of its writes.
    const Result<PortDcb>& portDcb(IfIndex link) {
        const auto [at, isNew] = ports_.try_emplace(link, PortDcb{});
        if (isNew) {
            at->second = observePort(host_, link);
        }
        return at->second;
    }

    void dcb(const host::DcbRequest& request) {
        const Known* const found = known(request.link, "DCB");
        if (found == nullptr) {
            return;
        }
        const auto& now = portDcb(request.link);
        if (!now) {
            unread("DCB of " + escapeForTerminal(found->link.name), now.error());
            return;
        }
        Dcb thing{.link = found->identity, .concerns = {}, .state = {}, .apps = {}};
        for (const DcbConcern concern : concernsOf(request, *found->driver)) {
            // The table of a port is written entry by entry, and read once.
            if (taken_.emplace(request.link, concern).second) {
                take(concern, *now, thing);
            }
        }
        if (thing.concerns.contains(DcbConcern::pfc)) {
            pauseBesidePfc(*found);
        }
        if (!thing.concerns.empty()) {
            add(found->link.name, std::move(thing));
        }
    }

    void attribute(const std::string& path) {
        if (isTrigger(path)) {
            return;
        }
        const auto place = placeOf(where_, path, step_->link);
        if (!place) {
            unread(escapeForTerminal(path), place.error());
            return;
        }
        if (!isAttributePlace(place->text)) {
            unread(escapeForTerminal(path), notOurs(path));
            return;
        }
        const auto text = host_.files.read(path, kLargestAttribute);
        if (!text && isBelowNewDirectory(path)) {
            keep(escapeForTerminal(path),
                 "nothing can be read before its group is made");
            return;
        }
        if (!text) {
            unread(escapeForTerminal(path), text.error());
            return;
        }
        Attributes thing{.link = {}, .texts = {{place->text, *text}}};
        std::string label = "host";
        if (place->link) {
            const Known* const found = known(*place->link, place->text);
            if (found == nullptr) {
                return;
            }
            thing.link = found->identity;
            label = found->link.name;
        }
        add(std::move(label), std::move(thing));
    }

    [[nodiscard]] bool isBelowNewDirectory(std::string_view path) const {
        return std::ranges::any_of(newDirectories_, [&](const std::string& directory) {
            return path.starts_with(directory + "/");
        });
    }

    void directory(const std::string& path) {
        if (!isOwnNote(path + "/") && !host_.files.status(path)) {
            newDirectories_.insert(path);
            keep("directory " + escapeForTerminal(path),
                 "it was made by this run; an empty one is left behind");
        }
    }

    void file(const std::string& path, const std::string& unit) {
        if (isOwnNote(path)) {
            return;
        }
        if (!isOwnFile(path)) {
            unread("file " + escapeForTerminal(path), notOurs(path));
            return;
        }
        auto content = readFile(host_.files, path);
        if (!content) {
            unread("file " + escapeForTerminal(path), content.error());
            return;
        }
        add(path, File{.path = path, .content = std::move(*content), .unit = unit});
    }

    void unit(const std::string& name) {
        auto now = readUnit(host_, name);
        if (now) {
            add(name, *std::move(now));
        } else if (now.error().kind !=
                   ErrorKind::notFound) {  // else: nothing is in force
            unread("unit " + escapeForTerminal(name), now.error());
        }
    }

    void ipv4(const resource::Ipv4ConfWrite& write) {
        Ipv4Conf thing;
        std::string label = "conf.all";
        if (!write.link.none()) {
            const Known* const found = known(write.link, "IPv4 settings");
            if (found == nullptr) {
                return;
            }
            thing.link = found->identity;
            label = found->link.name;
        }
        for (const auto& entry : write.values) {
            const auto value = ipv4_.value(write.link, entry.first);
            if (value) {
                thing.values.emplace(entry.first, *value);
            } else {
                unread(fmt::format("{} of {}",
                                   host::sysctlName(entry.first),
                                   escapeForTerminal(label)),
                       value.error());
            }
        }
        if (!thing.values.empty()) {
            add(std::move(label), std::move(thing));
        }
    }

    void pciWord(const host::PciCapabilityWrite& write) {
        const std::string label = write.address.text();
        const auto identity = where_.identityOf(write.address);
        const auto value =
            readRegister(host_.pci,
                         write.address,
                         {write.capabilityId, write.capability, write.registerOffset});
        if (!identity || !value) {
            unread("register of " + label, identity ? value.error() : identity.error());
            return;
        }
        add(label,
            PciWord{.function = *identity,
                    .capabilityId = write.capabilityId,
                    .capability = write.capability,
                    .registerOffset = write.registerOffset,
                    .mask = static_cast<std::uint16_t>(write.clear | write.set),
                    .value = *value});
    }

    static constexpr std::size_t kLargestAttribute = 64UL << 10U;

    const host::Reader& host_;
    Whereabouts where_;
    Ipv4Look ipv4_;
    const Step* step_ = nullptr;
    std::map<IfIndex, Result<Known>> known_;
    std::map<IfIndex, Result<PortDcb>> ports_;
    std::set<std::pair<IfIndex, DcbConcern>> taken_;
    std::set<std::string> newDirectories_;
    Snapshot found_;
};

bool touchesLinks(const Step& step) {
    return !step.link.none();
}

}  // namespace

Result<Snapshot> capture(const host::Reader& host,
                         std::span<const Step> plan,
                         const Occasion& occasion) {
    Capture capture(host, occasion);
    if (std::ranges::any_of(plan, touchesLinks)) {
        TRY(capture.linksKnown());
    }
    for (const Step& step : plan) {
        capture.step(step);
    }
    return capture.finish(occasion);
}

}  // namespace fabric::snapshot
