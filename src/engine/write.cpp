// SPDX-License-Identifier: Apache-2.0
#include "engine/write.hpp"

#include <variant>

namespace fabric::engine {

namespace {

template <typename... Visitors>
struct Overloaded : Visitors... {
    using Visitors::operator()...;
};

}  // namespace

Result<void> carryOut(const resource::Write& write, const host::Writer& writer) {
    const Overloaded visitor{
        [&](const resource::DcbWrite& dcb) -> Result<void> {
            const host::DcbAnswer answer = TRY(writer.dcb.set(dcb.request));
            return {};
        },
        [&](const resource::AttributeWrite& attribute) {
            return writer.files.writeAttribute(attribute.path, attribute.text);
        },
        [&](const resource::DirectoryCreate& directory) {
            constexpr mode_t kDirectoryMode = 0755;
            return writer.files.makeDirectory(directory.path, kDirectoryMode);
        },
        [&](const resource::MtuWrite& mtu) {
            return writer.links.setMtu(mtu.link, mtu.bytes);
        },
        [&](const resource::PauseWrite& pause) {
            return writer.ethtool.setPause(pause.link, pause.wanted);
        },
        [&](const host::PciCapabilityWrite& pci) -> Result<void> {
            TRY(writer.pci.update(pci));
            return {};
        },
    };
    return std::visit(visitor, write);
}

}  // namespace fabric::engine
