// SPDX-License-Identifier: Apache-2.0
#include "netns/two_hosts.hpp"

namespace fabric::netns {

namespace {

// Three requests without answer end in FAILED after three of these.
constexpr int kRetransmitMs = 100;

}  // namespace

void TwoHosts::SetUp() {
    for (auto* const place : {&wire, &a, &b}) {
        auto made = Namespace::create();
        if (!made) {
            GTEST_SKIP() << "no network namespace of our own: "
                         << made.error().message();
        }
        *place = std::move(*made);
    }
    wire->addBridge("br0");
    wire->addVeth("pa1", *a, "a1", {{0x02, 0, 0, 0, 0xA, 1}});
    wire->addVeth("pa2", *a, "a2", {{0x02, 0, 0, 0, 0xA, 2}});
    wire->addVeth("pb1", *b, "b1", kB1);
    wire->addVeth("pb2", *b, "b2", kB2);
    for (const char* port : {"pa1", "pa2", "pb1", "pb2"}) {
        wire->enslave(port, "br0");
    }
    for (const auto& [host, names] :
         {std::pair{a.get(), std::array{"a1", "a2"}}, {b.get(), {"b1", "b2"}}}) {
        for (const std::string name : names) {
            host->setSysctl("neigh/" + name + "/retrans_time_ms", kRetransmitMs);
        }
    }
    conf_ = std::make_unique<linux_host::RtnlIpv4Conf>(b->netlink(), files_);
    confWriter_ =
        std::make_unique<linux_host::RtnlIpv4ConfWriter>(b->netlink(), fileWriter_);
    memory.files.addDirectory("/run");
}

void TwoHosts::useSeparateSubnets() {
    constexpr std::uint8_t kPrefix = 24;
    firstOfB = {10, 0, 1, 2};
    secondOfB = {10, 0, 2, 2};
    a->addAddress("a1", {10, 0, 1, 1}, kPrefix);
    a->addAddress("a2", {10, 0, 2, 1}, kPrefix);
    b->addAddress("b1", firstOfB, kPrefix);
    b->addAddress("b2", secondOfB, kPrefix);
    await("a1", firstOfB);
    await("a2", secondOfB);
}

void TwoHosts::useOneSubnet() {
    constexpr std::uint8_t kPrefix = 16;
    firstOfB = {10, 9, 1, 2};
    secondOfB = {10, 9, 2, 2};
    a->addAddress("a1", {10, 9, 1, 1}, kPrefix);
    a->addAddress("a2", {10, 9, 2, 1}, kPrefix);
    b->addAddress("b1", firstOfB, kPrefix);
    b->addAddress("b2", secondOfB, kPrefix);
    await("a1", firstOfB);
    await("a2", secondOfB);
}

// A link that was just set up passes nothing until the kernel's link watch has run
// (net/core/link_watch.c).
void TwoHosts::await(const std::string& name, Ipv4 address) {
    constexpr int kRounds = 30;
    for (int round = 0; round < kRounds; ++round) {
        if (a->resolve(name, address)) {
            return;
        }
    }
    FAIL() << name << " never came up";
}

void TwoHosts::setOnB(host::Ipv4Key key, int value) {
    for (const char* name : {"b1", "b2"}) {
        const auto done = confWriter_->set(b->index(name), {{key, value}});
        ASSERT_TRUE(done.has_value()) << done.error().message();
    }
}

TwoHosts::Count TwoHosts::resolveBoth() {
    Count count;
    const auto add = [&](const std::optional<MacAddress>& kept, const MacAddress& own) {
        ++(!kept ? count.none : *kept == own ? count.right : count.wrong);
    };
    for (int attempt = 0; attempt < kTries; ++attempt) {
        add(a->resolve("a1", firstOfB), kB1);
        add(a->resolve("a2", secondOfB), kB2);
    }
    return count;
}

host::Reader TwoHosts::readerOfB() {
    const host::Reader fake = memory.reader();
    return {.files = fake.files,
            .links = b->links(),
            .watcher = b->links(),
            .dcb = fake.dcb,
            .ethtool = fake.ethtool,
            .pci = fake.pci,
            .rdma = fake.rdma,
            .ipv4 = *conf_,
            .clock = fake.clock};
}

host::Writer TwoHosts::writerOfB() {
    const host::Writer fake = memory.writer();
    return {.files = fake.files,
            .links = fake.links,
            .dcb = fake.dcb,
            .ethtool = fake.ethtool,
            .pci = fake.pci,
            .ipv4 = *confWriter_};
}

}  // namespace fabric::netns
