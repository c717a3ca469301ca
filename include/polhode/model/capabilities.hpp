// SPDX-License-Identifier: BSD-3-Clause
// What a kind declares that it can do. The declaration and the functions are compared when a batch of the kind is
// compiled (checked_kind.hpp): a function that is declared and missing, misspelt, with another signature or half of a
// pair does not compile, and neither does one that is there and not declared.
#pragma once
#include <cstdint>

namespace polhode::model {

// A set of capabilities; `|` unites two sets.
class Capabilities {
 public:
  constexpr Capabilities() = default;
  // The capability of this bit, counted from 0; for the constants below.
  static constexpr Capabilities of(int bit) { return Capabilities(std::uint32_t{1} << bit); }
  // True if all of `wanted` are in this set.
  constexpr bool has(Capabilities wanted) const { return (bits_ & wanted.bits_) == wanted.bits_; }
  friend constexpr Capabilities operator|(Capabilities a, Capabilities b) { return Capabilities(a.bits_ | b.bits_); }
  friend constexpr bool operator==(Capabilities a, Capabilities b) = default;

 private:
  constexpr explicit Capabilities(std::uint32_t bits) : bits_(bits) {}
  std::uint32_t bits_ = 0;
};

// Functions of each: contract.hpp, discrete.hpp, lanes.hpp. Constraint equations and internal variables need no
// capability: they are declared by their numbers, K::rows and K::history.
namespace can {
inline constexpr Capabilities inertia = Capabilities::of(0);
inline constexpr Capabilities forces = Capabilities::of(1);
// Constraint equations depend on time.
inline constexpr Capabilities drives = Capabilities::of(2);
// Rows hold in a position, too, that no motion leads to.
inline constexpr Capabilities mirror = Capabilities::of(3);
inline constexpr Capabilities energies = Capabilities::of(4);
// Angular momentum beside that of the node's motion.
inline constexpr Capabilities momentum = Capabilities::of(5);
// Work that is no change of the energies: loads, dampers.
inline constexpr Capabilities power = Capabilities::of(6);
inline constexpr Capabilities outputs = Capabilities::of(7);
// Kinks and jumps of functions of time.
inline constexpr Capabilities breakpoints = Capabilities::of(8);
// Discrete forms over a step (discrete.hpp); a midpoint goes with discrete forces.
inline constexpr Capabilities mean_rows = Capabilities::of(9);
inline constexpr Capabilities discrete_forces = Capabilities::of(10);
inline constexpr Capabilities midpoint = Capabilities::of(11);
// Inertia, forces, energies and outputs of several elements side by side (lanes.hpp).
inline constexpr Capabilities lanes = Capabilities::of(12);
// A rotation vector between the nodes, which ends at some angle.
inline constexpr Capabilities bound = Capabilities::of(13);
// The derivative of B v by itself, cheaper than from the tangents of each row.
inline constexpr Capabilities velocity_gradient = Capabilities::of(14);
// Functions of time that may take signals.
inline constexpr Capabilities signals = Capabilities::of(15);
}  // namespace can

}  // namespace polhode::model
