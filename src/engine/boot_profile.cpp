// SPDX-License-Identifier: Apache-2.0
#include "engine/boot_profile.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fabric::engine {

namespace {

using resource::Assessment;
using resource::Verdict;

// The files with what they hold, the profile first.
Value told(const std::vector<HashedFile>& files) {
    Value::List list;
    for (const HashedFile& file : files) {
        list.emplace_back(Value::Object{{"path", file.path}, {"sha256", file.sha256}});
    }
    return list;
}

const HashedFile* unread(const std::vector<HashedFile>& files) {
    const auto found = std::ranges::find(files, "", &HashedFile::sha256);
    return found == files.end() ? nullptr : &*found;
}

// The first file of either that the other has not, "" when they hold the same.
std::string otherFile(const std::vector<HashedFile>& was,
                      const std::vector<HashedFile>& is) {
    const auto [before, now] =
        std::ranges::mismatch(was, is, {}, &HashedFile::sha256, &HashedFile::sha256);
    if (before == was.end() && now == is.end()) {
        return {};
    }
    return now != is.end() ? now->path : before->path;
}

std::string applyAgain(const BootFacts& facts, const BootRecord& record) {
    const std::string& asked = facts.profileFiles.front().path;
    return asked == record.profile && !record.invocation.empty()
               ? fmt::format("systemctl restart {}", kBootUnit)
               : fmt::format("fabricctl apply --boot {}", escapeForTerminal(asked));
}

void judge(const BootFacts& facts, const BootRecord& record, Assessment& assessment) {
    const std::vector<HashedFile>& is = facts.profileFiles;
    if (!record.profileFiles || unread(*record.profileFiles) != nullptr) {
        assessment.verdict = Verdict::unreadable;
        assessment.reason =
            "the record of this boot does not tell which contents of "
            "its profile were applied";
        assessment.fix = applyAgain(facts, record) + ", which writes the record anew";
        return;
    }
    if (const HashedFile* const gone = unread(is)) {
        assessment.verdict = Verdict::unreadable;
        assessment.reason =
            fmt::format("{} could not be read again", escapeForTerminal(gone->path));
        assessment.fix = "run the same command again";
        return;
    }
    const std::string other = otherFile(*record.profileFiles, is);
    if (other.empty()) {
        assessment.verdict = Verdict::inSync;
        return;
    }
    const std::string& asked = is.front().path;
    assessment.verdict = Verdict::differs;
    assessment.reason =
        asked == record.profile
            ? fmt::format("this boot was configured with other contents of {}",
                          escapeForTerminal(other))
            : fmt::format(
                  "this boot was configured with {}, which says something else "
                  "than {}",
                  escapeForTerminal(record.profile),
                  escapeForTerminal(asked));
    assessment.fix = applyAgain(facts, record);
}

}  // namespace

std::optional<Assessment> assessBootProfile(const BootFacts& facts,
                                            const BootRecord& record) {
    const bool hadNone = record.profileFiles && record.profileFiles->empty();
    if (facts.profileFiles.empty() || !record.finished || hadNone) {
        return std::nullopt;
    }
    Assessment assessment;
    assessment.id = fmt::format("boot/{}/profile", kBootUnit);
    assessment.kind = resource::Kind::boot;
    assessment.device = kBootUnit;
    assessment.property = "profile";
    assessment.wanted = told(facts.profileFiles);
    assessment.found = record.profileFiles
                           ? told(*record.profileFiles)
                           : Value(Value::Object{{"path", record.profile}});
    assessment.explanation =
        "A run that ended well proves the profile that it had. What another one, or "
        "the same one before an edit, asked for was compared with other wishes.";
    // An apply without --boot leaves the record as it is.
    assessment.beyondApply = true;
    judge(facts, record, assessment);
    return assessment;
}

}  // namespace fabric::engine
