// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "host/services.hpp"
#include "resource/service/unit_file.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::resource::service {

// Of an image, nothing below /run will be there when it starts.
enum class SearchIn { image, host };

// Which files systemd will read for a unit when it reads them next, found as it finds
// them (systemd.unit(5); src/shared/unit-file.c and dropin.c of systemd): fragment,
// drop-ins in the order in which they apply, and whether the name is masked or missing.
// An instance is served by its template.
[[nodiscard]] host::ServiceUnit locateUnit(const host::FileReader& files,
                                           const std::string& name,
                                           SearchIn place = SearchIn::image);

// The place of a directory in the order of the search, empty when it is not searched.
[[nodiscard]] std::optional<std::size_t> searchRank(std::string_view directory);

// Directories of drop-ins of a unit without their ".d", the most particular first: the
// name, its template, and the beginnings of both up to each dash.
[[nodiscard]] std::vector<std::string> dropInNames(const std::string& unit);

// What files, applied one after the other, make of a unit: its commands and files of
// variables. The limit is told apart, since it may be set by none.
void applyFiles(const std::vector<UnitFile>& files, host::ServiceUnit& unit);
[[nodiscard]] std::optional<host::ResourceLimit> limitOf(
    const std::vector<UnitFile>& files);

}  // namespace fabric::resource::service
