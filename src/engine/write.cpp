// SPDX-License-Identifier: Apache-2.0
#include "engine/write.hpp"

#include "resource/dcb/answer.hpp"

#include <cerrno>
#include <utility>
#include <variant>

namespace fabric::engine {

namespace {

template <typename... Visitors>
struct Overloaded : Visitors... {
    using Visitors::operator()...;
};

Result<Acceptance> writeDcb(const resource::DcbWrite& write, host::DcbWriter& writer) {
    const auto attempt = [&]() -> Result<Acceptance> {
        const host::DcbAnswer answer = TRY(writer.set(write.request));
        auto outcome = TRY(resource::dcb::decodeSetResult(write.request, answer));
        return Acceptance{.note = std::move(outcome.note)};
    };
    auto accepted = attempt();
    if (!accepted && write.ifRefused) {
        // Whether the leftover could be taken back is seen by the read-back.
        static_cast<void>(writer.set(*write.ifRefused));
    }
    return accepted;
}

Result<void> removeIfThere(const std::string& path, host::FileWriter& files) {
    Result<void> removed = files.removeFile(path);
    if (!removed && removed.error().sysErrno == ENOENT) {
        return {};
    }
    return removed;
}

Result<void> loadModule(const std::string& name, host::ModuleWriter* modules) {
    return modules != nullptr ? modules->load(name)
                              : fail(systemError("load module", name, EOPNOTSUPP));
}

Result<Acceptance> unremarkable(const Result<void>& result) {
    return result ? Result<Acceptance>(Acceptance{}) : fail(result.error());
}

}  // namespace

Result<Acceptance> carryOut(const resource::Write& write, const host::Writer& writer) {
    constexpr mode_t kDirectoryMode = 0755;
    const Overloaded visitor{
        [&](const resource::DcbWrite& dcb) { return writeDcb(dcb, writer.dcb); },
        [&](const resource::AttributeWrite& attribute) {
            return unremarkable(
                writer.files.writeAttribute(attribute.path, attribute.text));
        },
        [&](const resource::DirectoryCreate& directory) {
            return unremarkable(
                writer.files.makeDirectory(directory.path, kDirectoryMode));
        },
        [&](const resource::FileReplace& file) {
            return unremarkable(
                writer.files.replaceFile(file.path, file.text, file.mode));
        },
        [&](const resource::FileRemove& file) {
            return unremarkable(removeIfThere(file.path, writer.files));
        },
        [&](const resource::MtuWrite& mtu) {
            return unremarkable(writer.links.setMtu(mtu.link, mtu.bytes));
        },
        [&](const resource::PauseWrite& pause) {
            return unremarkable(writer.ethtool.setPause(pause.link, pause.wanted));
        },
        [&](const resource::Ipv4ConfWrite& conf) {
            return unremarkable(conf.link.none()
                                    ? writer.ipv4.setAll(conf.values)
                                    : writer.ipv4.set(conf.link, conf.values));
        },
        [&](const resource::ModuleLoad& module) {
            return unremarkable(loadModule(module.name, writer.modules));
        },
        [&](const host::PciCapabilityWrite& pci) -> Result<Acceptance> {
            TRY(writer.pci.update(pci));
            return Acceptance{};
        },
    };
    return std::visit(visitor, write);
}

}  // namespace fabric::engine
