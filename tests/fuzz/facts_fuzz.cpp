// SPDX-License-Identifier: Apache-2.0
// Facts of another host: a whole file, or the answers of one seam, which the first
// letter chooses.
#include "facts/describe.hpp"
#include "facts/facts.hpp"
#include "facts/json_reader.hpp"
#include "fuzz/property.hpp"
#include "report/json_tree.hpp"

#include <nlohmann/json.hpp>

namespace fabric::facts {
namespace {

using fuzz::require;

std::string written(const Value& value) {
    return report::treeOf(value).dump();  // ends the process when it is not UTF-8
}

template <typename T>
void judge(const Value& tree) {
    T first{};
    Decoder decoder(tree);
    decoder.decode(first);
    if (decoder.problem()) {
        require(!decoder.problem()->what.empty(), "a refusal says why");
        return;
    }
    const Value encoded = Encoder::encoded(first);
    const auto read = readJson(written(encoded));
    require(read && *read == encoded, "JSON holds what is encoded");
    T second{};
    Decoder back(encoded);
    back.decode(second);
    require(!back.problem() && Encoder::encoded(second) == encoded,
            "what was decoded survives");
}

template <typename T>
using ByName = std::map<std::string, Result<T>>;

constexpr std::array kSeams{
    judge<std::map<std::string, FileAnswers>>,
    judge<Result<std::vector<host::Link>>>,
    judge<std::map<IfIndex, Result<host::Link>>>,
    judge<Result<std::vector<IfIndex>>>,
    judge<Result<std::vector<host::LinkAddress>>>,
    judge<ByName<host::DcbAnswer>>,
    judge<std::map<IfIndex, Result<host::DriverInfo>>>,
    judge<std::map<IfIndex, Result<host::PauseParameters>>>,
    judge<Result<std::vector<host::PciFunction>>>,
    judge<std::map<PciAddress, ConfigSpace>>,
    judge<Result<std::vector<host::RdmaPort>>>,
    judge<ByName<host::RdmaPortAttributes>>,
    judge<Result<std::vector<host::Ipv4Conf>>>,
    judge<std::map<host::Ipv4Key, Result<std::int32_t>>>,
    judge<ByName<host::ServiceUnit>>,
    judge<Result<std::string>>,
    judge<ByName<host::ProgramVersion>>,
    judge<ByName<host::Module>>,
    judge<Result<std::vector<host::Neighbour>>>,
};

void judgeSeam(std::string_view text, void (*seam)(const Value&)) {
    const auto tree = readJson(text);
    if (!tree) {
        require(!tree.error().what.empty(), "a refusal says why");
        return;
    }
    require(nlohmann::json::accept(text), "what is read is JSON");
    const auto again = readJson(written(*tree));
    require(again && *again == *tree, "a document survives");
    seam(*tree);
}

void judgeWhole(std::string_view text) {
    const auto facts = parseFacts(text, "facts.json");
    if (!facts) {
        require(facts.error().kind == ErrorKind::malformed, "it is malformed");
        fuzz::requirePrintable(facts.error().message());
        fuzz::requirePrintable(facts.error().advice);
        return;
    }
    const Value value = toValue(*facts);
    const auto again = parseFacts(written(value), "facts.json");
    require(again && toValue(*again) == value, "facts survive");
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    const std::string_view text = input.text();
    const std::size_t seam =
        text.empty() ? kSeams.size() : static_cast<std::size_t>(text.front() - 'a');
    if (seam < kSeams.size()) {
        judgeSeam(text.substr(1), kSeams[seam]);
    } else {
        judgeWhole(text);
    }
}

}  // namespace fabric::facts
