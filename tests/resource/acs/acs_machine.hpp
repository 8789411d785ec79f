// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hosts/captured_host.hpp"
#include "resource/acs/acs.hpp"

#include <stdexcept>
#include <string>
#include <string_view>

namespace fabric::resource::acs {

inline PciAddress bdf(std::string_view text) {
    return PciAddress::parse(text).value();
}

// A captured machine with a profile section, on bare metal without lockdown, by root.
struct AcsMachine {
    fake::FakeHost host;
    profile::HostSettings settings;
    inventory::Platform platform;

    explicit AcsMachine(std::string_view name) {
        hosts::load(name, host);
        settings.acs = profile::AcsSettings{};
        platform.kernelRelease = "6.1.0-57-amd64";
        platform.lockdown = inventory::Lockdown::none;
        platform.guest = false;
        platform.hasSysAdmin = true;
    }

    profile::AcsSettings& acs() { return *settings.acs; }

    fake::FakeFunction& at(std::string_view address) {
        fake::FakeFunction* const found = host.pci.find(bdf(address));
        if (found == nullptr) {
            throw std::runtime_error("no function " + std::string(address));
        }
        return *found;
    }

    [[nodiscard]] std::vector<host::PciFunction> functions() const {
        return host.pci.functions().value();
    }

    [[nodiscard]] Comparison look() {
        const inventory::PciTopology pci(functions());
        const Scope scope{.rails = {},
                          .host = settings,
                          .platform = platform,
                          .pci = &pci,
                          .hostWide = true};
        return assess(host.reader(), scope);
    }

    // Carries out the writes of all steps, as the engine does; the errors that came
    // back.
    std::vector<Error> write(const Comparison& comparison) {
        std::vector<Error> errors;
        for (const Step& step : comparison.steps) {
            for (const Write& write : step.writes) {
                const auto done =
                    host.pci.update(std::get<host::PciCapabilityWrite>(write));
                if (!done) {
                    errors.push_back(done.error());
                }
            }
        }
        return errors;
    }
};

inline const Assessment& of(const Comparison& comparison, std::string_view address) {
    for (const Assessment& assessment : comparison.assessments) {
        if (assessment.device == address) {
            return assessment;
        }
    }
    throw std::runtime_error("no assessment of " + std::string(address));
}

inline bool mentions(const Comparison& comparison, std::string_view finding) {
    for (const Finding& one : comparison.findings) {
        if (one.id == finding) {
            return true;
        }
    }
    return false;
}

inline std::size_t count(const Comparison& comparison, Verdict verdict) {
    std::size_t found = 0;
    for (const Assessment& assessment : comparison.assessments) {
        found += assessment.verdict == verdict ? 1U : 0U;
    }
    return found;
}

}  // namespace fabric::resource::acs
