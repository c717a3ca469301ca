// SPDX-License-Identifier: BSD-3-Clause
// Reading a mapping of the deck into a struct of settings, by its table.
#pragma once
#include "polhode/model/settings.hpp"
#include "reader.hpp"

namespace polhode::io {

// Reads `item`, which stands at `path`, into the struct that `table` is of. Unknown, doubled and missing keys, values of
// a wrong type, out of their bounds or choices go to the findings; their members keep what they hold. What the table
// itself checks comes after. Returns true if nothing was wrong.
bool read_settings(const Item& item, const std::string& path, const model::SettingsTable& table, void* settings,
                   Reader& reader);

// The same for a mapping that has been read already, by a table of keys that has those of `table` among others.
void assign_settings(const Mapping& given, const model::SettingsTable& table, void* settings, Reader& reader);

// Adds problems to the findings, at the entries that their paths name. `item` stands at `base`; a path that leads to no
// entry takes the place of the nearest one above it.
void report(const model::Problems& problems, const Item& item, std::string_view base, Reader& reader);

}  // namespace polhode::io
