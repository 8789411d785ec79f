// SPDX-License-Identifier: Apache-2.0
#include "report/palette.hpp"

#include "base/text.hpp"

namespace fabric::report {

std::string Palette::paint(Tone tone, std::string_view text) const {
    std::string_view code;
    switch (tone) {
        case Tone::plain:
            break;
        case Tone::good:
            code = "\x1b[32m";
            break;
        case Tone::change:
            code = "\x1b[33m";
            break;
        case Tone::bad:
            code = "\x1b[31m";
            break;
        case Tone::dim:
            code = "\x1b[2m";
            break;
        case Tone::strong:
            code = "\x1b[1m";
            break;
    }
    if (!color_ || code.empty()) {
        return std::string(text);
    }
    return std::string(code) + std::string(text) + "\x1b[0m";
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
    std::string lines;
    std::size_t column = indent;
    for (const std::string_view word : split(text, ' ')) {
        if (column > indent && column + 1 + word.size() > width) {
            lines += "\n" + std::string(indent, ' ');
            column = indent;
        } else if (column > indent) {
            lines += ' ';
            ++column;
        }
        lines += word;
        column += word.size();
    }
    return lines;
}

}  // namespace fabric::report
