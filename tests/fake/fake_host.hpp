// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fake/fake_clock.hpp"
#include "fake/fake_ethtool.hpp"
#include "fake/fake_files.hpp"
#include "fake/fake_ipv4_conf.hpp"
#include "fake/fake_links.hpp"
#include "fake/fake_pci.hpp"
#include "fake/fake_rdma.hpp"
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
    FakeHost() : links(clock) {}

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
        return {files, links, links, *dcbReader_, ethtool, pci, rdma, ipv4, clock};
    }

    [[nodiscard]] host::Writer writer() {
        return {files, links, *dcbWriter_, ethtool, pci, ipv4};
    }

    FakeClock clock;
    FakeFiles files;
    FakeLinks links;
    FakeEthtool ethtool;
    FakePci pci;
    FakeRdma rdma;
    FakeIpv4Conf ipv4;

  private:
    NoDcb noDcb_;
    const host::DcbReader* dcbReader_ = &noDcb_;
    host::DcbWriter* dcbWriter_ = &noDcb_;
};

}  // namespace fabric::fake
