// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <curl/curl.h>

namespace fabric::linux_host {

// What is used of libcurl. It is opened when a web server is asked for the first time:
// linked, it would bring some twenty libraries into every start of the program.
struct CurlLibrary {
    decltype(&curl_easy_init) init = nullptr;
    decltype(&curl_easy_setopt) set = nullptr;
    decltype(&curl_easy_perform) perform = nullptr;
    decltype(&curl_easy_getinfo) get = nullptr;
    decltype(&curl_easy_cleanup) cleanup = nullptr;
    decltype(&curl_easy_strerror) text = nullptr;
};

// Stays open until the program ends. ErrorKind::unsupported where it is not installed.
[[nodiscard]] Result<CurlLibrary> openCurl();

}  // namespace fabric::linux_host
