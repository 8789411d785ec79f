// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/disguise.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fabric::facts {

// One pass over a text from word to word: each is copied, or what stands for it is.
class TextScanner {
  public:
    TextScanner(AddressDisguise& addresses, NameDisguise& names, Reading reading)
        : addresses_(addresses), names_(names), reading_(reading) {}

    [[nodiscard]] std::string scan(std::string_view text);

  private:
    // What stands for the first `length` letters of the rest.
    struct Found {
        std::size_t length = 0;
        std::string other;
    };

    [[nodiscard]] bool atWord() const;

    [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }

    [[nodiscard]] std::optional<Found> found();
    [[nodiscard]] std::optional<Found> address();
    [[nodiscard]] std::optional<Found> colons(std::string_view word);
    [[nodiscard]] std::optional<Found> ipv4(std::string_view word);
    [[nodiscard]] std::optional<Found> id();
    [[nodiscard]] std::optional<Found> name();
    [[nodiscard]] std::optional<Found> stranger();
    [[nodiscard]] bool followsVersion() const;
    [[nodiscard]] bool follows(std::string_view mark) const;

    AddressDisguise& addresses_;
    NameDisguise& names_;
    Reading reading_;
    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace fabric::facts
