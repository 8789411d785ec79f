// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/web.hpp"

namespace fabric::linux_host {

// Through libcurl, one connection for each page. SIGPIPE is held back by libcurl while
// it writes.
class CurlWebReader : public host::WebReader {
  public:
    [[nodiscard]] Result<std::string> get(const host::WebRequest& request) override;
};

}  // namespace fabric::linux_host
