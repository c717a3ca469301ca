// SPDX-License-Identifier: BSD-3-Clause
// Errors and observed orders as tables on standard output.
#pragma once
#include "polhode/io/hdf5/convergence_file.hpp"

namespace polhode::cli {

void print_table(const io::ConvergenceTable& table);

}  // namespace polhode::cli
