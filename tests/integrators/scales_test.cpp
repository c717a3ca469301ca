// SPDX-License-Identifier: BSD-3-Clause
// Large, small, heavy and light models, and models far from the origin: they move as the one of 1 m and 1 kg there.
#include <gtest/gtest.h>

#include "polhode/integrators/sundials/sundials.hpp"
#include "support/methods.hpp"
#include "support/transients.hpp"

namespace polhode::support {
namespace {

// Two rods with a spring and a damper. With gravity in proportion to `size` the angles over time do not depend on it.
const std::string rods = R"deck(
format: polhode-deck/1
parameters: {size: 1, mass: 1, far: 0, inertia: "=mass*size^2/12"}
gravity: [0, "=-9.81*size", 0]
nodes:
  rod1: {position: ["=far + 0.5*size", "=far", 0]}
  rod2: {position: ["=far + 1.5*size", "=far", 0]}
bodies:
  rod1: {type: rigid_body, node: rod1, mass: "=mass", inertia: ["=inertia", "=inertia", "=inertia"]}
  rod2: {type: rigid_body, node: rod2, mass: "=mass", inertia: ["=inertia", "=inertia", "=inertia"]}
joints:
  A: {type: revolute, connects: [ground, rod1], at: ["=far", "=far", 0], axis: [0, 0, 1]}
  B: {type: revolute, connects: [rod1, rod2], at: ["=far + size", "=far", 0], axis: [0, 0, 1]}
forces:
  spring: {type: torsional_spring_damper, connects: [ground, rod1], axis: [0, 0, 1], stiffness: "=20*mass*size^2", damping: "=0.5*mass*size^2"}
)deck";

// Rods in space, on universal joints and a ball.
const std::string rods_in_space = R"deck(
format: polhode-deck/1
parameters: {size: 1, mass: 1, inertia: "=mass*size^2/12"}
gravity: ["=size", "=-9.81*size", "=2*size"]
nodes:
  rod1: {position: ["=0.5*size", 0, 0]}
  rod2: {position: ["=1.5*size", 0, 0]}
  rod3: {position: ["=2.5*size", 0, 0]}
bodies:
  rod1: {type: rigid_body, node: rod1, mass: "=mass", inertia: ["=inertia", "=2*inertia", "=1.5*inertia"]}
  rod2: {type: rigid_body, node: rod2, mass: "=mass", inertia: ["=inertia", "=2*inertia", "=1.5*inertia"]}
  rod3: {type: rigid_body, node: rod3, mass: "=mass", inertia: ["=inertia", "=2*inertia", "=1.5*inertia"]}
joints:
  A: {type: universal, connects: [ground, rod1], at: [0, 0, 0], axes: [[0, 0, 1], [0, 1, 0]]}
  B: {type: universal, connects: [rod1, rod2], at: ["=size", 0, 0], axes: [[0, 0, 1], [0, 1, 0]]}
  C: {type: spherical, connects: [rod2, rod3], at: ["=2*size", 0, 0]}
)deck";

class Scales : public testing::TestWithParam<std::string> {
 protected:
  static Transient run(const std::string& step, const std::vector<std::string>& parameters,
                       const std::string& model = rods) {
    return Transient(deck_of(model + "analysis: {type: transient, duration: 0.5, step: " + step +
                                 ", integrator: {method: " + GetParam() + "}}\n",
                             parameters));
  }
  static std::string step() { return has_own_steps(GetParam()) ? "{tolerance: 1.0e-5}" : "0.0025"; }

  // `same`: of positions by `size`, and of rotations, rad
  static void expect_same_motion(const Transient& a, const Transient& b, double size, const Vec3& shift, double same) {
    ASSERT_EQ(a.result.end, TransientResult::End::done);
    ASSERT_EQ(b.result.end, TransientResult::End::done);
    EXPECT_EQ(b.looker.warnings, std::vector<std::string>{});
    for (std::size_t i = 1; i < a.q.x.size(); ++i) {
      EXPECT_LE(((b.q.x[i] - shift) / size - a.q.x[i]).norm(), same) << i;
      EXPECT_LE((b.q.R[i] - a.q.R[i]).norm(), same) << i;
    }
  }
};

