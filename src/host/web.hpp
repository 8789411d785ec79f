// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <chrono>
#include <cstddef>
#include <string>

namespace fabric::host {

// One page of a web server.
struct WebRequest {
    std::string url;     // http:// or https://, without a user in it
    std::string token;   // sent as "Authorization: Bearer"; "" none
    std::string caFile;  // who may have signed the server; "" whom this host trusts
    std::chrono::milliseconds limit{5000};          // for all of it
    std::size_t mostBytes = std::size_t{8} << 20U;  // of the answer
};

// Web servers that only a person asks. No reader reaches it.
class WebReader {
  public:
    virtual ~WebReader() = default;
    // The body of an answer of status 200. No redirect is followed and no proxy of the
    // environment taken; a certificate is verified. Errors: ErrorKind::timeout;
    // ErrorKind::notFound of status 404 or an unknown name; ErrorKind::refused of any
    // other status, of a connection or a certificate; ErrorKind::malformed of an
    // answer that is cut off or no HTTP; ErrorKind::io with EFBIG of one that is too
    // long. No error holds the token.
    [[nodiscard]] virtual Result<std::string> get(const WebRequest& request) = 0;
};

}  // namespace fabric::host
