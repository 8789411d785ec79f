// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/dcb.hpp"
#include "host/files.hpp"
#include "linux/link_names.hpp"
#include "linux/netlink_channel.hpp"

namespace fabric::linux_host {

// RTM_GETDCB and RTM_SETDCB (net/dcb/dcbnl.c) over the process's route socket. The
// kernel takes a device by name only; the channel takes an ifindex, looks its name up
// before and after, and hands out no answer that another device may have given.
class DcbChannel {
  public:
    DcbChannel(NetlinkChannel& netlink,
               const LinkNames& names,
               const host::FileReader& files)
        : netlink_(&netlink), names_(&names), files_(&files) {}

    // Exchanges one message. `messageType` is RTM_GETDCB or RTM_SETDCB. ENODEV is tried
    // once more when the interface has another name by now.
    [[nodiscard]] Result<host::DcbAnswer> exchange(const host::DcbRequest& request,
                                                   std::uint16_t messageType) const;

  private:
    [[nodiscard]] Result<host::DcbAnswer> exchangeByName(
        const host::DcbRequest& request,
        std::uint16_t messageType,
        const std::string& name) const;
    [[nodiscard]] Result<void> verifyName(IfIndex link, const std::string& name) const;
    [[nodiscard]] std::string permissionAdvice() const;

    NetlinkChannel* netlink_;
    const LinkNames* names_;
    const host::FileReader* files_;
};

class RtnlDcbReader : public host::DcbReader {
  public:
    explicit RtnlDcbReader(const DcbChannel& channel) : channel_(&channel) {}

    [[nodiscard]] Result<host::DcbAnswer> get(
        const host::DcbRequest& request) const override;

  private:
    const DcbChannel* channel_;
};

}  // namespace fabric::linux_host
