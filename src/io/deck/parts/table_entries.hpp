// SPDX-License-Identifier: BSD-3-Clause
// Entries of a deck from a table: rows of a CSV file as nodes, beams or what else has names.
#pragma once
#include <string>

#include "io/yaml/document.hpp"
#include "io/yaml/findings.hpp"

namespace polhode::io {

// A tree `{key: {name: {...}, ...}}` with an entry for each row of the table. The first column is `name`; heads of the
// others are keys of the entry, or places in it such as `position.x` or `inertia.0`; of `nodes` also `x`, `y`, `z`.
// Cells are YAML on a line, numbers with a decimal comma where semicolons or tabs stand between the cells; an empty cell
// gives no key. Places are those of the rows, in the file of this index. What is wrong goes to the findings.
Item table_entries(const std::string& text, const std::string& name, const std::string& key, int file,
                   Findings& findings);

}  // namespace polhode::io
