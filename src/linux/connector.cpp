// SPDX-License-Identifier: Apache-2.0
#include "linux/connector.hpp"

#include "base/unique_fd.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace fabric::linux_host {

namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;
using Outcome = Result<microseconds>;

// Fewer than RLIMIT_NOFILE of any login.
constexpr std::size_t kAtOnce = 256;

struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t length = 0;

    [[nodiscard]] const sockaddr* generic() const {
        return reinterpret_cast<const sockaddr*>(&storage);
    }
};

SocketAddress addressOf(const IpAddress& address, std::uint16_t port, IfIndex via) {
    SocketAddress made;
    if (address.ipv6) {
        sockaddr_in6 six{};
        six.sin6_family = AF_INET6;
        six.sin6_port = htons(port);
        six.sin6_scope_id = address.isLinkLocal() ? via.number : 0;
        std::memcpy(&six.sin6_addr, address.octets.data(), sizeof six.sin6_addr);
        std::memcpy(&made.storage, &six, sizeof six);
        made.length = sizeof six;
    } else {
        sockaddr_in four{};
        four.sin_family = AF_INET;
        four.sin_port = htons(port);
        std::memcpy(&four.sin_addr, address.octets.data(), sizeof four.sin_addr);
        std::memcpy(&made.storage, &four, sizeof four);
        made.length = sizeof four;
    }
    return made;
}

Error errorOf(const host::Connection& wanted, int sysErrno) {
    Error error = systemError(
        "connect",
        fmt::format(
            "{} to {} port {}", wanted.from.text(), wanted.to.text(), wanted.port),
        sysErrno);
    if (sysErrno == ECONNREFUSED) {
        error.kind = ErrorKind::refused;
    } else if (sysErrno == ETIMEDOUT) {
        error.kind = ErrorKind::timeout;
    }
    return error;
}

// One connection on its way.
class Attempt {
  public:
    explicit Attempt(const host::Connection& wanted)
        : wanted_(wanted), begin_(steady_clock::now()) {
        if (const int error = start(); error != EINPROGRESS) {
            finish(error);
        }
    }

    [[nodiscard]] bool pending() const { return !outcome_; }

    [[nodiscard]] int fd() const { return socket_.get(); }

    void settle() {
        int error = 0;
        socklen_t length = sizeof error;
        if (::getsockopt(fd(), SOL_SOCKET, SO_ERROR, &error, &length) != 0) {
            error = errno;
        }
        finish(error);
    }

    // Of one that is still pending: no answer in time.
    [[nodiscard]] Outcome outcome() && {
        if (!outcome_) {
            finish(ETIMEDOUT);
        }
        return std::move(outcome_).value();
    }

  private:
    // 0, EINPROGRESS or what went wrong.
    [[nodiscard]] int start() {
        socket_ = UniqueFd(::socket(wanted_.to.ipv6 ? AF_INET6 : AF_INET,
                                    SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
                                    0));
        if (!socket_.valid()) {
            return errno;
        }
        const int via = static_cast<int>(wanted_.via.number);
        if (via != 0 &&
            ::setsockopt(fd(), SOL_SOCKET, SO_BINDTOIFINDEX, &via, sizeof via) != 0) {
            return errno;
        }
        const SocketAddress from = addressOf(wanted_.from, 0, wanted_.via);
        if (::bind(fd(), from.generic(), from.length) != 0) {
            return errno;
        }
        const SocketAddress to = addressOf(wanted_.to, wanted_.port, wanted_.via);
        return ::connect(fd(), to.generic(), to.length) == 0 ? 0 : errno;
    }

    void finish(int error) {
        socket_ = UniqueFd();
        outcome_ = error == 0 ? Outcome(std::chrono::duration_cast<microseconds>(
                                    steady_clock::now() - begin_))
                              : fail(errorOf(wanted_, error));
    }

    const host::Connection& wanted_;
    steady_clock::time_point begin_;
    UniqueFd socket_;
    std::optional<Outcome> outcome_;
};

int millisecondsLeft(steady_clock::time_point deadline) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now());
    return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
}

// Settles those that became ready; false at the deadline.
bool waitOnce(std::vector<Attempt>& attempts, steady_clock::time_point deadline) {
    std::vector<pollfd> waiting;
    std::vector<Attempt*> owners;
    for (Attempt& attempt : attempts) {
        if (attempt.pending()) {
            waiting.push_back({.fd = attempt.fd(), .events = POLLOUT, .revents = 0});
            owners.push_back(&attempt);
        }
    }
    const int left = millisecondsLeft(deadline);
    if (waiting.empty() || left == 0) {
        return false;
    }
    if (::poll(waiting.data(), waiting.size(), left) < 0 && errno != EINTR) {
        return false;
    }
    for (std::size_t at = 0; at < waiting.size(); ++at) {
        if (waiting[at].revents != 0) {
            owners[at]->settle();
        }
    }
    return true;
}

}  // namespace

std::vector<Outcome> TcpConnector::connect(std::span<const host::Connection> wanted,
                                           std::chrono::milliseconds limit) {
    std::vector<Outcome> outcomes;
    while (outcomes.size() < wanted.size()) {
        const auto wave =
            wanted.subspan(outcomes.size())
                .first(std::min(kAtOnce, wanted.size() - outcomes.size()));
        const auto deadline = steady_clock::now() + limit;
        std::vector<Attempt> attempts;
        attempts.reserve(wave.size());
        for (const host::Connection& one : wave) {
            attempts.emplace_back(one);
        }
        while (waitOnce(attempts, deadline)) {
        }
        for (Attempt& attempt : attempts) {
            outcomes.push_back(std::move(attempt).outcome());
        }
    }
    return outcomes;
}

}  // namespace fabric::linux_host
