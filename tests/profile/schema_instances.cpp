// SPDX-License-Identifier: Apache-2.0
// Prints the schema and the cases as JSON for a JSON Schema validator.
#include "profile/reference.hpp"
#include "profile/schema_cases.hpp"
#include "profile/values.hpp"
#include "profile/yaml.hpp"

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

namespace {

using fabric::profile::TreeNode;
using Json = nlohmann::json;

// As a YAML 1.2 reader with the core schema gives it to a validator.
Json scalarInstance(const TreeNode& scalar) {
    using fabric::profile::ScalarKind;
    switch (fabric::profile::kindOfScalar(scalar)) {
        case ScalarKind::boolean:
            return scalar.scalar[0] == 't' || scalar.scalar[0] == 'T';
        case ScalarKind::integer:
            return std::strtoll(scalar.scalar.c_str(), nullptr, 0);
        case ScalarKind::real:
            return std::strtod(scalar.scalar.c_str(), nullptr);
        case ScalarKind::text:
            break;
    }
    return scalar.scalar;
}

Json instance(const TreeNode& node) {
    switch (node.kind) {
        case TreeNode::Kind::null:
            return nullptr;
        case TreeNode::Kind::scalar:
            return scalarInstance(node);
        case TreeNode::Kind::list: {
            Json list = Json::array();
            for (const TreeNode& item : node.items) {
                list.push_back(instance(item));
            }
            return list;
        }
        case TreeNode::Kind::map:
            break;
    }
    Json map = Json::object();
    for (const auto& entry : node.entries) {
        map[entry.key] = instance(entry.value);
    }
    return map;
}

}  // namespace

int main() {
    Json cases = Json::array();
    for (const auto& one : fabric::profile::schemaCases()) {
        const auto tree = fabric::profile::readYaml(one.text, "case");
        if (!tree.root) {
            std::cerr << one.name << ": no tree\n";
            return 1;
        }
        cases.push_back({{"name", one.name},
                         {"valid", one.standing != fabric::profile::Standing::bad},
                         {"instance", instance(*tree.root)}});
    }
    std::cout << Json{{"schema", Json::parse(fabric::profile::jsonSchema())},
                      {"cases", cases}};
    return 0;
}
