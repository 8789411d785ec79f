// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fake/fake_clock.hpp"
#include "fake/fake_ethtool.hpp"
#include "fake/fake_files.hpp"
#include "fake/fake_ipv4_conf.hpp"
#include "fake/fake_links.hpp"
#include "fake/fake_modules.hpp"
#include "fake/fake_neighbours.hpp"
#include "fake/fake_pci.hpp"
#include "fake/fake_rdma.hpp"
#include "fake/fake_routing.hpp"
#include "fake/fake_services.hpp"
#include "host/host.hpp"

namespace fabric::fake {

// What every net device without dcbnl operations answers: EOPNOTSUPP.
class NoDcb : public host::DcbReader, public host::DcbWriter {
  public:
    [[nodiscard]] Result<host::DcbAnswer> get(
        const host::DcbRequest& request) const override;
    [[nodiscard]] Result<host::DcbAnswer> set(const host::DcbRequest& request) override;
};

// One machine in memory. Its parts are public: a test builds the machine through them,
// hands reader() and writer() to the code, and looks at their records afterwards.
class FakeHost {
  public:
    FakeHost() : links(clock), modules(files), neighbours(clock) {}

    FakeHost(const FakeHost&) = delete;
    FakeHost& operator=(const FakeHost&) = delete;
    FakeHost(FakeHost&&) = delete;
    FakeHost& operator=(FakeHost&&) = delete;
    ~FakeHost() = default;

    // Puts DCB devices in place of NoDcb; they must outlive this object's use.
    void useDcb(const host::DcbReader& reader, host::DcbWriter& writer) {
        dcbReader_ = &reader;
        dcbWriter_ = &writer;
    }

    [[nodiscard]] host::Reader reader() const {
        return {.files = files,
                .links = links,
                .watcher = links,
                .dcb = *dcbReader_,
                .ethtool = ethtool,
                .pci = pci,
                .rdma = rdma,
                .ipv4 = ipv4,
                .clock = clock,
                .services = &services,
                .programs = &programs,
                .modules = &modules,
                .neighbours = &neighbours,
                .routing = &routing};
    }

    [[nodiscard]] host::Writer writer() {
        return {.files = files,
                .links = links,
                .dcb = *dcbWriter_,
                .ethtool = ethtool,
                .pci = pci,
                .ipv4 = ipv4,
                .services = &services,
                .modules = &modules,
                .neighbours = &neighbours,
                .announcer = &announcer};
    }

    FakeClock clock;
    FakeFiles files;
    FakeLinks links;
    FakeEthtool ethtool;
    FakePci pci;
    FakeRdma rdma;
    FakeIpv4Conf ipv4;
    FakeModules modules;
    FakeServices services{files};
    FakePrograms programs;
    FakeNeighbours neighbours;
    FakeRouting routing;
    FakeAnnouncer announcer;

  private:
    NoDcb noDcb_;
    const host::DcbReader* dcbReader_ = &noDcb_;
    host::DcbWriter* dcbWriter_ = &noDcb_;
};

}  // namespace fabric::fake
