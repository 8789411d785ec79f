// SPDX-License-Identifier: Apache-2.0
#include "report/wire.hpp"

#include "base/text.hpp"
#include "report/palette.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fabric::report {

namespace {

using engine::Audit;
using engine::AuditAnswer;
using engine::InterfaceSharing;
using engine::Sharing;

constexpr std::size_t kIndent = 6;

Tone toneOf(Sharing sharing) {
    return sharing == Sharing::couldNotTell ? Tone::change : Tone::plain;
}

std::vector<std::string> macTexts(const AuditAnswer& answer) {
    std::vector<std::string> texts;
    std::ranges::transform(answer.macs,
                           std::back_inserter(texts),
                           [](const MacAddress& mac) { return mac.text(); });
    return texts;
}

std::string macText(const std::optional<MacAddress>& mac) {
    return mac ? mac->text() : "none";
}

class WireWriter {
  public:
    explicit WireWriter(const TextOptions& options) : palette_(options.color) {}

    void write(const Result<std::vector<InterfaceSharing>>& domains) {
        heading("broadcast domains (one frame on each rail)");
        if (!domains) {
            trouble(domains.error());
            return;
        }
        if (domains->empty()) {
            note("no rail to ask: there is no RDMA port; name one with --rail");
        }
        for (const InterfaceSharing& one : *domains) {
            text_ += fmt::format(
                "  {}  {}",
                escapeForTerminal(one.interface),
                palette_.paint(toneOf(one.sharing), engine::toString(one.sharing)));
            if (!one.with.empty()) {
                text_ += " with " + wrapped(escapeForTerminal(fmt::format(
                                                "{}", fmt::join(one.with, ", "))),
                                            kIndent);
            }
            text_ += "\n";
            note(one.reason);
        }
        const bool quiet = std::ranges::any_of(*domains, [](const auto& one) {
            return one.sharing == Sharing::notObserved;
        });
        if (quiet) {
            note(
                "'not observed' is no proof of separate domains: a switch may filter "
                "broadcasts; keep the ARP settings");
        }
    }

    void write(const Result<Audit>& audit) {
        heading("who answers ARP");
        if (!audit) {
            trouble(audit.error());
            return;
        }
        for (const AuditAnswer& answer : audit->answers) {
            write(*audit, answer);
        }
        note(
            "the first answer overwrites this host's own entry: an audit of a peer "
            "that answers on the wrong rail may make it wrong");
    }

    std::string take() { return std::move(text_); }

  private:
    void heading(std::string_view what) {
        text_ += "\n" + palette_.paint(Tone::strong, what) + "\n";
    }

    void trouble(const Error& error) {
        text_ += "  " + palette_.paint(Tone::bad, "could not tell: ") +
                 wrapped(error.message(), kIndent) + "\n";
    }

    void note(std::string_view what) {
        if (!what.empty()) {
            text_ += std::string(kIndent, ' ') + wrapped(what, kIndent) + "\n";
        }
    }

    void write(const Audit& audit, const AuditAnswer& answer) {
        const std::size_t count = answer.macs.size();
        text_ += fmt::format(
            "  {} on {}  ", audit.address.text(), escapeForTerminal(answer.interface));
        if (answer.error) {
            text_ += palette_.paint(Tone::bad, "could not ask") + "\n";
            note(answer.error->message());
            return;
        }
        text_ += palette_.paint(count == 1  ? Tone::good
                                : count > 1 ? Tone::bad
                                            : Tone::change,
                                fmt::format("{} MAC{}", count, count == 1 ? "" : "s")) +
                 fmt::format(" {}\n", fmt::join(macTexts(answer), " "));
        if (count > 1) {
            note(
                "the peer answers on more than one interface: run fabricctl apply "
                "there (arp.ignore, arp.announce)");
        }
        if (answer.cacheChanged()) {
            note(
                fmt::format("this host's own entry changed from {} to {}; next: "
                            "fabricctl check --only neighbour",
                            macText(answer.cachedBefore),
                            macText(answer.cachedAfter)));
        }
    }

    Palette palette_;
    std::string text_;
};

Value sharingValue(const InterfaceSharing& one) {
    return Value::Object{{"interface", one.interface},
                         {"sharing", engine::toString(one.sharing)},
                         {"with", Value::List(one.with.begin(), one.with.end())},
                         {"reason", one.reason}};
}

Value answerValue(const AuditAnswer& answer) {
    const auto macs = macTexts(answer);
    const auto cached = [](const std::optional<MacAddress>& mac) {
        return mac ? Value(mac->text()) : Value{};
    };
    return Value::Object{{"interface", answer.interface},
                         {"macs", Value::List(macs.begin(), macs.end())},
                         {"cached_before", cached(answer.cachedBefore)},
                         {"cached_after", cached(answer.cachedAfter)},
                         {"error", answer.error ? answer.error->message() : ""}};
}

Value errorValue(const Error& error) {
    return Value::Object{{"error", error.message()}};
}

}  // namespace

std::string toText(const engine::WireAnswers& wire, const TextOptions& options) {
    WireWriter writer(options);
    if (wire.domains) {
        writer.write(*wire.domains);
    }
    if (wire.audit) {
        writer.write(*wire.audit);
    }
    return writer.take();
}

void addWire(const engine::WireAnswers& wire, Value::Object& status) {
    if (wire.domains && !*wire.domains) {
        status.emplace("l2_probe", errorValue(wire.domains->error()));
    } else if (wire.domains) {
        Value::List list;
        std::ranges::transform(**wire.domains, std::back_inserter(list), sharingValue);
        status.emplace("l2_probe", Value::Object{{"interfaces", std::move(list)}});
    }
    if (wire.audit && !*wire.audit) {
        status.emplace("audit", errorValue(wire.audit->error()));
    } else if (wire.audit) {
        Value::List list;
        std::ranges::transform(
            (*wire.audit)->answers, std::back_inserter(list), answerValue);
        status.emplace("audit",
                       Value::Object{{"address", (*wire.audit)->address.text()},
                                     {"answers", std::move(list)}});
    }
}

}  // namespace fabric::report
