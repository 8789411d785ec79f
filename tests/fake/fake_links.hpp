// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fake/fake_clock.hpp"
#include "host/links.hpp"

#include <map>
#include <optional>
#include <vector>

namespace fabric::fake {

struct MtuChange {
    IfIndex link;
    std::uint32_t mtu = 0;
    int sysErrno = 0;  // 0: it took effect
    bool operator==(const MtuChange&) const = default;
};

// Net devices in memory. Events are scripted at a time; waiting for one moves the clock
// to it, and the link state changes when the clock passes it.
class FakeLinks : public host::LinkReader,
                  public host::LinkWriter,
                  public host::LinkWatcher {
  public:
    explicit FakeLinks(FakeClock& clock) : clock_(&clock) {}

    host::Link& add(host::Link link);  // replaces a link of the same index
    // A link with this index and name, up, with carrier and MTU 1500.
    host::Link& add(std::uint32_t index, std::string name);
    void remove(IfIndex index);
    [[nodiscard]] host::Link* find(IfIndex index);
    [[nodiscard]] host::Link* find(std::string_view name);

    // After `delay` the link is as given, and every open watch hears of it.
    void changeAfter(std::chrono::milliseconds delay, host::Link link);
    // After `delay` the watches report this error (ENOBUFS is ErrorKind::busy).
    void failWatchAfter(std::chrono::milliseconds delay, Error error);
    // Carrier lost now (counted); back after `back`, or never.
    void bounce(IfIndex index, std::optional<std::chrono::milliseconds> back);

    std::vector<host::LinkAddress> addressList;
    std::vector<IfIndex> defaultRoutes;
    std::optional<Error> linksError;      // answer of links()
    std::optional<Error> routesError;     // answer of defaultRouteLinks()
    std::optional<Error> addressesError;  // answer of addresses()
    std::optional<Error> watchError;      // answer of watch()
    std::map<IfIndex, int> mtuErrors;     // errno of setMtu per link
    bool ignoreMtu = false;               // setMtu answers 0 and changes nothing
    std::vector<MtuChange> mtuChanges;    // every setMtu, in order
    mutable std::size_t dumps = 0;        // calls of links()

    [[nodiscard]] Result<std::vector<host::Link>> links() const override;
    [[nodiscard]] Result<host::Link> link(IfIndex index) const override;
    [[nodiscard]] Result<std::vector<IfIndex>> defaultRouteLinks() const override;
    [[nodiscard]] Result<std::vector<host::LinkAddress>> addresses() const override;
    [[nodiscard]] Result<void> setMtu(IfIndex index, std::uint32_t mtu) override;
    [[nodiscard]] Result<std::unique_ptr<host::LinkWatch>> watch() const override;

  private:
    friend class FakeWatch;

    struct Event {
        std::chrono::steady_clock::time_point due;
        Result<host::Link> what;
    };

    void schedule(std::chrono::milliseconds delay, Result<host::Link> what);
    void settle() const;  // applies every event whose time has come

    FakeClock* clock_;
    mutable std::map<IfIndex, host::Link> links_;
    std::vector<Event> events_;  // by time; those before applied_ have happened
    mutable std::size_t applied_ = 0;
};

}  // namespace fabric::fake
