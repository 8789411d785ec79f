// SPDX-License-Identifier: Apache-2.0
#include "profile/load.hpp"

#include "profile/yaml.hpp"

namespace fabric::profile {

namespace {

std::expected<SourceText, std::string> readFile(const host::FileReader& files,
                                                const std::string& path) {
    auto text = files.read(path, kMaxProfileBytes);
    if (!text) {
        return std::unexpected(text.error().message());
    }
    auto identity = files.resolve(path);
    if (!identity) {
        return std::unexpected(identity.error().message());
    }
    return SourceText{
        .identity = std::move(*identity), .text = std::move(*text), .warnings = {}};
}

}  // namespace

ProfileResult<Profile> load(const host::FileReader& files,
                            std::string_view path,
                            const LoadOptions& /*options*/) {
    const std::string file(path);
    const SourceReader source = [&](const std::string& name) {
        return readFile(files, name);
    };
    auto first = source(file);
    if (!first) {
        return std::unexpected(ProfileErrors{ProfileError{.file = file,
                                                          .line = 0,
                                                          .column = 0,
                                                          .message = first.error(),
                                                          .suggestion = {}}});
    }
    return parse(first->text, file, source);
}

}  // namespace fabric::profile
