// SPDX-License-Identifier: Apache-2.0
#include "linux/bounded_child.hpp"

#include "base/unique_fd.hpp"

#include <linux/close_range.h>

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

namespace fabric::linux_host {

namespace {

using std::chrono::steady_clock;

struct Pipe {
    UniqueFd reading;
    UniqueFd writing;

    [[nodiscard]] static Pipe make() {
        std::array<int, 2> ends{-1, -1};
        return ::pipe2(ends.data(), O_CLOEXEC) == 0
                   ? Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])}
                   : Pipe{};
    }
};

// Between fork and exec only async-signal-safe calls (signal-safety(7)); the identity
// was looked up before.
class ChildSide {
  public:
    ChildSide(const ChildRequest& request, int output, int report)
        : request_(request),
          program_(request.program),
          argument_(request.argument),
          output_(output),
          report_(report) {}

    [[noreturn]] void run() {
        std::array<char*, 3> arguments{program_.data(), argument_.data(), nullptr};
        std::array<char, 14> path{"PATH=/usr/bin"};
        std::array<char, 9> locale{"LC_ALL=C"};
        std::array<char*, 3> environment{path.data(), locale.data(), nullptr};
        if (settle()) {
            ::execve(program_.c_str(), arguments.data(), environment.data());
        }
        const int error = errno;
        constexpr int kNotTold = 126;
        constexpr int kNotRun = 127;
        ::_exit(::write(report_, &error, sizeof error) < 0 ? kNotTold : kNotRun);
    }

  private:
    [[nodiscard]] bool settle() const {
        const rlimit none{.rlim_cur = 0, .rlim_max = 0};
        return ::setpgid(0, 0) == 0 && resetSignals() && connect() &&
               ::setrlimit(RLIMIT_CORE, &none) == 0 && ::chdir("/") == 0 && become() &&
               ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
               ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;
    }

    static bool resetSignals() {
        sigset_t none;
        sigemptyset(&none);
        for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGALRM}) {
            ::signal(signal, SIG_DFL);
        }
        return ::sigprocmask(SIG_SETMASK, &none, nullptr) == 0;
    }

    [[nodiscard]] bool connect() const {
        const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        return nothing >= 0 && ::dup2(nothing, STDIN_FILENO) >= 0 &&
               ::dup2(output_, STDOUT_FILENO) >= 0 &&
               ::dup2(output_, STDERR_FILENO) >= 0 &&
               // Ours are close-on-exec anyway; not so what our caller left open.
               ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0;
    }

    [[nodiscard]] bool become() const {
        const ChildIdentity* const identity = request_.identity;
        return identity == nullptr ||
               (::setgroups(identity->groups.size(), identity->groups.data()) == 0 &&
                ::setgid(identity->group) == 0 && ::setuid(identity->user) == 0);
    }

    const ChildRequest& request_;
    std::string program_;
    std::string argument_;
    int output_;
    int report_;
};

class ParentSide {
  public:
    ParentSide(const ChildRequest& request, pid_t child)
        : request_(request),
          child_(child),
          end_(static_cast<int>(::syscall(SYS_pidfd_open, child, 0))),
          deadline_(steady_clock::now() + request.deadline) {}

    ParentSide(const ParentSide&) = delete;
    ParentSide& operator=(const ParentSide&) = delete;
    ParentSide(ParentSide&&) = delete;
    ParentSide& operator=(ParentSide&&) = delete;

    ~ParentSide() {
        const bool killed = killGroup();
        if (!reaped_) {
            // One that cannot be killed must not hold us: it is left to its service's
            // control group.
            while (::waitpid(child_, nullptr, killed ? 0 : WNOHANG) < 0 &&
                   errno == EINTR) {
            }
        }
    }

    Result<ChildOutcome> watch(int output, int report) {
        bool open = true;
        while (open || !reaped_) {
            if (!waitForNews(open ? output : -1)) {
                return fail(overdue());
            }
            if (hasEnded()) {
                // Whoever of the group still holds the pipe has nothing to say.
                killGroup();
            }
            open = open && take(output);
        }
        int error = 0;
        if (::read(report, &error, sizeof error) == sizeof error) {
            return fail(systemError("run", request_.program, error));
        }
        return judged();
    }

