// SPDX-License-Identifier: Apache-2.0
#include "resource/module/boot_file.hpp"
#include "resource/module/boot_list.hpp"
#include "resource/module/module.hpp"
#include "resource/rail_property.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <optional>
#include <utility>

namespace fabric::resource::kernel_module {

namespace {

Value listedValue(bool listed) {
    return Value::Object{{"boot", listed ? "listed" : "not listed"}};
}

}  // namespace

// Which hardware the image will meet is not known: every module is listed.
Comparison assessImage(const host::Reader& image, const Scope& scope) {
    Comparison result;
    if (!scope.host.modules) {
        if (auto left = leftOverList(image.files, true)) {
            result.findings.push_back(std::move(*left));
        }
        return result;
    }
    const auto text = image.files.read(kBootList);
    const std::set<std::string> listed = parseBootList(text.value_or(""));
    std::set<std::string> wanted;
    Step step{.stage = Stage::module, .summary = fmt::format("write {}", kBootList)};
    for (const std::string& name : *scope.host.modules) {
        const std::string module = canonicalName(name);
        wanted.insert(module);
        Assessment assessment{.id = "module/" + module,
                              .kind = Kind::module,
                              .device = module,
                              .wanted = listedValue(true),
                              .found = listedValue(listed.contains(module)),
                              .verdict = Verdict::inSync};
        if (!text && text.error().sysErrno != ENOENT) {
            cannotRead(text.error(), scope.platform, assessment);
        } else if (!listed.contains(module)) {
            assessment.verdict = Verdict::differs;
            assessment.reason = fmt::format("{} does not name it", kBootList);
            step.ids.push_back(assessment.id);
        }
        result.assessments.push_back(std::move(assessment));
    }
    const auto found = text ? std::optional(*text) : std::nullopt;
    if (!text && text.error().sysErrno != ENOENT && wanted.empty()) {
        Assessment file = bootFile();
        cannotRead(text.error(), scope.platform, file);
        result.assessments.push_back(std::move(file));
    } else if (auto file = compareBootFile(found, wanted)) {
        step.ids.push_back(file->id);
        result.assessments.push_back(std::move(*file));
    }
    if (!step.ids.empty()) {
        step.writes.emplace_back(DirectoryCreate{kBootListDirectory});
        step.writes.emplace_back(
            FileReplace{.path = kBootList, .text = renderBootList(wanted)});
        result.steps.push_back(std::move(step));
    }
    return result;
}

}  // namespace fabric::resource::kernel_module
