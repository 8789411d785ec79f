// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "base/value.hpp"
#include "doctor/metrics_text.hpp"
#include "host/files.hpp"
#include "host/web.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::doctor {

// How the storage server's metrics are reached, as a person says it.
struct MetricsAccess {
    std::string url;        // "https://node1:9000"
    std::string tokenFile;  // absolute path, "" none
    std::string caFile;
};

// What is wrong with the URL of a server, "" nothing: http or https, a host, a port and
// a path perhaps; neither a user nor a question in it.
[[nodiscard]] std::string urlProblem(std::string_view url);

// What one server told at one time. Of each group only the metrics that belong to it.
struct ServerMetrics {
    Result<Metrics> internode;  // minio_system_network_internode_rdma_*
    Result<Metrics> api;        // minio_api_rdma_*
};

struct MetricsEvidence {
    std::string url;
    std::string warning;  // about the token or its way, "" none
    ServerMetrics first;
    std::optional<ServerMetrics> second;  // empty: one look only
};

// The two looks. The second asks nobody who did not answer the first one.
[[nodiscard]] MetricsEvidence readMetrics(const host::FileReader& files,
                                          host::WebReader& web,
                                          const MetricsAccess& access);
void readMetricsAgain(const host::FileReader& files,
                      host::WebReader& web,
                      const MetricsAccess& access,
                      MetricsEvidence& evidence);

// One counter of a server, summed over its labels.
struct ServerNumber {
    std::string name;
    double value = 0;            // at the last look
    std::optional<double> rise;  // of a counter between two looks; empty: not known
    std::string unknown;         // why it is not; "": one look only, or no counter
};

// A count as one, as far as a double tells whole numbers apart; null when it is no
// finite number.
[[nodiscard]] Value countValue(double number);

// What a group says, by name. `after` is nullptr with one look.
[[nodiscard]] std::vector<ServerNumber> numbersOf(const Metrics& before,
                                                  const Metrics* after);

}  // namespace fabric::doctor
