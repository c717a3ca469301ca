// SPDX-License-Identifier: BSD-3-Clause
// What a method must not depend on: where the model stands and how it is turned, and, of the symmetric ones, the
// direction of time. And the symplectic form, which those made of a discrete Lagrangian keep.
#include <gtest/gtest.h>

#include "integrators/moving_models.hpp"

namespace polhode::support {
namespace {

using assembly::System;

// Positions, directions, gravity and forces of the deck, turned about the origin and shifted. Node frames turn with it.
model::Model turned_model(model::Model model, const math::so3::Quaternion& turn, const Vec3& shift) {
  const auto place = [&](const Vec3& x) { return Vec3(turn * x + shift); };
  model.gravity = turn * model.gravity;
  model.initial_motion.clear();
  for (model::NodeEntry& node : model.nodes) {
    node.position = place(node.position);
    node.orientation = turn * node.orientation;
  }
  for (model::Entry& entry : model.entries)
    for (auto& [key, v] : entry.values) {
      if (VectorX* vector = std::get_if<VectorX>(&v)) {
        if (key == "at") *vector = place(*vector);
        if (key == "axis" || key == "force") *vector = turn * Vec3(*vector);
      }
      if (MatrixX* matrix = std::get_if<MatrixX>(&v); matrix && key == "at")
        for (int k = 0; k < matrix->cols(); ++k) matrix->col(k) = place(matrix->col(k));
    }
  return model;
}

State reversed(State q) {
  for (Vec6& v : q.v) v *= -1;
  return q;
}

IntegratorSettings any_settings(const std::string& name) {
  IntegratorSettings settings = settings_of(name == "node" ? "variational" : name);
  if (name == "node") settings.own = StructureSettings{.potential = StructureSettings::Potential::node};
  return settings;
}

double largest_difference(const State& a, const State& b) {
  double largest = 0;
  for (std::size_t i = 1; i < a.x.size(); ++i)
    largest = std::max({largest, (a.x[i] - b.x[i]).norm(), (a.R[i] - b.R[i]).norm(), (a.v[i] - b.v[i]).norm()});
  return largest;
}

State steps_from(const System& system, State q, const IntegratorSettings& settings, double h, int count) {
  Stepper stepper(system, settings, to_round_off());
  EXPECT_TRUE(stepper.start(q, h));
  const double t = q.t;
  for (int n = 1; n <= count; ++n)
    if (!stepper.advance(q, h, t + n * h))
      throw std::runtime_error("step " + std::to_string(n) + " " +
                               std::string(text_of(stepper.reports().back().outcome)) + " " +
                               (stepper.reports().back().worst.empty() ? "" : stepper.reports().back().worst[0]));
  return q;
}

class AnyFrame : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, AnyFrame,
                         testing::Values("lie_alpha", "lie_alpha_index2", "ul_crv", "ul_rotation_vector", "radau5",
                                         "energy_momentum", "variational", "cayley", "node"),
                         [](const auto& p) { return p.param; });

TEST_P(AnyFrame, AModelThatStandsElsewhereAndTurnedMovesAsTheFirstOne) {
  const math::so3::Quaternion turn = math::so3::exp_quaternion(Vec3(1.1, -0.7, 2));
  const Vec3 shift(3, -5, 2);
  for (const auto make : {&driven_top, &hung_chain, &spring_pendulum}) {
    const Machine here(make());
    const Machine there(turned_model(make(), turn, shift));
    State q = moving_state(here.system, 21);
    State moved = rigidly_moved(q, turn, shift);
    there.system.initialize_history(moved);
    const IntegratorSettings settings = any_settings(GetParam());
    const State end = steps_from(here.system, q, settings, 2e-3, 10);
    const State far = steps_from(there.system, moved, settings, 2e-3, 10);
    EXPECT_GT(largest_difference(end, q), 1e-3);
    EXPECT_LE(largest_difference(rigidly_moved(end, turn, shift), far), 1e-9);
    // Newton ends with increments of 1e-10, which multipliers have over h^2/2.
    EXPECT_NEAR(far.lambda.norm(), end.lambda.norm(), 1e-4 * (1 + end.lambda.norm()));
    EXPECT_NEAR(there.system.energies(far).kinetic, here.system.energies(end).kinetic,
                1e-9 * (1 + here.system.energies(end).kinetic));
  }
}

class TurnedTime : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, TurnedTime, testing::Values("energy_momentum", "variational", "cayley", "node"),
                         [](const auto& p) { return p.param; });

