// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace fabric::profile {

// A profile that uses every section and nearly every key.
inline constexpr std::string_view kWholeProfile = R"(version: 1
name: minio-roce-lossless
description: free text

rails:
  match:
    - { rdma: "mlx5_*" }
    - { interface: "ens*f0np0", driver: mlx5_core }
  exclude:
    - { interface: "ens9*" }
  expect: 8
  wait: 30s
  default-route: refuse

modules: [ib_core, ib_uverbs, rdma_cm, mlx5_core, mlx5_ib]

dcb:
  dcbx: host
  trust: dscp
  lossless:
    priority: 3
    dscp: 26
    buffer: 1
  pfc: [3]
  dscp-to-priority: { 26: 3 }
  other-dscp: default
  priority-to-buffer: { 3: 1 }
  buffer-size: { 1: 256KiB }
  cable-length: 5m
  ets:
    priority-to-tc: { 3: 3 }
    tsa: { 3: ets, 6: strict }
    bandwidth: { 0: 50, 3: 50 }
  max-rate: { 3: 100Gbit }

ecn:
  reaction-point: [3]
  notification-point: [3]
  cnp-dscp: 48
  when-uncontrollable: report

pause: { rx: off, tx: off }
mtu: 9000
rdma-cm-tos: 104

acs:
  clear: redirect
  scope: upstream
  endpoints:
    - { vendor: "10de", class: "03*" }
  without-gpu: skip
  on-translating-iommu: refuse
  on-passthrough: refuse
  on-guest: warn

arp:
  ignore: 1
  announce: 2
  rp-filter: keep
  scope: rails
  persist: true

neighbours:
  flush: when-changed
  static: report
  announce: true
  peers:
    - { host: node2, rail: ens1f0np0, address: 10.0.1.2, mac: "b8:ce:f6:00:00:01" }

service:
  unit: minio.service
  binary: /usr/local/bin/minio.rdma
  require-feature: "GPU-Direct RDMA"
  limit-memlock: infinity
  environment: { MINIO_RDMA_INTERNODE: "on" }
  manage-environment: false
  restart: never

overrides:
  - match: { interface: ens1f0np0 }
    mtu: 4200
)";

}  // namespace fabric::profile
