// SPDX-License-Identifier: Apache-2.0
#include "linux/libpci_access.hpp"

#include "linux/libpci.hpp"

#include <array>
#include <cerrno>
#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace fabric::linux_host {

namespace {

// libpci's callbacks carry no context, and what they touch must survive a longjmp.
struct LastWords {
    int sysErrno = 0;
    std::array<char, 256> text{};
    std::jmp_buf* escape = nullptr;
};

thread_local LastWords lastWords;

void keep(int sysErrno, const char* format, va_list arguments) {
    lastWords.sysErrno = sysErrno;
    (void)std::vsnprintf(
        lastWords.text.data(), lastWords.text.size(), format, arguments);
}

[[gnu::format(printf, 1, 2)]] void onWarning(char* format, ...) {
    const int sysErrno = errno;
    va_list arguments;
    va_start(arguments, format);
    keep(sysErrno, format, arguments);
    va_end(arguments);
}

[[gnu::noreturn, gnu::format(printf, 1, 2)]] void onError(char* format, ...) {
    const int sysErrno = errno;
    va_list arguments;
    va_start(arguments, format);
    keep(sysErrno, format, arguments);
    va_end(arguments);
    if (lastWords.escape == nullptr) {
        std::abort();  // libpci was called outside guarded(): a bug of this program
    }
    std::longjmp(*lastWords.escape, 1);
}

[[gnu::format(printf, 1, 2)]] void onDebug(char* /*format*/, ...) {}

struct Call {
    bool (*use)(pci_dev* device, void* argument) = nullptr;
    pci_dev* device = nullptr;
    void* argument = nullptr;
};

// Nothing in this frame, or below it in C++, has a destructor.
bool guarded(const Call& call) {
    std::jmp_buf here;
    lastWords.sysErrno = 0;
    lastWords.text[0] = '\0';
    lastWords.escape = &here;
    if (setjmp(here) != 0) {  // NOLINT(cert-err52-cpp)
        lastWords.escape = nullptr;
        return false;
    }
    const bool done = call.use(call.device, call.argument);
    lastWords.escape = nullptr;
    return done;
}

struct Selection {
    pci_access* access = nullptr;
    PciAddress address;
    pci_dev* device = nullptr;
};

struct Block {
    int offset = 0;
    std::byte* bytes = nullptr;
    int length = 0;
};

}  // namespace

void LibpciAccess::AccessCloser::operator()(pci_access* access) const {
    pci_cleanup(access);
}

void LibpciAccess::DeviceCloser::operator()(pci_dev* device) const {
    pci_free_dev(device);
}

LibpciAccess::Complaint LibpciAccess::complaint() {
    return {.sysErrno = lastWords.sysErrno, .text = lastWords.text.data()};
}

void LibpciAccess::forget() {
    device_.reset();
    selected_.reset();
}

bool LibpciAccess::open() {
    if (access_ != nullptr) {
        return true;
    }
    pci_access* const access = pci_alloc();
    access->method = PCI_ACCESS_SYS_BUS_PCI;
    access->error = onError;
    access->warning = onWarning;
    access->debug = onDebug;
    std::string name = "sysfs.path";
    pci_set_param(access, name.data(), sysfsPath_.data());
    const bool ready = guarded({.use =
                                    [](pci_dev* /*none*/, void* argument) {
                                        pci_init(static_cast<pci_access*>(argument));
                                        return true;
                                    },
                                .device = nullptr,
                                .argument = access});
    if (ready) {
        access_.reset(access);
    }
    // Otherwise it stays behind: pci_cleanup would call methods that are not there yet.
    return ready;
}

bool LibpciAccess::select(PciAddress address) {
    if (selected_ == address) {
        return true;
    }
    forget();
    if (!open()) {
        return false;
    }
    Selection selection{.access = access_.get(), .address = address};
    const bool found =
        guarded({.use =
                     [](pci_dev* /*none*/, void* argument) {
                         auto& wanted = *static_cast<Selection*>(argument);
                         wanted.device =
                             pci_get_dev(wanted.access,
                                         static_cast<int>(wanted.address.domain),
                                         wanted.address.bus,
                                         wanted.address.device,
                                         wanted.address.function);
                         return wanted.device != nullptr;
                     },
                 .device = nullptr,
                 .argument = &selection});
    if (found) {
        device_.reset(selection.device);
        selected_ = address;
    }
    return found;
}

bool LibpciAccess::with(PciAddress address,
                        bool (*use)(pci_dev* device, void* argument),
                        void* argument) {
    return select(address) &&
           guarded({.use = use, .device = device_.get(), .argument = argument});
}

bool LibpciAccess::read(PciAddress address,
                        std::uint16_t offset,
                        std::span<std::byte> bytes) {
    Block block{.offset = offset,
                .bytes = bytes.data(),
                .length = static_cast<int>(bytes.size())};
    return with(
        address,
        [](pci_dev* device, void* argument) {
            const auto& wanted = *static_cast<const Block*>(argument);
            return pci_read_block(device,
                                  wanted.offset,
                                  reinterpret_cast<u8*>(wanted.bytes),
                                  wanted.length) != 0;
        },
        &block);
}

}  // namespace fabric::linux_host
