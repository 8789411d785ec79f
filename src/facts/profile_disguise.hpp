// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/disguise.hpp"
#include "profile/document.hpp"

namespace fabric::facts {

// A profile with other names and addresses, which selects of the disguised facts the
// rails that it selected of the true ones. A selector whose pattern no longer fits is
// replaced by one for each rail that it meant, or by one that means nothing here.
// `seen`: the true facts.
void disguiseProfile(const Observed& seen, Disguise& disguise, profile::TreeNode& root);

}  // namespace fabric::facts