  private:
    // The child makes its group first thing, so that one without a group is one that
    // has done nothing yet.
    [[nodiscard]] bool signalled() const {
        return ::kill(-child_, SIGKILL) == 0 || ::kill(child_, SIGKILL) == 0;
    }

    // A hardened unit may lack CAP_KILL; the same user needs none (kill(2)).
    bool killGroup() {
        if (signalled() || errno != EPERM || request_.identity == nullptr) {
            return errno != EPERM;
        }
        const uid_t own = ::geteuid();
        const bool changed = ::seteuid(request_.identity->user) == 0;
        const bool killed = changed && signalled();
        // Back to root, or nothing after this would work.
        if (changed && ::seteuid(own) != 0) {
            std::abort();
        }
        return killed;
    }

    // False at the deadline.
    [[nodiscard]] bool waitForNews(int output) const {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline_ - steady_clock::now());
        if (left.count() <= 0) {
            return false;
        }
        std::array<pollfd, 2> both{
            pollfd{.fd = output, .events = POLLIN, .revents = 0},
            pollfd{.fd = reaped_ ? -1 : end_.get(), .events = POLLIN, .revents = 0}};
        ::poll(both.data(), both.size(), static_cast<int>(left.count()) + 1);
        return true;
    }

    [[nodiscard]] bool hasEnded() {
        if (!reaped_ && ::waitpid(child_, &status_, WNOHANG) == child_) {
            reaped_ = true;
            return true;
        }
        return false;
    }

    // False when the stream has ended.
    [[nodiscard]] bool take(int output) {
        std::array<char, 4096> buffer{};
        while (true) {
            const ssize_t got = ::read(output, buffer.data(), buffer.size());
            if (got <= 0) {
                return got < 0 && (errno == EAGAIN || errno == EINTR);
            }
            const std::size_t room =
                request_.outputLimit -
                std::min(request_.outputLimit, outcome_.output.size());
            outcome_.output.append(buffer.data(),
                                   std::min(room, static_cast<std::size_t>(got)));
            if (steady_clock::now() >= deadline_) {
                return true;
            }
        }
    }

    [[nodiscard]] Error overdue() const {
        return {.kind = ErrorKind::timeout,
                .action = "run",
                .subject = request_.program + " " + request_.argument,
                .sysErrno = 0,
                .detail = "no end after " + std::to_string(request_.deadline.count()) +
                          " ms; it was killed",
                .advice = "run it by hand and see what it waits for"};
    }

    [[nodiscard]] Result<ChildOutcome> judged() {
        if (WIFSIGNALED(status_)) {
            return fail(Error{
                .kind = ErrorKind::refused,
                .action = "run",
                .subject = request_.program + " " + request_.argument,
                .sysErrno = 0,
                .detail = "it was ended by signal " + std::to_string(WTERMSIG(status_)),
                .advice = "run it by hand; is a library missing?"});
        }
        outcome_.exitStatus = WEXITSTATUS(status_);
        return std::move(outcome_);
    }

    const ChildRequest& request_;
    pid_t child_;
    UniqueFd end_;
    steady_clock::time_point deadline_;
    ChildOutcome outcome_;
    int status_ = 0;
    bool reaped_ = false;
};

}  // namespace

Result<ChildOutcome> runBounded(const ChildRequest& request) {
    Pipe output = Pipe::make();
    Pipe report = Pipe::make();
    if (!output.writing.valid() || !report.writing.valid() ||
        ::fcntl(output.reading.get(), F_SETFL, O_NONBLOCK) != 0 ||
        ::fcntl(report.reading.get(), F_SETFL, O_NONBLOCK) != 0) {
        return fail(systemError("make a pipe for", request.program, errno));
    }
    ChildSide side(request, output.writing.get(), report.writing.get());
    const pid_t child = ::fork();
    if (child < 0) {
        return fail(systemError("fork for", request.program, errno));
    }
    if (child == 0) {
        side.run();
    }
    ParentSide parent(request, child);
    output.writing = UniqueFd();
    report.writing = UniqueFd();
    return parent.watch(output.reading.get(), report.reading.get());
}

}  // namespace fabric::linux_host
