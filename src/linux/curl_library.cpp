// SPDX-License-Identifier: Apache-2.0
#include "linux/curl_library.hpp"

#include <dlfcn.h>

#include <string>

namespace fabric::linux_host {

namespace {

// Its name has been the same since 2006 (libcurl's docs/libcurl/ABI.md).
constexpr const char* kName = "libcurl.so.4";

Error missing() {
    const char* const why = ::dlerror();
    return {.kind = ErrorKind::unsupported,
            .action = "open libcurl",
            .subject = kName,
            .sysErrno = 0,
            .detail = why == nullptr ? "" : why,
            .advice = "install the package libcurl4 (or libcurl)"};
}

template <typename Function>
bool find(void* library, const char* name, Function& into) {
    into = reinterpret_cast<Function>(::dlsym(library, name));
    return into != nullptr;
}

}  // namespace

Result<CurlLibrary> openCurl() {
    void* const opened = ::dlopen(kName, RTLD_NOW | RTLD_LOCAL);
    if (opened == nullptr) {
        return fail(missing());
    }
    CurlLibrary library;
    const bool whole = find(opened, "curl_easy_init", library.init) &&
                       find(opened, "curl_easy_setopt", library.set) &&
                       find(opened, "curl_easy_perform", library.perform) &&
                       find(opened, "curl_easy_getinfo", library.get) &&
                       find(opened, "curl_easy_cleanup", library.cleanup) &&
                       find(opened, "curl_easy_strerror", library.text);
    return whole ? Result<CurlLibrary>(library) : fail(missing());
}

}  // namespace fabric::linux_host
