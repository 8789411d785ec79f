// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "linux/dcb_channel.hpp"

namespace fabric::linux_host {

class RtnlDcbWriter : public host::DcbWriter {
  public:
    explicit RtnlDcbWriter(const DcbChannel& channel) : channel_(&channel) {}

    [[nodiscard]] Result<host::DcbAnswer> set(const host::DcbRequest& request) override;

  private:
    const DcbChannel* channel_;
};

}  // namespace fabric::linux_host
