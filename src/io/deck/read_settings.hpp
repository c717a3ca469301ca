// SPDX-License-Identifier: BSD-3-Clause
// Reading a mapping of the deck into a struct of settings, by its table.
#pragma once
#include "polhode/model/settings.hpp"
#include "reader.hpp"

namespace polhode::io {

// Reads `item`, which stands at `path`, into the struct that `table` is of. Unknown, doubled and missing keys, values of
// a wrong type, out of their bounds or choices go to the findings; their members keep what they hold. What depends on
// several keys is for the owner of the struct to check. Returns true if nothing was wrong.
bool read_settings(const Item& item, const std::string& path, const model::SettingsTable& table, void* settings,
                   Reader& reader);

}  // namespace polhode::io
