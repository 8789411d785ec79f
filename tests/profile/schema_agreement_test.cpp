// SPDX-License-Identifier: Apache-2.0
#include "profile/error_case.hpp"
#include "profile/schema_cases.hpp"

#include <gtest/gtest.h>

namespace fabric::profile {

namespace {

class SchemaCases : public testing::TestWithParam<SchemaCase> {};

TEST_P(SchemaCases, are_judged_by_the_reader_as_they_stand) {
    const auto lines = errorLines(GetParam().text);
    EXPECT_EQ(lines.empty(), GetParam().standing == Standing::good)
        << GetParam().text << testing::PrintToString(lines);
}

std::string caseName(const testing::TestParamInfo<SchemaCase>& one) {
    return std::string(one.param.name);
}

INSTANTIATE_TEST_SUITE_P(Schema,
                         SchemaCases,
                         testing::ValuesIn(schemaCases()),
                         caseName);

}  // namespace

}  // namespace fabric::profile
