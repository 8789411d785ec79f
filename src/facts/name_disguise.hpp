// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace fabric::facts {

// A name as the kernel or udev gives it to an interface ("eth0", "ens1f0np0",
// "bond0.100") or an RDMA device ("mlx5_0", "rocep26s0f0"): it says where the device
// is, and nothing of who owns it.
[[nodiscard]] bool isUsualInterface(std::string_view name);
[[nodiscard]] bool isUsualRdmaDevice(std::string_view name);

// Other names for those that people gave. Numbers are given in the order in which names
// are added, so that the first rail stays the first one.
class NameDisguise {
  public:
    // Words that stay: parts of paths of the kernel, and what this program compares
    // with. Before anything is added.
    void keep(std::string word) { kept_.insert(std::move(word)); }

    // A usual name stays. Of another one each word is replaced, by the same other word
    // in every name, and its numbers stay: "storage0" and "storage1" remain a pair.
    void addInterface(std::string_view name);
    void addRdmaDevice(std::string_view name);
    // "node7.rack1.example.com": the host and its domain.
    void addHost(std::string_view name);
    void addDomain(std::string_view name);
    // Those of the system and of packages stay.
    void addUser(std::string_view name);

    // Words of formats, which a profile may have for a name.
    void reserve(std::string word) { reserved_.insert(std::move(word)); }

    // "acme-prod": very often whose host it is. Those of shipped profiles stay. One
    // that is a reserved word is replaced by profileOf() alone.
    void addProfile(std::string_view name);
    // Where nothing but the name of a profile stands.
    [[nodiscard]] std::string profileOf(std::string_view name) const;

    // A name that differs from that of a host by its numbers only: its neighbour in the
    // rack.
    [[nodiscard]] bool isSibling(std::string_view name) const;

    // What stands for a name; itself when nothing does.
    [[nodiscard]] std::string of(std::string_view name) const;
    // The longest name at the begin of `text` that is not followed by more of a word;
    // the end when there is none.
    using Names = std::map<std::string, std::string, std::less<>>;
    [[nodiscard]] Names::const_iterator at(std::string_view text) const;

    [[nodiscard]] const Names& names() const { return names_; }

  private:
    void addDevice(std::string_view name);
    [[nodiscard]] std::string wordFor(const std::string& word);
    void add(std::string_view name, std::string other);

    std::set<std::string, std::less<>> kept_;
    std::set<std::string, std::less<>> reserved_;
    Names names_;
    Names words_;  // of devices
    Names profiles_;
    std::set<std::string, std::less<>> hostForms_;
    std::map<std::string, unsigned, std::less<>> counts_;
    // By first letter: lengths of the names with it.
    std::map<char, std::set<std::size_t, std::greater<>>> lengths_;
};

}  // namespace fabric::facts
