// SPDX-License-Identifier: BSD-3-Clause
// Kinds with one fault each, which must not compile: what checked_kind.hpp says of each stands in the comment before it.
// tests/conformance/faulty/compile.py runs the compiler on this file; it is part of no program.
#include "polhode/model/checked_kind.hpp"

namespace polhode::model {

// A kind without a fault, from which the others are made.
struct Complete {
  static constexpr std::string_view name = "complete";
  static constexpr int nodes = 1;
  static constexpr int rows = 0;
  static constexpr int history = 0;
  static constexpr Capabilities capabilities = can::forces | can::energies;
  struct Data {};

  static void add_forces_to(const Data&, const Nodes<1>&, const Context&, Vec6&) {}
  static void add_force_tangents_to(const Data&, const Nodes<1>&, const Context&, TangentsOf<1>&) {}
  static Energies energies(const Data&, const Nodes<1>&, const Context&) { return {}; }
};
static_assert(checked_kind<Complete>());

// What the faulty ones have in common.
struct Plain {
  static constexpr int nodes = 1;
  static constexpr int rows = 0;
  static constexpr int history = 0;
  struct Data {};
};

// refused: can::energies and energies belong together
struct Misspelt : Plain {
  static constexpr Capabilities capabilities = can::energies;
  static Energies energys(const Data&, const Nodes<1>&, const Context&) { return {}; }
};
static_assert(checked_kind<Misspelt>());

// refused: can::power and power belong together
struct Undeclared : Plain {
  static constexpr Capabilities capabilities{};
  static double power(const Data&, const Nodes<1>&, const Context&) { return 0; }
};
static_assert(checked_kind<Undeclared>());

// refused: can::forces and add_forces_to, add_force_tangents_to belong together
struct HalfWritten : Plain {
  static constexpr Capabilities capabilities = can::forces;
  static void add_forces_to(const Data&, const Nodes<1>&, const Context&, Vec6&) {}
};
static_assert(checked_kind<HalfWritten>());

// refused: can::inertia and add_inertia_to, add_inertia_tangents_to belong together
struct HalfWrittenUndeclared : Plain {
  static constexpr Capabilities capabilities{};
  static void add_inertia_tangents_to(const Data&, const Nodes<1>&, const Context&, TangentsOf<1>&) {}
};
static_assert(checked_kind<HalfWrittenUndeclared>());

// refused: can::momentum and momentum belong together
struct WrongArguments : Plain {
  static constexpr Capabilities capabilities = can::momentum;
  static Vec3 momentum(const Data&, const Nodes<1>&, const Context&) { return Vec3::Zero(); }
};
static_assert(checked_kind<WrongArguments>());

// refused: can::breakpoints and breakpoints belong together
struct WrongArgumentsUndeclared : Plain {
  static constexpr Capabilities capabilities{};
  static void breakpoints(const Data&, double, std::vector<double>&) {}
};
static_assert(checked_kind<WrongArgumentsUndeclared>());

// refused: can::velocity_gradient and rows, velocity_gradient belong together
struct Unnoticed : Plain {
  static constexpr Capabilities capabilities = can::velocity_gradient;
  static void velocity_gradients(const Data&, const Nodes<1>&, const Context&, Mat<1, 6>&) {}
};
static_assert(checked_kind<Unnoticed>());

// refused: history > 0 and update_history belong together
struct ForgetsItsHistory : Plain {
  static constexpr int history = 1;
  static constexpr Capabilities capabilities{};
};
static_assert(checked_kind<ForgetsItsHistory>());

// refused: rows > 0 and constraint, gradient, add_geometric_tangent_to, row_names, row_is_length belong together
struct RowsWithoutNames : Plain {
  static constexpr int rows = 1;
  static constexpr Capabilities capabilities{};
  static void constraint(const Data&, const Nodes<1>&, const Context&, math::Mat<1>&) {}
  static void gradient(const Data&, const Nodes<1>&, const Context&, math::Mat<1, 6>&) {}
  static void add_geometric_tangent_to(const Data&, const Nodes<1>&, const Context&, const math::Mat<1>&,
                                       math::Mat<6, 6>&) {}
};
static_assert(checked_kind<RowsWithoutNames>());

}  // namespace polhode::model
