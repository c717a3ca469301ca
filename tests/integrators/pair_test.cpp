// SPDX-License-Identifier: BSD-3-Clause
// Two unequal bodies, free of the ground, with whatever the catalog can put between them: what stays and what falls
// with h^2.
#include <gtest/gtest.h>

#include "polhode/analyses/initial/start.hpp"
#include "support/bench.hpp"
#include "support/runs.hpp"

namespace polhode::support {
namespace {

using model::FieldType;
using model::KindInfo;

// Every kind that connects a pair of nodes; with its functions of time if it has any and `driven`.
struct Connection {
  const KindInfo* kind;
  bool driven;
  std::string name() const { return std::string(kind->name) + (driven ? "_driven" : ""); }
  friend void PrintTo(const Connection& c, std::ostream* out) { *out << c.name(); }
};

std::vector<Connection> connections() {
  std::vector<Connection> result;
  for (const KindInfo* kind : model::catalog()) {
    bool pair = false;
    bool functions = false;
    for (const model::Field& field : kind->fields) {
      pair = pair || field.type == FieldType::node_pair;
      functions = functions || (field.type == FieldType::function && !field.required);
    }
    if (pair) result.push_back({kind, false});
    if (pair && functions) result.push_back({kind, true});
  }
  return result;
}

void fill(model::Entry& entry, bool driven) {
  for (const model::Field& field : entry.kind->fields) {
    const bool joint = entry.kind->family == Family::joint;
    const bool spring = (field.name == "stiffness" || field.name == "damping") && !(joint && driven);
    const bool function = field.type == FieldType::function && driven && !(joint && field.name == "motor");
    const bool wanted = field.required || field.name == "at" || spring || function;
    if (!wanted) continue;
    switch (field.type) {
      case FieldType::node_pair:
        entry.values.emplace(field.name, std::vector<std::string>{"a", "b"});
        break;
      case FieldType::vector3:
        entry.values.emplace(field.name, value(Vec3(0.5, 0.3, -0.2)));
        break;
      case FieldType::direction:
        entry.values.emplace(field.name, value(Vec3(1, -2, 0.5)));
        break;
      case FieldType::point_pair: {
        Eigen::Matrix<double, 3, 2> points;
        points << 0.2, 0.7, 0.1, 0.3, -0.1, 0.2;
        entry.values.emplace(field.name, math::MatrixX(points));
        break;
      }
      case FieldType::axes: {
        Eigen::Matrix<double, 3, 2> axes;
        axes << 1, 2, -2, 1, 0.5, 0;
        entry.values.emplace(field.name, math::MatrixX(axes));
        break;
      }
      case FieldType::group:
        entry.values.emplace(std::string(field.name) + "." + std::string(field.members[0].name), expression("0.8*t^2"));
        break;
      case FieldType::diagonal6:
        entry.values.emplace(field.name, math::MatrixX(1.5 * math::Mat6::Identity()));
        break;
      case FieldType::function:
        entry.values.emplace(field.name, expression("0.8*t^2"));
        break;
      case FieldType::number:
        entry.values.emplace(field.name, 1.5);
        break;
      default:
        FAIL() << "no value for " << field.name;
    }
  }
}

model::Model pair_of_bodies(const Connection& connection) {
  ModelMaker m;
  model::NodeEntry& a = m.node("a", Vec3(0, 0, 0));
  a.orientation = math::so3::exp_quaternion(Vec3(0.3, -0.5, 0.8));
  a.velocity = Vec3(0.4, -0.3, 0.2);
  a.angular_velocity = Vec3(1.5, -1, 2);
  model::NodeEntry& b = m.node("b", Vec3(1, 0.2, 0.4));
  b.velocity = Vec3(-0.5, 0.2, 0.6);
  b.angular_velocity = Vec3(-1, 2, 0.5);
  m.body("first", "a", 2, Vec3(0.3, 0.5, 0.4));
  m.body("second", "b", 0.7, Vec3(0.1, 0.15, 0.2));
  m.model.velocity_tolerance = 1e3;  // the joint takes out of the velocities what it must
  fill(m.add(connection.kind->family, connection.kind->name, "between", {}), connection.driven);
  return std::move(m.model);
}

struct Momenta {
  Vec3 linear = Vec3::Zero();
  Vec3 angular = Vec3::Zero();
  Momenta(const assembly::System& system, const State& q) {
    for (const model::BodyTopology& body : system.bodies()) {
      const std::size_t i = static_cast<std::size_t>(body.node);
      const Vec3 u = q.v[i].head<3>();
      const Vec3 Omega = q.v[i].tail<3>();
      linear += body.mass * u;
      angular += q.x[i].cross(body.mass * u) + q.R[i] * (body.inertia * Omega);
    }
  }
};

class Pair : public testing::TestWithParam<Connection> {};

TEST_P(Pair, KeepsItsMomenta) {
  const Machine machine(pair_of_bodies(GetParam()));
  const State start = consistent_start(machine.system);
  const Momenta before(machine.system, start);
  ASSERT_GT(before.angular.norm(), 0.1);
  for (const std::string& name : methods) {
    SCOPED_TRACE(name);
    std::array<double, 2> drift{};
    for (int level = 0; level < 2; ++level) {
      const int steps = 100 << level;
      run(machine.system, start, method(name), to_round_off(), 1.0 / steps, steps, [&](const State& q, const auto&) {
        const Momenta now(machine.system, q);
        EXPECT_LE((now.linear - before.linear).norm(), 1e-12);
        drift[level] = std::max(drift[level], (now.angular - before.angular).norm());
      });
    }
    EXPECT_LE(drift[0], 5e-3 * before.angular.norm());
    EXPECT_GE(drift[0] / drift[1], 3.3) << drift[0] << " " << drift[1];
    EXPECT_LE(drift[0] / drift[1], 4.7) << drift[0] << " " << drift[1];
  }
}

// Whatever holds the pair together holds it: constraints stay at round-off, and rates at the order of the method, or
// at round-off where the method sees to them.
TEST_P(Pair, KeepsItsConstraints) {
  const Machine machine(pair_of_bodies(GetParam()));
  const int m = machine.system.rows();
  if (m == 0) return;
  const State start = consistent_start(machine.system);
  for (const std::string& name : methods) {
    SCOPED_TRACE(name);
    std::array<double, 2> rate{};
    for (int level = 0; level < 2; ++level) {
      const int steps = 50 << level;
      run(machine.system, start, method(name), to_round_off(), 1.0 / steps, steps, [&](const State& q, const auto&) {
        assembly::Residual r = machine.system.make_residual();
        machine.system.set_residual(q, r, {false, false, true});
        EXPECT_LE(r.phi.norm(), 1e-13);
        VectorX Bv(m);
        VectorX phi_t(m);
        VectorX gamma(m);
        machine.system.set_rates(q, Bv, phi_t, gamma);
        rate[level] = std::max(rate[level], (Bv + phi_t).norm());
      });
    }
    if (name.starts_with("lie_alpha_index2"))
      EXPECT_LE(rate[0], 1e-12);
    else
      EXPECT_GE(rate[0] / rate[1], 3) << rate[0] << " " << rate[1];
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, Pair, testing::ValuesIn(connections()),
                         [](const auto& connection) { return connection.param.name(); });

}  // namespace
}  // namespace polhode::support
