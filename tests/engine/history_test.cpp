// SPDX-License-Identifier: Apache-2.0
#include "engine/history.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace fabric::engine {
namespace {

constexpr IfIndex kLink{7};

struct Told {
    resource::Write write;
    Value::Object wanted;
};

IpAddress address(const char* text) {
    return IpAddress::parse(text).value();
}

std::vector<Told> writesOfAttributesAndFiles() {
    return {
        {resource::AttributeWrite{.path = "/sys/x", .text = "1"},
         {{"kind", "attribute"}, {"path", "/sys/x"}, {"text", "1"}}},
        {resource::DirectoryCreate{.path = "/etc/x.d"},
         {{"kind", "directory"}, {"path", "/etc/x.d"}}},
        {resource::FileRemove{.path = "/etc/x"},
         {{"kind", "file-removal"}, {"path", "/etc/x"}}},
        {resource::ModuleLoad{.name = "nvidia_peermem"},
         {{"kind", "module"}, {"name", "nvidia_peermem"}}},
        {resource::ManagerReload{.unit = "minio.service"},
         {{"kind", "reload"}, {"unit", "minio.service"}}},
        {host::RestartRequest{.unit = "minio.service"},
         {{"kind", "restart"}, {"unit", "minio.service"}}},
    };
}

std::vector<Told> writesOfLinks() {
    return {
        {resource::MtuWrite{.link = kLink, .bytes = 4200},
         {{"kind", "mtu"}, {"ifindex", 7}, {"bytes", 4200}}},
        {resource::PauseWrite{
             .link = kLink,
             .wanted = {.autonegotiate = false, .rx = true, .tx = false}},
         {{"kind", "pause"},
          {"ifindex", 7},
          {"autonegotiate", false},
          {"rx", true},
          {"tx", false}}},
        {resource::NeighbourDelete{
             .link = kLink, .addresses = {address("10.0.0.2")}, .everyDynamic = true},
         {{"kind", "neighbour-deletion"},
          {"ifindex", 7},
          {"addresses", Value::List{"10.0.0.2"}},
          {"every_dynamic", true}}},
        {resource::NeighbourResolve{.link = kLink, .addresses = {address("fe80::2")}},
         {{"kind", "neighbour-request"},
          {"ifindex", 7},
          {"addresses", Value::List{"fe80::2"}}}},
        {resource::GratuitousArp{.link = kLink,
                                 .mac = MacAddress::parse("02:00:00:00:00:01").value(),
                                 .ipv4 = address("10.0.0.1")},
         {{"kind", "announcement"},
          {"ifindex", 7},
          {"mac", "02:00:00:00:00:01"},
          {"address", "10.0.0.1"}}},
        {resource::Ipv4ConfWrite{.link = IfIndex{}, .values = {}},
         {{"kind", "ipv4-conf"}, {"ifindex", "all"}, {"values", Value::Object{}}}},
    };
}

void expectTold(const std::vector<Told>& cases) {
    for (const Told& one : cases) {
        EXPECT_EQ(describeWrite(one.write, std::nullopt), Value(one.wanted))
            << describeWrite(one.write, std::nullopt).toText();
    }
}

TEST(DescribeWrite, an_attribute_or_file_is_told_by_kind_place_and_text) {
    expectTold(writesOfAttributesAndFiles());
}

TEST(DescribeWrite, a_link_is_told_by_its_index_and_what_it_is_to_have) {
    expectTold(writesOfLinks());
}

TEST(DescribeWrite, a_register_is_told_with_the_word_before_and_after) {
    const host::PciCapabilityWrite write{
        .address = PciAddress::parse("0000:01:00.0").value(),
        .capabilityId = 0x000d,
        .capability = 0x150,
        .registerOffset = 6,
        .clear = 0x000c,
        .set = 0};
    const Value told =
        describeWrite(write, host::PciWordUpdate{.before = 0x001d, .written = 0x0011});
    EXPECT_EQ(*told.member("offset")->asText(), "0x156");
    EXPECT_EQ(*told.member("before")->asText(), "0x001d");
    EXPECT_EQ(*told.member("after")->asText(), "0x0011");
}

}  // namespace
}  // namespace fabric::engine
