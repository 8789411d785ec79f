// SPDX-License-Identifier: Apache-2.0
#include "facts/secrets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace fabric::facts {
namespace {

using namespace std::string_literals;
using ::testing::HasSubstr;
using ::testing::Not;

std::string masked(std::string_view text) {
    return Secrets().masked(text);
}

TEST(Secrets, what_is_assigned_to_a_name_that_may_hold_one_is_left_out) {
    for (const std::string_view text : {"MINIO_ROOT_PASSWORD=S3CR3T",
                                        "export MINIO_ROOT_PASSWORD='S3CR3T'",
                                        "A_B=\"S3CR3T and S3CR3T\"",
                                        "password: S3CR3T and S3CR3T",
                                        "RootPass: S3CR3T",
                                        R"({"secretKey":"S3CR3T","x":1})",
                                        R"({"accessKey" : "S3CR3T"})",
                                        "Authorization: Basic S3CR3T",
                                        "curl -H Bearer S3CR3T",
                                        "minio --secret-key S3CR3T server",
                                        "minio --secret-key=S3CR3T server",
                                        "GET /?X-Amz-Signature=S3CR3T&y=1",
                                        "mc alias set here https://a S3CR3T S3CR3T",
                                        "dial https://me:S3CR3T@node1:9000/x",
                                        "dial https://me:S3/CR@S3CR3T@node1:9000/x"}) {
        EXPECT_THAT(masked(text), Not(HasSubstr("S3CR3T"))) << text;
        EXPECT_THAT(masked(text), HasSubstr("left-out")) << text;
    }
}

TEST(Secrets, what_holds_none_stays_as_it_is) {
    for (const std::string_view text :
         {"mlx5_core 0000:1a:00.0: Port module event: module 0, Cable plugged",
          "MINIO_RDMA_INTERNODE=on MINIO_CONFIG_ENV_FILE=/etc/minio/config.env",
          "dial https://node1:9000/x: connection refused",
          "rdma: bypass: 1, mtu=4096 PORT=1, MLX5_EVENT: port up",

          "user@node1 logged in"}) {
        EXPECT_EQ(masked(text), text);
    }
}

TEST(Secrets, the_other_lines_and_values_of_a_text_are_still_there) {
    EXPECT_EQ(masked("one\npassword: x y\nA_B=c d\n"),
              "one\npassword: left-out\nA_B=left-out d\n");
    EXPECT_EQ(masked("https://me:x@a and https://b"),
              "https://left-out@a and https://b");
}

TEST(Secrets, values_of_this_host_are_left_out_wherever_they_stand) {
    Secrets secrets;
    secrets.learnFile(
        "MINIO_ROOT_PASSWORD=\"correct horse\"\nexport T=battery-staple\n"
        "MINIO_VOLUMES=https://node{1...4}/disk --quiet\n"
        "MINIO_RDMA_INTERNODE=internode-value\nSHORT=x\n");
    secrets.learnProcess("KMS=process-value\0HOME=/home/minio\0"s);
    const std::string text = secrets.masked(std::string_view(
        "horse: correct horse, battery-staple, https://node{1...4}/disk, "
        "internode-value, process-value, --quiet, x, /home/minio"));
    EXPECT_EQ(
        text,
        "horse: left-out, left-out, left-out, internode-value, left-out, --quiet, "
        "x, /home/minio");
}

TEST(Secrets, a_member_of_a_document_is_left_out_by_its_name) {
    const Value tree = Value::Object{
        {"wanted", Value::Object{{"MINIO_ROOT_PASSWORD", "S3CR3T"}, {"MTU", "9000"}}},
        {"list", Value::List{"A_B=S3CR3T", 1}}};
    const Value other = Secrets().masked(tree);
    EXPECT_THAT(other.toText(), Not(HasSubstr("S3CR3T")));
    EXPECT_EQ(*other.member("wanted")->member("MTU")->asText(), "9000");
    EXPECT_EQ(*other.member("list")->asList()->at(1).asInteger(), 1);
}

}  // namespace
}  // namespace fabric::facts
