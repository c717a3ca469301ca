// SPDX-License-Identifier: BSD-3-Clause
// Every kind that has discrete forms: what makes structure-preserving methods keep energy and momentum, and tangents.
#include <cmath>
#include <numbers>

#include "support/kinds.hpp"

namespace polhode::support {
namespace {

using model::Lever;

class Discrete : public EveryKind {
 protected:
  // claim(bench, begin, end) for those kinds, whose end is a finite step away.
  template <class Claim>
  void for_steps(const Claim& claim) const {
    for_samples([&](const Bench& bench, const State& q, std::mt19937& random) {
      if (!bench.batch().has_discrete_form()) return;
      if (bench.batch().kind() == "bushing" && q.quat[1].angularDistance(q.quat[2]) > 2) return;  // below half a turn
      VectorX step(bench.size());
      for (int i = 0; i < bench.size(); i += 3) step.segment<3>(i) = random_vector(random, 0.4);
      State begin = q;
      bench.batch().update_history(begin, bench.context(begin));
      claim(bench, begin, moved(begin, step));
    });
  }
};

// (dx, e) of each node, R+ - R = e~ Rbar; in the coordinates of the residual: inertial, and of the frame at the begin.
VectorX increment(const State& begin, const State& end) {
  VectorX dxi(6 * static_cast<Eigen::Index>(begin.x.size() - 1));
  for (std::size_t i = 1; i < begin.x.size(); ++i) {
    const math::so3::Quaternion turn = end.quat[i] * begin.quat[i].conjugate();
    const Vec3 e = 2 / turn.w() * turn.vec();
    EXPECT_LE((end.R[i] - begin.R[i] - math::tilde(e) * 0.5 * (end.R[i] + begin.R[i])).norm(), 1e-14);
    dxi.segment<6>(6 * static_cast<Eigen::Index>(i - 1)) << end.x[i] - begin.x[i], begin.R[i].transpose() * e;
  }
  return dxi;
}

TEST_P(Discrete, WorkOfTheRowsIsTheChangeOfTheConstraints) {
  for_steps([](const Bench& bench, const State& begin, const State& end) {
    if (bench.rows() == 0) return;
    State later = end;
    later.t = begin.t;
    const MatrixX G = bench.discrete_matrix(begin, end, Lever::mean, true).topRightCorner(bench.size(), bench.rows());
    VectorX off = G.transpose() * increment(begin, end) - (bench.phi(later) - bench.phi(begin));
    for (int i = 0; i < bench.rows(); ++i)
      if (!bench.batch().row_is_length(i) && bench.batch().row_name(i) == "rotation")  // counted but for whole turns
        off[i] = std::remainder(off[i], 2 * std::numbers::pi);
    EXPECT_LE(off.lpNorm<Eigen::Infinity>(), 2e-14);
  });
}

// Points of coincidence rows have to coincide for it.
TEST_P(Discrete, ForcesAndRowsHaveNoResultant) {
  for_steps([](const Bench& bench, const State& from, const State& to) {
    if (bench.batch().nodes() < 2) return;  // loads come from outside
    const State begin = bench.on_constraints(from);
    const State end = bench.on_constraints(to);
    const VectorX r = bench.discrete_residual(begin, end, Lever::mean, true);
    Vec3 force = Vec3::Zero();
    Vec3 moment = Vec3::Zero();
    for (int i = 0; i < bench.batch().nodes(); ++i) {
      const auto node = static_cast<std::size_t>(i + 1);
      const Vec3 f = r.segment<3>(6 * i);
      force += f;
      moment += (0.5 * (begin.x[node] + end.x[node])).cross(f) + begin.R[node] * r.segment<3>(6 * i + 3);
    }
    const double size = r.lpNorm<Eigen::Infinity>();
    EXPECT_LE(force.norm(), 1e-14 * size);
    EXPECT_LE(moment.norm(), 3e-14 * (1 + size));
  });
}

TEST_P(Discrete, TangentsMatchDifferences) {
  for_steps([](const Bench& bench, const State& begin, const State& end) {
    for (const Lever lever : {Lever::begin, Lever::mean})
      for (const bool gradient : {false, true}) {
        if ((lever == Lever::begin || !gradient) && !bench.batch().has_midpoint_forces()) continue;
        const MatrixX K = bench.discrete_matrix(begin, end, lever, gradient).topLeftCorner(bench.size(), bench.size());
        const MatrixX D = polhode::support::gradient(end, bench.size(), bench.size(), [&](const State& r) {
          return bench.discrete_residual(begin, r, lever, gradient);
        });
        EXPECT_LE(relative_difference(K, D), 1e-7) << bench.batch().kind();
      }
  });
}

POLHODE_FOR_EVERY_KIND(Discrete);

}  // namespace
}  // namespace polhode::support
