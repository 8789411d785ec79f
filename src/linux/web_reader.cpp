// SPDX-License-Identifier: Apache-2.0
#include "linux/web_reader.hpp"

#include "base/text.hpp"
#include "linux/curl_library.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <memory>
#include <string_view>
#include <utility>

namespace fabric::linux_host {

namespace {

constexpr long kOk = 200;
constexpr std::size_t kMostOfHeaders = std::size_t{64} << 10U;  // bytes
constexpr std::size_t kMostOfForeignText = 200;

using Handle = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;

// What the server sent so far, and why no more of it is taken.
class Answer {
  public:
    Answer(const CurlLibrary& curl, CURL* handle, std::size_t mostBytes)
        : curl_(curl), handle_(handle), mostBytes_(mostBytes) {}

    // false: enough.
    [[nodiscard]] bool take(std::string_view bytes) {
        if (status() != kOk) {
            return false;
        }
        tooLong_ = bytes.size() > mostBytes_ - body_.size();
        body_.append(tooLong_ ? std::string_view{} : bytes);
        return !tooLong_;
    }

    [[nodiscard]] bool takeHeader(std::size_t bytes) {
        headers_ += bytes;
        tooLong_ = headers_ > kMostOfHeaders;
        return !tooLong_;
    }

    [[nodiscard]] long status() const {
        long status = 0;
        curl_.get(handle_, CURLINFO_RESPONSE_CODE, &status);
        return status;
    }

    // Where it sends whom it does not answer; "" nowhere.
    [[nodiscard]] std::string elsewhere() const {
        const char* url = nullptr;
        curl_.get(handle_, CURLINFO_REDIRECT_URL, &url);
        return url == nullptr ? ""
                              : escapeForTerminal(std::string_view(url).substr(
                                    0, kMostOfForeignText));
    }

    [[nodiscard]] bool tooLong() const { return tooLong_; }

    [[nodiscard]] std::string body() && { return std::move(body_); }

  private:
    const CurlLibrary& curl_;
    CURL* handle_;
    std::size_t mostBytes_;
    std::string body_;
    std::size_t headers_ = 0;
    bool tooLong_ = false;
};

std::size_t takeBody(char* bytes, std::size_t size, std::size_t count, void* answer) {
    const std::string_view piece(bytes, size * count);
    return static_cast<Answer*>(answer)->take(piece) ? piece.size() : 0;
}

std::size_t takeHeader(char* /*bytes*/,
                       std::size_t size,
                       std::size_t count,
                       void* answer) {
    return static_cast<Answer*>(answer)->takeHeader(size * count) ? size * count : 0;
}

// Sets options until one is refused, as those of a library that is too old are.
class Setting {
  public:
    Setting(const CurlLibrary& curl, CURL* handle) : curl_(curl), handle_(handle) {}

    template <typename T>
    Setting& operator()(CURLoption option, T value) {
        outcome_ = outcome_ == CURLE_OK ? curl_.set(handle_, option, value) : outcome_;
        return *this;
    }

    [[nodiscard]] CURLcode outcome() const { return outcome_; }

