// SPDX-License-Identifier: Apache-2.0
#include "linux/dcb_channel.hpp"

#include "fake/fake_files.hpp"
#include "linux/dcb_writer.hpp"
#include "linux/netlink_peer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>

#include <cerrno>
#include <deque>

namespace fabric::linux_host {
namespace {

using namespace testing;
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

// The names that one link has, look after look; the last one stays.
class NamesOverTime : public LinkNames {
  public:
    explicit NamesOverTime(std::deque<std::string> names) : names_(std::move(names)) {}

    Result<std::string> nameOf(IfIndex link) const override {
        const std::string name = names_.front();
        if (names_.size() > 1) {
            names_.pop_front();
        }
        if (name.empty()) {
            return fail(systemError("find interface", describe(link), ENODEV));
        }
        return name;
    }

  private:
    mutable std::deque<std::string> names_;
};

Bytes dcbPayload(std::uint8_t command, const Bytes& attributes) {
    Bytes payload;
    appendValue(payload, dcbmsg{.dcb_family = 0, .cmd = command, .dcb_pad = 0});
    appendBytes(payload, attributes);
    return payload;
}

Bytes answer(std::uint32_t sequence, std::uint16_t type = RTM_GETDCB) {
    const std::uint8_t command =
        type == RTM_GETDCB ? DCB_CMD_IEEE_GET : DCB_CMD_IEEE_SET;
    return message(type, sequence, dcbPayload(command, bytesOf("attributes..")));
}

std::string nameIn(const Bytes& sent) {
    const auto attributes = Attributes::parse(ByteView(sent).subspan(16 + 4));
    return attributes ? attributes->text(DCB_ATTR_IFNAME) : std::string();
}

struct Machine {
    explicit Machine(std::vector<NetlinkPeer::Script> scripts,
                     std::deque<std::string> nameList = {"rail0"})
        : peer(std::move(scripts)), names(std::move(nameList)) {
        files.addFile("/proc/self/uid_map", "         0          0 4294967295\n");
    }

