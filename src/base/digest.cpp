// SPDX-License-Identifier: Apache-2.0
#include "base/digest.hpp"

#include <fmt/format.h>
#include <gcrypt.h>

#include <array>
#include <cstdint>

namespace fabric {

namespace {

constexpr std::size_t kSha256Bytes = 32;

// libsystemd uses the library too, and whoever comes first initializes it
// ("Initializing the library" of its manual).
void initializeLibrary() {
    if (::gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P) == 0) {
        static_cast<void>(::gcry_check_version(nullptr));
        ::gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
        ::gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    }
}

}  // namespace

std::string sha256(std::string_view bytes) {
    initializeLibrary();
    std::array<std::uint8_t, kSha256Bytes> digest{};
    ::gcry_md_hash_buffer(GCRY_MD_SHA256, digest.data(), bytes.data(), bytes.size());
    return fmt::format("{:02x}", fmt::join(digest, ""));
}

}  // namespace fabric
