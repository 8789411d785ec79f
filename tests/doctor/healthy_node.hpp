// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenario/storage_node.hpp"

namespace fabric::doctor {

// A storage node on which nothing is wrong: lossless rails with addresses and GIDs, the
// RDMA build as a service that runs, one GPU.
class HealthyNode {
  public:
    explicit HealthyNode(unsigned rails);

    [[nodiscard]] host::Reader reader() { return node.reader(); }

    scenario::StorageNode node;

  private:
    void addServer();
    void addModules();
    void addRail(unsigned rail);
    void addMachine();
};

}  // namespace fabric::doctor
