// SPDX-License-Identifier: Apache-2.0
#include "resource/service/program_access.hpp"

#include "base/text.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace fabric::resource::service {

namespace {

// The numbers of an account. Empty: not known.
struct Identity {
    std::optional<uid_t> user;
    std::optional<std::set<gid_t>> groups;
};

using Fields = std::vector<std::string_view>;

// The lines of /etc/passwd or /etc/group with at least so many fields.
std::vector<Fields> entriesOf(std::string_view text, std::size_t fields) {
    std::vector<Fields> entries;
    for (const std::string_view line : split(text, '\n')) {
        Fields entry = split(line, ':');
        if (entry.size() >= fields) {
            entries.push_back(std::move(entry));
        }
    }
    return entries;
}

std::optional<gid_t> groupNumber(std::string_view name,
                                 const std::vector<Fields>& groups) {
    const auto number = parseUnsigned(name);
    const auto found = std::ranges::find_if(
        groups, [&](const Fields& entry) { return entry[0] == name; });
    const auto listed =
        found == groups.end() ? std::nullopt : parseUnsigned((*found)[2]);
    const auto known = number ? number : listed;
    return known ? std::optional(static_cast<gid_t>(*known)) : std::nullopt;
}

// Those that the group file gives a user.
void addMemberships(std::string_view user,
                    const std::vector<Fields>& groups,
                    std::set<gid_t>& into) {
    for (const Fields& entry : groups) {
        const auto number = parseUnsigned(entry[2]);
        const auto members = split(entry[3], ',');
        if (number && std::ranges::find(members, user) != members.end()) {
            into.insert(static_cast<gid_t>(*number));
        }
    }
}

Identity identityOf(const host::FileReader& files, const Account& account) {
    constexpr std::size_t kFields = 4;
    const std::string users = files.read("/etc/passwd").value_or("");
    const std::string text = files.read("/etc/group").value_or("");
    const std::vector<Fields> entries = entriesOf(users, kFields);
    const std::vector<Fields> groups = entriesOf(text, kFields);
    const auto entry = std::ranges::find_if(entries, [&](const Fields& one) {
        return one[0] == account.user || one[2] == account.user;
    });
    if (entry == entries.end()) {
        return {};
    }
    Identity identity;
    const auto user = parseUnsigned((*entry)[2]);
    const auto group = account.group.empty() ? groupNumber((*entry)[3], groups)
                                             : groupNumber(account.group, groups);
    if (!user || !group) {
        return {};
    }
    identity.user = static_cast<uid_t>(*user);
    identity.groups = std::set<gid_t>{*group};
    addMemberships((*entry)[0], groups, *identity.groups);
    for (const std::string& name : account.groups) {
        if (const auto more = groupNumber(name, groups)) {
            identity.groups->insert(*more);
        }
    }
    return identity;
}

// What path_resolution(7) says of search permission and execve(2) of the file: one
// class of bits decides, the owner's before the group's before everybody's.
bool mayExecute(const host::FileStatus& status, const Identity& identity) {
    const auto has = [&](mode_t bit) { return (status.mode & bit) != 0; };
    if (!identity.user) {
        return has(S_IXOTH) || status.owner != 0 || status.group != 0;
    }
    if (*identity.user == status.owner) {
        return has(S_IXUSR);
    }
    return identity.groups->contains(status.group) ? has(S_IXGRP) : has(S_IXOTH);
}

// "/usr", "/usr/local", … above a path. What "/" will be is up to who makes a file
// system of the image.
std::vector<std::string> directoriesAbove(const std::string& path) {
    std::vector<std::string> directories;
    for (std::size_t at = path.find('/', 1); at != std::string::npos;
         at = path.find('/', at + 1)) {
        directories.push_back(path.substr(0, at));
    }
    return directories;
}

std::string describe(const host::FileStatus& status) {
    return fmt::format(
        "mode {:04o}, owner {}:{}", status.mode & 07777U, status.owner, status.group);
}

}  // namespace

Account accountOf(const std::vector<UnitFile>& files) {
    Account account;
    for (const UnitFile& file : files) {
        for (const auto& [section, key, value] : file.settings) {
            if (section != "Service") {
                continue;
            }
            if (key == "User") {
                account.user = value;
            } else if (key == "Group") {
                account.group = value;
            } else if (key == "SupplementaryGroups" && value.empty()) {
                account.groups.clear();
            } else if (key == "SupplementaryGroups") {
                for (const std::string_view name : split(value, ' ')) {
                    account.groups.emplace_back(name);
                }
            }
        }
    }
    return account;
}

std::string executionObstacle(const host::FileReader& files,
                              const std::string& program,
                              const Account& account) {
    if (account.user.empty() || account.user == "root" || account.user == "0") {
        return {};
    }
    const Identity identity = identityOf(files, account);
    const std::string user = escapeForTerminal(account.user);
    const std::string real = files.resolve(program).value_or(program);
    std::vector<std::string> way = directoriesAbove(program);
    std::ranges::move(directoriesAbove(real), std::back_inserter(way));
    for (const std::string& directory : way) {
        const auto status = files.status(directory);
        if (status && !mayExecute(*status, identity)) {
            return fmt::format("{} may not pass {} on the way to {} ({})",
                               user,
                               escapeForTerminal(directory),
                               escapeForTerminal(program),
                               describe(*status));
        }
    }
    const auto status = files.status(program);
    return status && !mayExecute(*status, identity)
               ? fmt::format("{} may not execute {} ({})",
                             user,
                             escapeForTerminal(program),
                             describe(*status))
               : "";
}

}  // namespace fabric::resource::service
