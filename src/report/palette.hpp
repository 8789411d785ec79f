// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fabric::report {

enum class Tone { plain, good, change, bad, dim, strong };

// Wraps text in ANSI SGR codes, or leaves it as it is. Colour is never the only carrier
// of a meaning.
class Palette {
  public:
    explicit Palette(bool color) : color_(color) {}

    [[nodiscard]] std::string paint(Tone tone, std::string_view text) const;

  private:
    bool color_;
};

// Breaks `text` at spaces so that lines stay within `width` columns; continuation lines
// start with `indent` spaces. A word longer than a line is not broken (commands must
// stay whole).
[[nodiscard]] std::string wrapped(std::string_view text,
                                  std::size_t indent,
                                  std::size_t width = 80);

}  // namespace fabric::report
