// SPDX-License-Identifier: Apache-2.0
#include "profile/yaml.hpp"

#include "base/text.hpp"
#include "profile/wording.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <fmt/format.h>

#include <exception>
#include <map>
#include <optional>
#include <set>
#include <spanstream>
#include <utility>

namespace fabric::profile {

namespace {

using File = std::shared_ptr<const std::string>;

// Ends the reading from inside the event handler; the parser has no other way to stop.
struct Refusal : std::exception {
    explicit Refusal(ProfileError refused) : error(std::move(refused)) {}

    ProfileError error;
};

struct Weighted {
    TreeNode node;
    std::size_t weight = 0;
};

// A list or map that is still being read.
struct Open {
    TreeNode node;
    YAML::anchor_t anchor = 0;
    std::size_t weightBefore = 0;
    std::optional<Entry> key;  // read, its value still missing
    std::set<std::string, std::less<>> keys;
};

class TreeBuilder : public YAML::EventHandler {
  public:
    TreeBuilder(std::string_view text, File file)
        : text_(text), file_(std::move(file)) {}

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (++documents_ > 1) {
            refuse(mark,
                   "a second YAML document begins here; a profile is one document");
        }
    }

    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        TreeNode node{.kind = TreeNode::Kind::null, .at = position(mark)};
        node.omitted = !saysNull(mark);
        place(std::move(node), anchor);
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = anchored_.find(anchor);
        if (found == anchored_.end()) {
            refuse(mark, "this alias stands inside the value that it names");
        }
        gain(mark, found->second.weight);
        place(found->second.node, 0);
    }

    void OnScalar(const YAML::Mark& mark,
                  const std::string& tag,
                  YAML::anchor_t anchor,
                  const std::string& value) override {
        checkTag(mark, tag);
        TreeNode node{.kind = TreeNode::Kind::scalar, .at = position(mark)};
        node.scalar = value;
        node.quoted = tag == "!";
        if (node.quoted && !quoteCloses(mark)) {
            refuse(mark, "the quote that opens here is not closed");
        }
        gain(mark, 1 + value.size() / 64);
        place(std::move(node), anchor);
    }

    void OnSequenceStart(const YAML::Mark& mark,
                         const std::string& tag,
                         YAML::anchor_t anchor,
                         YAML::EmitterStyle::value /*style*/) override {
        open(mark, tag, anchor, TreeNode::Kind::list);
    }

    void OnSequenceEnd() override { close(); }

    void OnMapStart(const YAML::Mark& mark,
                    const std::string& tag,
                    YAML::anchor_t anchor,
                    YAML::EmitterStyle::value /*style*/) override {
        open(mark, tag, anchor, TreeNode::Kind::map);
    }

    void OnMapEnd() override { close(); }

    [[nodiscard]] std::optional<TreeNode>& root() { return root_; }

    [[nodiscard]] ProfileErrors& errors() { return errors_; }

  private:
    [[nodiscard]] Position position(const YAML::Mark& mark) const {
        return Position{.file = file_,
                        .line = static_cast<unsigned>(mark.line + 1),
                        .column = static_cast<unsigned>(mark.column + 1)};
    }

    [[noreturn]] void refuse(const YAML::Mark& mark, std::string message) const {
        throw Refusal(errorAt(position(mark), std::move(message)));
    }

    void checkTag(const YAML::Mark& mark, const std::string& tag) const {
        if (!tag.empty() && tag != "?" && tag != "!") {
            refuse(mark, fmt::format("YAML tag {}: a profile has no tags", cited(tag)));
        }
    }

    // The parser reports `key:` and `key: null` alike; only the text tells them apart.
    [[nodiscard]] bool saysNull(const YAML::Mark& mark) const {
        const std::string_view rest =
            text_.substr(std::min(text_.size(), static_cast<std::size_t>(mark.pos)));
        for (const std::string_view word : {"~", "null", "Null", "NULL"}) {
            if (rest.starts_with(word)) {
                const std::string_view after = rest.substr(word.size());
                return after.empty() ||
                       std::string_view(" \t\r\n,]}").contains(after[0]);
            }
        }
        return false;
    }

