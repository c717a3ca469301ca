// SPDX-License-Identifier: BSD-3-Clause
// Beams under structure-preserving methods: what a free flying one keeps, and that it moves as other methods have it.
#include <gtest/gtest.h>

#include <cmath>

#include "support/statics.hpp"
#include "support/structure.hpp"
#include "support/thrown_beam.hpp"

namespace polhode::support {
namespace {

struct Mesh {
  int elements;
  int order;
};
class FlyingBeam : public testing::TestWithParam<Mesh> {};
INSTANTIATE_TEST_SUITE_P(Orders, FlyingBeam, testing::Values(Mesh{8, 1}, Mesh{4, 2}, Mesh{2, 4}),
                         [](const auto& mesh) { return "order" + std::to_string(mesh.param.order); });

TEST_P(FlyingBeam, KeepsEnergyAndMomenta) {
  const Machine machine(thrown_beam(GetParam().elements, GetParam().order, true));
  const Kept kept = run_kept(machine.system, settings_of("energy_momentum"), 0.01, 1000);
  EXPECT_LE(kept.energy, kept_to);
  EXPECT_LE(kept.linear, kept_to);
  EXPECT_LE(kept.angular, kept_to);
  EXPECT_LE(kept.solves, 4);
}

// Its energy swings with the square of the step.
TEST_P(FlyingBeam, KeepsMomentaByVariational) {
  const Machine machine(thrown_beam(GetParam().elements, GetParam().order, true));
  const Kept coarse = run_kept(machine.system, settings_of("cayley"), 0.002, 500);
  const Kept fine = run_kept(machine.system, settings_of("cayley"), 0.001, 1000);
  for (const Kept& kept : {coarse, fine}) {
    EXPECT_LE(kept.linear, kept_to);
    EXPECT_LE(kept.angular, kept_to);
  }
  EXPECT_LE(fine.energy, 1e-3);
  EXPECT_NEAR(std::log2(coarse.energy / fine.energy), 2, 0.5);
}

// What damping takes is its work, momenta stay.
TEST_P(FlyingBeam, LosesWhatItsDampingTakes) {
  const Machine machine(thrown_beam(GetParam().elements, GetParam().order, true, 0.02));
  const Kept kept = run_kept(machine.system, settings_of("energy_momentum"), 0.01, 300);
  EXPECT_LE(kept.work, kept_to);
  EXPECT_GE(kept.drawn, 0.02);
  EXPECT_LE(kept.linear, kept_to);
  EXPECT_LE(kept.angular, kept_to);
}

double largest_distance(const State& a, const State& b) {
  double largest = 0;
  for (std::size_t i = 1; i < a.x.size(); ++i) largest = std::max(largest, (a.x[i] - b.x[i]).norm());
  return largest;
}

// Steps that resolve its fastest vibrations against the method of order 5 on the same beam.
TEST_P(FlyingBeam, IsOfOrderTwoInTheStep) {
  const Machine machine(thrown_beam(GetParam().elements, GetParam().order, true));
  const double duration = 0.2;
  const State start = consistent_start(machine.system);
  const State exact = run(machine.system, start, method("radau5", 1), to_round_off(), duration / 800, 800);
  for (const std::string name : {"energy_momentum", "cayley"}) {
    const auto error = [&](int steps) {
      const State end = run(machine.system, start, settings_of(name), to_round_off(), duration / steps, steps);
      return largest_distance(end, exact);
    };
    const double coarse = error(640);
    const double fine = error(1280);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.15) << name << ' ' << coarse << ' ' << fine;
  }
}

// Both forms of the beam tend to the same motion as elements become smaller, by the square for order 1.
TEST(DirectorBeam, TendsToTheMotionOfTheOtherForm) {
  const auto end_of = [](int elements, int order, bool directors) {
    const Machine machine(thrown_beam(elements, order, directors));
    const State start = consistent_start(machine.system);
    const State end = run(machine.system, start, method("radau5", 1), to_round_off(), 0.5 / 100, 100);
    return std::array{end.x[1], end.x[2]};  // nodes of the deck come first
  };
  const auto reference = end_of(8, 4, false);
  const auto distance = [&](const std::array<Vec3, 2>& x) {
    return std::max((x[0] - reference[0]).norm(), (x[1] - reference[1]).norm());
  };
  const double coarse = distance(end_of(8, 1, true));
  const double fine = distance(end_of(16, 1, true));
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3) << coarse << ' ' << fine;
  EXPECT_LE(distance(end_of(4, 4, true)), 0.05 * fine) << "masses at Lobatto points are exact enough";
}

// Equilibria of both forms, a cantilever with loads at its tip.
TEST(DirectorBeam, TendsToTheEquilibriumOfTheOtherForm) {
  const auto tip = [](int elements, bool directors) {
    model::Model model = cantilever(elements);
    model.directors = directors;
    const Machine machine(std::move(model));
    return Vec3(equilibrium(machine.system).x[2]);
  };
  const Vec3 reference = tip(200, false);
  const double coarse = (tip(10, true) - reference).norm();
  const double fine = (tip(20, true) - reference).norm();
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1) << coarse << ' ' << fine;
}

}  // namespace
}  // namespace polhode::support
