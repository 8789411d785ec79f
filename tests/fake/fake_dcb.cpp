// SPDX-License-Identifier: Apache-2.0
#include "fake/fake_dcb.hpp"

#include "fake/fake_dcb_driver.hpp"

#include <linux/netlink.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <expected>
#include <numeric>
#include <span>
#include <string>
#include <utility>

namespace fabric::fake {

namespace {

constexpr std::uint16_t kAppTrust = 11;
constexpr std::uint16_t kNonStandardApp = 2;
constexpr std::uint16_t kRewriteTable = 12;
constexpr std::size_t kHeader = sizeof(nlattr);

using Bytes = std::span<const std::byte>;
using Nest = std::vector<std::pair<std::uint16_t, Bytes>>;

// nla_parse_deprecated: stops quietly at the first attribute that does not fit.
Nest parse(Bytes bytes) {
    Nest nest;
    while (bytes.size() >= kHeader) {
        nlattr header{};
        std::memcpy(&header, bytes.data(), kHeader);
        if (header.nla_len < kHeader || header.nla_len > bytes.size()) {
            break;
        }
        nest.emplace_back(header.nla_type & NLA_TYPE_MASK,
                          bytes.subspan(kHeader, header.nla_len - kHeader));
        bytes = bytes.subspan(
            std::min<std::size_t>(NLA_ALIGN(header.nla_len), bytes.size()));
    }
    return nest;
}

const Bytes* find(const Nest& nest, std::uint16_t type) {
    const auto found = std::ranges::find(nest, type, &Nest::value_type::first);
    return found == nest.end() ? nullptr : &found->second;
}

template <typename T>
T read(Bytes bytes) {
    T value{};
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
}

void put(host::DcbAnswer& to, std::uint16_t type, Bytes payload) {
    const nlattr header{.nla_len = static_cast<std::uint16_t>(kHeader + payload.size()),
                        .nla_type = type};
    const auto* const raw = reinterpret_cast<const std::byte*>(&header);
    to.insert(to.end(), raw, raw + kHeader);
    to.insert(to.end(), payload.begin(), payload.end());
    to.resize(NLA_ALIGN(to.size()));
}

template <typename T>
void putValue(host::DcbAnswer& to, std::uint16_t type, const T& value) {
    put(to, type, std::as_bytes(std::span<const T, 1>(&value, 1)));
}

Error core(int number) {
    return systemError("DCB request", "fake port", number);
}

// The attributes of an IEEE_GET answer that belong to one getter.
bool shows(const FakeDcbPort& port, DcbSetter of) {
    return !port.faults.unsupported.contains(of) &&
           !port.faults.unreadable.contains(of);
}

host::DcbAnswer appTable(const FakeDcbPort& port) {
    host::DcbAnswer table;
    for (const dcb_app& app : port.list) {
        const bool isPcp = app.selector == 255;
        putValue(
            table, isPcp ? kNonStandardApp : std::uint16_t{DCB_ATTR_IEEE_APP}, app);
    }
    return table;
}

host::DcbAnswer ieeeNest(const FakeDcbPort& port) {
    host::DcbAnswer ieee;
    if (shows(port, DcbSetter::ets)) {
        putValue(ieee, DCB_ATTR_IEEE_ETS, port.ets);
    }
    if (shows(port, DcbSetter::maxRate)) {
        putValue(ieee, DCB_ATTR_IEEE_MAXRATE, port.maxRate);
    }
    if (shows(port, DcbSetter::pfc)) {
        putValue(ieee, DCB_ATTR_IEEE_PFC, port.pfc);
    }
    if (shows(port, DcbSetter::buffer)) {
        putValue(ieee, DCB_ATTR_DCB_BUFFER, port.buffer);
    }
    put(ieee, DCB_ATTR_IEEE_APP_TABLE, appTable(port));
    if (port.kernelHasAppTrust) {
        put(ieee, kRewriteTable | NLA_F_NESTED, {});
    }
    if (port.kernelHasAppTrust && port.driverHasAppTrust) {
        host::DcbAnswer table;
        for (const std::uint8_t selector : port.trustOrder) {
            putValue(
                table,
                selector == 255 ? kNonStandardApp : std::uint16_t{DCB_ATTR_IEEE_APP},
                selector);
        }
        put(ieee, kAppTrust | NLA_F_NESTED, table);
    }
    return ieee;
}

host::DcbAnswer getAnswer(const FakeDcbPort& port) {
    host::DcbAnswer answer;
    put(answer, DCB_ATTR_IEEE, ieeeNest(port));
    if (shows(port, DcbSetter::dcbx)) {
        putValue(answer, DCB_ATTR_DCBX, port.dcbx);
    }
    return answer;
}

// One IEEE_SET or IEEE_DEL under way.
class Setting {
  public:
    Setting(FakeDcbPort& port, const Nest& ieee) : port_(port), ieee_(ieee) {}

