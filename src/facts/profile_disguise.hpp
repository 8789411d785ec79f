// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/disguise.hpp"
#include "profile/document.hpp"

namespace fabric::facts {

// Learns what a profile is called, and the devices that it names: they may be gone, and
// stand in a report.
void learnProfile(const profile::TreeNode& root, NameDisguise& names);

// A profile with other names and addresses, which selects of the disguised facts the
// rails that it selected of the true ones. A selector whose pattern no longer fits is
// replaced by one for each rail that it meant, or by one that means nothing here.
// `seen`: the true facts.
void disguiseProfile(const Observed& seen, Disguise& disguise, profile::TreeNode& root);

}  // namespace fabric::facts
