// SPDX-License-Identifier: BSD-3-Clause
// Samples of a function of time in two columns of a CSV file.
#pragma once
#include <optional>
#include <vector>

#include "reader.hpp"

namespace polhode::io {

struct SampleColumns {
  std::vector<double> time;
  std::vector<double> value;
};

// Of the mapping with `file` and `columns`; the file is relative to the deck. Columns are both numbers, which count
// from 1 whatever the first row holds, or both heads out of the first row. Empty where there is an error, which is in
// the findings.
std::optional<SampleColumns> read_sample_columns(const Mapping& source, Reader& reader);

}  // namespace polhode::io
