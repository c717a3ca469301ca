// SPDX-License-Identifier: BSD-3-Clause
// Beams of any order, along any axis: freedom from strain, independence of direction, exact mass, agreement with the
// two-node beam, damping, twist, loads along them.
#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "elements/beams/spectral/kind.hpp"
#include "polhode/math/dense.hpp"
#include "support/bench.hpp"
#include "support/deck_text.hpp"
#include "support/models.hpp"
#include "support/statics.hpp"

namespace polhode::support::spectral_test {
namespace {

namespace spectral = elements::spectral;

using math::Mat6;

constexpr double pi = std::numbers::pi;

// A section with all couplings, in its own axes.
Mat6 coupled_stiffness(unsigned seed) {
  std::mt19937 random(seed);
  Mat6 X;
  for (double& x : X.reshaped()) x = random_vector(random)[0];
  return 20 * (X * X.transpose() + Mat6::Identity());
}

Mat6 offset_mass(double mass, const Vec3& c) {
  Mat6 M = Mat6::Zero();
  M.diagonal() << mass, mass, mass, 0.03, 0.01, 0.02;
  M.topRightCorner<3, 3>() = -mass * math::tilde(c);
  M.bottomLeftCorner<3, 3>() = mass * math::tilde(c);
  M.bottomRightCorner<3, 3>() -= mass * math::tilde(c) * math::tilde(c);
  return M;
}

const Vec3 from(0.2, -0.1, 0.4);
const Vec3 to(1.5, 0.7, 0.1);
const Vec3 through(0.9, 0.6, 0.5);
const Vec3 second(1.2, 0.5, 0.2);
enum class Path { straight, arc, polyline, spline };
constexpr std::array paths{Path::straight, Path::arc, Path::polyline, Path::spline};

struct Shape {
  Path path = Path::straight;
  int order = 1;
  int elements = 1;
  bool twisted = false;
  bool varying = false;
  bool reversed = false;
  bool turned_ends = false;
  double damping = 0;
};

// Sections of the reversed beam have their x and z axes turned round.
Mat6 seen(const Mat6& m, bool reversed) {
  const Vec6 turn = (Vec6() << -1, 1, -1, -1, 1, -1).finished();
  return reversed ? Mat6(turn.asDiagonal() * m * turn.asDiagonal()) : m;
}

model::Model model_of(const Shape& s) {
  ModelMaker m;
  m.model.gravity = Vec3(1, 2, -9.81);
  model::NodeEntry& first = m.node("first", from);
  if (s.turned_ends) first.orientation = math::so3::exp_quaternion(Vec3(0.3, 1.1, -0.4));
  m.node("last", to);
  for (const bool end : {false, true}) {
    model::SectionEntry& section = m.section(end ? "end" : "start", Vec6::Ones(), 1, Vec3::Ones());
    section.stiffness = seen(coupled_stiffness(end ? 2 : 1), s.reversed);
    section.mass = seen(offset_mass(end ? 0.5 : 1.5, end ? Vec3(0, 0.05, 0.1) : Vec3(0, -0.1, 0.02)), s.reversed);
    section.damping.setConstant(s.damping);
  }
  const bool r = s.reversed;
  model::Entry& beam = m.add(Family::beam, "beam", "rod",
                             {{"from", value(r ? "last" : "first")},
                              {"to", value(r ? "first" : "last")},
                              {"elements", double(s.elements)},
                              {"order", double(s.order)},
                              {"orientation", value(Vec3(0.1, -0.2, 1))}});
  if (s.path == Path::arc) beam.values["arc"] = value(through);
  if (s.path == Path::polyline || s.path == Path::spline) {
    math::MatrixX points(2, 3);
    points << (r ? second : through).transpose(), (r ? through : second).transpose();
    beam.values["points"] = points;
    beam.values["interpolation"] = value(s.path == Path::spline ? "cubic" : "linear");
  }
  if (s.twisted || s.varying) beam.values["stations"] = VectorX(Eigen::Vector3d(0, r ? 0.7 : 0.3, 1));
  // The same sections from the other end: their frames are turned by half a turn about y, and the angle changes sign.
  if (s.twisted) beam.values["twist"] = VectorX(r ? Eigen::Vector3d(0.6, 0.5, -0.2) : Eigen::Vector3d(0.2, -0.5, -0.6));
  if (s.varying)
    beam.values["sections"] = std::vector<std::string>{"start", "end", "start"};
  else
    beam.values["section"] = value("start");
  return std::move(m.model);
}

VectorX residual(const assembly::System& system, const State& q, model::Parts parts = {}) {
  assembly::Residual r = system.make_residual();
  system.set_residual(q, r, parts);
  VectorX rows(system.size());
  system.gather(r, {}, 1, rows);
  return rows;
}

std::vector<Shape> shapes(const std::vector<int>& orders) {
  std::vector<Shape> all;
  for (const Path path : paths)
    for (const int order : orders)
      for (const bool twisted : {false, true})
        for (const bool varying : {false, true})
          all.push_back({path, order, path == Path::polyline ? 5 : 2, twisted, varying, false, true});
  return all;
}

State shaken(const assembly::System& system, std::mt19937& random) {
  State q = system.initial_state();
  for (std::size_t i = 1; i < q.x.size(); ++i) {
    q.x[i] += 0.1 * random_vector(random);
    q.set_rotation(i, math::so3::exp_quaternion(0.3 * random_vector(random)) * q.quat[i]);
    q.v[i] << random_vector(random), random_vector(random);
    q.vdot[i] << random_vector(random), random_vector(random);
  }
  return q;
}

// Coordinates are known to eps |x|, and the derivative along an element of order p and length h, which is at least that
// of the straight beam, multiplies their error by p^2/h; the stiffness makes forces of it. Four of them add up.
double round_off_of_forces(const Shape& shape, const State& q) {
  double reach = 0;
  for (const Vec3& x : q.x) reach = std::max(reach, x.norm());
  const double h = (to - from).norm() / shape.elements;
  const double stiffness = coupled_stiffness(2).cwiseAbs().maxCoeff();
  return 4 * std::numeric_limits<double>::epsilon() * reach * shape.order * shape.order / h * stiffness;
}

TEST(SpectralBeam, IsFreeOfStrainAsItIsMadeAndAfterARigidMotion) {
  for (const Shape& shape : shapes({1, 2, 3, 5, 8})) {
    const Machine machine(model_of(shape));
    const State q =
        rigidly_moved(machine.system.initial_state(), math::so3::exp_quaternion(Vec3(2, -1, 0.5)), Vec3(10, -20, 3));
    EXPECT_LE(residual(machine.system, q, {false, true, false}).norm(), round_off_of_forces(shape, q));
    EXPECT_LE(machine.system.energies(q).strain, 1e-24);
  }
}

// Of either end first: the same forces on the same nodes, energy and inertia.
TEST(SpectralBeam, DoesNotCareWhichEndItBeginsWith) {
  std::mt19937 random(5);
  for (Shape shape : shapes({1, 2, 3, 4, 7})) {
    const Machine forth(model_of(shape));
    shape.reversed = true;
    const Machine back(model_of(shape));
    const auto& a = forth.system.beams().front().nodes;
    const auto& b = back.system.beams().front().nodes;
    ASSERT_EQ(a.size(), b.size());
    const State q = shaken(forth.system, random);
    State r = back.system.initial_state();
    std::vector<Mat3> turn(a.size());  // from frames of the reversed beam's nodes to those of the first
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto n = static_cast<std::size_t>(a[i]);
      const auto m = static_cast<std::size_t>(b[b.size() - 1 - i]);
      const Mat3 difference = forth.system.initial_state().R[n].transpose() * r.R[m];
      EXPECT_LE((forth.system.initial_state().x[n] - r.x[m]).norm(), 1e-13);
      turn[i] = difference;
      r.x[m] = q.x[n];
      r.set_rotation(m, q.quat[n] * math::so3::Quaternion(difference));
      for (auto [to_rates, from_rates] : {std::pair{&r.v[m], &q.v[n]}, std::pair{&r.vdot[m], &q.vdot[n]}})
        *to_rates << from_rates->head<3>(), difference.transpose() * from_rates->tail<3>();
    }
    const model::Energies one = forth.system.energies(q);
    const model::Energies two = back.system.energies(r);
    EXPECT_NEAR(one.strain, two.strain, 1e-12 * one.strain);
    EXPECT_NEAR(one.kinetic, two.kinetic, 1e-12 * one.kinetic);
    assembly::Residual f = forth.system.make_residual();
    assembly::Residual g = back.system.make_residual();
    forth.system.set_residual(q, f);
    back.system.set_residual(r, g);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const Vec6& x = f.force[static_cast<std::size_t>(a[i])];
      const Vec6& y = g.force[static_cast<std::size_t>(b[b.size() - 1 - i])];
      EXPECT_LE((x.head<3>() - y.head<3>()).norm(), 1e-10);
      EXPECT_LE((x.tail<3>() - turn[i] * y.tail<3>()).norm(), 1e-10);
    }
  }
}

