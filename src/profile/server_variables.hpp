// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/values.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fabric::profile {

// A setting of MinIO AIStor's RDMA. The server ignores a name that it does not know and
// a value that it does not understand, without a word.
struct ServerVariable {
    // on or off, exactly; a decimal number; anything, since its form is not public.
    enum class Takes { onOff, number, anything };
    std::string_view name;
    Takes takes = Takes::anything;
    unsigned long long most = 0;  // of a number
};

// Those that are public. There are more.
[[nodiscard]] std::span<const ServerVariable> serverVariables();

// The variable of this name; nullptr when it is none of them.
[[nodiscard]] const ServerVariable* serverVariable(std::string_view name);

// What of a value the server would ignore: empty is as if it were not set.
[[nodiscard]] bool understands(const ServerVariable& variable, std::string_view value);

// A name that is a slip of the finger away from one of them; empty when it is one, or
// something else.
[[nodiscard]] std::optional<Complaint> judgeVariableName(std::string_view name);

// A value that the server would ignore.
[[nodiscard]] std::optional<Complaint> judgeVariableValue(std::string_view name,
                                                          std::string_view value);

}  // namespace fabric::profile
