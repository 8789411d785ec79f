// SPDX-License-Identifier: Apache-2.0
#include "linux/private_bus.hpp"

#include <gtest/gtest.h>

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>

namespace fabric::linux_host::testing {

namespace {

constexpr const char* kVariable = "DBUS_SYSTEM_BUS_ADDRESS";

std::string configuration(const std::string& directory) {
    return "<busconfig><type>session</type><listen>unix:path=" + directory +
           "/bus</listen><auth>EXTERNAL</auth><policy context=\"default\">"
           "<allow send_destination=\"*\"/><allow receive_sender=\"*\"/>"
           "<allow own=\"*\"/><allow user=\"*\"/></policy></busconfig>\n";
}

}  // namespace

PrivateBus::PrivateBus() {
    const std::string file = directory_ / "bus.conf";
    std::ofstream(file) << configuration(directory_ / "");
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    const std::string config = "--config-file=" + file;
    const std::string print = "--print-address=" + std::to_string(ends[1]);
    std::array<char*, 5> arguments{const_cast<char*>("dbus-daemon"),
                                   const_cast<char*>(config.c_str()),
                                   const_cast<char*>(print.c_str()),
                                   const_cast<char*>("--nofork"),
                                   nullptr};
    EXPECT_EQ(::posix_spawnp(
                  &daemon_, "dbus-daemon", nullptr, nullptr, arguments.data(), environ),
              0)
        << "install the package dbus";
    ::close(ends[1]);
    char letter = 0;
    while (::read(ends[0], &letter, 1) == 1 && letter != '\n') {
        address_ += letter;
    }
    ::close(ends[0]);
    ::setenv(kVariable, address_.c_str(), 1);
}

PrivateBus::~PrivateBus() {
    end();
    ::unsetenv(kVariable);
}

void PrivateBus::end() {
    if (daemon_ > 0) {
        ::kill(daemon_, SIGKILL);
        ::waitpid(daemon_, nullptr, 0);
        daemon_ = 0;
    }
}

}  // namespace fabric::linux_host::testing
