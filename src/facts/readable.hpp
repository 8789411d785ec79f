// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "base/value.hpp"
#include "facts/widest_look.hpp"
#include "host/host.hpp"
#include "inventory/rail.hpp"

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The part of the facts that people and other programs read. Decisions are made from
// the observed answers alone.
namespace fabric::facts {

// Collects what could not be read. The same part and reason are told once.
class Unreadable {
  public:
    // What a look at the machine says that it could not tell.
    void note(const Untold& untold);
    // An absent control (unsupported, notFound) is an answer and not kept here.
    void note(std::string_view part, const Error& error);
    [[nodiscard]] Value::List take();

  private:
    std::set<std::string> known_;
    Value::List parts_;
};

// `units` and `modules`: what to tell about beside what is usual. `untold`: what could
// not be told when it was looked at.
[[nodiscard]] Value readableFacts(const host::Reader& host,
                                  const std::set<std::string>& units,
                                  const std::set<std::string>& modules,
                                  std::span<const Untold> untold);

// Its parts.
[[nodiscard]] Value::Object readableKernel(const host::Reader& host,
                                           Unreadable& unreadable);
[[nodiscard]] Value::List readableModules(const host::Reader& host,
                                          const std::set<std::string>& names,
                                          Unreadable& unreadable);
[[nodiscard]] Value::Object readablePci(const host::Reader& host,
                                        Unreadable& unreadable);
[[nodiscard]] Value::Object readableNetwork(const host::Reader& host,
                                            Unreadable& unreadable);
[[nodiscard]] Value::List readableRdma(const host::Reader& host,
                                       Unreadable& unreadable);
[[nodiscard]] Value::List readableRails(const host::Reader& host,
                                        const std::vector<inventory::Rail>& rails,
                                        Unreadable& unreadable);
[[nodiscard]] Value::List readableServices(const host::Reader& host,
                                           const std::set<std::string>& units,
                                           Unreadable& unreadable);

// The text of a file without white space around it, null when there is none.
[[nodiscard]] Value textValue(const host::FileReader& files, const std::string& path);
// A file that holds one number; null when it does not.
[[nodiscard]] Value numberValue(const host::FileReader& files, const std::string& path);

}  // namespace fabric::facts
