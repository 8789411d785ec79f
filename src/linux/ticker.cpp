// SPDX-License-Identifier: Apache-2.0
#include "linux/ticker.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <utility>

namespace fabric::linux_host {

Result<Ticker> Ticker::every(std::chrono::nanoseconds interval) {
    UniqueFd fd(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
    if (!fd.valid()) {
        return fail(systemError("open", "timer", errno));
    }
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(interval);
    const timespec pace{.tv_sec = seconds.count(),
                        .tv_nsec = (interval - seconds).count()};
    const itimerspec times{.it_interval = pace, .it_value = pace};
    if (::timerfd_settime(fd.get(), 0, &times, nullptr) != 0) {
        return fail(systemError("start", "timer", errno));
    }
    return Ticker(std::move(fd));
}

Result<bool> Ticker::wait() const {
    sigset_t none;
    sigemptyset(&none);
    pollfd poll{.fd = fd_.get(), .events = POLLIN, .revents = 0};
    if (::ppoll(&poll, 1, nullptr, &none) < 0) {
        return errno == EINTR ? Result<bool>(false)
                              : fail(systemError("wait for", "timer", errno));
    }
    std::uint64_t times = 0;
    if (::read(fd_.get(), &times, sizeof times) < 0 && errno != EAGAIN) {
        return fail(systemError("read", "timer", errno));
    }
    return true;
}

}  // namespace fabric::linux_host