// A beam with stations that say nothing new is made of elements on spectral nodes: of order 1 they are the plain ones.
TEST(SpectralBeam, OfOrderOneIsTheTwoNodeBeam) {
  std::mt19937 random(6);
  Shape shape{.elements = 3, .turned_ends = true};
  const Machine plain(model_of(shape));
  model::Model model = model_of(shape);
  model.entries[0].values["stations"] = VectorX(Eigen::Vector2d(0, 1));
  model.entries[0].values["twist"] = VectorX(Eigen::Vector2d(0, 0));
  const Machine spectral(std::move(model));
  ASSERT_NE(plain.system.batches().front()->kind(), spectral.system.batches().front()->kind());
  for (int i = 0; i < 5; ++i) {
    const State q = shaken(plain.system, random);
    const VectorX a = residual(plain.system, q);
    const VectorX b = residual(spectral.system, q);
    EXPECT_LE((a - b).norm(), 1e-12 * a.norm());
    EXPECT_NEAR(plain.system.energies(q).total(), spectral.system.energies(q).total(), 1e-11);
    VectorX p(12);
    VectorX s(12);
    for (std::size_t e = 0; e < 3; ++e) {
      plain.system.batches().front()->write_outputs(e, 1, q, plain.system.context(q), p.data(), 12);
      spectral.system.batches().front()->write_outputs(e, 1, q, spectral.system.context(q), s.data(), 12);
      EXPECT_LE((p - s).norm(), 1e-11);
    }
  }
}

