// SPDX-License-Identifier: Apache-2.0
// Writes the facts of a healthy node with two rails: tests/hosts/doctor-healthy.json,
// which the cases of the rules start from.
#include "doctor/healthy_node.hpp"
#include "facts/take.hpp"
#include "report/json.hpp"

#include <cstdio>

int main() {
    fabric::doctor::HealthyNode node(2);
    auto facts = fabric::facts::takeFacts(node.reader(), {});
    facts.host = fabric::Value::Object{};  // nothing is decided by it
    return std::fputs(fabric::report::toJson(fabric::facts::toValue(facts)).c_str(),
                      stdout) < 0
               ? 1
               : 0;
}
