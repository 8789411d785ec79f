// SPDX-License-Identifier: Apache-2.0
#include "fake/fake_files.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cerrno>
#include <deque>

namespace fabric::fake {

using Type = host::FileStatus::Type;

namespace {

constexpr int kMaxLinks = 40;  // path_resolution(7)

std::string_view parentOf(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == 0 || slash == std::string_view::npos ? "/" : path.substr(0, slash);
}

std::string join(std::string_view directory, std::string_view name) {
    return directory == "/" ? "/" + std::string(name)
                            : std::string(directory) + "/" + std::string(name);
}

void pushFront(std::deque<std::string>& parts, std::string_view path) {
    std::vector<std::string> pieces;
    for (const std::string_view piece : split(path, '/')) {
        if (!piece.empty() && piece != ".") {
            pieces.emplace_back(piece);
        }
    }
    parts.insert(parts.begin(), pieces.begin(), pieces.end());
}

int lookUp(const std::map<std::string, int, std::less<>>& errors,
           std::string_view path) {
    const auto found = errors.find(path);
    return found == errors.end() ? 0 : found->second;
}

host::FileStatus statusOf(const FakeNode& node) {
    return host::FileStatus{.type = node.type,
                            .mode = node.mode,
                            .owner = node.owner,
                            .group = node.group,
                            .size = node.size.value_or(node.content.size()),
                            .device = 1,
                            .inode = node.inode,
                            .mtimeNs = node.mtimeNs};
}

}  // namespace

FakeFiles::FakeFiles() {
    nodes_["/"] = FakeNode{.type = Type::directory, .mode = 0755};
}

std::expected<std::string, int> FakeFiles::canonical(
    std::string_view path, Last last, std::vector<std::string>* passed) const {
    std::deque<std::string> parts;
    pushFront(parts, path);
    std::string at = "/";
    int links = 0;
    while (!parts.empty()) {
        const std::string part = parts.front();
        parts.pop_front();
        if (part == "..") {
            at = std::string(parentOf(at));
            continue;
        }
        const std::string next = join(at, part);
        const auto node = nodes_.find(next);
        if (node == nodes_.end()) {
            return parts.empty() ? std::expected<std::string, int>(next)
                                 : std::unexpected(ENOENT);
        }
        const bool isLink = node->second.type == Type::symlink;
        const bool passage = isLink || node->second.type == Type::directory;
        if (passage && passed != nullptr) {
            passed->push_back(next);
        }
        if (isLink && (!parts.empty() || last == Last::follow)) {
            if (++links > kMaxLinks) {
                return std::unexpected(ELOOP);
            }
            at = node->second.content.starts_with('/') ? "/" : at;
            pushFront(parts, node->second.content);
            continue;
        }
        if (!parts.empty() && node->second.type != Type::directory) {
            return std::unexpected(ENOTDIR);
        }
        at = next;
    }
    return at;
}

FakeNode& FakeFiles::place(std::string_view path, FakeNode node) {
    const std::string_view parent = parentOf(path);
    if (find(parent) == nullptr) {
        addDirectory(parent);
    }
    const std::string at = canonical(path, Last::keep).value_or(std::string(path));
    node.inode = ++inodes_;
    node.mtimeNs = ++ticks_;
    return nodes_[at] = std::move(node);
}

FakeNode& FakeFiles::addFile(std::string_view path, std::string content) {
    return place(path, FakeNode{.content = std::move(content)});
}

FakeNode& FakeFiles::addDirectory(std::string_view path) {
    if (FakeNode* const present = find(path)) {
        return *present;
    }
    return place(path, FakeNode{.type = Type::directory, .mode = 0755});
}

FakeNode& FakeFiles::addLink(std::string_view path, std::string target) {
    return place(
        path,
        FakeNode{.type = Type::symlink, .content = std::move(target), .mode = 0777});
}

FakeNode& FakeFiles::addAttribute(std::string_view path,
                                  std::string content,
                                  WriteHook hook) {
    return place(path,
                 FakeNode{.content = std::move(content), .hook = std::move(hook)});
}

void FakeFiles::erase(std::string_view path) {
    const std::string at = canonical(path, Last::keep).value_or(std::string(path));
    std::erase_if(nodes_, [&](const auto& entry) {
        return entry.first == at || entry.first.starts_with(at + "/");
    });
}

FakeNode* FakeFiles::find(std::string_view path) {
    const auto at = canonical(path, Last::follow);
    const auto node = at ? nodes_.find(*at) : nodes_.end();
    return node == nodes_.end() ? nullptr : &node->second;
}

std::string FakeFiles::content(std::string_view path) const {
    const auto at = canonical(path, Last::follow);
    const auto node = at ? nodes_.find(*at) : nodes_.end();
    return node == nodes_.end() ? std::string() : node->second.content;
}

bool FakeFiles::exists(std::string_view path) const {
    const auto at = canonical(path, Last::keep);
    return at && nodes_.contains(*at);
}

std::vector<std::string> FakeFiles::below(std::string_view directory) const {
    const std::string start = std::string(directory) + "/";
    std::vector<std::string> paths;
    for (auto node = nodes_.lower_bound(start);
         node != nodes_.end() && node->first.starts_with(start);
         ++node) {
        paths.push_back(node->first);
    }
    return paths;
}

void FakeFiles::failRead(std::string_view path, int sysErrno) {
    readErrors_[std::string(path)] = sysErrno;
}

void FakeFiles::failWrite(std::string_view path, int sysErrno) {
    writeErrors_[std::string(path)] = sysErrno;
}

void FakeFiles::failWriteAt(std::size_t nth, int sysErrno) {
    faultIn_ = nth;
    faultErrno_ = sysErrno;
}

std::expected<const FakeNode*, int> FakeFiles::nodeForRead(std::string_view path,
                                                           Last last) const {
    ++reads_;
    if (const int injected = lookUp(readErrors_, path); injected != 0) {
        return std::unexpected(injected);
    }
    const auto at = canonical(path, last);
    if (!at) {
        return std::unexpected(at.error());
    }
    if (const int injected = lookUp(readErrors_, *at); injected != 0) {
        return std::unexpected(injected);
    }
    const auto node = nodes_.find(*at);
    if (node == nodes_.end()) {
        return std::unexpected(ENOENT);
    }
    return &node->second;
}

Result<std::string> FakeFiles::read(std::string_view path, std::size_t limit) const {
    const auto node = nodeForRead(path, Last::follow);
    int error = node ? 0 : node.error();
    if (node && (*node)->type == Type::directory) {
        error = EISDIR;
    } else if (node && (*node)->content.size() > limit) {
        error = EFBIG;
    }
    if (error != 0) {
        return fail(systemError("read", std::string(path), error));
    }
    return (*node)->content;
}

Result<std::vector<std::string>> FakeFiles::list(std::string_view path) const {
    const auto node = nodeForRead(path, Last::follow);
    if (!node || (*node)->type != Type::directory) {
        return fail(
            systemError("list", std::string(path), node ? ENOTDIR : node.error()));
    }
    const std::string at = canonical(path, Last::follow).value_or("");
    std::vector<std::string> names;
    for (const auto& [child, unused] : nodes_) {
        if (child != "/" && parentOf(child) == at) {
            names.push_back(child.substr(child.rfind('/') + 1));
        }
    }
    std::ranges::sort(names);
    return names;
}

Result<std::string> FakeFiles::readLink(std::string_view path) const {
    const auto node = nodeForRead(path, Last::keep);
    if (!node || (*node)->type != Type::symlink) {
        return fail(
            systemError("read link", std::string(path), node ? EINVAL : node.error()));
    }
    return (*node)->content;
}

Result<std::string> FakeFiles::resolve(std::string_view path) const {
    const auto node = nodeForRead(path, Last::follow);
    if (!node) {
        return fail(systemError("resolve", std::string(path), node.error()));
    }
    return canonical(path, Last::follow).value_or("");
}

Result<host::FileStatus> FakeFiles::status(std::string_view path) const {
    const auto node = nodeForRead(path, Last::follow);
    if (!node) {
        return fail(systemError("stat", std::string(path), node.error()));
    }
    return statusOf(**node);
}

Result<host::TracedFile> FakeFiles::readTraced(std::string_view path,
                                               std::size_t limit) const {
    std::string text = TRY(read(path, limit));
    const auto node = nodeForRead(path, Last::follow);
    if ((*node)->type != Type::regular) {
        return fail(systemError("read", std::string(path), EINVAL));
    }
    std::vector<std::string> passed{"/"};
    (void)canonical(path, Last::follow, &passed);
    host::TracedFile traced{.text = std::move(text), .status = statusOf(**node)};
    for (const std::string& step : passed) {
        traced.way.push_back({.path = step, .status = statusOf(nodes_.at(step))});
    }
    return traced;
}

int FakeFiles::refusal(std::string_view path) {
    if (faultIn_ > 0 && --faultIn_ == 0) {
        return faultErrno_;
    }
    if (const int injected = lookUp(writeErrors_, path); injected != 0) {
        return injected;
    }
    const auto at = canonical(path, Last::follow);
    return at ? lookUp(writeErrors_, *at) : 0;
}

Result<void> FakeFiles::record(FileWrite write, int sysErrno) {
    write.sysErrno = sysErrno;
    const std::string path = write.path;
    writes_.push_back(std::move(write));
    if (sysErrno != 0) {
        return fail(systemError("write", path, sysErrno));
    }
    return {};
}

int FakeFiles::takeAttribute(std::string_view path, std::string_view text) {
    if (const int refused = refusal(path); refused != 0) {
        return refused;
    }
    const bool kernel = path.starts_with("/sys/") || path.starts_with("/proc/");
    const auto at = canonical(path, kernel ? Last::follow : Last::keep);
    if (!at) {
        return at.error();
    }
    const auto node = nodes_.find(*at);
    if (node == nodes_.end()) {
        return ENOENT;
    }
    if (node->second.type != Type::regular) {
        return node->second.type == Type::directory ? EISDIR : ELOOP;
    }
    if (node->second.hook) {
        return node->second.hook(text);
    }
    node->second.content = std::string(text);
    node->second.mtimeNs = ++ticks_;
    return 0;
}

Result<void> FakeFiles::writeAttribute(std::string_view path, std::string_view text) {
    return record({.kind = FileWrite::Kind::attribute,
                   .path = std::string(path),
                   .text = std::string(text)},
                  takeAttribute(path, text));
}

int FakeFiles::takeReplacement(const FileWrite& write) {
    if (const int refused = refusal(write.path); refused != 0) {
        return refused;
    }
    const auto at = canonical(write.path, Last::keep);
    const FakeNode* const directory = find(parentOf(write.path));
    if (!at || directory == nullptr) {
        return at ? ENOENT : at.error();
    }
    const auto node = nodes_.find(*at);
    if (node != nodes_.end() && node->second.type != Type::regular) {
        return node->second.type == Type::directory ? EISDIR : ELOOP;
    }
    place(write.path,
          FakeNode{.content = write.text,
                   .mode = write.mode,
                   .owner = write.owner.user,
                   .group = write.owner.group});
    return 0;
}

Result<void> FakeFiles::replaceFile(std::string_view path,
                                    std::string_view text,
                                    const host::FileAccess& access) {
    const FileWrite write{.kind = FileWrite::Kind::replace,
                          .path = std::string(path),
                          .text = std::string(text),
                          .mode = access.mode,
                          .owner = access.owner.value_or(host::FileOwner{})};
    return record(write, takeReplacement(write));
}

Result<void> FakeFiles::makeDirectory(std::string_view path, mode_t mode) {
    const FileWrite write{.kind = FileWrite::Kind::makeDirectory,
                          .path = std::string(path),
                          .mode = mode};
    int error = refusal(path);
    const auto at = canonical(path, Last::keep);
    if (error == 0 && (!at || find(parentOf(path)) == nullptr)) {
        error = ENOENT;
    }
    if (error == 0) {
        const auto node = nodes_.find(*at);
        if (node == nodes_.end()) {
            place(path, FakeNode{.type = Type::directory, .mode = mode});
            if (onMakeDirectory) {
                onMakeDirectory(std::string(path));
            }
        } else if (node->second.type != Type::directory) {
            error = EEXIST;
        }
    }
    return record(write, error);
}

Result<void> FakeFiles::removeFile(std::string_view path) {
    int error = refusal(path);
    if (error == 0 && !exists(path)) {
        error = ENOENT;
    }
    if (error == 0) {
        nodes_.erase(canonical(path, Last::keep).value_or(""));
    }
    return record({.kind = FileWrite::Kind::remove, .path = std::string(path)}, error);
}

}  // namespace fabric::fake
