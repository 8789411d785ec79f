// SPDX-License-Identifier: Apache-2.0
#include "resource/service/shadowed_unit.hpp"

#include "base/text.hpp"
#include "resource/service/compare.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace fabric::resource::service {

namespace {

// Where packages put units.
constexpr std::array<std::string_view, 3> kPackagedDirectories{
    "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"};

}  // namespace

std::string shadowedBy(const host::FileReader& files, const host::ServiceUnit& unit) {
    const std::string& fragment = unit.fragmentPath;
    if (!fragment.starts_with("/etc/") && !fragment.starts_with("/run/")) {
        return {};
    }
    for (const std::string_view directory : kPackagedDirectories) {
        // An instance's file bears the name of its template.
        std::string path =
            fmt::format("{}{}", directory, fragment.substr(fragment.rfind('/')));
        // A link to the packaged file is no copy of it.
        if (files.status(path) && files.resolve(path).value_or(path) !=
                                      files.resolve(fragment).value_or(fragment)) {
            return path;
        }
    }
    return {};
}

void addShadow(const Look& look, std::vector<Finding>& findings) {
    if (look.state.shadowedUnit.empty()) {
        return;
    }
    const std::string copy = escapeForTerminal(look.state.unit.fragmentPath);
    findings.push_back(
        {.id = "service.shadowed-unit",
         .severity = Severity::warn,
         .summary = copy + " is a full copy of the unit and hides the packaged one: "
                           "what an upgrade changes in the unit never arrives",
         .evidence = (look.state.image ? "" : "FragmentPath=") + copy +
                     ", packaged: " + look.state.shadowedUnit,
         .fix = fmt::format(
             "compare the two, move what is yours into a drop-in, then: rm "
             "{}{}",
             copy,
             look.state.image ? " in the image" : " && systemctl daemon-reload")});
}

}  // namespace fabric::resource::service
