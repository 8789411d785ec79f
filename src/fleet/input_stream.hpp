// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fleet/document_splitter.hpp"
#include "fleet/inflater.hpp"
#include "fleet/tar_reader.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace fabric::fleet {

// A name that files with documents have: *.json, *.jsonl, *.ndjson.
[[nodiscard]] bool isDocumentsName(std::string_view name);

// What becomes of what a stream holds. An error of `take` ends it.
struct InputSink {
    // A piece, and where it stands: "facts.tar: node1.json, document 2".
    std::function<Result<void>(const Piece&, const std::string& place)> take;
    std::function<void()> passOver;  // a member that has no name of documents
};

// One file or stream: documents, or an archive of files with documents, packed by gzip
// or not; its first bytes tell. Bounded memory, whatever comes.
class InputStream {
  public:
    InputStream(std::string origin, std::size_t mostBytes, InputSink sink);

    // An error of the sink, or what is wrong with the archive; nothing follows then.
    [[nodiscard]] Result<void> feed(std::string_view bytes);
    [[nodiscard]] Result<void> end();

  private:
    [[nodiscard]] Result<void> choose();
    [[nodiscard]] Result<void> plain(std::string_view bytes);
    [[nodiscard]] Result<void> begin(std::string_view first, bool isTar);
    void beginMember(const std::string& name);
    void split(const std::string& place);

    std::string origin_;
    std::size_t mostBytes_;
    InputSink sink_;
    std::optional<DocumentSplitter> splitter_;
    TarReader tar_;
    Inflater inflater_;
    std::string magic_;  // until it is known whether the stream is packed
    std::optional<bool> packed_;
    std::string head_;  // until it is known whether it is an archive
    std::optional<bool> isTar_;
};

}  // namespace fabric::fleet
