// SPDX-License-Identifier: Apache-2.0
#include "linux/device_events.hpp"

#include "base/unique_fd.hpp"

#include <linux/netlink.h>

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <utility>

namespace fabric::linux_host {

namespace {

constexpr std::string_view kSubsystemKey = "SUBSYSTEM=";
constexpr unsigned kKernelGroup = 1;

class UeventSocket : public host::DeviceEvents {
  public:
    explicit UeventSocket(UniqueFd fd) : fd_(std::move(fd)) {}

    Result<std::optional<host::DeviceEvent>> next(
        std::chrono::steady_clock::time_point deadline) override {
        while (true) {
            if (auto event = TRY(receive())) {
                return event;
            }
            if (!TRY(waitReadable(deadline))) {
                return std::nullopt;
            }
        }
    }

  private:
    // False at the deadline and when a signal came. Signals that the caller keeps
    // blocked are let in here, so that none is missed between its look and this wait.
    [[nodiscard]] Result<bool> waitReadable(
        std::chrono::steady_clock::time_point deadline) const {
        const auto left = deadline - std::chrono::steady_clock::now();
        if (left.count() <= 0) {
            return false;
        }
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
        const auto rest =
            std::chrono::duration_cast<std::chrono::nanoseconds>(left - seconds);
        const timespec timeout{.tv_sec = seconds.count(), .tv_nsec = rest.count()};
        sigset_t none;
        sigemptyset(&none);
        pollfd poll{.fd = fd_.get(), .events = POLLIN, .revents = 0};
        const int ready = ::ppoll(&poll, 1, &timeout, &none);
        if (ready < 0 && errno != EINTR) {
            return fail(systemError("wait for device events", "uevent socket", errno));
        }
        return ready > 0;
    }

    // The next kernel event that is already queued; foreign senders are dropped.
    [[nodiscard]] Result<std::optional<host::DeviceEvent>> receive() const {
        std::array<char, 8192> buffer{};
        while (true) {
            sockaddr_nl sender{};
            socklen_t length = sizeof(sender);
            const ssize_t size = ::recvfrom(fd_.get(),
                                            buffer.data(),
                                            buffer.size(),
                                            MSG_DONTWAIT,
                                            reinterpret_cast<sockaddr*>(&sender),
                                            &length);
            if (size < 0 && (errno == EAGAIN || errno == EINTR)) {
                return std::nullopt;
            }
            if (size < 0) {
                Error error = systemError("read device events", "uevent socket", errno);
                error.kind = errno == ENOBUFS ? ErrorKind::busy : error.kind;
                return fail(std::move(error));
            }
            if (sender.nl_pid != 0) {
                continue;
            }
            if (auto event =
                    parseUevent({buffer.data(), static_cast<std::size_t>(size)})) {
                return event;
            }
        }
    }

    UniqueFd fd_;
};

}  // namespace

std::optional<host::DeviceEvent> parseUevent(std::span<const char> datagram) {
    std::string_view rest(datagram.data(), datagram.size());
    const std::string_view head = rest.substr(0, rest.find('\0'));
    const std::size_t at = head.find('@');
    if (at == std::string_view::npos || at == 0) {
        return std::nullopt;
    }
    host::DeviceEvent event{.action = std::string(head.substr(0, at)),
                            .subsystem = {},
                            .devicePath = std::string(head.substr(at + 1))};
    while (!rest.empty()) {
        const std::string_view entry = rest.substr(0, rest.find('\0'));
        if (entry.starts_with(kSubsystemKey)) {
            event.subsystem = entry.substr(kSubsystemKey.size());
        }
        rest.remove_prefix(std::min(rest.size(), entry.size() + 1));
    }
    return event;
}

Result<std::unique_ptr<host::DeviceEvents>> UeventWatcher::watch() const {
    UniqueFd fd(::socket(
        AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT));
    if (!fd.valid()) {
        return fail(systemError("open", "uevent socket", errno));
    }
    sockaddr_nl address{};
    address.nl_family = AF_NETLINK;
    address.nl_groups = kKernelGroup;
    if (::bind(fd.get(),
               reinterpret_cast<const sockaddr*>(&address),
               sizeof(address)) != 0) {
        return fail(systemError("subscribe to device events", "uevent socket", errno));
    }
    return std::make_unique<UeventSocket>(std::move(fd));
}

}  // namespace fabric::linux_host
