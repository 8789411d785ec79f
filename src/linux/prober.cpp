// SPDX-License-Identifier: Apache-2.0
#include "linux/prober.hpp"

#include "linux/arp_frame.hpp"
#include "linux/link_names.hpp"
#include "linux/packet_socket.hpp"

#include <poll.h>
#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

namespace fabric::linux_host {

namespace {

using std::chrono::steady_clock;
using Deadline = steady_clock::time_point;

// False at the deadline, also while frames keep coming.
Result<bool> waitReadable(std::vector<pollfd>& waiting, Deadline deadline) {
    while (steady_clock::now() < deadline) {
        using std::chrono::nanoseconds;
        const auto left = std::max(
            nanoseconds{0},
            std::chrono::duration_cast<nanoseconds>(deadline - steady_clock::now()));
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
        const timespec timeout{.tv_sec = seconds.count(),
                               .tv_nsec = (left - seconds).count()};
        const int ready = ::ppoll(waiting.data(), waiting.size(), &timeout, nullptr);
        if (ready >= 0) {
            return ready > 0;
        }
        if (errno != EINTR) {
            return fail(systemError("wait for frames", {}, errno));
        }
    }
    return false;
}

Result<ProbeNonce> newNonce() {
    ProbeNonce nonce{};
    if (::getrandom(nonce.data(), nonce.size(), 0) !=
        static_cast<ssize_t>(nonce.size())) {
        return fail(systemError("make a nonce", {}, errno == 0 ? EIO : errno));
    }
    return nonce;
}

// One run: every socket listens before the first frame is sent.
class DomainProbe {
  public:
    explicit DomainProbe(const ProbeNonce& nonce) : nonce_(nonce) {}

    void listen(std::span<const IfIndex> links) {
        for (const IfIndex link : links) {
            host::ProbedLink probed{.link = link, .heardFrom = {}, .error = {}};
            auto socket = PacketSocket::open(link, kProbeProtocol);
            if (socket) {
                ears_.push_back({probed_.size(), std::move(*socket)});
            } else {
                probed.error = std::move(socket.error());
            }
            probed_.push_back(std::move(probed));
        }
    }

    void send() {
        for (const Ear& ear : ears_) {
            auto sent = ear.socket.broadcast(probePayload(nonce_, ear.socket.link()));
            if (sent) {
                ++senders_;
            } else {
                probed_[ear.at].error = std::move(sent.error());
            }
        }
    }

    Result<void> hear(Deadline deadline) {
        std::vector<pollfd> waiting;
        for (const Ear& ear : ears_) {
            waiting.push_back({.fd = ear.socket.fd(), .events = POLLIN, .revents = 0});
        }
        while (!complete() && TRY(waitReadable(waiting, deadline))) {
            for (Ear& ear : ears_) {
                TRY(take(ear, deadline));
            }
        }
        return {};
    }

    std::vector<host::ProbedLink> result() { return std::move(probed_); }

  private:
    struct Ear {
        std::size_t at = 0;  // in probed_
        PacketSocket socket;
    };

    // Everybody heard everybody: nothing more can come.
    [[nodiscard]] bool complete() const {
        return std::ranges::all_of(ears_, [&](const Ear& ear) {
            const host::ProbedLink& probed = probed_[ear.at];
            const std::size_t own = probed.error ? 0 : 1;
            return probed.heardFrom.size() + own >= senders_;
        });
    }

    // A link that fails while it listens says so and is asked no more than that.
    Result<void> take(Ear& ear, Deadline deadline) {
        host::ProbedLink& probed = probed_[ear.at];
        while (steady_clock::now() < deadline) {
            const auto frame = ear.socket.receiveNow();
            if (!frame) {
                probed.error = frame.error();
                return {};
            }
            if (!*frame) {
                return {};
            }
            const auto sender = decodeProbe(**frame, nonce_);
            if (sender && *sender != probed.link) {
                probed.heardFrom.insert(*sender);
            }
        }
        return {};
    }

    const ProbeNonce& nonce_;
    std::vector<host::ProbedLink> probed_;
    std::vector<Ear> ears_;
    std::size_t senders_ = 0;
};

Result<void> collectAnswers(PacketSocket& socket,
                            const IpAddress& ipv4,
                            Deadline deadline,
                            std::set<MacAddress>& macs) {
    while (steady_clock::now() < deadline) {
        const auto frame = TRY(socket.receiveNow());
        if (!frame) {
            break;
        }
        const auto answer = decodeArpReply(*frame);
        if (answer && answer->ipv4 == ipv4) {
            macs.insert(answer->mac);
        }
    }
    return {};
}

}  // namespace

Result<std::vector<host::ProbedLink>> PacketProber::probeDomains(
    std::span<const IfIndex> links, std::chrono::milliseconds window) {
    const ProbeNonce nonce = TRY(newNonce());
    DomainProbe probe(nonce);
    probe.listen(links);
    probe.send();
    TRY(probe.hear(steady_clock::now() + window));
    return probe.result();
}

Result<std::vector<MacAddress>> PacketProber::whoAnswers(
    IfIndex link, IpAddress ipv4, std::chrono::milliseconds window) {
    const host::Link told = TRY(links_->link(link));
    if (!told.mac) {
        return fail(Error{.kind = ErrorKind::unsupported,
                          .action = "ask who has " + ipv4.text(),
                          .subject = describe(link, told.name),
                          .detail = "the interface has no Ethernet address"});
    }
    PacketSocket socket = TRY(PacketSocket::open(link, kArpProtocol));
    TRY(socket.broadcast(arpRequest(*told.mac, IpAddress{}, ipv4)));
    // How many answer is only known when the window is over.
    const Deadline deadline = steady_clock::now() + window;
    std::vector<pollfd> waiting{{.fd = socket.fd(), .events = POLLIN, .revents = 0}};
    std::set<MacAddress> macs;
    while (TRY(waitReadable(waiting, deadline))) {
        TRY(collectAnswers(socket, ipv4, deadline, macs));
    }
    return std::vector<MacAddress>(macs.begin(), macs.end());
}

}  // namespace fabric::linux_host
