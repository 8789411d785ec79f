// SPDX-License-Identifier: Apache-2.0
#include "linux/version_probe.hpp"

#include "base/text.hpp"
#include "base/unique_fd.hpp"
#include "linux/bounded_child.hpp"
#include "linux/file_replacement.hpp"
#include "linux/open_file.hpp"
#include "linux/trusted_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

namespace fabric::linux_host {

namespace {

constexpr std::size_t kOutputLimit = std::size_t{16} << 10U;
constexpr std::size_t kLookupSpace = std::size_t{16} << 10U;

// The account as a process has it. Numbers are taken as they are, like systemd does.
Result<ChildIdentity> identityOf(const std::string& user) {
    std::vector<char> space(kLookupSpace);
    passwd entry{};
    passwd* found = nullptr;
    const auto number = parseUnsigned(user);
    const int error =
        number ? ::getpwuid_r(static_cast<uid_t>(*number),
                              &entry,
                              space.data(),
                              space.size(),
                              &found)
               : ::getpwnam_r(user.c_str(), &entry, space.data(), space.size(), &found);
    if (found == nullptr) {
        Error unknown =
            systemError("look up the service's user", escapeForTerminal(user), error);
        unknown.kind = error == 0 ? ErrorKind::notFound : unknown.kind;
        unknown.detail = error == 0 ? "there is no such account" : "";
        unknown.advice = "create it, or see User= of the unit";
        return fail(std::move(unknown));
    }
    ChildIdentity identity{.user = entry.pw_uid, .group = entry.pw_gid, .groups = {}};
    int count = 64;
    identity.groups.resize(static_cast<std::size_t>(count));
    const int listed =
        ::getgrouplist(entry.pw_name, entry.pw_gid, identity.groups.data(), &count);
    identity.groups.resize(
        static_cast<std::size_t>(listed < 0 ? 0 : std::min(count, listed)));
    return identity;
}

struct Fingerprint {
    std::string text;  // what must be the same for an answer to be believed

    bool operator==(const Fingerprint&) const = default;
};

// Who may pass the directories on the way, which decides who may run what lies there.
// Of a link also those that it leads through.
std::string wayTo(const std::string& program) {
    std::error_code unresolved;
    const std::string real = std::filesystem::canonical(program, unresolved).string();
    std::string way;
    for (const std::string& path : {program, real}) {
        for (std::size_t at = path.find('/', 1); at != std::string::npos;
             at = path.find('/', at + 1)) {
            struct stat found{};
            const bool there = ::stat(path.substr(0, at).c_str(), &found) == 0;
            way += there ? fmt::format("{:o}:{}:{}/",
                                       found.st_mode & 07777U,
                                       found.st_uid,
                                       found.st_gid)
                         : "?/";
        }
    }
    return way;
}

Result<Fingerprint> fingerprintOf(const std::string& program, std::string_view user) {
    struct stat found{};
    if (::stat(program.c_str(), &found) != 0) {
        return fail(systemError("look at", program, errno));
    }
    if (!S_ISREG(found.st_mode)) {
        Error error = systemError("look at", program, EACCES);
        error.detail = "it is not a regular file";
        return fail(std::move(error));
    }
    if ((found.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) == 0) {
        Error error = systemError("run", program, EACCES);
        error.detail = "it is not executable";
        return fail(std::move(error));
    }
    return Fingerprint{fmt::format("{:x} {} {} {}.{:09} {:o} {} {}",
                                   found.st_dev,
                                   found.st_ino,
                                   found.st_size,
                                   found.st_ctim.tv_sec,
                                   found.st_ctim.tv_nsec,
                                   found.st_mode & 07777U,
                                   user,
                                   wayTo(program))};
}

// One file per program: first line fingerprint, second exit status, then the text.
class Memory {
  public:
    Memory(std::string directory, const std::string& program)
        : directory_(std::move(directory)) {
        for (const char letter : program) {
            file_ += letter == '/' ? '-' : letter;
        }
    }

    [[nodiscard]] std::optional<host::ProgramVersion> recall(
        const Fingerprint& fingerprint) const {
        const auto directory = openOwnDirectory(directory_);
        const UniqueFd fd(directory
                              ? ::openat(directory->get(),
                                         file_.c_str(),
                                         O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
                              : -1);
        struct stat found{};
        if (!fd.valid() || ::fstat(fd.get(), &found) != 0 || !S_ISREG(found.st_mode) ||
            found.st_uid != 0 || (found.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
            return std::nullopt;
        }
        const auto text = readWhole(fd.get(), file_, 2 * kOutputLimit);
        return text ? parse(*text, fingerprint) : std::nullopt;
    }

    // What cannot be kept is asked again next time.
    void keep(const Fingerprint& fingerprint,
              const host::ProgramVersion& version) const {
        const std::string text = fmt::format(
            "{}\n{}\n{}", fingerprint.text, version.exitStatus, version.text);
        constexpr mode_t kDirectoryMode = 0755;
        constexpr mode_t kFileMode = 0644;
        const std::size_t slash = directory_.rfind('/');
        const std::string above = directory_.substr(0, slash);
        ::mkdir(above.c_str(), kDirectoryMode);
        const auto parent = openOwnDirectory(above);
        if (!parent) {
            return;
        }
        ::mkdirat(parent->get(), directory_.substr(slash + 1).c_str(), kDirectoryMode);
        if (const auto directory = openOwnDirectory(directory_)) {
            static_cast<void>(replaceIn(directory->get(), file_, text, kFileMode));
        }
    }

  private:
    static std::optional<host::ProgramVersion> parse(std::string_view text,
                                                     const Fingerprint& fingerprint) {
        const std::size_t first = text.find('\n');
        const std::size_t second =
            first == std::string_view::npos ? first : text.find('\n', first + 1);
        if (second == std::string_view::npos ||
            text.substr(0, first) != fingerprint.text) {
            return std::nullopt;
        }
        const auto status = parseUnsigned(text.substr(first + 1, second - first - 1));
        if (!status) {
            return std::nullopt;
        }
        return host::ProgramVersion{.text = std::string(text.substr(second + 1)),
                                    .exitStatus = static_cast<int>(*status)};
    }

    std::string directory_;
    std::string file_;
};

}  // namespace

VersionProbe::VersionProbe(std::string directory, std::chrono::milliseconds deadline)
    : directory_(std::move(directory)), deadline_(deadline) {}

Result<host::ProgramVersion> VersionProbe::version(std::string_view program,
                                                   std::string_view user) const {
    const std::string path(program);
    const bool root = ::geteuid() == 0;
    const Memory memory(directory_, path);
    const Fingerprint before = TRY(fingerprintOf(path, root ? user : "as the caller"));
    if (root) {
        if (auto known = memory.recall(before)) {
            return std::move(*known);
        }
    }
    std::optional<ChildIdentity> identity;
    if (root && !user.empty() && user != "root" && user != "0") {
        identity = TRY(identityOf(std::string(user)));
    }
    const ChildOutcome outcome =
        TRY(runBounded({.program = path,
                        .argument = "--version",
                        .identity = identity ? &*identity : nullptr,
                        .deadline = deadline_,
                        .outputLimit = kOutputLimit}));
    host::ProgramVersion version{.text = outcome.output,
                                 .exitStatus = outcome.exitStatus};
    if (root && fingerprintOf(path, user) == before) {
        memory.keep(before, version);
    }
    return version;
}

}  // namespace fabric::linux_host
