// SPDX-License-Identifier: Apache-2.0
// Unit files, the drop-in that is made from them, and environment files.
#include "fuzz/property.hpp"
#include "resource/service/drop_in.hpp"
#include "resource/service/environment_file.hpp"
#include "resource/service/exec_line.hpp"
#include "resource/service/unit_file.hpp"

namespace fabric::resource::service {
namespace {

using fuzz::require;

constexpr const char* kProgram = "/usr/local/bin/minio.rdma";

UnitFile fileOf(std::string_view text) {
    return {.path = "/etc/systemd/system/minio.service",
            .settings = parseUnitFile(text)};
}

void judgeSettings(const UnitFile& file) {
    for (const UnitSetting& setting : file.settings) {
        require(trimmed(setting.key) == setting.key, "a key has no space around it");
        require(trimmed(setting.value) == setting.value, "nor a value");
        require(!setting.key.contains('\n') && !setting.value.contains('\n'),
                "one line");
        require(!setting.key.contains('='), "the first = divides");
    }
}

// One word became the wanted program; the others, as they are read and as they stand in
// the text, are the same.
bool onlyWordChanged(const ExecLine& before, const ExecLine& after, std::size_t place) {
    if (before.prefix != after.prefix || before.words.size() != after.words.size() ||
        after.words[place].text != kProgram) {
        return false;
    }
    for (std::size_t at = 0; at < before.words.size(); ++at) {
        const ExecWord& was = before.words[at];
        const ExecWord& is = after.words[at];
        const bool same = was.text == is.text &&
                          std::string_view(before.text).substr(was.begin, was.size) ==
                              std::string_view(after.text).substr(is.begin, is.size);
        if (at != place && !same) {
            return false;
        }
    }
    return true;
}

// The drop-in put over the files that it was made from.
void judgeDropIn(const std::vector<UnitFile>& files) {
    profile::ServiceSettings settings;
    const UnitLists before = mergeLists(files);
    const WantedDropIn wanted = makeDropIn(settings, before);
    if (!wanted.refusal.empty()) {
        require(wanted.text.empty(), "a refusal writes nothing");
        fuzz::requirePrintable(wanted.fix);
        fuzz::requirePrintable(wanted.refusal);
        return;
    }
    std::vector<UnitFile> all = files;
    all.push_back(
        {.path = dropInPath(settings.unit), .settings = parseUnitFile(wanted.text)});
    const UnitLists after = mergeLists(all);
    require(all.back().sets("Service", "LimitMEMLOCK"), "the limit is in it");
    require(after.execStart.size() == 1, "one command");
    const auto was = parseExecLine(before.execStart.front());
    const auto is = parseExecLine(after.execStart.front());
    require(was && is, "both commands can be read");
    require(onlyWordChanged(*was, *is, was->placeOf(wanted.place)),
            "the program is the wanted one, everything else is kept");
    require(was->words[was->placeOf(wanted.place)].text == wanted.program,
            "the program that is told is the one that was replaced");
    require(after.asserts.size() == before.asserts.size(), "no assert is lost");
    require(after.conditions.size() == before.conditions.size(),
            "no condition is lost");
    for (std::size_t at = 0; at < after.asserts.size(); ++at) {
        require(after.asserts[at].first == before.asserts[at].first, "in their order");
    }
    (void)settingsOf(wanted.text);
}

void judgeExecLine(std::string_view text) {
    const auto line = parseExecLine(text);
    if (!line) {
        return;
    }
    require(!line->words.front().text.empty(), "a command has a program");
    for (std::size_t nth = 0; nth < line->command().size(); ++nth) {
        const auto again = parseExecLine(withProgram(*line, nth, kProgram));
        require(again && onlyWordChanged(*line, *again, line->placeOf(nth)),
                "only that word changes");
    }
}

void judgeEnvironment(std::string_view text) {
    std::map<std::string, std::string> variables;
    for (const auto& [name, value] : parseEnvironmentFile(text)) {
        const bool usable = !name.empty() && !name.contains('\n') &&
                            trimmed(name) == name && !name.contains('=') &&
                            !name.starts_with('#') && !name.starts_with(';');
        if (usable) {
            variables[name] = value;
        }
    }
    const Variables again = parseEnvironmentFile(renderEnvironmentFile(variables));
    require(std::map(again.begin(), again.end()) == variables &&
                again.size() == variables.size(),
            "what is written is read back");
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    const auto texts = input.texts(4);
    const std::vector<UnitFile> files{fileOf(texts[0]), fileOf(texts[1])};
    judgeSettings(files[0]);
    judgeSettings(files[1]);
    judgeDropIn(files);
    judgeExecLine(texts[2]);
    judgeEnvironment(texts[3]);
    for (const auto& [name, value] : parseProcessEnvironment(input.text())) {
        require(!name.contains('='), "the first = divides");
    }
}

}  // namespace fabric::resource::service
