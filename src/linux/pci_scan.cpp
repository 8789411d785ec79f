// SPDX-License-Identifier: Apache-2.0
#include "linux/pci_scan.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace fabric::linux_host {

namespace {

std::string_view lastComponent(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

bool isHostBridge(std::string_view component) {
    return component.starts_with("pci") && component.contains(':') &&
           !PciAddress::parse(component);
}

template <typename Number>
Number hexadecimal(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with("0x")) {
        text.remove_prefix(2);
    }
    return static_cast<Number>(parseUnsigned(text, 16).value_or(0));
}

std::optional<int> nonNegative(std::string_view text) {
    const auto number = parseUnsigned(trimmed(text));
    return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

// KEY=VALUE lines of a uevent file (drivers/pci/pci-driver.c, pci_uevent). Ids have no
// 0x there.
void takeUevent(host::PciFunction& function, std::string_view text) {
    for (const std::string_view line : split(text, '\n')) {
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos) {
            continue;
        }
        const std::string_view key = line.substr(0, equals);
        const std::string_view value = line.substr(equals + 1);
        if (key == "DRIVER") {
            function.driver = std::string(value);
        } else if (key == "PCI_CLASS") {
            function.classCode = hexadecimal<std::uint32_t>(value);
        } else if (key == "PCI_ID" && value.contains(':')) {
            const std::size_t colon = value.find(':');
            function.vendor = hexadecimal<std::uint16_t>(value.substr(0, colon));
            function.device = hexadecimal<std::uint16_t>(value.substr(colon + 1));
        }
    }
}

// The same facts one file each, for trees that hold no uevent file.
Result<void> takeFiles(host::PciFunction& function,
                       const host::FileReader& files,
                       const std::string& directory) {
    const std::string vendor = TRY(files.read(directory + "/vendor"));
    const std::string device = TRY(files.read(directory + "/device"));
    const std::string classCode = TRY(files.read(directory + "/class"));
    function.vendor = hexadecimal<std::uint16_t>(vendor);
    function.device = hexadecimal<std::uint16_t>(device);
    function.classCode = hexadecimal<std::uint32_t>(classCode);
    const auto driver = files.readLink(directory + "/driver");
    function.driver = driver ? std::string(lastComponent(*driver)) : std::string();
    return {};
}

Result<void> takeIdentity(host::PciFunction& function,
                          const host::FileReader& files,
                          const std::string& directory) {
    const auto uevent = files.read(directory + "/uevent");
    if (uevent && uevent->contains("PCI_ID=")) {
        takeUevent(function, *uevent);
        return {};
    }
    return takeFiles(function, files, directory);
}

Result<host::PciFunction> readFunction(const host::FileReader& files,
                                       PciAddress address) {
    const std::string directory = std::string(kPciDevices) + "/" + address.text();
    const std::string path = TRY(files.readLink(directory));
    PciPlace place = placeInPath(path);
    host::PciFunction function{.address = address,
                               .hostBridge = std::move(place.hostBridge),
                               .bridges = std::move(place.bridges)};
    TRY(takeIdentity(function, files, directory));
    if (const auto node = files.read(directory + "/numa_node")) {
        function.numaNode = nonNegative(*node);
    }
    if (const auto group = files.readLink(directory + "/iommu_group")) {
        function.iommuGroup = nonNegative(lastComponent(*group));
    }
    function.virtualFunction = files.readLink(directory + "/physfn").has_value();
    return function;
}

}  // namespace

PciPlace placeInPath(std::string_view path) {
    PciPlace place;
    for (const std::string_view component : split(path, '/')) {
        if (isHostBridge(component)) {
            place.hostBridge = std::string(component);
            place.bridges.clear();
        } else if (const auto address = PciAddress::parse(component)) {
            place.bridges.push_back(*address);
        }
    }
    if (!place.bridges.empty()) {
        place.bridges.pop_back();  // the function itself
    }
    return place;
}

Result<std::vector<host::PciFunction>> scanPciFunctions(const host::FileReader& files) {
    const std::vector<std::string> names = TRY(files.list(kPciDevices));
    std::vector<host::PciFunction> functions;
    functions.reserve(names.size());
    for (const std::string& name : names) {
        const auto address = PciAddress::parse(name);
        if (!address) {
            continue;
        }
        auto function = readFunction(files, *address);
        if (function) {
            functions.push_back(std::move(*function));
        } else if (function.error().kind != ErrorKind::notFound) {
            return fail(std::move(function.error()));
        }
    }
    // By number: "10000:..." goes after "0000:...", whatever the names' order.
    std::ranges::sort(functions, {}, &host::PciFunction::address);
    return functions;
}

}  // namespace fabric::linux_host
