// SPDX-License-Identifier: Apache-2.0
#include "fleet/inflater.hpp"

#include <zlib.h>

#include <array>
#include <utility>

namespace fabric::fleet {

namespace {

// The largest window, and 16 for gzip alone (zlib.h, inflateInit2).
constexpr int kGzipWindow = 15 + 16;

Error broken(std::string detail) {
    return {.kind = ErrorKind::malformed,
            .action = "unpack",
            .subject = "a gzip stream",
            .sysErrno = 0,
            .detail = std::move(detail),
            .advice = "fetch the file again"};
}

}  // namespace

struct Inflater::Stream {
    z_stream zlib{};
    bool ready = false;  // zlib has its memory
    bool ended = false;  // between two members
    std::array<char, std::size_t{1} << 16U> out{};
};

Inflater::Inflater(ByteSink sink)
    : sink_(std::move(sink)), stream_(std::make_unique<Stream>()) {
    stream_->ready = ::inflateInit2(&stream_->zlib, kGzipWindow) == Z_OK;
}

Inflater::~Inflater() {
    if (stream_->ready) {
        ::inflateEnd(&stream_->zlib);
    }
}

Result<void> Inflater::feed(std::string_view bytes) {
    if (!stream_->ready) {
        return fail(broken("zlib could not begin"));
    }
    z_stream& zlib = stream_->zlib;
    // zlib's interface is older than const.
    zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    zlib.avail_in = static_cast<uInt>(bytes.size());
    while (zlib.avail_in > 0) {
        if (std::exchange(stream_->ended, false)) {
            ::inflateReset(&zlib);
        }
        zlib.next_out = reinterpret_cast<Bytef*>(stream_->out.data());
        zlib.avail_out = static_cast<uInt>(stream_->out.size());
        const int answer = ::inflate(&zlib, Z_NO_FLUSH);
        if (answer != Z_OK && answer != Z_STREAM_END) {
            return fail(broken(zlib.msg != nullptr ? zlib.msg : "it is damaged"));
        }
        stream_->ended = answer == Z_STREAM_END;
        const auto made = stream_->out.size() - zlib.avail_out;
        if (auto taken = sink_({stream_->out.data(), made}); !taken) {
            return taken;
        }
    }
    return {};
}

Result<void> Inflater::end() const {
    return stream_->ended ? Result<void>() : fail(broken("it is cut off"));
}

}  // namespace fabric::fleet