    // The result byte as an int, or a NLMSG_ERROR.
    std::expected<int, int> run() {
        for (const auto& [type, size] : kFixed) {
            const Bytes* payload = find(ieee_, type);
            if (payload != nullptr && payload->size() < size) {
                return std::unexpected(ERANGE);
            }
        }
        int code = fixed<ieee_ets>(DCB_ATTR_IEEE_ETS, DcbSetter::ets, driverSetEts);
        code = code != 0
                   ? code
                   : fixed<ieee_maxrate>(
                         DCB_ATTR_IEEE_MAXRATE, DcbSetter::maxRate, driverSetMaxRate);
        code = code != 0
                   ? code
                   : fixed<ieee_pfc>(DCB_ATTR_IEEE_PFC, DcbSetter::pfc, driverSetPfc);
        code = code != 0 ? code : buffer();
        code = code != 0 ? code : apps(DcbSetter::addApp, driverAddApp);
        return code != 0 ? code : appTrust();
    }

    int remove() { return apps(DcbSetter::deleteApp, driverDeleteApp); }

  private:
    static constexpr std::array<std::pair<std::uint16_t, std::size_t>, 4> kFixed{{
        {DCB_ATTR_IEEE_ETS, sizeof(ieee_ets)},
        {DCB_ATTR_IEEE_MAXRATE, sizeof(ieee_maxrate)},
        {DCB_ATTR_IEEE_PFC, sizeof(ieee_pfc)},
        {DCB_ATTR_DCB_BUFFER, sizeof(dcbnl_buffer)},
    }};

    template <typename T>
    int fixed(std::uint16_t type,
              DcbSetter setter,
              int (*driver)(FakeDcbPort&, const T&)) {
        const Bytes* payload = find(ieee_, type);
        if (payload == nullptr || port_.faults.unsupported.contains(setter)) {
            return 0;  // no operation: skipped, answered 0
        }
        return callDriver(
            port_, setter, [&] { return driver(port_, read<T>(*payload)); });
    }

    int buffer() {
        const Bytes* payload = find(ieee_, DCB_ATTR_DCB_BUFFER);
        if (payload == nullptr) {
            return 0;
        }
        const auto wanted = read<dcbnl_buffer>(*payload);
        if (std::ranges::any_of(wanted.prio2buffer, [](auto at) { return at >= 8; })) {
            return -EINVAL;
        }
        return fixed<dcbnl_buffer>(
            DCB_ATTR_DCB_BUFFER, DcbSetter::buffer, driverSetBuffer);
    }

    int apps(DcbSetter setter, int (*driver)(FakeDcbPort&, const dcb_app&)) {
        const Bytes* table = find(ieee_, DCB_ATTR_IEEE_APP_TABLE);
        for (const auto& [type, payload] : table == nullptr ? Nest{} : parse(*table)) {
            const bool isEntry = type == DCB_ATTR_IEEE_APP ||
                                 (type == kNonStandardApp && port_.kernelHasAppTrust);
            if (!isEntry) {
                continue;
            }
            const auto app = read<dcb_app>(payload);
            const int code =
                callDriver(port_, setter, [&] { return driver(port_, app); });
            if (code != 0) {
                return code;
            }
        }
        return 0;
    }

    int appTrust() {
        const Bytes* table = find(ieee_, kAppTrust);
        if (table == nullptr || !port_.kernelHasAppTrust) {
            return 0;  // an older kernel does not know the attribute
        }
        if (!port_.driverHasAppTrust) {
            return -EOPNOTSUPP;
        }
        std::vector<std::uint8_t> order;
        for (const auto& [type, payload] : parse(*table)) {
            order.push_back(read<std::uint8_t>(payload));
        }
        return callDriver(port_, DcbSetter::appTrust, [&] {
            port_.trustOrder = order;
            port_.hardwareTrustsDscp = !order.empty() && order.front() == 5;
            return 0;
        });
    }

