// SPDX-License-Identifier: Apache-2.0
// Prints fabricctl-profile(5) as scdoc, made from the reader's table of keys, so that
// the manual cannot say anything else than the program. Runs at build time only.
#include "base/text.hpp"
#include "profile/reference.hpp"

#include <iostream>
#include <string>
#include <string_view>

namespace {

using namespace fabric;

// scdoc gives meaning to these; a backslash takes it away (scdoc(5)).
std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (std::string_view("\\*_#[]|.~+").contains(c)) {
            safe += '\\';
        }
        safe += c;
    }
    return safe;
}

constexpr std::string_view kHead = R"(fabricctl-profile(5)

# NAME

fabricctl-profile - what fabricctl wants of a host

# SYNOPSIS

_/etc/fabricctl/profile.yaml_

# DESCRIPTION

A profile is one YAML document with hyphenated keys. An unknown key, a key that stands twice, a wrong type or an impossible
value is an error with file, line, column and the nearest valid spelling; all errors are listed and nothing on the host is
touched. A section that is absent is not owned: not compared, not changed, never reported as drift.

Maps of an *extends* layer and of *overrides* merge by key, lists replace, and null un-owns a section or key. Two overrides
that set the same key for one rail are an error.

The file must be a regular file: anything else is an error. It should belong to root and no one else should be able to
write it: otherwise it is a warning, and an error in a systemd unit. A symbolic link is followed without a word when it and
every directory and link on the way to the file belong to root and no one else may write these directories (a sticky one is
fine): otherwise it is an error, also by hand. The units do not see _/root_, _/home_, _/run/user_, _/tmp_ and _/var/tmp_
(*ProtectHome=*, *PrivateTmp=*): a file there, behind a link or *extends*, is an error in a unit, and a warning by hand. All
of this holds for each file of an *extends* chain.

# EXAMPLE

```
version: 1
name: my-rails
rails: { expect: 8 }
dcb:
  trust: dscp
  lossless: { priority: 3, dscp: 26, buffer: 1 }
ecn: {}
mtu: 9000
acs: { clear: redirect }
overrides:
  - match: { interface: ens1f0np0 }
    mtu: 4200
```

# KEYS

)";

constexpr std::string_view kTail = R"(# SEE ALSO

*fabricctl*(8), *fabricctl-report*(5)
)";

// A line of `explain` that starts a labelled entry: "  Default     none".
bool isLabelled(std::string_view line) {
    constexpr std::size_t kValueColumn = 14;
    return line.size() > kValueColumn && line.starts_with("  ") && line[2] != ' ' &&
           line[kValueColumn - 1] == ' ' && line[kValueColumn] != ' ' &&
           line.substr(2, kValueColumn - 2).contains("  ");
}

// The lines of `explain` below its first one, which is the key: the meaning as a
// paragraph, then one line per label.
void printKey(const std::string& key) {
    const auto text = profile::explain(key);
    if (!text) {
        return;
    }
    std::cout << '*' << escaped(key) << "*\n\t";
    bool skip = true;
    bool started = false;
    for (const std::string_view line : split(*text, '\n')) {
        const std::string_view content = trimmed(line);
        if (content == "Sub-keys") {
            break;
        }
        if (!skip && !content.empty()) {
            std::cout << (!started           ? ""
                          : isLabelled(line) ? " ++\n\t"
                                             : "\n\t")
                      << escaped(content);
            started = true;
        }
        skip = false;
    }
    std::cout << "\n\n";
}

}  // namespace

int main() {
    std::cout << kHead;
    for (const std::string& key : profile::keyPaths()) {
        printKey(key);
    }
    std::cout << kTail;
    return 0;
}
