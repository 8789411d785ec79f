// SPDX-License-Identifier: Apache-2.0
// What a driver answers to ethtool's questions for its statistics, read three times,
// and what `watch` makes of it.
#include "fuzz/property.hpp"
#include "linux/ethtool.hpp"
#include "watch/verdict.hpp"

#include <linux/ethtool.h>

#include <net/if.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace fabric {
namespace {

using fuzz::require;
using host::Counters;

// Bytes of the input, one after the other; zero behind its end.
class Bytes {
  public:
    explicit Bytes(const fuzz::Input& input) : rest_(input.text()) {}

    std::uint8_t next() {
        if (rest_.empty()) {
            return 0;
        }
        const auto byte = static_cast<std::uint8_t>(rest_.front());
        rest_.remove_prefix(1);
        return byte;
    }

    std::string_view text(std::size_t length) {
        const std::string_view taken = rest_.substr(0, length);
        rest_.remove_prefix(taken.size());
        return taken;
    }

    // Most are small; none is larger than what a port of 800 Gb/s counts in a year.
    std::uint64_t number() {
        std::uint64_t number = next();
        if (number >= 0xf0) {
            for (std::size_t more = number % 7; more > 0; --more) {
                number = number << 8U | next();
            }
        }
        return number;
    }

  private:
    std::string_view rest_;
};

// A driver that answers out of the input, as net/ethtool/ioctl.c passes it on: it
// copies what there is by then, and what the caller may not touch is EFAULT.
class Driver : public linux_host::InterfaceControl {
  public:
    explicit Driver(const fuzz::Input& input) : bytes_(input) {}

    Result<std::string> nameOf(IfIndex /*link*/) const override {
        return std::string(renamed_ ? "rail1" : "rail0");
    }

    int control(unsigned long /*request*/, ::ifreq& argument) const override {
        require(++calls_ <= kMostCalls, "it comes to an end");
        // Rarely refused, and rarely renamed meanwhile.
        constexpr std::array kErrors{EFAULT, ENODEV, EIO, EOPNOTSUPP};
        const std::uint8_t luck = bytes_.next();
        renamed_ = renamed_ || luck == 0xef;
        auto* const data = static_cast<char*>(argument.ifr_data);
        std::uint32_t command = 0;
        std::memcpy(&command, data, sizeof command);
        answer(command, data);
        return luck >= 0xf0 ? kErrors[luck % kErrors.size()] : error_;
    }

    // What was told last.
    [[nodiscard]] Counters told() const {
        Counters counters;
        for (std::size_t at = 0; at < names_.size(); ++at) {
            counters.emplace(names_[at], numbers_.at(at));
        }
        return counters;
    }

    [[nodiscard]] Bytes& bytes() const { return bytes_; }

    void start() const { calls_ = 0; }

  private:
    static constexpr int kMostCalls = 18;

    void answer(std::uint32_t command, char* data) const {
        error_ = 0;
        switch (command) {
            case ETHTOOL_GSSET_INFO:
                return tellCount(data);
            case ETHTOOL_GSTRINGS:
                return tellNames(data);
            case ETHTOOL_GSTATS:
                return tellNumbers(data);
            default:
                error_ = EOPNOTSUPP;
        }
    }

    void tellCount(char* data) const {
        ethtool_sset_info head{};
        std::memcpy(&head, data, sizeof head);
        auto count = static_cast<std::uint32_t>(bytes_.next());
        if (count == 0xff) {
            count = static_cast<std::uint32_t>(bytes_.number());
        }
        head.sset_mask = count == 0 ? 0 : head.sset_mask;
        std::memcpy(data, &head, sizeof head);
        std::memcpy(data + sizeof head, &count, sizeof count);
    }

    // As many as were asked for, but for a driver that has others by now.
    std::uint32_t present(std::uint32_t asked) const {
        const std::uint8_t change = bytes_.next();
        return change >= 0xf8 ? bytes_.next() : asked;
    }

    void tellNames(char* data) const {
        ethtool_gstrings head{};
        std::memcpy(&head, data, sizeof head);
        const std::uint32_t asked = std::exchange(head.len, present(head.len));
        std::memcpy(data, &head, sizeof head);
        names_.clear();
        std::string fields;
        for (std::uint32_t at = 0; at < head.len; ++at) {
            const std::string field = nextName();
            names_.push_back(field.substr(0, field.find('\0')));
            fields += field;
        }
        copy(data, sizeof head, std::size_t{asked} * ETH_GSTRING_LEN, fields);
    }

    // One that `watch` looks for, or any.
    std::string nextName() const {
        const auto known = watch::counterNames();
        const std::size_t choice = bytes_.next();
        std::string name;
        if (choice < known.size()) {
            name = known[choice].name;
            std::ranges::replace(
                name, '#', static_cast<char>('0' + bytes_.next() % kPriorityCount));
        } else {
            name = bytes_.text(choice % (ETH_GSTRING_LEN + 1));
        }
        name.resize(ETH_GSTRING_LEN, '\0');
        return name;
    }

    void tellNumbers(char* data) const {
        ethtool_stats head{};
        std::memcpy(&head, data, sizeof head);
        const std::uint32_t asked = std::exchange(head.n_stats, present(head.n_stats));
        std::memcpy(data, &head, sizeof head);
        numbers_.clear();
        for (std::uint32_t at = 0; at < head.n_stats; ++at) {
            numbers_.push_back(bytes_.number());
        }
        copy(data,
             sizeof head,
             asked * sizeof(std::uint64_t),
             {reinterpret_cast<const char*>(numbers_.data()),
              numbers_.size() * sizeof(std::uint64_t)});
    }

