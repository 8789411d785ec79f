// SPDX-License-Identifier: Apache-2.0
#include "linux/verbs.hpp"

#include "base/text.hpp"

#include <infiniband/verbs.h>

#include <cerrno>
#include <memory>
#include <span>

namespace fabric::linux_host {

namespace {

struct ListCloser {
    void operator()(ibv_device** list) const { ibv_free_device_list(list); }
};

struct ContextCloser {
    void operator()(ibv_context* context) const { ibv_close_device(context); }
};

using Context = std::unique_ptr<ibv_context, ContextCloser>;

std::unexpected<Error> failed(const char* action,
                              const std::string& subject,
                              int error) {
    return fail(
        systemError(action, escapeForTerminal(subject), error == 0 ? EIO : error));
}

Result<Context> openDevice(const std::string& device) {
    int count = 0;
    errno = 0;
    const std::unique_ptr<ibv_device*, ListCloser> list(ibv_get_device_list(&count));
    if (list == nullptr) {
        return failed("list verbs devices", device, errno);
    }
    for (ibv_device* const candidate :
         std::span(list.get(), static_cast<std::size_t>(count))) {
        if (device == ibv_get_device_name(candidate)) {
            Context context(ibv_open_device(candidate));
            if (context == nullptr) {
                return failed("open verbs device", device, errno);
            }
            return context;
        }
    }
    return failed("find verbs device", device, ENODEV);
}

// enum ibv_mtu counts 256, 512, ... from 1.
std::uint32_t bytesOf(ibv_mtu mtu) {
    constexpr unsigned kHalfOfFirst = 128;
    return mtu >= IBV_MTU_256 && mtu <= IBV_MTU_4096
               ? kHalfOfFirst << static_cast<unsigned>(mtu)
               : 0;
}

}  // namespace

Result<host::RdmaPortAttributes> queryVerbsPort(const std::string& device,
                                                std::uint32_t port) {
    const Context context = TRY(openDevice(device));
    const std::string subject = device + "/" + std::to_string(port);
    ibv_port_attr portAttributes{};
    if (const int error = ibv_query_port(
            context.get(), static_cast<std::uint8_t>(port), &portAttributes);
        error != 0) {
        return failed("query verbs port", subject, error);
    }
    ibv_device_attr deviceAttributes{};
    if (const int error = ibv_query_device(context.get(), &deviceAttributes);
        error != 0) {
        return failed("query verbs device", subject, error);
    }
    return host::RdmaPortAttributes{
        .activeMtu = bytesOf(portAttributes.active_mtu),
        .maxMtu = bytesOf(portAttributes.max_mtu),
        .maxSrqWorkRequests = static_cast<std::uint32_t>(deviceAttributes.max_srq_wr)};
}

}  // namespace fabric::linux_host
