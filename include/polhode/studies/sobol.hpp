// SPDX-License-Identifier: BSD-3-Clause
// Sobol's sequence: points that fill a cube evenly.
#pragma once
#include <cstddef>
#include <cstdint>

namespace polhode::studies {

inline constexpr std::size_t sobol_dimensions = 32;

// Coordinate `dimension` (below sobol_dimensions) of point `index` of the sequence, in units of 2^-32.
std::uint32_t sobol(std::size_t index, std::size_t dimension);

}  // namespace polhode::studies
