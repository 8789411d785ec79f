// SPDX-License-Identifier: Apache-2.0
// The config space of one PCI function: both capability lists and the ACS registers.
#include "fuzz/property.hpp"
#include "resource/acs/mask.hpp"
#include "resource/acs/registers.hpp"

namespace fabric::resource::acs {
namespace {

using fuzz::require;

constexpr std::size_t kConfigSize = 0x1000;
// Each position of each list once, and a few registers.
constexpr std::size_t kMostReads = kConfigSize / 4 + 16;

// Config space that ends where the input does; a first word says who asks.
class Space {
  public:
    explicit Space(linux_host::ByteView bytes)
        : bytes_(bytes.first(std::min(bytes.size(), kConfigSize))) {}

    [[nodiscard]] ConfigSpace reader() {
        return [this](std::uint16_t offset, std::uint16_t length) {
            return read(offset, length);
        };
    }

    [[nodiscard]] std::size_t reads() const { return reads_; }

  private:
    Result<std::vector<std::byte>> read(std::uint16_t offset, std::uint16_t length) {
        ++reads_;
        require(offset + length <= static_cast<int>(kConfigSize), "inside 4096 bytes");
        require(offset % 4 == 0 && length == 4, "double words only");
        if (offset + std::size_t{length} > bytes_.size()) {
            return fail({.kind = bytes_.size() == 64 ? ErrorKind::permission
                                                     : ErrorKind::malformed,
                         .action = "read config space",
                         .subject = {},
                         .advice = {}});
        }
        const auto part = bytes_.subspan(offset, length);
        return std::vector<std::byte>(part.begin(), part.end());
    }

    linux_host::ByteView bytes_;
    std::size_t reads_ = 0;
};

std::uint16_t wordAt(linux_host::ByteView bytes, std::size_t offset) {
    return static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[offset]) |
                                      std::to_integer<unsigned>(bytes[offset + 1])
                                          << 8U);
}

void judgeRegisters(const Registers& found, linux_host::ByteView bytes) {
    if (found.presence != Presence::present) {
        require(found.presence == Presence::absent || !found.detail.empty(),
                "what could not be read is explained");
        fuzz::requirePrintable(found.detail);
        return;
    }
    require(found.portType.has_value(), "only PCI Express functions have ACS");
    require(found.offset >= 0x100 && found.offset % 4 == 0, "an extended capability");
    require(wordAt(bytes, found.offset) == 0x000D, "its header carries the id of ACS");
    require(wordAt(bytes, found.offset + 4U) == found.capability, "capability as read");
    require(
        wordAt(bytes, found.offset + (found.doubleWords ? 8U : 6U)) == found.control,
        "control as read");
    require(found.egressVectorSize() <= 256, "a vector of at most 256 bits");
    const std::uint16_t cleared =
        applied(found.control, found.capability, kRedirectMasks);
    require((cleared & kRedirectMasks.clear) == 0, "the redirect bits are cleared");
    require((cleared | kRedirectMasks.clear) == (found.control | kRedirectMasks.clear),
            "all other bits are kept");
    require(applied(cleared, found.capability, kRedirectMasks) == cleared,
            "twice is once");
    fuzz::requirePrintable(bitNames(found.control));
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    Space space(input.bytes());
    const Registers found = readRegisters(space.reader());
    require(space.reads() <= kMostReads, "each position is visited once");
    judgeRegisters(found, input.bytes());
    Space again(input.bytes());
    require(readRegisters(again.reader()) == found, "the same bytes say the same");
    Space third(input.bytes());
    (void)translationServicesEnabled(third.reader());
    require(third.reads() <= kMostReads, "each position is visited once");
}

}  // namespace fabric::resource::acs
