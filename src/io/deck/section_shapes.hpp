// SPDX-License-Identifier: BSD-3-Clause
// Sections of the deck by shape: which dimensions each shape takes.
#pragma once
#include "reader.hpp"

namespace polhode::io {

// The section of a mapping that has a `shape`; what is missing or out of place goes to the findings.
void read_shape(const Mapping& given, Reader& reader, model::SectionEntry& section);

}  // namespace polhode::io
