// SPDX-License-Identifier: Apache-2.0
#include "linux/watchdog.hpp"

#include "base/process_stat.hpp"
#include "base/unique_fd.hpp"
#include "linux/open_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fabric::linux_host {

namespace {

constexpr int kPatienceMs = 10'000;  // for a process of our own to answer or to end
constexpr const char* kPath = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";

// What the child says when it waits.
struct Word {
    int error = 0;
    timespec left{};  // until the deadline, as its timer tells it
};

Error notArmed(int number, std::string detail) {
    Error error = systemError("start", "a process that waits for the deadline", number);
    error.detail = std::move(detail);
    return error;
}

timespec toTimespec(std::chrono::milliseconds time) {
    constexpr std::int64_t kNsPerMs = 1'000'000;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
    return {.tv_sec = seconds.count(), .tv_nsec = (time - seconds).count() * kNsPerMs};
}

// Between fork and exec only async-signal-safe calls (signal-safety(7)).
class Waiting {
  public:
    explicit Waiting(const host::DelayedCommand& command)
        : delay_(toTimespec(command.delay)), texts_(command.arguments) {
        std::ranges::transform(texts_,
                               std::back_inserter(arguments_),
                               [](std::string& text) { return text.data(); });
        arguments_.push_back(nullptr);
        environment_ = {path_.data(), nullptr};
    }

    [[noreturn]] void run(int report) {
        constexpr int kNotRun = 127;
        const int timer = settle(report);
        Word word{.error = timer < 0 ? errno : 0, .left = {}};
        itimerspec left{};
        if (timer >= 0 && ::timerfd_gettime(timer, &left) == 0) {
            word.left = left.it_value;
        }
        if (::write(kReport, &word, sizeof word) != sizeof word || word.error != 0) {
            ::_exit(kNotRun);
        }
        ::close(kReport);
        pollfd elapsed{.fd = timer, .events = POLLIN, .revents = 0};
        while (::poll(&elapsed, 1, -1) < 1) {
        }
        ::execve(arguments_.front(), arguments_.data(), environment_.data());
        ::_exit(kNotRun);
    }

  private:
    static constexpr int kReport = STDERR_FILENO + 1;

    // The timer, or -1 and errno. Everything else that was open is closed: the lock of
    // the run above all, which every copy of its descriptor holds.
    [[nodiscard]] int settle(int report) const {
        if (::setsid() < 0 || ::chdir("/") != 0 || !resetSignals()) {
            return -1;
        }
        const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC | O_NOCTTY);
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
            if (nothing < 0 || ::dup2(nothing, stream) < 0) {
                return -1;
            }
        }
        if ((report != kReport && ::dup2(report, kReport) < 0) ||
            ::close_range(kReport + 1, ~0U, 0) != 0) {
            return -1;
        }
        const int timer = ::timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC);
        const itimerspec once{.it_interval = {}, .it_value = delay_};
        return timer >= 0 && ::timerfd_settime(timer, 0, &once, nullptr) == 0 ? timer
                                                                              : -1;
    }

    // The end of a session or of a terminal does not end it, nor what it becomes.
    static bool resetSignals() {
        for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGPIPE}) {
            ::signal(signal, SIG_IGN);
        }
        for (const int signal : {SIGTERM, SIGALRM, SIGCHLD}) {
            ::signal(signal, SIG_DFL);
        }
        sigset_t none;
        sigemptyset(&none);
        return ::sigprocmask(SIG_SETMASK, &none, nullptr) == 0;
    }

    timespec delay_;
    std::vector<std::string> texts_;
    std::vector<char*> arguments_;
    std::string path_ = kPath;
    std::array<char*, 2> environment_{};
};

// Empty: there is no such process.
std::optional<std::uint64_t> startOf(std::uint32_t process) {
    const std::string path = fmt::format("/proc/{}/stat", process);
    const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    constexpr std::size_t kLimit = 4096;
    const auto text = fd.valid() ? readWhole(fd.get(), path, kLimit)
                                 : fail(systemError("open", path, errno));
    return text ? startOfProcess(*text) : std::nullopt;
}

bool awaitInput(int fd) {
    pollfd poller{.fd = fd, .events = POLLIN, .revents = 0};
    int ready = 0;
    do {
        ready = ::poll(&poller, 1, kPatienceMs);
    } while (ready < 0 && errno == EINTR);
    return ready > 0;
}

Result<void> heard(int fd) {
    Word word;
    if (!awaitInput(fd) || ::read(fd, &word, sizeof word) != sizeof word) {
        return fail(notArmed(ETIMEDOUT, "it did not say that it waits"));
    }
    if (word.error != 0) {
        return fail(notArmed(word.error, {}));
    }
    return word.left.tv_sec > 0 || word.left.tv_nsec > 0
               ? Result<void>{}
               : fail(notArmed(ETIMEDOUT, "its deadline is over already"));
}

}  // namespace

Result<host::CommandKeeper> Watchdog::arm(const host::DelayedCommand& command) {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return fail(notArmed(errno, {}));
    }
    const UniqueFd reading(ends[0]);
    UniqueFd writing(ends[1]);
    Waiting waiting(command);
    const pid_t child = ::fork();
    if (child < 0) {
        return fail(notArmed(errno, {}));
    }
    if (child == 0) {
        waiting.run(writing.get());
    }
    writing = UniqueFd();
    const host::CommandKeeper keeper{
        .timer = {},
        .process = static_cast<std::uint32_t>(child),
        .processStart = startOf(static_cast<std::uint32_t>(child)).value_or(0)};
    Result<void> armed = heard(reading.get());
    if (armed && keeper.processStart == 0) {
        armed = fail(notArmed(ESRCH, "it has ended"));
    }
    if (!armed) {
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        return fail(std::move(armed.error()));
    }
    return keeper;
}

Result<void> Watchdog::release(const host::CommandKeeper& keeper) {
    return keeper.process == static_cast<std::uint32_t>(::getpid()) ? Result<void>{}
                                                                    : disarm(keeper);
}

Result<void> Watchdog::disarm(const host::CommandKeeper& keeper) {
    const UniqueFd process(
        static_cast<int>(::syscall(SYS_pidfd_open, keeper.process, 0)));
    // Looked at after it was opened: another process of this number starts later.
    if (!process.valid() || startOf(keeper.process) != keeper.processStart) {
        return {};
    }
    const std::string subject = fmt::format("process {}", keeper.process);
    if (::syscall(SYS_pidfd_send_signal, process.get(), SIGTERM, nullptr, 0) != 0 &&
        errno != ESRCH) {
        return fail(systemError("end", subject, errno));
    }
    if (!awaitInput(process.get())) {
        Error error = systemError("end", subject, ETIMEDOUT);
        error.detail = "it waits for the deadline still";
        return fail(std::move(error));
    }
    return {};
}

}  // namespace fabric::linux_host
