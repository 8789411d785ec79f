// SPDX-License-Identifier: Apache-2.0
#include "fleet/record_codec.hpp"

#include <concepts>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace fabric::fleet {

namespace {

// One description of each type serves both directions, as in the codec of facts.
class Packer {
  public:
    template <typename T>
    using Ref = const T&;

    template <typename T>
        requires std::is_integral_v<T> || std::is_enum_v<T>
    void operator()(const T& number) {
        char bytes[sizeof(T)];
        std::memcpy(bytes, &number, sizeof(T));
        bytes_.append(bytes, sizeof(T));
    }

    void operator()(const std::string& text) {
        (*this)(static_cast<std::uint32_t>(text.size()));
        bytes_ += text;
    }

    void operator()(const MacAddress& mac) {
        bytes_.append(reinterpret_cast<const char*>(mac.octets.data()),
                      mac.octets.size());
    }

    void operator()(const IpAddress& address) {
        (*this)(address.ipv6);
        const auto octets = address.bytes();
        bytes_.append(reinterpret_cast<const char*>(octets.data()), octets.size());
    }

    template <typename T>
    void operator()(const std::optional<T>& value) {
        (*this)(value.has_value());
        if (value) {
            (*this)(*value);
        }
    }

    template <typename T>
    void operator()(const std::vector<T>& list) {
        (*this)(static_cast<std::uint32_t>(list.size()));
        for (const T& item : list) {
            (*this)(item);
        }
    }

    template <typename T>
        requires std::is_class_v<T>
    void operator()(const T& value) {
        describe(*this, value);
    }

    [[nodiscard]] std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

// The first thing that does not fit ends it: what comes later stays empty.
class Unpacker {
  public:
    template <typename T>
    using Ref = T&;

    explicit Unpacker(std::string_view bytes) : left_(bytes) {}

    template <typename T>
        requires std::is_integral_v<T> || std::is_enum_v<T>
    void operator()(T& number) {
        if (const char* const bytes = next(sizeof(T))) {
            std::memcpy(&number, bytes, sizeof(T));
        }
    }

    void operator()(std::string& text) {
        std::uint32_t size = 0;
        (*this)(size);
        if (const char* const bytes = next(size)) {
            text.assign(bytes, size);
        }
    }

    void operator()(MacAddress& mac) {
        if (const char* const bytes = next(mac.octets.size())) {
            std::memcpy(mac.octets.data(), bytes, mac.octets.size());
        }
    }

    void operator()(IpAddress& address) {
        (*this)(address.ipv6);
        const std::size_t size = address.bytes().size();
        if (const char* const bytes = next(size)) {
            std::memcpy(address.octets.data(), bytes, size);
        }
    }

    template <typename T>
    void operator()(std::optional<T>& value) {
        bool there = false;
        (*this)(there);
        if (there) {
            (*this)(value.emplace());
        }
    }

    template <typename T>
    void operator()(std::vector<T>& list) {
        std::uint32_t size = 0;
        (*this)(size);
        for (std::uint32_t at = 0; at < size && !broken_; ++at) {
            (*this)(list.emplace_back());
        }
    }

    template <typename T>
        requires std::is_class_v<T>
    void operator()(T& value) {
        describe(*this, value);
    }

    [[nodiscard]] bool whole() const { return !broken_ && left_.empty(); }

  private:
    const char* next(std::size_t size) {
        if (broken_ || left_.size() < size) {
            broken_ = true;
            return nullptr;
        }
        const char* const bytes = left_.data();
        left_.remove_prefix(size);
        return bytes;
    }

    std::string_view left_;
    bool broken_ = false;
};

template <typename Io>
void describe(Io& io, typename Io::template Ref<Reading> reading) {
    io(reading.trait);
    io(reading.text);
    io(reading.known);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<OwnAddress> own) {
    io(own.address);
    io(own.prefixLength);
    io(own.mac);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<RailRecord> rail) {
    io(rail.name);
    io(rail.model);
    io(rail.device);
    io(rail.maxSrq);
    io(rail.readings);
    io(rail.macs);
    io(rail.addresses);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<NeighbourRecord> entry) {
    io(entry.rail);
    io(entry.fixed);
    io(entry.address);
    io(entry.mac);
}

template <typename Io>
void describe(Io& io, typename Io::template Ref<HostRecord> host) {
    io(host.name);
    io(host.origin);
    io(host.taken);
    io(host.askedSrq);
    io(host.readings);
    io(host.rails);
    io(host.neighbours);
}

}  // namespace

std::string encoded(const HostRecord& host) {
    Packer packer;
    packer(host);
    return packer.take();
}

Result<HostRecord> decoded(std::string_view bytes) {
    HostRecord host;
    Unpacker unpacker(bytes);
    unpacker(host);
    if (!unpacker.whole()) {
        return fail({.kind = ErrorKind::malformed,
                     .action = "read back",
                     .subject = "a record of this run",
                     .sysErrno = 0,
                     .detail = "somebody changed the temporary file",
                     .advice = "run it again, with TMPDIR at a directory of your own"});
    }
    return host;
}

}  // namespace fabric::fleet
