// SPDX-License-Identifier: Apache-2.0
#include "snapshot/json_reader.hpp"

#include "base/text.hpp"
#include "snapshot/base64.hpp"

#include <utility>

namespace fabric::snapshot {

std::unexpected<Error> wrong(std::string what) {
    return fail({.kind = ErrorKind::malformed,
                 .action = "read snapshot",
                 .subject = {},
                 .sysErrno = 0,
                 .detail = std::move(what),
                 .advice = {}});
}

Result<const Json*> member(const Json& tree, const char* key) {
    const auto found = tree.is_object() ? tree.find(key) : tree.end();
    if (!tree.is_object() || found == tree.end()) {
        return wrong(std::string("'") + key + "' is missing");
    }
    return &*found;
}

Result<bool> flag(const Json& tree, const char* key) {
    const Json& value = *TRY(member(tree, key));
    return value.is_boolean() ? Result<bool>(value.get<bool>())
                              : wrong(std::string("'") + key + "' is no boolean");
}

Result<std::string> toText(const Json& value, const char* key) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    const auto encoded = value.is_object() ? value.find("base64") : value.end();
    if (value.is_object() && encoded != value.end() && encoded->is_string()) {
        if (auto bytes = fromBase64(encoded->get<std::string>())) {
            return std::move(*bytes);
        }
    }
    return wrong(std::string("'") + key + "' is no text");
}

Result<std::string> text(const Json& tree, const char* key) {
    return toText(*TRY(member(tree, key)), key);
}

Result<const Json*> list(const Json& tree, const char* key) {
    const Json* const value = TRY(member(tree, key));
    return value->is_array() ? Result<const Json*>(value)
                             : wrong(std::string("'") + key + "' is no list");
}

Result<unsigned> digits(std::string_view written, int base, unsigned most) {
    const auto value = parseUnsigned(written, base);
    return value && *value <= most
               ? Result<unsigned>(static_cast<unsigned>(*value))
               : wrong("'" + escapeForTerminal(written) + "' is no number in range");
}

}  // namespace fabric::snapshot
