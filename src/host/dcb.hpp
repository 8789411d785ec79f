// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"
#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fabric::host {

// The dcbnl commands in use (enum dcbnl_commands, linux/dcbnl.h).
enum class DcbCommand : std::uint8_t {
    ieeeSet = 20,
    ieeeGet = 21,
    getDcbx = 22,
    setDcbx = 23,
    ieeeDelete = 27,
};

// One dcbnl request. The kernel addresses devices by name only; the channel resolves
// `link` to its present name, puts struct dcbmsg and DCB_ATTR_IFNAME before
// `attributes`, and fails when the pair changed while the request was under way.
struct DcbRequest {
    IfIndex link;
    DcbCommand command = DcbCommand::ieeeGet;
    std::vector<std::byte> attributes;  // netlink attributes after DCB_ATTR_IFNAME

    bool operator==(const DcbRequest&) const = default;
};

// The attributes of the one answer that belongs to the request (sequence and port
// matched, struct dcbmsg removed). NLMSG_ERROR becomes an Error with its errno and
// extack text. The result code that a SET answer carries inside is not looked at here:
// it is the codec's.
using DcbAnswer = std::vector<std::byte>;

class DcbReader {
  public:
    virtual ~DcbReader() = default;
    // RTM_GETDCB; commands that change anything are refused with ErrorKind::bug.
    [[nodiscard]] virtual Result<DcbAnswer> get(const DcbRequest& request) const = 0;
};

class DcbWriter {
  public:
    virtual ~DcbWriter() = default;
    // RTM_SETDCB. A rename between resolve and answer is retried once with the new name
    // when the kernel answered ENODEV; it is an error when the answer cannot be
    // attributed.
    [[nodiscard]] virtual Result<DcbAnswer> set(const DcbRequest& request) = 0;
};

}  // namespace fabric::host