// Newton's matrix of bdf is made of differences, whose rounding errors come back in what its iteration leaves.
TEST_P(Scales, SizesAndMassesDoNotChangeTheMotion) {
  const double same = std::string(GetParam()) == "bdf" ? 1e-6 : 1e-9;
  const Transient one = run(step(), {});
  for (const auto& [size, mass] : {std::pair("1.0e3", "1.0e12"), std::pair("1.0e-3", "1.0e-9")}) {
    SCOPED_TRACE(testing::Message() << size << " m, " << mass << " kg");
    const Transient other =
        run(step(), {std::string("parameters.size=") + size, std::string("parameters.mass=") + mass});
    expect_same_motion(one, other, std::stod(size), Vec3::Zero(), same);
  }
}

// Rows of B have no unit of mass, and work has one: neither decides what is singular, or how long steps are.
TEST_P(Scales, MassesFromThoseOfAtomsToThoseOfStarsDoNotChangeTheMotion) {
  // Newton's iterations leave up to 1e-10 in each of 200 steps, which the chain magnifies.
  const double same = std::string(GetParam()) == "bdf" ? 1e-5 : 1e-6;
  for (const std::string& model : {rods, rods_in_space}) {
    const Transient one = run(step(), {}, model);
    for (const auto& [size, mass] : {std::pair("1", "1.0e-15"), std::pair("1", "1.0e-30"), std::pair("1", "1.0e+30"),
                                     std::pair("1.0e-3", "1.0e-12")}) {
      SCOPED_TRACE(testing::Message() << size << " m, " << mass << " kg");
      const Transient other =
          run(step(), {std::string("parameters.size=") + size, std::string("parameters.mass=") + mass}, model);
      expect_same_motion(one, other, std::stod(size), Vec3::Zero(), same);
      const auto steps = static_cast<double>(one.result.progress.step);
      EXPECT_NEAR(static_cast<double>(other.result.progress.step), steps, 0.1 * steps);
    }
  }
}

// The last bits of positions are 1e-10 m there; methods of index 3 make velocities of them, divided by the step.
TEST_P(Scales, AMillionMetersFromTheOriginTheMotionIsThatAtTheOrigin) {
  const Transient near = run(step(), {});
  const Transient far = run(step(), {"parameters.far=1.0e6"});
  expect_same_motion(near, far, 1, Vec3(1e6, 1e6, 0), has_own_steps(GetParam()) ? 1e-4 : 1e-6);
}

class ScalesUnderControl : public Scales {};

TEST_P(ScalesUnderControl, AMillionMetersFromTheOriginTheStepsAreThoseAtTheOrigin) {
  const Transient near = run("{tolerance: 1.0e-4}", {});
  const Transient far = run("{tolerance: 1.0e-4}", {"parameters.far=1.0e6"});
  expect_same_motion(near, far, 1, Vec3(1e6, 1e6, 0), 1e-3);
  const auto steps = static_cast<double>(near.result.progress.step);
  EXPECT_NEAR(static_cast<double>(far.result.progress.step), steps, 0.2 * steps);
}

// `variational` and `energy_momentum` keep one step size.
std::vector<std::string> methods_with_control() {
  std::vector<std::string> names = built_methods();
  std::erase_if(names, [](const std::string& name) { return name == "variational" || name == "energy_momentum"; });
  return names;
}

const auto name_of_scaled = [](const auto& method) { return method.param; };
INSTANTIATE_TEST_SUITE_P(Methods, Scales, testing::ValuesIn(built_methods()), name_of_scaled);
INSTANTIATE_TEST_SUITE_P(Methods, ScalesUnderControl, testing::ValuesIn(methods_with_control()), name_of_scaled);

}  // namespace
}  // namespace polhode::support