    NetlinkPeer peer;
    NamesOverTime names;
    fake::FakeFiles files;
    NetlinkChannel netlink{peer.opener(), 30ms};
    DcbChannel channel{netlink, names, files};
    RtnlDcbReader reader{channel};
    RtnlDcbWriter writer{channel};
};

const host::DcbRequest kGet{
    .link = IfIndex{7}, .command = host::DcbCommand::ieeeGet, .attributes = {}};

Bytes oneAttribute() {
    Bytes bytes;
    appendAttribute(bytes, DCB_ATTR_DCBX, std::uint8_t{5});
    return bytes;
}

const host::DcbRequest kSet{.link = IfIndex{7},
                            .command = host::DcbCommand::ieeeSet,
                            .attributes = oneAttribute()};

TEST(DcbChannel, the_request_is_dcbmsg_name_and_attributes) {
    Machine machine({{answer(1, RTM_SETDCB)}});
    EXPECT_EQ(machine.writer.set(kSet).value(), bytesOf("attributes.."));
    const auto sent = machine.peer.takeRequests();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(valueAt<nlmsghdr>(sent[0])->nlmsg_type, RTM_SETDCB);
    Bytes expected;
    appendAttribute(expected, DCB_ATTR_IFNAME, std::as_bytes(std::span("rail0", 6)));
    appendBytes(expected, oneAttribute());
    EXPECT_EQ(Bytes(sent[0].begin() + 16, sent[0].end()),
              dcbPayload(DCB_CMD_IEEE_SET, expected));
}

TEST(DcbChannel, D18_enodev_is_tried_once_more_under_the_new_name) {
    Machine machine({{errorMessage(1, -ENODEV), answer(2, RTM_SETDCB)}},
                    {"eth0", "ens1f0np0"});
    EXPECT_TRUE(machine.writer.set(kSet));
    const auto sent = machine.peer.takeRequests();
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(nameIn(sent[0]), "eth0");
    EXPECT_EQ(nameIn(sent[1]), "ens1f0np0");
}

TEST(DcbChannel, D18_enodev_under_the_same_name_is_final) {
    Machine machine({{errorMessage(1, -ENODEV), answer(2, RTM_SETDCB)}});
    EXPECT_EQ(machine.writer.set(kSet).error().kind, ErrorKind::notFound);
    EXPECT_EQ(machine.peer.takeRequests().size(), 1U);
}

TEST(DcbChannel, D18_a_second_enodev_is_final) {
    Machine machine({{errorMessage(1, -ENODEV), errorMessage(2, -ENODEV)}},
                    {"a", "b", "c", "d"});
    EXPECT_EQ(machine.writer.set(kSet).error().kind, ErrorKind::notFound);
    EXPECT_EQ(machine.peer.takeRequests().size(), 2U);
}

TEST(DcbChannel, D18_a_write_answered_under_a_name_that_moved_is_not_attributed) {
    Machine machine({{answer(1, RTM_SETDCB)}}, {"eth0", "ens1f0np0"});
    const auto done = machine.writer.set(kSet);
    EXPECT_EQ(done.error().kind, ErrorKind::mismatch);
    EXPECT_THAT(done.error().message(), HasSubstr("ens1f0np0"));
}

TEST(DcbChannel, D18_a_read_answered_under_a_name_that_moved_is_not_attributed) {
    Machine machine({{answer(1)}}, {"eth0", "ens1f0np0"});
    EXPECT_EQ(machine.reader.get(kGet).error().kind, ErrorKind::mismatch);
}

TEST(DcbChannel, D18_a_link_that_is_gone_after_the_answer_is_not_attributed) {
    Machine machine({{answer(1)}}, {"eth0", ""});
    EXPECT_EQ(machine.reader.get(kGet).error().kind, ErrorKind::mismatch);
}

TEST(DcbChannel, D20_eperm_in_a_user_namespace_names_the_initial_one) {
    Machine machine({{errorMessage(1, -EPERM)}});
    machine.files.addFile("/proc/self/uid_map", "         0       1000          1\n");
    const Error error = machine.writer.set(kSet).error();
    EXPECT_EQ(error.kind, ErrorKind::permission);
    EXPECT_THAT(error.advice, HasSubstr("CAP_NET_ADMIN in the initial user namespace"));
    EXPECT_THAT(error.advice, HasSubstr("this process runs in a user namespace"));
}

TEST(DcbChannel, D20_eperm_without_the_capability_does_not_blame_a_user_namespace) {
    Machine machine({{errorMessage(1, -EPERM)}});
    const Error error = machine.writer.set(kSet).error();
    EXPECT_THAT(error.advice, HasSubstr("run as root"));
    EXPECT_THAT(error.advice, Not(HasSubstr("runs in a user namespace")));
}

TEST(DcbChannel, a_reader_refuses_to_write_and_sends_nothing) {
    using enum host::DcbCommand;
    for (const auto command : {ieeeSet, setDcbx, ieeeDelete}) {
        Machine machine({{answer(1)}});
        const auto read = machine.reader.get({.link = IfIndex{7}, .command = command});
        EXPECT_EQ(read.error().kind, ErrorKind::bug);
        EXPECT_EQ(machine.peer.openings(), 0U);
    }
}

TEST(DcbChannel, a_driver_without_dcb_is_unsupported_and_named) {
    Machine machine({{errorMessage(1, -EOPNOTSUPP)}});
    const Error error = machine.reader.get(kGet).error();
    EXPECT_EQ(error.kind, ErrorKind::unsupported);
    EXPECT_EQ(error.subject, "rail0 (ifindex 7)");
}

TEST(DcbChannel, an_answer_to_another_command_or_a_cut_one_is_malformed) {
    Machine other({{message(RTM_GETDCB, 1, dcbPayload(DCB_CMD_GDCBX, {}))}});
    EXPECT_EQ(other.reader.get(kGet).error().kind, ErrorKind::malformed);
    Machine cut({{message(RTM_GETDCB, 1, bytesOf("abc"))}});
    EXPECT_EQ(cut.reader.get(kGet).error().kind, ErrorKind::malformed);
}

TEST(DcbChannel, a_link_that_does_not_exist_is_not_asked_for) {
    Machine machine({{answer(1)}}, {""});
    EXPECT_EQ(machine.reader.get(kGet).error().kind, ErrorKind::notFound);
    EXPECT_EQ(machine.peer.openings(), 0U);
}

TEST(DcbChannel, D03_a_leftover_acknowledgement_never_makes_a_refused_write_a_success) {
    Machine machine({{answer(1), errorMessage(1, 0), errorMessage(2, -EINVAL)}});
    EXPECT_TRUE(machine.reader.get(kGet));
    EXPECT_EQ(machine.writer.set(kSet).error().sysErrno, EINVAL);
}

}  // namespace
}  // namespace fabric::linux_host
