// SPDX-License-Identifier: BSD-3-Clause
// Loads and drives about a breakpoint.
#include "analyses/transient/breakpoint.hpp"

#include <algorithm>

namespace polhode::analyses {

using model::State;
using model::VectorX;

BreakpointProbe::BreakpointProbe(const assembly::System& system)
    : system_(system), residual_(system.make_residual()), Bv_(VectorX::Zero(system.rows())), phi_t_(Bv_), gamma_(Bv_) {
  for (VectorX& f : f_) f = VectorX::Zero(static_cast<Eigen::Index>(6 * system.nodes()) + 2 * system.rows());
}

// Second differences at two widths: of a smooth function they fall with the width, of a kink they stay,
// and a jump shows in the middle difference alone.
BreakpointProbe::Kind BreakpointProbe::kind(State& q, double h) {
  const double e = 1e-4 * h;
  const double closer = e / 8;
  // bends per e: f''e if smooth, the change of f' at a kink
  const double wide = bend(q, e);
  const double near = bend(q, closer);
  if (jump_) return Kind::jump;
  // Kinks that change the slope by less than a millionth of the forces over a step do no harm.
  const double noticeable = 1e-6 * size_ / h;
  return near > 0.5 * wide && near > noticeable ? Kind::kink : Kind::smooth;
}

// Three times between both ends against the straight line through the ends, a little inside of them.
bool BreakpointProbe::more_than_linear(State& q, double stop) {
  const double t = q.t;
  const double span = stop - t;
  evaluate(q, t + 1e-9 * span, f_[0]);
  evaluate(q, stop - 1e-9 * span, f_[3]);
  double size = std::max(f_[0].norm(), f_[3].norm());
  double most = 0;
  for (const double s : {0.25, 0.5, 0.75}) {
    evaluate(q, t + s * span, f_[1]);
    size = std::max(size, f_[1].norm());
    most = std::max(most, (f_[1] - (1 - s) * f_[0] - s * f_[3]).norm());
  }
  q.t = t;
  return most > 1e-3 * size;
}

// Forces of all nodes, and what drives add to the rates and accelerations of constraints.
void BreakpointProbe::evaluate(State& q, double t, VectorX& f) {
  q.t = t;
  system_.set_residual(q, residual_, {false, true, false});
  system_.set_rates(q, Bv_, phi_t_, gamma_);
  const auto n = static_cast<Eigen::Index>(6 * residual_.force.size());
  f.head(n) = Eigen::Map<const VectorX>(residual_.force.front().data(), n);
  f.segment(n, phi_t_.size()) = phi_t_;
  f.tail(gamma_.size()) = gamma_;
}

// |f''| e where f is smooth, the change of f' at a kink; says whether f jumps.
double BreakpointProbe::bend(State& q, double e) {
  const double t = q.t;
  constexpr std::array<int, 4> places{-2, -1, 1, 2};
  size_ = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    evaluate(q, t + places[i] * e, f_[i]);
    size_ = std::max(size_, f_[i].norm());
  }
  q.t = t;
  const VectorX before = f_[1] - f_[0];
  const VectorX across = f_[2] - f_[1];
  const VectorX after = f_[3] - f_[2];
  jump_ = across.norm() > 10 * (before.norm() + after.norm()) + 1e-9 * size_;
  return (after - before).norm() / e;
}

}  // namespace polhode::analyses