// In free fall nothing acts, and a rigid motion has the kinetic energy of the integrals over the sections.
TEST(SpectralBeam, FallsAndTurnsLikeARigidBody) {
  for (const Path path : paths) {
    Shape shape{path, 4, 12, true, true, false, true};
    const Machine machine(model_of(shape));
    const Machine fine([&] {
      shape.elements *= 4;
      return model_of(shape);
    }());
    State q = machine.system.initial_state();
    State f = fine.system.initial_state();
    for (std::size_t i = 1; i < q.x.size(); ++i) q.vdot[i] << machine.model.gravity, 0, 0, 0;
    EXPECT_LE(residual(machine.system, q).norm(), 1e-10);
    const Vec3 spin(0.4, -1.3, 0.8);
    for (State* state : {&q, &f})
      for (std::size_t i = 1; i < state->x.size(); ++i)
        state->v[i] << spin.cross(state->x[i]), state->R[i].transpose() * spin;
    const double coarse = machine.system.energies(q).kinetic;
    EXPECT_NEAR(coarse, fine.system.energies(f).kinetic, 2e-5 * coarse);  // the same motion on a finer axis
    EXPECT_NEAR(machine.system.energies(q).gravity, fine.system.energies(f).gravity, 1e-4);
  }
}

TEST(SpectralBeam, TwistTurnsTheSectionsAboutTheAxis) {
  ModelMaker m;
  m.node("a", Vec3::Zero());
  m.node("b", Vec3(2, 0, 0));
  m.section("s", Vec6::Ones(), 1, Vec3::Ones());
  m.add(Family::beam, "beam", "rod",
        {{"section", value("s")},
         {"from", value("a")},
         {"to", value("b")},
         {"order", 2.0},
         {"orientation", value(Vec3(0, 1, 0))},
         {"stations", VectorX(Eigen::Vector2d(0, 1))},
         {"twist", VectorX(Eigen::Vector2d(0, pi / 2))}});
  const Machine machine(std::move(m.model));
  const Mat3 middle = machine.system.initial_state().R[3];
  EXPECT_LE((middle.col(1) - Vec3(0, 1, 1).normalized()).norm(), 1e-15);  // y towards z
}

