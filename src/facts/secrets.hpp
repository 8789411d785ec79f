// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"

#include <set>
#include <string>
#include <string_view>

namespace fabric::facts {

// What stands where something was taken out.
inline constexpr std::string_view kLeftOut = "left-out";

// Takes secrets out of text that this program did not write line by line: the journal,
// reports, a profile. Three nets, since no one of them holds everything: the values of
// environment variables of this host, wherever they stand; whatever is assigned to a
// name that may hold a secret; and forms that carry one (user:password@ in a URL, a
// bearer token, arguments of `mc alias set`).
class Secrets {
  public:
    // Variables as an environment file has them, or a process (separated by NUL). Of
    // those that may leave the host nothing is noted (service::isCarriedVariable).
    void learnFile(std::string_view text);
    void learnProcess(std::string_view environ);
    void learn(std::string_view name, std::string_view value);

    [[nodiscard]] std::string masked(std::string_view text) const;
    // Each text of a tree; that of a member whose name says that it is a secret whole.
    [[nodiscard]] Value masked(const Value& tree) const;

    // A name whose value must not leave the host: "MINIO_ROOT_PASSWORD", "secretKey".
    [[nodiscard]] static bool isSecretName(std::string_view name);

  private:
    void hideKnown(std::string& text) const;

    struct LongerFirst {
        bool operator()(const std::string& left, const std::string& right) const {
            return left.size() != right.size() ? left.size() > right.size()
                                               : left < right;
        }
    };

    std::set<std::string, LongerFirst> values_;
};

}  // namespace fabric::facts
