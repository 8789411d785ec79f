// SPDX-License-Identifier: Apache-2.0
// modprobe.d and modules-load.d.
#include "fuzz/property.hpp"
#include "resource/module/boot_list.hpp"
#include "resource/module/modprobe_lines.hpp"

namespace fabric::resource::kernel_module {
namespace {

using fuzz::require;

void judgeModprobe(std::string_view text) {
    const std::size_t lines = split(text, '\n').size();
    std::size_t before = 0;
    const std::vector<ModprobeLine> found =
        modprobeLinesOf(text, "/etc/modprobe.d/a.conf");
    for (const ModprobeLine& line : found) {
        require(line.line > before && line.line <= lines, "lines in their order");
        require(line.verb == "install" || line.verb == "blacklist", "two verbs");
        require(!line.name.empty() && canonicalName(line.name) == line.name,
                "a name in the kernel's spelling");
        fuzz::requirePrintable(line.place());
        before = line.line;
    }
    fuzz::requirePrintable(placeOf(found, "install", "mlx5_core"));
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    const auto texts = input.texts(2);
    judgeModprobe(texts[0]);
    const auto modules = parseBootList(texts[1]);
    require(parseBootList(renderBootList(modules)) == modules,
            "what is written is read back");
}

}  // namespace fabric::resource::kernel_module
