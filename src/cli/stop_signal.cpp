// SPDX-License-Identifier: Apache-2.0
#include "cli/stop_signal.hpp"

#include <signal.h>

namespace fabric::cli {

namespace {

volatile sig_atomic_t received = 0;

void note(int signal) {
    received = signal;
}

}  // namespace

void holdStopSignals() {
    struct sigaction action{};
    action.sa_handler = note;
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : {SIGINT, SIGTERM}) {
        ::sigaction(signal, &action, nullptr);
        sigaddset(&held, signal);
    }
    ::sigprocmask(SIG_BLOCK, &held, nullptr);
}

std::optional<std::string> stopSignal() {
    sigset_t pending;
    sigemptyset(&pending);
    ::sigpending(&pending);
    if (received == SIGTERM || sigismember(&pending, SIGTERM) == 1) {
        return "SIGTERM";
    }
    if (received == SIGINT || sigismember(&pending, SIGINT) == 1) {
        return "SIGINT";
    }
    return std::nullopt;
}

}  // namespace fabric::cli
