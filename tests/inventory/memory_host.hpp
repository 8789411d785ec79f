// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"

#include <cerrno>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fabric::test {

// Files and links held in memory; everything else is ENOENT. Counts the reads.
class MemoryFiles : public host::FileReader {
  public:
    std::map<std::string, std::string, std::less<>> texts;
    std::map<std::string, std::string, std::less<>> links;
    mutable std::map<std::string, int, std::less<>> reads;

    Result<std::string> read(std::string_view path, std::size_t limit) const override {
        ++reads[std::string(path)];
        const auto found = texts.find(path);
        if (found == texts.end()) {
            return fail(systemError("read", std::string(path), ENOENT));
        }
        if (found->second.size() > limit) {
            return fail(systemError("read", std::string(path), EFBIG));
        }
        return found->second;
    }

    Result<host::TracedFile> readTraced(std::string_view path,
                                        std::size_t limit) const override {
        std::string text = TRY(read(path, limit));
        return host::TracedFile{.text = std::move(text)};
    }

    Result<std::vector<std::string>> list(std::string_view path) const override {
        const std::string prefix = std::string(path) + "/";
        std::set<std::string> names;
        for (const auto* entries : {&texts, &links}) {
            for (const auto& [name, text] : *entries) {
                if (name.starts_with(prefix)) {
                    const std::string rest = name.substr(prefix.size());
                    names.insert(rest.substr(0, rest.find('/')));
                }
            }
        }
        if (names.empty()) {
            return fail(systemError("list", std::string(path), ENOENT));
        }
        return std::vector<std::string>(names.begin(), names.end());
    }

    Result<std::string> readLink(std::string_view path) const override {
        const auto found = links.find(path);
        if (found == links.end()) {
            return fail(systemError("read link", std::string(path), ENOENT));
        }
        return found->second;
    }

    Result<std::string> resolve(std::string_view path) const override {
        return readLink(path);
    }

    Result<host::FileStatus> status(std::string_view path) const override {
        return fail(systemError("stat", std::string(path), ENOENT));
    }
};

// A machine without net devices, RDMA or time: each part can be replaced.
struct MemoryHost {
    struct Links : host::LinkReader, host::LinkWatcher {
        std::vector<host::Link> all;

        Result<std::vector<host::Link>> links() const override { return all; }

        Result<host::Link> link(IfIndex /*index*/) const override {
            return fail(systemError("get link", "", ENODEV));
        }

        Result<std::vector<IfIndex>> defaultRouteLinks() const override {
            return std::vector<IfIndex>{};
        }

        Result<std::vector<host::LinkAddress>> addresses() const override {
            return std::vector<host::LinkAddress>{};
        }

        Result<std::unique_ptr<host::LinkWatch>> watch() const override {
            return fail(systemError("watch links", "", EOPNOTSUPP));
        }
    };

    struct Dcb : host::DcbReader {
        Result<host::DcbAnswer> get(
            const host::DcbRequest& /*request*/) const override {
            return fail(systemError("get DCB", "", EOPNOTSUPP));
        }
    };

    struct Ethtool : host::EthtoolReader {
        Result<host::DriverInfo> driver(IfIndex /*link*/) const override {
            return fail(systemError("get driver", "", EOPNOTSUPP));
        }

        Result<host::PauseParameters> pause(IfIndex /*link*/) const override {
            return fail(systemError("get pause", "", EOPNOTSUPP));
        }
    };

    struct Pci : host::PciReader {
        std::vector<host::PciFunction> all;

        Result<std::vector<host::PciFunction>> functions() const override {
            return all;
        }

        Result<std::vector<std::byte>> readConfig(
            PciAddress address,
            std::uint16_t /*offset*/,
            std::uint16_t /*length*/) const override {
            return fail(systemError("read config", address.text(), ENODEV));
        }
    };

    struct Rdma : host::RdmaReader {
        std::vector<host::RdmaPort> all;

        Result<std::vector<host::RdmaPort>> ports() const override { return all; }

        Result<host::RdmaPortAttributes> attributes(
            const host::RdmaPort& /*port*/) const override {
            return fail(systemError("query port", "", EOPNOTSUPP));
        }
    };

    struct Ipv4 : host::Ipv4ConfReader {
        Result<std::vector<host::Ipv4Conf>> interfaces() const override { return {}; }

        Result<std::int32_t> all(host::Ipv4Key /*key*/) const override { return 0; }
    };

    struct Clock : host::Clock {
        std::chrono::steady_clock::time_point now() const override { return {}; }

        std::chrono::system_clock::time_point wallTime() const override { return {}; }
    };

    MemoryFiles files;
    Links links;
    Dcb dcb;
    Ethtool ethtool;
    Pci pci;
    Rdma rdma;
    Ipv4 ipv4;
    Clock clock;

    [[nodiscard]] host::Reader reader() const {
        return {files, links, links, dcb, ethtool, pci, rdma, ipv4, clock};
    }
};

}  // namespace fabric::test
