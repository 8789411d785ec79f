// SPDX-License-Identifier: Apache-2.0
#include "doctor/metrics.hpp"

#include "fake/fake_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <string>
#include <vector>

namespace fabric::doctor {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;

std::string lineOf(std::string_view page) {
    const auto metrics = parseMetrics(page);
    return metrics ? "it was taken" : metrics.error().subject;
}

TEST(MetricsText, a_page_of_a_server_is_understood) {
    const auto metrics = parseMetrics(
        "# HELP a_total what \\n it is\n"
        "# TYPE a_total counter\n"
        "a_total{server=\"node1:9000\",drive=\"/mnt/1\"} 12\n"
        "a_total{drive=\"/mnt/2\", server=\"node1:9000\",} 1.5e3 1395066363000\n"
        "\n"
        "b 3 -5\n"
        "  c:d{}\t+Inf\n");
    ASSERT_TRUE(metrics) << metrics.error().message();
    EXPECT_THAT(
        metrics->at("a_total"),
        ElementsAre(Pair(Labels{{"drive", "/mnt/1"}, {"server", "node1:9000"}}, 12),
                    Pair(Labels{{"drive", "/mnt/2"}, {"server", "node1:9000"}}, 1500)));
    EXPECT_THAT(metrics->at("b"), ElementsAre(Pair(Labels{}, 3)));
    EXPECT_TRUE(std::isinf(metrics->at("c:d").at({})));
    EXPECT_TRUE(std::isnan(parseMetrics("a NaN\n").value().at("a").at({})));
}

TEST(MetricsText, what_is_escaped_in_a_label_is_what_it_stands_for) {
    const auto metrics =
        parseMetrics("a{b=\"1\\\\2\\\"3\\n4}, {\",c=\"\xc3\xa9\"} 1\n");
    ASSERT_TRUE(metrics) << metrics.error().message();
    EXPECT_THAT(
        metrics->at("a"),
        ElementsAre(Pair(Labels{{"b", "1\\2\"3\n4}, {"}, {"c", "\xc3\xa9"}}, 1)));
}

TEST(MetricsText, whatever_is_of_another_form_is_refused_with_its_line) {
    for (const std::string_view line : {"<html>",
                                        "{\"error\": 1}",
                                        "1a 2",
                                        "a",
                                        "a ",
                                        "a x",
                                        "a 0x10",
                                        "a 1,000",
                                        "a +-1",
                                        "a 1e999",
                                        "a 1 2 3",
                                        "a 1 x",
                                        "a 1 # comment",
                                        "a{b=\"c\" 1",
                                        "a{b=\"c} 1",
                                        "a{b=c} 1",
                                        "a{b} 1",
                                        "a{=\"c\"} 1",
                                        "a{b=\"\\t\"} 1",
                                        "a{b=\"c\"d=\"e\"} 1",
                                        "a{b=\"c\",b=\"d\"} 1",
                                        "a{b:c=\"d\"} 1",
                                        "a 1\r",
                                        "# \x1b[31m",
                                        "a{b=\"\xff\"} 1",
                                        "a{b=\"\xc2\x85\"} 1"}) {
        EXPECT_EQ(lineOf("ok 1\n" + std::string(line) + "\nok 2\n"), "line 2") << line;
    }
    EXPECT_EQ(lineOf("a 1\na 2\n"), "line 2");
    EXPECT_EQ(lineOf(std::string_view("a 1\n\0\n", 6)), "line 2");
}

TEST(MetricsText, a_last_line_without_an_end_may_be_half_a_number) {
    EXPECT_EQ(lineOf("a 1\nb_total 12"), "line 2");
    EXPECT_TRUE(parseMetrics(""));
}

TEST(MetricsText, lines_labels_and_samples_are_bounded) {
    EXPECT_EQ(lineOf("#" + std::string(kMostOfMetricsLine, ' ') + "\n"), "line 1");
    std::string labels;
    for (std::size_t label = 0; label <= kMostLabels; ++label) {
        labels += "l" + std::to_string(label) + "=\"\",";
    }
    EXPECT_EQ(lineOf("a{" + labels + "} 1\n"), "line 1");
    std::string page;
    for (std::size_t sample = 0; sample <= kMostSamples; ++sample) {
        page += "a" + std::to_string(sample) + " 1\n";
    }
    EXPECT_EQ(lineOf(page), "line " + std::to_string(kMostSamples + 1));
}

// Answers by the end of the URL, and keeps what it was asked.
class FakeWeb : public host::WebReader {
  public:
    Result<std::string> get(const host::WebRequest& request) override {
        requests.push_back(request);
        return request.url.ends_with("/api/rdma") ? api : internode;
    }

