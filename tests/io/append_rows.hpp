// SPDX-License-Identifier: BSD-3-Clause
// States of the small layout in results that are being written.
#pragma once
#include "polhode/io/hdf5/results.hpp"
#include "sample_results.hpp"

namespace polhode::test {

// The first `rows` rows of make_layout().
inline void append_rows(io::ResultsFile& results, std::size_t rows) {
  std::vector<double> state(make_layout().state_size);
  for (std::size_t row = 0; row < rows; ++row) {
    fill_row(state, row);
    results.append_state(state);
  }
}

}  // namespace polhode::test
