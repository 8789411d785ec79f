// SPDX-License-Identifier: Apache-2.0
// The files of sysctl.d: what two programs make of them, and our own file among them.
#include "fuzz/property.hpp"
#include "resource/arp/boot_value.hpp"
#include "resource/arp/persistent_file.hpp"
#include "resource/arp/sysctl_files.hpp"

#include <array>

namespace fabric::resource::arp {
namespace {

using fuzz::require;

const std::string kKey = "net/ipv4/conf/ens1/arp_ignore";

std::vector<SysctlFile> filesOf(const std::vector<std::string_view>& texts) {
    std::vector<SysctlFile> files;
    for (std::size_t at = 0; at < texts.size() && at < 4; ++at) {
        files.push_back({.path = "/etc/sysctl.d/" + std::to_string(at) + ".conf",
                         .text = std::string(texts[at])});
    }
    return files;
}

void judgeLines(const SysctlFile& file) {
    const std::size_t lines = split(file.text, '\n').size();
    unsigned before = 0;
    for (const SysctlLine& line : linesOf(file)) {
        require(line.number > before && line.number <= lines, "lines in their order");
        require(line.value || !line.key.contains('\n'), "a key is one line");
        fuzz::requirePrintable(line.place());
        before = line.number;
    }
}

std::optional<std::string> valueOf(const SysctlMerge& merge, const std::string& key) {
    const auto line = merge.winner(key);
    return line ? line->value : std::nullopt;
}

void judgeUnrelated(std::vector<SysctlFile> files, SysctlProgram program) {
    const SysctlMerge merge(program, files);
    (void)bootValueOf(merge, "ens1", host::Ipv4Key::arpIgnore);
    files.insert(files.begin(),
                 {.path = "/etc/sysctl.d/00.conf", .text = "vm.swappiness = 1\n"});
    files.push_back(
        {.path = "/etc/sysctl.d/98.conf",
         .text = "net.ipv4.conf.ens1.arp_announce=2\n# " + kKey + " = 9\n"});
    require(valueOf(SysctlMerge(program, files), kKey) == valueOf(merge, kKey),
            "an unrelated file changes nothing");
}

void judgeLast(std::vector<SysctlFile> files, SysctlProgram program) {
    files.push_back({.path = "/etc/sysctl.d/99.conf", .text = kKey + " = 42\n"});
    require(valueOf(SysctlMerge(program, files), kKey) == "42",
            "the last assignment decides");
    files.push_back(
        {.path = "/etc/sysctl.d/99-z.conf", .text = "*/x = 1\n-nothing/here\n"});
    require(valueOf(SysctlMerge(program, files), kKey) == "42",
            "no pattern beats a name");
}

// A name that the kernel lets an interface have (net/core/dev.c, dev_valid_name), and
// no carriage return or the like that would be white space.
bool isInterface(const std::string& name) {
    return !name.empty() && name.size() < 16 && name != "." && name != ".." &&
           name.find_first_of("/: \t\r\n\v\f") == std::string::npos;
}

bool isPlain(const std::string& name) {
    return name.find_first_of("*?[\\") == std::string::npos;
}

void judgeOurs(const std::string& text) {
    const Stanzas read = parseStanzas(text);
    Stanzas valid;
    for (const auto& [interface, values] : read) {
        for (const auto& [name, value] : values) {
            if (isInterface(interface) && isPlain(name) && fileKey(interface, name)) {
                valid[interface][name] = value;
            }
        }
    }
    require(parseStanzas(render(valid)) == valid, "what is written is read back");
    for (const auto& [interface, values] : valid) {
        for (const auto& [name, value] : values) {
            const std::vector<SysctlFile> ours{
                {.path = kOurSysctlFile,
                 .text = render({{interface, {{name, value}}}})}};
            const std::string key = "net/ipv4/conf/" + interface + "/" + name;
            require(valueOf(SysctlMerge(SysctlProgram::systemd, ours), key) == value,
                    "our line reaches the interface that it names");
        }
    }
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    const auto texts = input.texts(1);
    const std::vector<SysctlFile> files = filesOf(texts);
    for (const SysctlFile& file : files) {
        judgeLines(file);
    }
    // One of these in a run, by its length: they are most of its time.
    switch (input.size % 5) {
        case 0:
            judgeUnrelated(files, SysctlProgram::systemd);
            break;
        case 1:
            judgeLast(files, SysctlProgram::systemd);
            break;
        case 2:
            judgeUnrelated(files, SysctlProgram::procps);
            break;
        case 3:
            judgeLast(files, SysctlProgram::procps);
            break;
        default:
            judgeOurs(files.front().text);
    }
    if (const auto number = sysctlNumber(input.text())) {
        require(sysctlNumber(std::to_string(*number)) == number, "a number is one");
    }
}

}  // namespace fabric::resource::arp