// The pretwisted cantilever of MacNeal & Harder (1985): 12 x 1.1 x 0.32, twisted by 90 degrees; deflections of the tip
// under unit loads, as published in four digits, and as the integral of the flexibility along the axis says.
TEST(SpectralBeam, TwistedCantileverDeflectsAsMacNealAndHarderSay) {
  for (const auto& [direction, deflection] : {std::pair{1, 0.001754}, std::pair{2, 0.005424}}) {
    ModelMaker m;
    m.node("root", Vec3::Zero()).fixed.fill(true);
    m.node("tip", Vec3(12, 0, 0));
    constexpr double E = 29e6;
    constexpr double G = E / 2.44;
    constexpr double w = 1.1;
    constexpr double t = 0.32;
    constexpr double A = w * t;
    Vec6 stiffness;
    stiffness << E * A, 5.0 / 6 * G * A, 5.0 / 6 * G * A, 0.2286 * G * w * t * t * t * 1.2, E * w * t * t * t / 12,
        E * t * w * w * w / 12;
    m.section("strip", stiffness, 1, Vec3::Ones());
    m.add(Family::beam, "beam", "strip",
          {{"section", value("strip")},
           {"from", value("root")},
           {"to", value("tip")},
           {"elements", 2.0},
           {"order", 5.0},
           {"orientation", value(Vec3(0, 1, 0))},
           {"stations", VectorX(Eigen::Vector2d(0, 1))},
           {"twist", VectorX(Eigen::Vector2d(0, pi / 2))}});
    // the wide side turns from y at the root to z at the tip: the root, which bends most, is stiff against loads along
    // y
    Vec3 force = Vec3::Zero();
    force[direction] = 1e-3;
    m.add(Family::force, "load", "pull",
          {{"node", value("tip")}, {"force", value(force)}, {"history", expression("t")}});
    Machine machine(std::move(m.model));
    const State q = equilibrium(machine.system);
    EXPECT_NEAR(q.x[2][direction] / 1e-3, deflection, 5e-3 * deflection);
    double exact = 12 / stiffness[1];
    const spectral::Quadrature rule = spectral::gauss(20);
    for (std::size_t g = 0; g < rule.points.size(); ++g) {
      const double part = 0.5 * (1 + rule.points[g]);
      const double arm = 12 * (1 - part);
      const double c = std::cos(part * pi / 2);
      const double d = std::sin(part * pi / 2);
      const double along_y = c * c / stiffness[5] + d * d / stiffness[4];
      const double along_z = c * c / stiffness[4] + d * d / stiffness[5];
      exact += 6 * rule.weights[g] * arm * arm * (direction == 1 ? along_y : along_z);
    }
    EXPECT_NEAR(q.x[2][direction] / 1e-3, exact, 1e-6 * exact);
  }
}