    Result<std::string> internode =
        "minio_system_network_internode_rdma_pool_fallbacks_total 3\nother 1\n";
    Result<std::string> api = "minio_api_rdma_read_ops_total{server=\"a\"} 4\n";
    std::vector<host::WebRequest> requests;
};

class ServerMetricsTest : public ::testing::Test {
  protected:
    ServerMetricsTest() {
        files.addFile("/root/token", "eyJ.secret-word\n").mode = 0600;
    }

    MetricsEvidence read(const MetricsAccess& access) {
        return readMetrics(files, web, access);
    }

    fake::FakeFiles files;
    FakeWeb web;
};

TEST_F(ServerMetricsTest, both_groups_are_asked_with_the_token) {
    const auto seen = read({.url = "https://node1:9000/",
                            .tokenFile = "/root/token",
                            .caFile = "/etc/ca.pem"});
    ASSERT_THAT(web.requests, SizeIs(2));
    EXPECT_EQ(web.requests[0].url,
              "https://node1:9000/minio/metrics/v3/system/network/internode/rdma");
    EXPECT_EQ(web.requests[1].url, "https://node1:9000/minio/metrics/v3/api/rdma");
    EXPECT_EQ(web.requests[0].token, "eyJ.secret-word");
    EXPECT_EQ(web.requests[0].caFile, "/etc/ca.pem");
    EXPECT_THAT(seen.warning, IsEmpty());
    EXPECT_THAT(seen.first.internode.value(), SizeIs(1)) << "only what belongs to it";
    EXPECT_THAT(seen.first.api.value(), SizeIs(1));
}

TEST_F(ServerMetricsTest, a_token_that_others_can_read_is_told) {
    files.find("/root/token")->mode = 0640;
    const auto seen = read({.url = "https://node1:9000", .tokenFile = "/root/token"});
    EXPECT_THAT(seen.warning, HasSubstr("chmod 600"));
    EXPECT_THAT(seen.warning, Not(HasSubstr("secret")));
    EXPECT_TRUE(seen.first.internode);
}

TEST_F(ServerMetricsTest, a_token_that_leaves_the_host_in_the_clear_is_told) {
    const auto warning = [&](const std::string& url) {
        return read({.url = url, .tokenFile = "/root/token"}).warning;
    };
    EXPECT_THAT(warning("http://node1:9000"), HasSubstr("https"));
    EXPECT_THAT(warning("http://localhost:9000"), IsEmpty());
    EXPECT_THAT(warning("http://127.0.0.1:9000"), IsEmpty());
    EXPECT_THAT(warning("http://[::1]:9000"), IsEmpty());
    EXPECT_THAT(warning("http://localhost.example:9000"), HasSubstr("https"));
    EXPECT_THAT(warning("http://127.example:9000"), HasSubstr("https"));
    EXPECT_THAT(read({.url = "http://node1:9000"}).warning, IsEmpty());
}

TEST_F(ServerMetricsTest, a_file_that_is_no_token_is_never_sent_nor_shown) {
    files.addLink("/root/link", "/root/token");
    files.addFile("/root/lines", "one-secret\ntwo-secret\n").mode = 0600;
    files.addFile("/root/header", "a\r\nX-Secret: 1").mode = 0600;
    files.addFile("/root/empty", "\n").mode = 0600;
    files.addFile("/root/long", std::string(20'000, 'x')).mode = 0600;
    for (const char* const path : {"/root/link",
                                   "/root/lines",
                                   "/root/header",
                                   "/root/empty",
                                   "/root/long",
                                   "/root/absent"}) {
        const auto seen = read({.url = "https://node1:9000", .tokenFile = path});
        ASSERT_FALSE(seen.first.internode) << path;
        EXPECT_FALSE(seen.first.api);
        EXPECT_THAT(seen.first.internode.error().message(), HasSubstr(path));
        EXPECT_THAT(seen.first.internode.error().message(), Not(HasSubstr("ecret")));
    }
    EXPECT_THAT(web.requests, IsEmpty());
}

TEST_F(ServerMetricsTest, a_server_that_does_not_answer_is_asked_once) {
    web.internode = fail(Error{.kind = ErrorKind::timeout, .action = "read"});
    MetricsEvidence seen = read({.url = "http://node1:9000"});
    EXPECT_EQ(seen.first.api.error().kind, ErrorKind::timeout);
    readMetricsAgain(files, web, {.url = "http://node1:9000"}, seen);
    EXPECT_THAT(web.requests, SizeIs(1));
    EXPECT_FALSE(seen.second);
}

TEST_F(ServerMetricsTest, a_group_that_is_not_told_hides_no_other_one) {
    web.internode = fail(Error{.kind = ErrorKind::notFound, .action = "read"});
    EXPECT_TRUE(read({.url = "http://node1:9000"}).first.api);
    web.internode = "<html>\n";
    const auto seen = read({.url = "http://node1:9000"});
    EXPECT_TRUE(seen.first.api);
    EXPECT_EQ(seen.first.internode.error().kind, ErrorKind::malformed);
    EXPECT_THAT(seen.first.internode.error().message(), HasSubstr("/rdma, line 1"));
}

TEST_F(ServerMetricsTest, names_without_end_are_refused) {
    std::string page;
    for (int name = 0; name < 300; ++name) {
        page += "minio_api_rdma_" + std::to_string(name) + " 1\n";
    }
    web.api = page;
    EXPECT_EQ(read({.url = "http://node1:9000"}).first.api.error().kind,
              ErrorKind::malformed);
}

Metrics metricsOf(const std::string& text) {
    return parseMetrics(text).value();
}

TEST(ServerNumbers, a_counter_is_told_by_its_sum_and_by_what_it_rose) {
    const Metrics before = metricsOf("a_total{s=\"1\"} 2\na_total{s=\"2\"} 5\n");
    const Metrics after = metricsOf("a_total{s=\"1\"} 3\na_total{s=\"2\"} 9\n");
    const auto once = numbersOf(before, nullptr);
    ASSERT_THAT(once, SizeIs(1));
    EXPECT_EQ(once[0].value, 7);
    EXPECT_EQ(once[0].rise, std::nullopt);
    const auto twice = numbersOf(before, &after);
    ASSERT_THAT(twice, SizeIs(1));
    EXPECT_EQ(twice[0].value, 12);
    EXPECT_EQ(twice[0].rise, 5);
}

TEST(ServerNumbers, the_rise_is_unknown_when_a_part_of_it_is) {
    const auto why = [](const std::string& before, const std::string& after) {
        const Metrics later = metricsOf(after);
        const ServerNumber number = numbersOf(metricsOf(before), &later).at(0);
        EXPECT_EQ(number.rise, std::nullopt);
        return number.unknown;
    };
    EXPECT_THAT(why("a_total{s=\"1\"} 5\na_total{s=\"2\"} 1\n",
                    "a_total{s=\"1\"} 9\na_total{s=\"2\"} 0\n"),
                HasSubstr("restarted"));
    EXPECT_THAT(why("a_total{s=\"1\"} 5\n", "a_total{s=\"2\"} 9\n"),
                HasSubstr("another server"));
    EXPECT_THAT(why("a_total 5\n", "a_total Inf\n"), HasSubstr("no count"));
    EXPECT_THAT(why("b_total 5\n", "a_total 6\n"), HasSubstr("not told"));
    EXPECT_THAT(why("a_bytes 5\n", "a_bytes 3\n"), IsEmpty()) << "no counter";
}

TEST(MetricsUrl, only_a_server_over_http_or_https_can_be_meant) {
    for (const char* const url : {"http://localhost:9000",
                                  "https://node1:9000/",
                                  "https://proxy.example/minio-1",
                                  "http://[::1]:9000"}) {
        EXPECT_EQ(urlProblem(url), "") << url;
    }
    for (const char* const url : {"",
                                  "node1:9000",
                                  "ftp://node1",
                                  "file:///etc/shadow",
                                  "HTTP://node1",
                                  "http://",
                                  "http:///path",
                                  "http://:9000",
                                  "https://user:word@node1",
                                  "https://node1?token=x",
                                  "https://node1#x",
                                  "https://node1\\x",
                                  "https://node 1",
                                  "https://node1\n",
                                  "https://n\xc3\xb6"
                                  "de1"}) {
        EXPECT_NE(urlProblem(url), "") << url;
        EXPECT_THAT(urlProblem(url), Not(HasSubstr("word")));
    }
}

}  // namespace
}  // namespace fabric::doctor
