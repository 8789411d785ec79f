// SPDX-License-Identifier: Apache-2.0
#include "resource/arp/effective.hpp"

#include <algorithm>

namespace fabric::resource::arp {

namespace {

using host::Ipv4Key;

// Values of Documentation/networking/ip-sysctl.rst.
constexpr std::int32_t kIgnoreOtherInterfaces = 1;
constexpr std::int32_t kIgnoreOtherSubnets = 2;
constexpr std::int32_t kIgnoreEverything = 8;
constexpr std::int32_t kAnnounceBest = 2;
constexpr std::int32_t kLoose = 2;

std::string ignoreMeaning(std::int32_t effective) {
    switch (effective) {
        case kIgnoreOtherInterfaces:
            return "answers only for addresses of the interface that was asked";
        case kIgnoreOtherSubnets:
            return "answers only for addresses of the interface that was asked, and "
                   "only askers of the same subnet";
        case kIgnoreEverything:
            return "answers no ARP request at all";
        case 3:
            return "still answers for addresses of other interfaces";
        default:
            return "answers for any address of the host on any interface";
    }
}

std::string announceMeaning(std::int32_t effective) {
    switch (effective) {
        case kAnnounceBest:
            return "asks with the best address of the outgoing interface";
        case 1:
            return "may ask with an address of another interface of the same subnet";
        default:
            return "asks with whatever source address the packet has, other rails' too";
    }
}

std::string reverseMeaning(std::int32_t effective) {
    if (effective == 1) {
        return "drops what does not come in on the interface of the route back";
    }
    return effective == kLoose ? "drops only what has no route back at all"
                               : "drops nothing";
}

}  // namespace

std::int32_t combined(Ipv4Key key, std::int32_t own, std::int32_t all) {
    if (key == Ipv4Key::arpFilter) {
        return own != 0 || all != 0 ? 1 : 0;
    }
    return std::max(own, all);
}

Fit fitOf(Ipv4Key key, std::int32_t wanted, std::int32_t effective) {
    if (effective == wanted) {
        return Fit::met;
    }
    const bool stricter = key == Ipv4Key::arpIgnore &&
                          wanted == kIgnoreOtherInterfaces &&
                          effective == kIgnoreOtherSubnets;
    return stricter ? Fit::stricter : Fit::no;
}

std::string meaningOf(Ipv4Key key, std::int32_t effective) {
    switch (key) {
        case Ipv4Key::arpIgnore:
            return ignoreMeaning(effective);
        case Ipv4Key::arpAnnounce:
            return announceMeaning(effective);
        case Ipv4Key::rpFilter:
            return reverseMeaning(effective);
        case Ipv4Key::arpFilter:
            return effective != 0 ? "answers by the route back to the asker"
                                  : "answers without regard to routes";
    }
    return {};
}

host::Ipv4Values wantedValues(const profile::ArpSettings& settings) {
    host::Ipv4Values wanted;
    if (settings.ignore) {
        wanted[Ipv4Key::arpIgnore] = *settings.ignore;
    }
    if (settings.announce) {
        wanted[Ipv4Key::arpAnnounce] = *settings.announce;
    }
    if (settings.rpFilter) {
        wanted[Ipv4Key::rpFilter] = *settings.rpFilter;
    }
    return wanted;
}

Reading readingOf(Ipv4Key key, std::int32_t own, std::int32_t all) {
    return {.own = own, .all = all, .effective = combined(key, own, all)};
}

std::string toText(const Reading& reading) {
    return "own value " + std::to_string(reading.own) + ", conf.all " +
           std::to_string(reading.all) + ", effective " +
           std::to_string(reading.effective);
}

}  // namespace fabric::resource::arp
