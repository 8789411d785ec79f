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

Result<host::ServiceWriter*> servicesOf(const host::Writer& writer) {
    if (writer.services == nullptr) {
        return fail(Error{.kind = ErrorKind::bug,
                          .action = "change a service",
                          .subject = {},
                          .sysErrno = 0,
                          .detail = "this run has no service manager",
                          .advice = {}});
    }
    return writer.services;
}

// Puts back what stood there before a drop-in; says how that went.
std::string takeBack(const resource::DropInWrite& write,
                     const host::Writer& writer,
                     const Error& cause) {
    const resource::FileReplace& file = write.file;
    const auto restored =
        write.previous ? writer.files.replaceFile(file.path, *write.previous, file.mode)
                       : removeIfThere(file.path, writer.files);
    if (!restored) {
        return "it could not be taken back: " + restored.error().message();
    }
    // A manager that did not answer is not kept waiting for twice.
    if (cause.kind != ErrorKind::timeout) {
        static_cast<void>(writer.services->reload(write.unit));
    }
    return write.previous ? "the former " + file.path + " is back"
                          : file.path + " was taken away again";
}

Result<void> writeDropIn(const resource::DropInWrite& write,
                         const host::Writer& writer) {
    host::ServiceWriter* const services = TRY(servicesOf(writer));
    TRY(writer.files.replaceFile(
        write.file.path, write.file.text, {write.file.mode, write.file.owner}));
    Result<void> loaded = services->reload(write.unit);
    if (!loaded) {
        Error& error = loaded.error();
        error.detail +=
            (error.detail.empty() ? "" : "; ") + takeBack(write, writer, error);
    }
    return loaded;
}

Result<void> announce(const resource::GratuitousArp& arp, host::Announcer* announcer) {
    if (announcer == nullptr) {
        return fail(Error{.kind = ErrorKind::unsupported,
                          .action = "announce " + arp.ipv4.text(),
                          .detail = "no frame can be sent from here"});
    }
    return announcer->announce(arp.link, arp.mac, arp.ipv4);
}

Result<Acceptance> unremarkable(const Result<void>& result) {
    return result ? Result<Acceptance>(Acceptance{}) : fail(result.error());
}

}  // namespace

Result<Acceptance> carryOut(const resource::Write& write,
                            const host::Writer& writer,
                            NeighbourRoom& neighbours) {
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
            return unremarkable(writer.files.replaceFile(
                file.path, file.text, {file.mode, file.owner}));
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
        [&](const resource::DropInWrite& dropIn) {
            return unremarkable(writeDropIn(dropIn, writer));
        },
        [&](const resource::ManagerReload& reload) -> Result<Acceptance> {
            host::ServiceWriter* const services = TRY(servicesOf(writer));
            return unremarkable(services->reload(reload.unit));
        },
        [&](const host::RestartRequest& restart) -> Result<Acceptance> {
            host::ServiceWriter* const services = TRY(servicesOf(writer));
            return unremarkable(services->restart(restart));
        },
        [&](const resource::NeighbourDelete& entries) {
            return unremarkable(neighbours.remove(entries));
        },
        [&](const resource::NeighbourResolve& entries) {
            return unremarkable(neighbours.resolve(entries));
        },
        [&](const resource::GratuitousArp& arp) {
            return unremarkable(announce(arp, writer.announcer));
        },
        [&](const host::PciCapabilityWrite& pci) -> Result<Acceptance> {
            return Acceptance{.note = {}, .word = TRY(writer.pci.update(pci))};
        },
    };
    return std::visit(visitor, write);
}

}  // namespace fabric::engine