    FakeDcbPort& port_;
    const Nest& ieee_;
};

std::expected<std::uint8_t, int> answerByte(FakeDcbPort& port,
                                            const host::DcbRequest& request) {
    const Nest top = parse(request.attributes);
    if (request.command == host::DcbCommand::setDcbx) {
        const Bytes* mode = find(top, DCB_ATTR_DCBX);
        if (mode == nullptr || mode->empty()) {
            return std::unexpected(EINVAL);
        }
        return static_cast<std::uint8_t>(callDriver(port, DcbSetter::dcbx, [&] {
            return driverSetDcbx(port, read<std::uint8_t>(*mode));
        }));
    }
    const Bytes* ieee = find(top, DCB_ATTR_IEEE);
    if (ieee == nullptr) {
        return std::unexpected(EINVAL);
    }
    const Nest nest = parse(*ieee);
    if (request.command == host::DcbCommand::ieeeDelete) {
        return static_cast<std::uint8_t>(Setting(port, nest).remove());
    }
    const auto code = Setting(port, nest).run();
    if (!code) {
        return std::unexpected(code.error());
    }
    return static_cast<std::uint8_t>(*code);
}

}  // namespace

unsigned FakeDcbPort::setterCalls() const {
    return std::accumulate(
        calls.begin(), calls.end(), 0U, [](unsigned sum, const auto& call) {
            return sum + call.second;
        });
}

std::set<std::uint8_t> FakeDcbPort::listed(std::uint16_t dscp) const {
    std::set<std::uint8_t> priorities;
    for (const dcb_app& app : list) {
        if (app.selector == IEEE_8021QAZ_APP_SEL_DSCP && app.protocol == dscp) {
            priorities.insert(app.priority);
        }
    }
    return priorities;
}

FakeDcbPort& FakeDcb::add(IfIndex link, DcbDriver driver) {
    return ports_.insert_or_assign(link, FakeDcbPort(driver)).first->second;
}

FakeDcbPort& FakeDcb::port(IfIndex link) {
    return ports_.at(link);
}

void FakeDcb::changeAtGet(unsigned nth, std::function<void()> change) {
    changes_.emplace(gets_ + nth, std::move(change));
}

unsigned FakeDcb::setterCalls() const {
    return std::accumulate(
        ports_.begin(), ports_.end(), 0U, [](unsigned sum, const auto& entry) {
            return sum + entry.second.setterCalls();
        });
}

Result<host::DcbAnswer> FakeDcb::get(const host::DcbRequest& request) const {
    ++gets_;
    for (auto [at, end] = changes_.equal_range(gets_); at != end; ++at) {
        at->second();
    }
    const auto found = ports_.find(request.link);
    if (found == ports_.end()) {
        return fail(core(ENODEV));
    }
    const FakeDcbPort& port = found->second;
    if (port.driver == DcbDriver::none) {
        return fail(core(EOPNOTSUPP));
    }
    if (port.faults.getErrno) {
        return fail(core(*port.faults.getErrno));
    }
    if (request.command == host::DcbCommand::getDcbx) {
        if (!shows(port, DcbSetter::dcbx)) {
            return fail(core(EOPNOTSUPP));
        }
        host::DcbAnswer answer;
        putValue(answer, DCB_ATTR_DCBX, port.dcbx);
        return answer;
    }
    if (request.command != host::DcbCommand::ieeeGet) {
        return fail(core(EPERM));
    }
    const host::DcbAnswer answer = getAnswer(port);
    return port.faults.mangleGet ? port.faults.mangleGet(answer) : answer;
}

Result<host::DcbAnswer> FakeDcb::set(const host::DcbRequest& request) {
    const auto found = ports_.find(request.link);
    if (found == ports_.end()) {
        return fail(core(ENODEV));
    }
    FakeDcbPort& port = found->second;
    if (port.driver == DcbDriver::none) {
        return fail(core(EOPNOTSUPP));
    }
    if (port.faults.setErrno) {
        return fail(core(*port.faults.setErrno));
    }
    const unsigned bouncesBefore = port.linkBounces;
    const auto code = answerByte(port, request);
    if (!code) {
        return fail(core(code.error()));
    }
    if (port.linkBounces != bouncesBefore && onLinkBounce) {
        onLinkBounce(request.link);
    }
    host::DcbAnswer answer;
    const bool isDcbx = request.command == host::DcbCommand::setDcbx;
    putValue(answer, isDcbx ? DCB_ATTR_DCBX : DCB_ATTR_IEEE, *code);
    return answer;
}

}  // namespace fabric::fake
