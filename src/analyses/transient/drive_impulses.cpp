// SPDX-License-Identifier: BSD-3-Clause
// Drives a little before and after the breakpoints of functions of time.
#include "analyses/transient/drive_impulses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "polhode/analyses/redundancy.hpp"

namespace polhode::analyses {
namespace {

// Phi, Phi_t and the part of Gamma that drives have, a little before or after a time.
struct DriveValues {
  explicit DriveValues(const assembly::System& system)
      : phi(system.make_residual()), rate(system.rows()), acceleration(system.rows()), Bv_(system.rows()) {}
  void set(const assembly::System& system, const State& q) {
    system.set_residual(q, phi, {false, false, true});
    system.set_rates(q, Bv_, rate, acceleration);
  }
  assembly::Residual phi;       // m and rad
  model::VectorX rate;          // m/s and rad/s
  model::VectorX acceleration;  // m/s^2 and rad/s^2

 private:
  model::VectorX Bv_;
};

// What a smooth drive changes by from `before` to `after`, a time of `span`, s, with the rates at both ends; a fast
// shaft turns by more than a jump is.
double smooth_change(double rate_before, double rate_after, double span) {
  return span * std::max(std::abs(rate_before), std::abs(rate_after));
}

}  // namespace

std::vector<double> find_impulses(const assembly::System& system, const State& q, double duration, Observer& observer) {
  constexpr double smallest = 1e-6;  // jump: of the size of the model, in rad, or of the rate
  const std::vector<double> times = system.breakpoints(q.t, q.t + duration);
  if (system.rows() == 0) return {};
  if (times.size() > 1000) return times;
  std::vector<double> impulses;
  DriveValues before(system);
  DriveValues after(system);
  State at = q;
  const double aside = 1e-9 * duration;
  for (const double t : times) {
    at.t = t - aside;
    before.set(system, at);
    at.t = t + aside;
    after.set(system, at);
    const double fastest = std::max(before.rate.lpNorm<Eigen::Infinity>(), after.rate.lpNorm<Eigen::Infinity>());
    // Angles are known to the last bits of the turns so far.
    const double round_off = 4 * std::numeric_limits<double>::epsilon() * fastest * std::abs(t);
    bool jumps = false;
    for (int row = 0; row < system.rows(); ++row) {
      const double kink = std::abs(after.rate[row] - before.rate[row]);
      jumps = jumps ||
              kink > smallest * fastest + smooth_change(before.acceleration[row], after.acceleration[row], 2 * aside);
      const bool length = system.row_is_length(row);
      const double change = after.phi.phi[row] - before.phi.phi[row];
      // Angles are known but for whole turns.
      const double jump = length ? change : std::remainder(change, 2 * std::numbers::pi);
      const double smooth = smooth_change(before.rate[row], after.rate[row], 2 * aside) + round_off;
      if (std::abs(jump) <= smallest * (length ? system.length() : 1) + 1.01 * smooth) continue;
      jumps = true;
      observer.warn(
          fmt::format("the drive of {} jumps by {:.3g} {} at t = {:.6g} s, and no motion follows it; give it time",
                      names_of_rows(system, {row}), std::abs(jump), length ? "m" : "rad", t));
    }
    if (jumps) impulses.push_back(t);
  }
  return impulses;
}

}  // namespace polhode::analyses
