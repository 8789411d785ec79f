// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"

#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::fake {

// Decides what a write to an attribute does. Returns 0 (taken) or the errno of the
// refusal. The hook sets the new content itself; a hook that leaves it alone is a
// kernel attribute that accepts and ignores.
using WriteHook = std::function<int(std::string_view text)>;

struct FakeNode {
    host::FileStatus::Type type = host::FileStatus::Type::regular;
    std::string content;  // of a file, or the target of a symbolic link
    mode_t mode = 0644;
    uid_t owner = 0;
    gid_t group = 0;
    std::int64_t mtimeNs = 0;
    std::optional<std::uint64_t> size;  // what stat says, when it lies
    std::uint64_t inode = 0;
    WriteHook hook;
};

struct FileWrite {
    enum class Kind { attribute, replace, makeDirectory, remove };
    Kind kind = Kind::attribute;
    std::string path;  // as the caller gave it
    std::string text;
    mode_t mode = 0;
    int sysErrno = 0;            // 0: it took effect
    host::FileOwner owner = {};  // of a replaced file; the process is root

    bool operator==(const FileWrite&) const = default;
};

// A file system in memory, with symbolic links, refusals and a record of every write
// that was tried.
class FakeFiles : public host::FileReader, public host::FileWriter {
  public:
    FakeFiles();

    // Building the tree. Missing directories are made on the way; symbolic links in the
    // directory part are followed.
    FakeNode& addFile(std::string_view path, std::string content = {});
    FakeNode& addDirectory(std::string_view path);
    FakeNode& addLink(std::string_view path, std::string target);
    FakeNode& addAttribute(std::string_view path, std::string content, WriteHook hook);
    void erase(std::string_view path);  // with everything below

    // The node at a path, links followed; nullptr when there is none.
    [[nodiscard]] FakeNode* find(std::string_view path);
    [[nodiscard]] std::string content(std::string_view path) const;
    [[nodiscard]] bool exists(std::string_view path) const;
    // Every path below a directory, sorted, links not followed.
    [[nodiscard]] std::vector<std::string> below(std::string_view directory) const;

    // Called after makeDirectory() made one: configfs fills it.
    std::function<void(const std::string& path)> onMakeDirectory;

    // Every read (or write) of this path fails with the errno; 0 ends that.
    void failRead(std::string_view path, int sysErrno);
    void failWrite(std::string_view path, int sysErrno);
    // The n-th write from now (1 is the next) fails with the errno, whatever it is.
    void failWriteAt(std::size_t nth, int sysErrno);

    [[nodiscard]] const std::vector<FileWrite>& writes() const { return writes_; }

    void forgetWrites() { writes_.clear(); }

    [[nodiscard]] std::size_t readCount() const { return reads_; }

    [[nodiscard]] Result<std::string> read(std::string_view path,
                                           std::size_t limit) const override;
    [[nodiscard]] Result<host::TracedFile> readTraced(std::string_view path,
                                                      std::size_t limit) const override;
    [[nodiscard]] Result<std::vector<std::string>> list(
        std::string_view path) const override;
    [[nodiscard]] Result<std::string> readLink(std::string_view path) const override;
    [[nodiscard]] Result<std::string> resolve(std::string_view path) const override;
    [[nodiscard]] Result<host::FileStatus> status(std::string_view path) const override;

    [[nodiscard]] Result<void> writeAttribute(std::string_view path,
                                              std::string_view text) override;
    [[nodiscard]] Result<void> replaceFile(std::string_view path,
                                           std::string_view text,
                                           const host::FileAccess& access) override;
    [[nodiscard]] Result<void> makeDirectory(std::string_view path,
                                             mode_t mode) override;
    [[nodiscard]] Result<void> removeFile(std::string_view path) override;

  private:
    enum class Last { follow, keep };

    // The path with links replaced; the last component need not exist. Else an errno.
    // `passed` collects the directories and links on the way.
    [[nodiscard]] std::expected<std::string, int> canonical(
        std::string_view path,
        Last last,
        std::vector<std::string>* passed = nullptr) const;
    [[nodiscard]] std::expected<const FakeNode*, int> nodeForRead(std::string_view path,
                                                                  Last last) const;
    FakeNode& place(std::string_view path, FakeNode node);
    Result<void> record(FileWrite write, int sysErrno);
    [[nodiscard]] int refusal(std::string_view path);
    [[nodiscard]] int takeAttribute(std::string_view path, std::string_view text);
    [[nodiscard]] int takeReplacement(const FileWrite& write);

    std::map<std::string, FakeNode, std::less<>> nodes_;  // by canonical path
    std::map<std::string, int, std::less<>> readErrors_;
    std::map<std::string, int, std::less<>> writeErrors_;
    std::size_t faultIn_ = 0;  // writes until the fault; 0: none
    int faultErrno_ = 0;
    std::vector<FileWrite> writes_;
    std::int64_t ticks_ = 0;
    std::uint64_t inodes_ = 0;
    mutable std::size_t reads_ = 0;
};

}  // namespace fabric::fake