  private:
    const CurlLibrary& curl_;
    CURL* handle_;
    CURLcode outcome_ = CURLE_OK;
};

Error errorOf(const host::WebRequest& request, ErrorKind kind, std::string detail) {
    return {.kind = kind,
            .action = "read",
            .subject = request.url,
            .sysErrno = 0,
            .detail = std::move(detail),
            .advice = {}};
}

struct Failure {
    CURLcode code;
    ErrorKind kind;
    std::string_view advice;
};

constexpr std::array kFailures{
    Failure{CURLE_OPERATION_TIMEDOUT,
            ErrorKind::timeout,
            "is it the right server and port, and is it up?"},
    Failure{CURLE_COULDNT_RESOLVE_HOST,
            ErrorKind::notFound,
            "write the name as it stands in the DNS or /etc/hosts, or an address"},
    Failure{CURLE_COULDNT_CONNECT,
            ErrorKind::refused,
            "does a server listen there? see systemctl status minio"},
    Failure{CURLE_PEER_FAILED_VERIFICATION,
            ErrorKind::refused,
            "name the file of the authority that signed the server's certificate: "
            "--metrics-ca-file FILE; and the server as its certificate does"},
    Failure{CURLE_SSL_CACERT_BADFILE,
            ErrorKind::refused,
            "--metrics-ca-file takes a readable file of certificates in PEM form"},
    Failure{CURLE_SSL_CONNECT_ERROR,
            ErrorKind::refused,
            "does the server speak TLS on this port? else write http://"},
    Failure{CURLE_GOT_NOTHING,
            ErrorKind::refused,
            "a server that speaks TLS does so when it is asked by http://: write "
            "https://"},
    Failure{CURLE_RECV_ERROR,
            ErrorKind::malformed,
            "try again; a server that speaks TLS is asked by https://"},
    Failure{CURLE_PARTIAL_FILE, ErrorKind::malformed, "try again"},
    Failure{CURLE_UNSUPPORTED_PROTOCOL,
            ErrorKind::malformed,
            "what listens there is no web server"},
    Failure{CURLE_WEIRD_SERVER_REPLY,
            ErrorKind::malformed,
            "what listens there is no web server"},
};

Error failureOf(const host::WebRequest& request, CURLcode code, std::string detail) {
    Error error = errorOf(request, ErrorKind::io, std::move(detail));
    for (const Failure& one : kFailures) {
        if (one.code == code) {
            error.kind = one.kind;
            error.advice = one.advice;
        }
    }
    return error;
}

Error tooLongError(const host::WebRequest& request) {
    Error error =
        errorOf(request,
                ErrorKind::io,
                fmt::format("it sends more than {} bytes, or headers without end",
                            request.mostBytes));
    error.sysErrno = EFBIG;
    error.advice = "is this the address of one server's S3 port?";
    return error;
}

Error statusError(const host::WebRequest& request, const Answer& answer) {
    constexpr long kUnauthorized = 401;
    constexpr long kForbidden = 403;
    constexpr long kNotFound = 404;
    const long status = answer.status();
    Error error =
        errorOf(request,
                status == kNotFound ? ErrorKind::notFound : ErrorKind::refused,
                fmt::format("it answered with status {}", status));
    if (status == kUnauthorized || status == kForbidden) {
        error.detail += request.token.empty() ? ", and no token was sent"
                                              : ", and does not take this token";
        error.advice =
            "put a token of 'mc admin prometheus generate ALIAS' into a file that only "
            "you can read: --metrics-token-file FILE";
    } else if (status == kNotFound) {
        error.advice = "metrics of version 3 are told by AIStor's S3 port";
    } else if (const std::string where = answer.elsewhere(); !where.empty()) {
        error.detail += ", which leads to " + where;
        error.advice =
            "no redirect is followed: name that server if it is the right one";
    } else {
        error.advice = "its log says why";
    }
    return error;
}

CURLcode prepare(const CurlLibrary& curl,
                 CURL* handle,
                 const host::WebRequest& request,
                 Answer& answer,
                 char* errorText) {
    Setting set(curl, handle);
    set(CURLOPT_ERRORBUFFER, errorText)(CURLOPT_URL, request.url.c_str());
#if LIBCURL_VERSION_NUM >= 0x075500
    set(CURLOPT_PROTOCOLS_STR, "http,https");
#else
    set(CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    set(CURLOPT_FOLLOWLOCATION, 0L)(CURLOPT_PROXY, "")(CURLOPT_TIMEOUT_MS,
                                                       request.limit.count());
#if LIBCURL_VERSION_NUM >= 0x075700
    // Else the end waits for a name server that does not answer.
    set(CURLOPT_QUICK_EXIT, 1L);
#endif
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    set(CURLOPT_SSL_VERIFYPEER, 1L)(CURLOPT_SSL_VERIFYHOST, 2L);
    set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(request.mostBytes));
    set(CURLOPT_WRITEFUNCTION, &takeBody)(CURLOPT_WRITEDATA,
                                          static_cast<void*>(&answer));
    set(CURLOPT_HEADERFUNCTION, &takeHeader)(CURLOPT_HEADERDATA,
                                             static_cast<void*>(&answer));
    set(CURLOPT_USERAGENT, "fabricctl/" FABRIC_VERSION);
    if (!request.caFile.empty()) {
        // Of this authority and of no other.
        set(CURLOPT_CAINFO, request.caFile.c_str())(CURLOPT_CAPATH,
                                                    static_cast<char*>(nullptr));
    }
    if (!request.token.empty()) {
        set(CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BEARER));
        set(CURLOPT_XOAUTH2_BEARER, request.token.c_str());
    }
    return set.outcome();
}

}  // namespace

Result<std::string> CurlWebReader::get(const host::WebRequest& request) {
    const CurlLibrary curl = TRY(openCurl());
    const Handle handle(curl.init(), curl.cleanup);
    if (handle == nullptr) {
        return fail(systemError("read", request.url, ENOMEM));
    }
    Answer answer(curl, handle.get(), request.mostBytes);
    std::array<char, CURL_ERROR_SIZE> why{};
    CURLcode code = prepare(curl, handle.get(), request, answer, why.data());
    if (code == CURLE_OK) {
        code = curl.perform(handle.get());
    }
    if (answer.tooLong() || code == CURLE_FILESIZE_EXCEEDED) {
        return fail(tooLongError(request));
    }
    if (code != CURLE_OK && code != CURLE_WRITE_ERROR) {
        const std::string detail = why.front() != '\0' ? why.data() : curl.text(code);
        return fail(failureOf(request, code, escapeForTerminal(detail)));
    }
    if (answer.status() != kOk) {
        return fail(statusError(request, answer));
    }
    return std::move(answer).body();
}

}  // namespace fabric::linux_host
