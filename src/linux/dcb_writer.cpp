// SPDX-License-Identifier: Apache-2.0
#include "linux/dcb_writer.hpp"

#include <linux/rtnetlink.h>

namespace fabric::linux_host {

Result<host::DcbAnswer> RtnlDcbWriter::set(const host::DcbRequest& request) {
    return channel_->exchange(request, RTM_SETDCB);
}

}  // namespace fabric::linux_host