TEST_P(TurnedTime, AMotionWithReversedVelocitiesRunsBackToItsStart) {
  for (const auto make : {&spring_pendulum, &hung_chain}) {
    const Machine machine(make());
    const State q = moving_state(machine.system, 22);
    const IntegratorSettings settings = any_settings(GetParam());
    State end = steps_from(machine.system, q, settings, 5e-3, 20);
    end.last_step = 0;
    State back = steps_from(machine.system, reversed(end), settings, 5e-3, 20);
    EXPECT_GT(largest_difference(end, q), 0.05);
    EXPECT_LE(largest_difference(reversed(back), q), 1e-8);
  }
}

// Methods that damp do not: the law above can fail.
TEST(TurnedTime, AMethodThatDampsDoesNotRunBack) {
  const Machine machine(spring_pendulum());
  const State q = moving_state(machine.system, 22);
  State end = steps_from(machine.system, q, method("lie_alpha", 0.5), 5e-3, 20);
  end.last_step = 0;
  EXPECT_GT(
      largest_difference(reversed(steps_from(machine.system, reversed(end), method("lie_alpha", 0.5), 5e-3, 20)), q),
      1e-5);
}

// Of a point mass on two springs, whose momenta are m v: D^T [0 I; -I 0] D = [0 I; -I 0] for the derivative D of many
// steps by (x, m v).
TEST(Variational, KeepsTheSymplecticForm) {
  ModelMaker m;
  m.model.gravity = Vec3(0, 0, -9.81);
  m.node("mass", Vec3(0.4, 0.2, -1)).translation_only = true;
  m.add(Family::body, "point_mass", "mass", {{"node", value("mass")}, {"mass", 2.0}});
  for (const double side : {-1.0, 1.0}) {
    MatrixX at(3, 2);
    at << side, 0.4, 0, 0.2, 0, -1;
    m.add(Family::force, "spring_damper", side < 0 ? "left" : "right",
          {{"connects", std::vector<std::string>{"ground", "mass"}},
           {"at", at},
           {"stiffness", 90.0},
           {"free_length", 0.7}});
  }
  const Machine machine(std::move(m.model));
  const auto flow = [&](const std::string& name, const Vec6& z) {
    State q = machine.system.initial_state();
    q.x[1] = z.head<3>();
    q.v[1].head<3>() = z.tail<3>() / 2;
    const State end = steps_from(machine.system, q, any_settings(name), 0.05, 12);
    Vec6 result;
    result << end.x[1], 2 * end.v[1].head<3>();
    return result;
  };
  math::Mat6 form = math::Mat6::Zero();
  form.topRightCorner<3, 3>().setIdentity();
  form.bottomLeftCorner<3, 3>() = -Mat3::Identity();
  Vec6 z;
  z << 0.4, 0.2, -1, 1, -2, 0.6;
  const auto defect = [&](const std::string& name) {
    math::Mat6 D;
    for (int k = 0; k < 6; ++k)
      D.col(k) = derivative([&](double d) -> Vec6 { return flow(name, z + d * Vec6::Unit(k)); }, 1e-3);
    EXPECT_GT((D - math::Mat6::Identity()).norm(), 0.5);
    return (D.transpose() * form * D - form).norm();
  };
  EXPECT_LE(defect("variational"), 1e-7);
  EXPECT_LE(defect("node"), 1e-7);
  EXPECT_GT(defect("energy_momentum"), 1e-4) << "which keeps the energy instead";
  EXPECT_GT(defect("lie_alpha"), 1e-3);
}

// The form dx^dp + dTheta^dPi + Pi . (dTheta x dTheta) on the phase space of all nodes: momenta (p, Pi) = dT/dv by exact
// differences of the kinetic energy, rotations left-trivialized. Pulled back along six curves through a state, before
// and after a step.
struct PulledBack {
  math::Mat6 before;
  math::Mat6 after;
};