    // The parser takes the end of the file for the missing quote of a cut-off file.
    [[nodiscard]] bool quoteCloses(const YAML::Mark& mark) const {
        std::string_view rest =
            text_.substr(std::min(text_.size(), static_cast<std::size_t>(mark.pos)));
        if (rest.starts_with('&')) {  // an anchor comes first
            rest.remove_prefix(std::min(rest.size(), rest.find_first_of("\"'|>")));
        }
        if (rest.empty() || (rest[0] != '"' && rest[0] != '\'')) {
            return true;  // a block scalar has no quotes
        }
        const char quote = rest[0];
        for (std::size_t at = 1; at < rest.size(); ++at) {
            const bool escapes = quote == '"' && rest[at] == '\\';
            const bool doubled = quote == '\'' && rest.substr(at).starts_with("''");
            if (escapes || doubled) {
                ++at;
            } else if (rest[at] == quote) {
                return true;
            }
        }
        return false;
    }

    void gain(const YAML::Mark& mark, std::size_t weight) {
        weight_ += weight;
        if (weight_ > kMaxWeight) {
            refuse(mark, "too many values, with YAML aliases expanded");
        }
    }

    void open(const YAML::Mark& mark,
              const std::string& tag,
              YAML::anchor_t anchor,
              TreeNode::Kind kind) {
        checkTag(mark, tag);
        if (stack_.size() >= kMaxDepth) {
            refuse(mark, fmt::format("nested more than {} deep", kMaxDepth));
        }
        if (expectsKey()) {
            refuse(mark, "a key must be one word or number");
        }
        TreeNode node{.kind = kind, .at = position(mark)};
        stack_.push_back(
            Open{.node = std::move(node), .anchor = anchor, .weightBefore = weight_});
        gain(mark, 1);
    }

    void close() {
        Open done = std::move(stack_.back());
        stack_.pop_back();
        keep(done.anchor, done.node, weight_ - done.weightBefore);
        attach(std::move(done.node));
    }

    void place(TreeNode node, YAML::anchor_t anchor) {
        keep(anchor, node, 1 + node.scalar.size() / 64);
        attach(std::move(node));
    }

    void keep(YAML::anchor_t anchor, const TreeNode& node, std::size_t weight) {
        if (anchor != 0) {
            anchored_[anchor] = Weighted{.node = node, .weight = weight};
        }
    }

    [[nodiscard]] bool expectsKey() const {
        return !stack_.empty() && stack_.back().node.isMap() && !stack_.back().key;
    }

    void attach(TreeNode node) {
        if (stack_.empty()) {
            root_ = std::move(node);
            return;
        }
        Open& top = stack_.back();
        if (!top.node.isMap()) {
            top.node.items.push_back(std::move(node));
        } else if (!top.key) {
            takeKey(top, std::move(node));
        } else {
            takeValue(top, std::move(node));
        }
    }

    void takeKey(Open& top, TreeNode key) {
        if (key.kind != TreeNode::Kind::scalar) {
            throw Refusal(errorAt(key.at, "a key must be one word or number"));
        }
        top.key = Entry{.key = std::move(key.scalar), .keyAt = key.at, .value = {}};
    }

    void takeValue(Open& top, TreeNode value) {
        Entry entry = std::exchange(top.key, std::nullopt).value_or(Entry{});
        if (value.omitted) {
            value.at = entry.keyAt;
        }
        if (!top.keys.insert(entry.key).second) {
            addDuplicate(top.node, entry);
            return;
        }
        entry.value = std::move(value);
        top.node.entries.push_back(std::move(entry));
    }

    void addDuplicate(const TreeNode& map, const Entry& entry) {
        for (const Entry& first : map.entries) {
            if (first.key == entry.key) {
                errors_.push_back(errorAt(
                    entry.keyAt,
                    fmt::format("duplicate key {}; it is already given on line {}",
                                cited(entry.key),
                                first.keyAt.line)));
                return;
            }
        }
    }

    std::string_view text_;
    File file_;
    std::vector<Open> stack_;
    std::map<YAML::anchor_t, Weighted> anchored_;
    std::size_t weight_ = 0;
    unsigned documents_ = 0;
    std::optional<TreeNode> root_;
    ProfileErrors errors_;
};

