// SPDX-License-Identifier: BSD-3-Clause
// Modes of modal analyses as tables: one of frequencies, and one of shapes with a line for each mode and node.
#pragma once
#include "io/export/output_file.hpp"
#include "polhode/io/hdf5/results_reader.hpp"

namespace polhode::io {

// Whether the results hold any modes.
bool has_modes(const ResultsReader& results);

// A line a mode: analysis, number, frequency [Hz], damping ratio, eigenvalue [rad/s], and the motion in words. Throws
// FileError where a dataset has another form, as write_shapes does.
void write_modes(const ResultsReader& results, OutputFile& out);

// A line for each mode and node: three displacements [m, inertial frame] and three rotations [rad, frame of the node].
// Columns of imaginary parts are there where any mode has such a part.
void write_shapes(const ResultsReader& results, OutputFile& out);

}  // namespace polhode::io