    // The room ends with its last page.
    void copy(char* data,
              std::size_t head,
              std::size_t asked,
              std::string_view answer) const {
        constexpr std::size_t kPage = 4096;
        const std::size_t room = (head + asked + kPage - 1) / kPage * kPage - head;
        error_ = answer.size() > room ? EFAULT : 0;
        std::ranges::copy(answer.substr(0, room), data + head);
    }

    mutable Bytes bytes_;
    mutable bool renamed_ = false;
    mutable int calls_ = 0;
    mutable int error_ = 0;
    mutable std::vector<std::string> names_;
    mutable std::vector<std::uint64_t> numbers_;
};

Result<Counters> readFrom(const Driver& driver) {
    driver.start();
    const linux_host::EthtoolControl control(driver);
    auto counters = linux_host::IoctlEthtoolReader(control).statistics(IfIndex{7});
    if (!counters) {
        fuzz::requirePrintable(counters.error().message());
    } else {
        require(*counters == driver.told(), "what was read is what was told");
    }
    return counters;
}

watch::Sample sampleOf(const Driver& driver, const std::string& name, int second) {
    const auto place =
        driver.bytes().next() % 2 == 0 ? watch::Place::port : watch::Place::rdma;
    watch::Sample sample{
        .rail = "rail0",
        .rdma = "mlx5_0/1",
        .driver = name,
        .at = std::chrono::steady_clock::time_point(std::chrono::seconds(second)),
        .sources = {{.place = place,
                     .name = "rail0",
                     .driver = name,
                     .counters = readFrom(driver)}},
        .lossless = std::set<Priority>{Priority::of(3)}};
    return sample;
}

void judgeVerdict(const watch::Judgement& judgement, const watch::Movement& movement) {
    using watch::Meaning;
    using watch::Verdict;
    fuzz::requirePrintable(judgement.reason);
    const auto lost = riseOf(movement.rises, Meaning::packetSequence);
    const auto late = riseOf(movement.rises, Meaning::ackTimeout);
    if (lost.value_or(0) + late.value_or(0) > 0) {
        require(judgement.verdict == Verdict::dropping, "lost packets are drops");
    }
    if (judgement.verdict == Verdict::flowing || judgement.verdict == Verdict::noLoad) {
        require(lost || late, "nothing is fine of which nobody told");
    } else {
        require(!judgement.reason.empty(), "what is wrong has a reason");
    }
}

// What a line of the table counts by the name that a driver gave it, if it is of it.
std::optional<watch::Counted> countedBy(const watch::CounterName& line,
                                        std::string_view name) {
    std::string pattern(line.name);
    const std::size_t mark = pattern.find('#');
    watch::Counted counted{.meaning = line.meaning, .priority = std::nullopt};
    if (mark != std::string::npos && mark < name.size() && name[mark] >= '0' &&
        name[mark] < '0' + kPriorityCount) {
        pattern[mark] = name[mark];
        if (line.scope == watch::Scope::priority) {
            counted.priority =
                Priority::of(static_cast<std::uint8_t>(name[mark] - '0'));
        }
    }
    return pattern == name ? std::optional(counted) : std::nullopt;
}

void judgeRestarts(const watch::Movement& movement, const watch::Source& source) {
    for (const std::string_view restarted : movement.rebased) {
        const std::string_view name = restarted.substr(source.name.size() + 2);
        for (const watch::CounterName& line : watch::counterNames()) {
            const auto counted = countedBy(line, name);
            if (counted && line.place == source.place && line.driver == source.driver) {
                require(!movement.rises.contains(*counted),
                        "what started again is not known");
            }
        }
    }
}

void judgeStanding(const watch::Sample& sample) {
    const watch::Movement none = between(sample, sample);
    require(none.rebased.empty(), "what stands still did not start again");
    const auto isZero = [](const auto& rise) { return rise.second == 0; };
    require(std::ranges::all_of(none.rises, isZero), "nor did it rise");
    require(standing(sample).size() == none.rises.size(), "the same is counted");
}

bool sameNames(const watch::Sample& one, const watch::Sample& other) {
    const auto& source = one.sources.front();
    const auto& another = other.sources.front();
    const auto sameName = [](const auto& a, const auto& b) {
        return a.first == b.first;
    };
    return source.place == another.place && source.counters && another.counters &&
           std::ranges::equal(*source.counters, *another.counters, sameName);
}

// Three looks at one rail.
void judgeSession(const Driver& driver, const std::string& name) {
    std::array<watch::Sample, 3> samples;
    watch::Session session;
    watch::Look last;
    bool restarted = false;
    for (int second = 0; second < 3; ++second) {
        watch::Sample& sample = samples.at(static_cast<std::size_t>(second));
        sample = sampleOf(driver, name, second);
        for (watch::Look& look : session.take({sample})) {
            judgeVerdict(look.judgement, look.movement);
            judgeRestarts(look.movement, look.sample.sources.front());
            require(look.present, "the rail is there");
            restarted = restarted || !look.movement.rebased.empty();
            last = std::move(look);
        }
    }
    const auto& [first, second, third] = samples;
    if (!restarted && sameNames(first, second) && sameNames(second, third)) {
        const watch::Movement whole = between(first, third);
        require(whole.rebased.empty() && last.sinceStart == whole.rises,
                "two intervals are one");
    }
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    const Driver driver(input);
    constexpr std::array kDrivers{"mlx5_core", "bnxt_en", "ice", "rdma_rxe", "other"};
    const std::string name = kDrivers[driver.bytes().next() % kDrivers.size()];
    // One answer, or three of them, which take most of the time; by the length.
    if (input.size % 2 == 0) {
        judgeStanding(sampleOf(driver, name, 0));
    } else {
        judgeSession(driver, name);
    }
}

}  // namespace fabric