VectorX momenta_of(const System& system, const State& q) {
  VectorX p(6 * static_cast<Eigen::Index>(system.nodes() - 1));
  for (std::size_t i = 1; i < system.nodes(); ++i)
    for (int k = 0; k < 6; ++k) {
      State up = q;
      State down = q;
      up.v[i][k] += 1;
      down.v[i][k] -= 1;
      p[6 * static_cast<Eigen::Index>(i - 1) + k] = (system.energies(up).kinetic - system.energies(down).kinetic) / 2;
    }
  return p;
}

PulledBack symplectic_form(const System& system, const IntegratorSettings& settings, double h) {
  std::mt19937 random(31);
  const State origin = moving_state(system, 23);
  const VectorX v = free_of(system, origin.v);
  const auto size = 6 * static_cast<Eigen::Index>(system.nodes() - 1);
  // Per curve and node (dx, dTheta) and (dp, dPi), at the begin and at the end.
  std::array<MatrixX, 2> places{MatrixX(size, 6), MatrixX(size, 6)};
  std::array<MatrixX, 2> momenta = places;
  const std::array<State, 2> middle{origin, steps_from(system, origin, settings, h, 1)};
  for (int curve = 0; curve < 6; ++curve) {
    const VectorX dx = random_free(system, random);
    const VectorX dv = random_free(system, random);
    const auto along = [&](double s) {
      integrators::StateSpace space(system, integrators::Coordinates::mass);
      EXPECT_TRUE(space.begin(origin, 1));
      VectorX F = dx;
      EXPECT_TRUE(space.evaluate(s * dx, v + s * dv, 0, F));
      State q = space.chart().stage();
      EXPECT_TRUE(make_consistent(system, space, q, 0));
      const State end = steps_from(system, q, settings, h, 1);
      MatrixX found(size, 4);
      for (int at = 0; at < 2; ++at) {
        const State& now = at == 0 ? q : end;
        found.col(2 * at + 1) = momenta_of(system, now);
        for (std::size_t i = 1; i < now.x.size(); ++i) {
          found.col(2 * at).segment<3>(6 * static_cast<Eigen::Index>(i - 1)) = now.x[i];
          found.col(2 * at).segment<3>(6 * static_cast<Eigen::Index>(i - 1) + 3) =
              math::so3::log(middle[static_cast<std::size_t>(at)].R[i].transpose() * now.R[i]);
        }
      }
      return found;
    };
    const MatrixX slope = derivative(along, 1e-3);
    for (std::size_t at = 0; at < 2; ++at) {
      places[at].col(curve) = slope.col(2 * static_cast<Eigen::Index>(at));
      momenta[at].col(curve) = slope.col(2 * static_cast<Eigen::Index>(at) + 1);
    }
  }
  std::array<math::Mat6, 2> forms;
  for (std::size_t at = 0; at < 2; ++at) {
    forms[at] = places[at].transpose() * momenta[at] - momenta[at].transpose() * places[at];
    const VectorX p = momenta_of(system, middle[at]);
    for (Eigen::Index node = 0; node < size; node += 6)
      for (int a = 0; a < 6; ++a)
        for (int b = 0; b < 6; ++b)
          forms[at](a, b) += p.segment<3>(node + 3).dot(
              Vec3(places[at].col(a).segment<3>(node + 3)).cross(Vec3(places[at].col(b).segment<3>(node + 3))));
  }
  return {forms[0], forms[1]};
}

// Of bodies that turn, with centers of mass off their nodes, on springs and on joints: Phi^T J Phi = J for one step.
TEST(Variational, AStepOfTurningBodiesOnJointsKeepsTheSymplecticForm) {
  for (const auto make : {&spring_pendulum, &hung_chain}) {
    const Machine machine(make());
    const auto defect = [&](const std::string& name) {
      const PulledBack form = symplectic_form(machine.system, any_settings(name), 0.02);
      EXPECT_GT(form.before.norm(), 0.1);
      return (form.after - form.before).norm() / form.before.norm();
    };
    for (const std::string name : {"variational", "cayley", "node"}) EXPECT_LE(defect(name), 1e-9) << name;
    EXPECT_GT(defect("energy_momentum"), 1e-6) << "which keeps the energy instead";
    EXPECT_GT(defect("lie_alpha"), 1e-5);
  }
}

}  // namespace
}  // namespace polhode::support