// Section force = C strain + sqrt(tau) C sqrt(tau) strain rate, of a bar that is pulled at a steady rate.
TEST(SpectralBeam, DampingAddsTheRateOfStrain) {
  for (const int order : {1, 3}) {
    ModelMaker m;
    m.node("a", Vec3::Zero());
    m.node("b", Vec3(2, 0, 0));
    m.section("s", (Vec6() << 100, 50, 50, 1, 1, 1).finished(), 1, Vec3::Ones()).damping << 0.3, 0, 0, 0, 0, 0;
    m.add(Family::beam, "beam", "rod",
          {{"section", value("s")}, {"from", value("a")}, {"to", value("b")}, {"order", double(order)}});
    const Machine machine(std::move(m.model));
    State q = machine.system.initial_state();
    for (std::size_t i = 1; i < q.x.size(); ++i) q.v[i][0] = 0.5 * q.x[i].x();  // strain rate 1/2
    VectorX out(12 * order);
    machine.system.batches().front()->write_outputs(0, 1, q, machine.system.context(q), out.data(),
                                                    12 * static_cast<std::size_t>(order));
    for (int point = 0; point < order; ++point) EXPECT_NEAR(out[12 * point + 6], 100 * 0.3 * 0.5, 1e-12);
    EXPECT_NEAR(machine.system.power(q), -2 * 100 * 0.3 * 0.5 * 0.5, 1e-12);
  }
}

// Of random coupled sections and time constants, some of them zero; C diag(tau) has negative eigenvalues for most.
TEST(SpectralBeam, DampingOfCoupledSectionsIsSemidefinite) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  int indefinite_products = 0;
  constexpr int sections = 10000;
  for (int section = 0; section < sections; ++section) {
    math::Mat6 X;
    for (double& x : X.reshaped()) x = number(random);
    const math::Mat6 C = X * X.transpose() + 0.01 * math::Mat6::Identity();
    Vec6 tau;
    for (double& t : tau) t = std::max(0.0, number(random));
    const math::Mat6 D = spectral::damping(C, tau);
    EXPECT_EQ(D, math::Mat6(D.transpose()));
    const VectorX eigenvalues = math::symmetric_eigen(D).values;
    EXPECT_GE(eigenvalues.minCoeff(), -1e-14 * C.norm());
    const math::Mat6 product = C * tau.asDiagonal();
    const VectorX of_product = math::symmetric_eigen(0.5 * (product + product.transpose())).values;
    if (of_product.minCoeff() < -1e-3 * C.norm()) ++indefinite_products;
    EXPECT_LE((spectral::damping(C, Vec6::Constant(0.2)) - 0.2 * C).norm(), 1e-15 * C.norm());
    const math::Mat6 uncoupled = C.diagonal().asDiagonal();
    EXPECT_LE((spectral::damping(uncoupled, tau) - uncoupled * tau.asDiagonal()).norm(), 1e-15 * C.norm());
  }
  EXPECT_GT(indefinite_products, sections / 2);
}

TEST(DistributedLoad, BendsACantileverAsTheClosedFormSays) {
  const std::string deck = R"yaml(format: polhode-deck/1
nodes: {clamp: {position: [0, 0, 0], fixed: true}, tip: {position: [2, 0, 0]}}
sections:
  bar: {stiffness: {EA: 1.0e+5, GAy: 400, GAz: 400, GJ: 80, EIy: 1000, EIz: 1000}, mass: {per_length: 2, inertia: [1, 1, 1]}}
beams: {bar: {section: bar, from: clamp, to: tip, order: 4, elements: 2}}
forces: {wind: {type: distributed_load, beam: bar, force: [0, 0, 1.0e-3], moment: [2.0e-3, 0, 0], history: "=t"}}
analysis: {type: transient, duration: 1, step: 0.1}
)yaml";
  Machine machine(deck_of(deck).model);
  const State q = equilibrium(machine.system);
  const double L = 2;
  const double load = 1e-3;
  EXPECT_NEAR(q.x[2].z() / load, std::pow(L, 4) / 8000 + L * L / 800, 1e-7);
  EXPECT_NEAR(math::so3::log(q.quat[2]).x() / load, 2 * L * L / 2 / 80, 1e-6);
}

