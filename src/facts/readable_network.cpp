// SPDX-License-Identifier: Apache-2.0
#include "facts/describe.hpp"
#include "facts/readable.hpp"
#include "resource/arp/effective.hpp"
#include "resource/arp/state.hpp"

#include <array>
#include <map>
#include <utility>

namespace fabric::facts {

namespace {

constexpr std::array kKeys{host::Ipv4Key::arpIgnore,
                           host::Ipv4Key::arpAnnounce,
                           host::Ipv4Key::arpFilter,
                           host::Ipv4Key::rpFilter};

// The answer as it stands in `observed`, an empty list when there is none.
template <typename T>
Value listValue(const Result<std::vector<T>>& answer,
                std::string_view part,
                Unreadable& unreadable) {
    if (!answer) {
        unreadable.note(part, answer.error());
        return Value::List{};
    }
    return Encoder::encoded(*answer);
}

// The interface's own values and what takes effect beside conf.all.
Value::Object sysctlValue(const host::Ipv4Values& own, const host::Ipv4Values& all) {
    Value::Object value;
    for (const host::Ipv4Key key : kKeys) {
        const auto found = own.find(key);
        const auto general = all.find(key);
        if (found != own.end() && general != all.end()) {
            const auto reading =
                resource::arp::readingOf(key, found->second, general->second);
            value.emplace(
                std::string(host::sysctlName(key)),
                Value::Object{{"own", std::int64_t{reading.own}},
                              {"effective", std::int64_t{reading.effective}}});
        }
    }
    return value;
}

Value::Object sysctlsValue(const host::Reader& host, Unreadable& unreadable) {
    host::Ipv4Values all;
    Value::Object general;
    for (const host::Ipv4Key key : kKeys) {
        const auto value = host.ipv4.all(key);
        if (value) {
            all[key] = *value;
            general.emplace(std::string(host::sysctlName(key)), std::int64_t{*value});
        } else {
            unreadable.note("conf.all", value.error());
        }
    }
    Value::Object interfaces;
    const auto confs = host.ipv4.interfaces();
    if (!confs) {
        unreadable.note("IPv4 settings", confs.error());
        return {{"all", std::move(general)}, {"interfaces", std::move(interfaces)}};
    }
    for (const host::Ipv4Conf& conf : *confs) {
        const auto link = host.links.link(conf.link);
        const std::string name =
            link ? link->name : "ifindex:" + std::to_string(conf.link.number);
        interfaces.emplace(portableText(name), sysctlValue(conf.values, all));
    }
    return {{"all", std::move(general)}, {"interfaces", std::move(interfaces)}};
}

Result<std::vector<host::Route>> onlyRoutes(const Result<host::Routes>& told) {
    return told ? Result<std::vector<host::Route>>(told->routes) : fail(told.error());
}

}  // namespace

Value::Object readableNetwork(const host::Reader& host, Unreadable& unreadable) {
    Value::Object network{
        {"links", listValue(host.links.links(), "links", unreadable)},
        {"addresses", listValue(host.links.addresses(), "addresses", unreadable)},
        {"default_route_links",
         listValue(host.links.defaultRouteLinks(), "default routes", unreadable)},
        {"sysctls", sysctlsValue(host, unreadable)}};
    if (host.neighbours != nullptr) {
        network.emplace(
            "neighbours",
            listValue(host.neighbours->neighbours(), "neighbours", unreadable));
    }
    if (host.routing != nullptr) {
        const auto routes = host.routing->routes();
        network.emplace("routes", listValue(onlyRoutes(routes), "routes", unreadable));
        network.emplace("routing_rules",
                        listValue(host.routing->rules(), "routing rules", unreadable));
    }
    return network;
}

}  // namespace fabric::facts
