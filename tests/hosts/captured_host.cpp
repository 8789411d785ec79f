// SPDX-License-Identifier: Apache-2.0
#include "hosts/captured_host.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

namespace fabric::hosts {

namespace {

constexpr std::uint16_t kExpressFlags = 0x42;  // PCI Express capability at 0x40, flags
constexpr std::uint16_t kExtendedStart = 0x100;
constexpr std::uint16_t kAer = 0x0001;
constexpr std::uint16_t kAcs = 0x000D;

const std::map<std::string, std::uint16_t, std::less<>> kPortTypes{
    {"end", 0x0}, {"root", 0x4}, {"up", 0x5}, {"down", 0x6}, {"pcibridge", 0x7}};

std::vector<std::string> linesOf(const std::string& file) {
    std::ifstream stream(std::string(FABRIC_HOSTS_DIR "/") + file);
    if (!stream) {
        throw std::runtime_error("no such captured host: " + file);
    }
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) {
        if (!line.empty() && line.front() != '#') {
            lines.push_back(line);
        }
    }
    return lines;
}

std::uint32_t hexNumber(std::string_view text) {
    return static_cast<std::uint32_t>(parseUnsigned(text, 16).value());
}

// Column order of a .host line.
enum Column { address, ids, classCode, parent, port, acs, numa, driver, columns };

std::vector<std::string> fieldsOf(const std::string& line) {
    std::istringstream stream(line);
    std::vector<std::string> fields;
    for (std::string field; stream >> field;) {
        fields.push_back(field);
    }
    if (fields.size() != Column::columns) {
        throw std::runtime_error("not a function: " + line);
    }
    return fields;
}

// The parent stands before its children in the file.
host::PciFunction functionOf(const std::vector<std::string>& fields,
                             const std::map<PciAddress, host::PciFunction>& known) {
    host::PciFunction function;
    function.address = PciAddress::parse(fields[Column::address]).value();
    function.vendor =
        static_cast<std::uint16_t>(hexNumber(fields[Column::ids].substr(0, 4)));
    function.device =
        static_cast<std::uint16_t>(hexNumber(fields[Column::ids].substr(5)));
    function.classCode = hexNumber(fields[Column::classCode]);
    function.driver = fields[Column::driver] == "-" ? "" : fields[Column::driver];
    if (fields[Column::numa] != "-") {
        function.numaNode = std::stoi(fields[Column::numa]);
    }
    if (fields[Column::parent].starts_with("pci")) {
        function.hostBridge = fields[Column::parent];
        return function;
    }
    const auto& above = known.at(PciAddress::parse(fields[Column::parent]).value());
    function.hostBridge = above.hostBridge;
    function.bridges = above.bridges;
    function.bridges.push_back(above.address);
    return function;
}

void writeRegisters(fake::FakeFunction& function,
                    const std::vector<std::string>& fields) {
    const auto type = kPortTypes.find(fields[Column::port]);
    if (type == kPortTypes.end()) {
        function.setWord(0x06, 0);  // conventional: no capability list
        return;
    }
    function.setWord(kExpressFlags, static_cast<std::uint16_t>(type->second << 4U));
    const auto pieces = split(fields[Column::acs], '/');
    if (pieces.size() != 3) {
        function.addExtendedCapability(kExtendedStart, kAer, 0);
        return;
    }
    const auto offset = static_cast<std::uint16_t>(hexNumber(pieces[0]));
    function.addExtendedCapability(kExtendedStart, kAer, offset);
    function.addExtendedCapability(offset, kAcs, 0);
    function.setDword(static_cast<std::uint16_t>(offset + 4U),
                      hexNumber(pieces[1]) | (hexNumber(pieces[2]) << 16U));
}

std::uint16_t controlOffset(const fake::FakeFunction& function) {
    std::uint16_t offset = kExtendedStart;
    while (function.word(offset) != kAcs) {
        offset = static_cast<std::uint16_t>(
            (function.word(static_cast<std::uint16_t>(offset + 2U)) >> 4U) & 0xFFCU);
        if (offset == 0) {
            throw std::runtime_error("no ACS: " + function.info.address.text());
        }
    }
    return static_cast<std::uint16_t>(offset + 6U);
}

fake::FakeFunction& functionAt(fake::FakeHost& machine, std::string_view address) {
    fake::FakeFunction* const found =
        machine.pci.find(PciAddress::parse(address).value());
    if (found == nullptr) {
        throw std::runtime_error("no such function: " + std::string(address));
    }
    return *found;
}

}  // namespace

void load(std::string_view name, fake::FakeHost& machine) {
    std::map<PciAddress, host::PciFunction> known;
    unsigned rdmaDevices = 0;
    for (const std::string& line : linesOf(std::string(name) + ".host")) {
        const auto fields = fieldsOf(line);
        const host::PciFunction function = functionOf(fields, known);
        known.emplace(function.address, function);
        writeRegisters(machine.pci.add(function), fields);
        if (function.driver == "mlx5_core") {
            machine.rdma.add("mlx5_" + std::to_string(rdmaDevices++),
                             IfIndex{},
                             function.address.text());
        }
    }
}

std::vector<std::byte> loadConfig(std::string_view name) {
    std::vector<std::byte> config(4096, std::byte{0});
    for (const std::string& line : linesOf(std::string(name) + ".hex")) {
        const std::size_t colon = line.find(':');
        std::size_t at = hexNumber(std::string_view(line).substr(0, colon));
        std::istringstream bytes(line.substr(colon + 1));
        for (std::string byte; bytes >> byte; ++at) {
            config.at(at) = static_cast<std::byte>(hexNumber(byte));
        }
    }
    return config;
}

void setControl(fake::FakeHost& machine,
                std::string_view address,
                std::uint16_t value) {
    fake::FakeFunction& function = functionAt(machine, address);
    function.setWord(controlOffset(function), value);
}

std::uint16_t controlOf(fake::FakeHost& machine, std::string_view address) {
    const fake::FakeFunction& function = functionAt(machine, address);
    return function.word(controlOffset(function));
}

}  // namespace fabric::hosts