// A follower keeps its angle to the sections: the same load on a beam that is turned as a whole, turned.
TEST(DistributedLoad, FollowsTheSections) {
  ModelMaker m;
  m.node("a", Vec3::Zero()).orientation = math::so3::exp_quaternion(Vec3(1, 2, 3));
  m.node("b", Vec3(0, 0, 3));
  m.section("s", Vec6::Ones(), 1, Vec3::Ones());
  m.add(Family::beam, "beam", "rod",
        {{"section", value("s")},
         {"from", value("a")},
         {"to", value("b")},
         {"order", 3.0},
         {"orientation", value(Vec3(1, 0, 0))}});
  m.add(
      Family::force, "distributed_load", "wind",
      {{"beam", value("rod")}, {"force", value(Vec3(7, 4, 5))}, {"moment", value(Vec3(1, 2, 3))}, {"follower", true}});
  const Machine machine(std::move(m.model));
  const math::so3::Quaternion turn = math::so3::exp_quaternion(Vec3(0.5, -1, 0.2));
  const State q = rigidly_moved(machine.system.initial_state(), turn, Vec3(1, 1, 1));
  assembly::Residual r = machine.system.make_residual();
  machine.system.set_residual(q, r, {false, true, false});
  Vec3 force = Vec3::Zero();
  Vec3 moment = Vec3::Zero();
  for (std::size_t i = 1; i < q.x.size(); ++i) {
    force -= r.force[i].head<3>();
    moment -= q.R[i] * r.force[i].tail<3>();
  }
  // section axes: x along z, y along x, z along y
  EXPECT_LE((force - turn * Vec3(3 * Vec3(4, 5, 7))).norm(), 1e-12);
  EXPECT_LE((moment - turn * Vec3(3 * Vec3(2, 3, 1))).norm(), 1e-12);
}

// An element of order 3 along this way, far from the origin.
spectral::Element element_at(const Vec3& begin, const Vec3& way, double stiffness) {
  const std::vector<double> places = spectral::lobatto_nodes(4);
  const Mat3 frame = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitX(), way).toRotationMatrix();
  spectral::Recipe recipe;
  for (const double xi : places) {
    recipe.positions.push_back(begin + 0.5 * (1 + xi) * way);
    recipe.orientations.push_back(frame);
  }
  recipe.rule = spectral::gauss(3);
  recipe.station = [=](double) {
    return spectral::Station{
        frame, stiffness * coupled_stiffness(1), offset_mass(1, Vec3(0, 0.1, 0)), Vec6::Constant(1e-3), Mat6::Zero(),
        0};
  };
  return spectral::make_element(recipe);
}

TEST(SpectralBeam, ElementsThatDifferByTheRoundOffOfTheirPlacesAreAlike) {
  const Vec3 way(0.3, -0.7, 0.2);
  const Vec3 far(2e3, 1e3, -4e3);
  const spectral::Element first = element_at(far, way, 1);
  int different = 0;
  for (int k = 1; k <= 20; ++k) {
    const spectral::Element other = element_at(far + k * way, way, 1);
    EXPECT_TRUE(alike(first, other)) << k;
    different += first == other ? 0 : 1;
  }
  EXPECT_GT(different, 10);
  EXPECT_FALSE(alike(first, element_at(far, (1 + 1e-9) * way, 1)));
  EXPECT_FALSE(alike(first, element_at(far, way, 1 + 1e-9)));
  // Near the origin few digits are lost
  EXPECT_FALSE(alike(element_at(Vec3::Zero(), way, 1), element_at(Vec3::Zero(), (1 + 1e-13) * way, 1)));
}

}  // namespace
}  // namespace polhode::support::spectral_test