// The first byte that is no YAML text in UTF-8, as an error.
std::optional<ProfileError> badByte(std::string_view text, const File& file) {
    Position at{.file = file, .line = 1, .column = 1};
    for (std::size_t index = 0; index < text.size();) {
        const auto byte = static_cast<unsigned char>(text[index]);
        const bool plain = (byte >= 0x20 && byte < 0x7F) || byte == '\t' ||
                           byte == '\r' || byte == '\n';
        const std::size_t length = plain ? 1 : utf8Length(text, index);
        if (length == 0) {
            return errorAt(at,
                           fmt::format("byte 0x{:02x} has no place in a profile, which "
                                       "is UTF-8 text",
                                       byte));
        }
        index += length;
        at.column += static_cast<unsigned>(length);
        if (byte == '\n') {
            ++at.line;
            at.column = 1;
        }
    }
    return std::nullopt;
}

// True when the given line (from 0) is indented with a tab.
bool tabIndents(std::string_view text, int line) {
    for (int at = 0; at < line; ++at) {
        const std::size_t end = text.find('\n');
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    const std::string_view indent = text.substr(0, text.find_first_not_of(" \t"));
    return indent.contains('\t');
}

ProfileError syntaxError(std::string_view text,
                         const File& file,
                         const YAML::Exception& failure) {
    if (failure.mark.is_null()) {
        return errorAt(Position{.file = file},
                       fmt::format("not YAML: {}", escapeForTerminal(failure.msg)));
    }
    const Position at{.file = file,
                      .line = static_cast<unsigned>(failure.mark.line + 1),
                      .column = static_cast<unsigned>(failure.mark.column + 1)};
    if (tabIndents(text, failure.mark.line)) {
        return errorAt(
            at, "a tab indents this line; YAML indents with spaces", "spaces");
    }
    // What a colon, question mark or at sign in unquoted text ends in.
    const bool unquoted = failure.msg == YAML::ErrorMsg::UNKNOWN_TOKEN ||
                          failure.msg == YAML::ErrorMsg::MAP_VALUE;
    return errorAt(
        at,
        fmt::format("not YAML: {}{}",
                    escapeForTerminal(failure.msg),
                    unquoted ? "; text with special characters needs quotes" : ""));
}

// Parses everything. False when the text ended the parsing; the builder has the error.
bool build(TreeBuilder& builder, std::string_view text, const File& file) {
    try {
        std::ispanstream stream(std::span<const char>(text.data(), text.size()));
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {
        }
        return true;
    } catch (const Refusal& refusal) {
        builder.errors().push_back(refusal.error);
    } catch (const YAML::Exception& failure) {
        builder.errors().push_back(syntaxError(text, file, failure));
    } catch (const std::exception& failure) {
        builder.errors().push_back(
            errorAt(Position{.file = file},
                    fmt::format("not YAML: {}", escapeForTerminal(failure.what()))));
    }
    return false;
}

YamlTree refused(ProfileError error) {
    YamlTree tree;
    tree.errors.push_back(std::move(error));
    return tree;
}

YamlTree refused(const File& file, std::string message) {
    return refused(errorAt(Position{.file = file}, std::move(message)));
}

}  // namespace

YamlTree readYaml(std::string_view text, const std::string& fileName) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    const File file = std::make_shared<const std::string>(fileName);
    if (text.size() > kMaxProfileBytes) {
        return refused(file, "larger than 1 MiB, which no profile needs");
    }
    if (text.starts_with(kByteOrderMark)) {
        text.remove_prefix(kByteOrderMark.size());
    }
    if (auto bad = badByte(text, file)) {
        return refused(std::move(*bad));
    }
    TreeBuilder builder(text, file);
    if (!build(builder, text, file)) {
        return YamlTree{.root = {}, .errors = std::move(builder.errors())};
    }
    std::optional<TreeNode>& root = builder.root();
    if (!root || root->isNull()) {
        return refused(file, "the profile is empty; it needs `version: 1` and a name");
    }
    if (!root->isMap()) {
        return refused(
            errorAt(root->at, "a profile is a map of keys, such as `version: 1`"));
    }
    return YamlTree{.root = std::move(root), .errors = std::move(builder.errors())};
}

}  // namespace fabric::profile
