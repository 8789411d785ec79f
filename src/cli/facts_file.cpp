// SPDX-License-Identifier: Apache-2.0
#include "cli/facts_file.hpp"

#include "base/text.hpp"
#include "doctor/gather.hpp"
#include "facts/json_reader.hpp"
#include "facts/replay.hpp"

#include <fmt/format.h>

#include <utility>

namespace fabric::cli {

Result<facts::Facts> readFactsFile(const host::FileReader& files,
                                   const std::string& path) {
    auto text = files.read(path, facts::JsonBounds{}.bytes);
    if (!text) {
        Error error = std::move(text.error());
        if (error.advice.empty()) {
            error.advice =
                "facts of a host are taken with 'fabricctl facts --output FILE'";
        }
        return fail(std::move(error));
    }
    return facts::parseFacts(*text, path);
}

Result<doctor::EarlierLook> readEarlierLook(const host::FileReader& files,
                                            const std::string& path,
                                            const std::string& hostName) {
    facts::Facts facts = TRY(readFactsFile(files, path));
    if (facts.hostName != hostName) {
        return fail({.kind = ErrorKind::refused,
                     .action = "compare with",
                     .subject = escapeForTerminal(path),
                     .sysErrno = 0,
                     .detail = fmt::format("these are facts of {}, and not of {}",
                                           escapeForTerminal(facts.hostName),
                                           escapeForTerminal(hostName)),
                     .advice = "name a file that was taken on the same host"});
    }
    const facts::ReplayHost earlier(std::move(facts.observed));
    return doctor::lookEarlier(earlier.reader(), facts.taken);
}

}  // namespace fabric::cli
