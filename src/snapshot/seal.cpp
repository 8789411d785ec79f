// SPDX-License-Identifier: Apache-2.0
#include "snapshot/seal.hpp"

#include "base/digest.hpp"

namespace fabric::snapshot {

std::string sealOf(nlohmann::json document) {
    if (document.is_object()) {
        document.erase(kSeal);
    }
    return sha256(document.dump());
}

}  // namespace fabric::snapshot
