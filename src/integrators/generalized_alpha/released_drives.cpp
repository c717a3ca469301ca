// SPDX-License-Identifier: BSD-3-Clause
// Drives let go, by conjugate gradients.
#include "polhode/integrators/generalized_alpha/released_drives.hpp"

#include <algorithm>

namespace polhode::integrators {
namespace {

// An estimate needs no more: the heaviest parts come first.
constexpr std::size_t most_iterations = 8;
// Of the norm of the multipliers.
constexpr double small = 1e-2;

}  // namespace

ReleasedDrives::ReleasedDrives(const assembly::System& system) : system_(system), driven_(system) {}

void ReleasedDrives::take_multipliers(const StepEquations& equations, model::VectorX& of_drives) const {
  const std::vector<int>& rows = driven_.rows();
  const std::span<const double> multipliers = equations.multipliers_again();
  of_drives.resize(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    of_drives[static_cast<Eigen::Index>(i)] = multipliers[static_cast<std::size_t>(rows[i])];
}

// A right-hand side of one in a row makes a multiplier below zero: the operator is g -> -mu_d, and the residual mu_d.
// A direction d has the curvature d.g = x.A x by its motion x; with x.M x alone where stiffness makes it smaller.
void ReleasedDrives::add_to(std::vector<Vec6>& x, StepEquations& equations, double to_mass, MassProduct& mass,
                            State& next) {
  const std::vector<int>& rows = driven_.rows();
  if (x_.empty()) {
    x_.assign(system_.nodes(), Vec6::Zero());
    change_ = system_.make_residual();
    inertia_ = change_;
  }
  change_.phi.setZero();
  take_multipliers(equations, residual_);
  direction_ = residual_;
  double square = residual_.squaredNorm();
  const double enough = small * small * square;
  const std::size_t most = std::min(rows.size(), most_iterations);
  for (std::size_t iteration = 0; iteration < most && square > enough; ++iteration) {
    for (std::size_t i = 0; i < rows.size(); ++i) change_.phi[rows[i]] = direction_[static_cast<Eigen::Index>(i)];
    if (!equations.solve_again(change_, change_.phi, x_)) return;
    take_multipliers(equations, response_);
    mass.set(next, x_, inertia_);
    double inertia = 0;
    for (std::size_t i = 1; i < x.size(); ++i) inertia += x_[i].dot(inertia_.force[i]);
    const double least = to_mass * equations.scale_again() * inertia;
    const double curvature = std::max(-direction_.dot(response_), least);
    if (!(curvature > 0)) return;
    const double length = square / curvature;
    for (std::size_t i = 1; i < x.size(); ++i) x[i] += length * x_[i];
    residual_ += length * response_;
    const double before = square;
    square = residual_.squaredNorm();
    direction_ = residual_ + (square / before) * direction_;
  }
}

}  // namespace polhode::integrators
