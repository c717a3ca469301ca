// SPDX-License-Identifier: BSD-3-Clause
// Published equilibria: bends, roll-ups, elastica, Princeton beam, snap-through of truss and frame. Numbers with their
// sources stand in the decks.
#include "support/statics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "elements/beams/spectral/quadrature.hpp"
#include "polhode/analyses/transient/transient.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/results/names.hpp"
#include "polhode/results/sampler.hpp"
#include "support/places.hpp"
#include "verification/measured.hpp"

namespace polhode::verification {
namespace {

using analyses::StaticResult;
using math::Vec3;
using model::State;

struct Analysed {
  explicit Analysed(const std::string& name, const std::vector<std::string>& settings = {})
      : deck(io::read_deck(POLHODE_SOURCE_DIR "/inputs/" + name + ".yaml", settings)) {
    model::Problems problems;
    system = assembly::System::make(deck.model, problems);
    if (!system) throw std::runtime_error(io::format_problems(deck, problems));
    path = support::path_of(*system, *deck.analyses.front().as<analyses::StaticSettings>(), 0, result, q);
  }
  Vec3 position(const std::string& node) const {
    for (std::size_t i = 1; i < system->nodes(); ++i)
      if (system->node(i).name == node) return q.x[i];
    throw std::runtime_error("no node " + node);
  }
  io::Deck deck;
  std::optional<assembly::System> system;
  StaticResult result;
  State q;
  support::PathKeeper path;
};

std::string set(const std::string& key, double value) {
  char text[64];
  std::snprintf(text, sizeof text, "=%.17g", value);
  return key + text;
}

void expect_done(const Analysed& run) { EXPECT_EQ(run.result.end, StaticResult::End::done) << run.result.failure; }

TEST(Statics, BendOf45Degrees) {
  const std::vector<std::pair<double, Vec3>> reference{{300, Vec3(22.2447809, 58.7791225, 40.1918917)},
                                                       {450, Vec3(18.5081789, 52.2385580, 48.5029273)},
                                                       {600, Vec3(15.6848005, 47.1504386, 53.4748588)}};
  for (const auto& [load, tip] : reference) {
    const Analysed run("benchmarks/bend_45_degrees", {set("parameters.P", load)});
    expect_done(run);
    const std::string name = "45-degree bend, " + std::to_string(static_cast<int>(load)) + " N";
    expect_at_most(name, "four elements of order 4: error of the tip [m]", (run.position("tip") - tip).norm(), 2e-7);
    expect_at_most(name, "load steps chosen by the program", run.result.steps, 12);
  }
}

TEST(Statics, RollUpToOneAndTwoCircles) {
  for (const int turns : {1, 2}) {
    const Analysed run("benchmarks/roll_up", {set("parameters.turns", turns)});
    expect_done(run);
    const std::string name = "roll-up, " + std::to_string(turns) + (turns == 1 ? " circle" : " circles");
    expect_at_most(name, "load steps chosen by the program", run.result.steps, 12);
    expect_at_most(name, "tip against the clamp [m]", run.position("tip").norm(), 1e-8);
    if (turns == 1)  // a polygon of 20 sides of 0.5 m: across, at the middle of them
      expect_at_most(name, "height of the middle against the closed form of 20 elements [m]",
                     std::abs(run.position("arm.10").y() - 3.19622661), 1e-8);
  }
}

TEST(Statics, Elastica) {
  struct Row {
    double load;
    double rotation;
    double shortening;
    double deflection;
  };
  for (const Row& row : {Row{1, 0.4613519497119, 0.05643323628338, 0.3017207737998},
                         Row{5, 1.215368117612, 0.3876283607244, 0.7137915236119},
                         Row{10, 1.430285538804, 0.5549955977538, 0.8106090248803}}) {
    const Analysed run("benchmarks/elastica", {set("parameters.k", row.load)});
    expect_done(run);
    const Vec3 tip = run.position("tip");
    const std::string name = "elastica, P L^2/EI = " + std::to_string(static_cast<int>(row.load));
    expect_at_most(name, "four elements of order 6: error of the tip [L]",
                   (tip - Vec3(1 - row.shortening, -row.deflection, 0)).norm(), 5e-9);
    expect_at_most(name, "four elements of order 6: error of the rotation [rad]",
                   std::abs(std::abs(math::so3::log(run.q.quat[2]).z()) - row.rotation), 5e-9);
  }
}

// EA L^2/EI = 1e10 on coarse and fine meshes: the errors are those of the mesh.
TEST(Statics, ElasticaThatHardlyStretchesNeedsFewSteps) {
  const Vec3 exact(1 - 0.5549955977538, -0.8106090248803, 0);
  for (const auto& [order, elements, bound] :
       std::vector<std::tuple<int, int, double>>{{2, 4, 4e-4}, {4, 2, 1e-5}, {6, 1, 5e-6}}) {
    const Analysed run("benchmarks/elastica",
                       {set("parameters.k", 10), set("beams.arm.order", order), set("beams.arm.elements", elements)});
    expect_done(run);
    const std::string name = "elastica, " + std::to_string(elements) + " elements of order " + std::to_string(order);
    expect_at_most(name, "load steps chosen by the program", run.result.steps, 4);
    expect_at_most(name, "error of the tip [L]", (run.position("tip") - exact).norm(), bound);
  }
}

// On finer meshes of low order the last digits decide whether an equilibrium is found: never a wrong one in silence.
TEST(Statics, ElasticaOfManyElementsIsFoundOrItsRoundOffIsReported) {
  int found = 0;
  int quick = 0;
  constexpr int loads = 11;
  for (int i = 0; i < loads; ++i) {
    const auto at = [&](int order, int elements) {
      return Analysed("benchmarks/elastica", {set("parameters.k", 9.9 + 0.02 * i), set("beams.arm.order", order),
                                              set("beams.arm.elements", elements)});
    };
    const Analysed run = at(2, 16);
    if (run.result.end == StaticResult::End::done) {
      ++found;
      const Analysed exact = at(4, 8);
      expect_done(exact);
      quick += run.result.steps <= 4;  // the others go through many load steps, or a descent takes over
      EXPECT_LE((run.position("tip") - exact.position("tip")).norm(), 2e-6);
      continue;
    }
    ASSERT_FALSE(run.result.details.empty());
    EXPECT_NE(run.result.details[0].find("round-off of the stiffest directions"), std::string::npos)
        << run.result.details[0];
  }
  EXPECT_GE(found, loads / 3);
  EXPECT_GE(quick, (found + 1) / 2) << found;
}

// Two-node elements with that stiffness drown in round-off: the failure says so, and tells no limit point.
TEST(Statics, RoundOffOfStiffBeamsIsTold) {
  const Analysed run("benchmarks/elastica", {"beams.arm.order=1", "beams.arm.elements=8"});
  EXPECT_EQ(run.result.end, StaticResult::End::failed);
  EXPECT_EQ(run.result.failure.find("limit point"), std::string::npos) << run.result.failure;
  ASSERT_FALSE(run.result.details.empty());
  EXPECT_NE(run.result.details[0].find("round-off of the stiffest directions"), std::string::npos)
      << run.result.details[0];
}

TEST(Statics, PrincetonBeam) {
  const Vec3 start(0.508, 0, 0);
  const auto tip = [&](double degrees, int order = 4, int elements = 4) {
    const Analysed run("benchmarks/princeton_beam",
                       {set("parameters.beta", degrees * std::acos(-1) / 180), set("beams.arm.order", order),
                        set("beams.arm.elements", elements)});
    expect_done(run);
    return Vec3(run.position("tip") - start);
  };
  const Vec3 exact(-0.014411824833, -0.008979196723, 0.109113115255);
  expect_at_most("Princeton beam", "load at 0 degrees: error of the tip [m]",
                 (tip(0) - Vec3(-0.000135516793, -0.010712764794, 0)).norm(), 1e-9);
  expect_at_most("Princeton beam", "load at 45 degrees: error of the tip [m]", (tip(45) - exact).norm(), 1e-9);
  expect_at_most("Princeton beam", "load at 90 degrees: error of the tip along z [m]",
                 std::abs(tip(90).z() - 0.146252357), 1e-9);
  for (const auto& [order, counts] :
       std::vector<std::pair<int, std::vector<int>>>{{1, {8, 16, 32}}, {2, {2, 4, 8}}, {3, {2, 3, 4}}}) {
    std::vector<double> sizes;
    std::vector<double> errors;
    for (const int count : counts) {
      sizes.push_back(1.0 / count);
      errors.push_back((tip(45, order, count) - exact).norm());
    }
    expect_order("Princeton beam", "order of the tip, elements of order " + std::to_string(order), sizes, errors,
                 2 * order - 0.2, 2 * order + 2.0);
  }
}

// Tips of continuous rods in twelve digits, on which independent codes agree.
TEST(Statics, CompositeCantilever) {
  const Vec3 tip = Vec3(10, 0, 0) + Vec3(-0.090272662757, -0.064748848626, 1.229736482924);
  const Analysed run("benchmarks/composite_cantilever");
  expect_done(run);
  expect_at_most("composite cantilever", "two elements of order 8: error of the tip [m]",
                 (run.position("tip") - tip).norm(), 1e-10);
  std::vector<double> sizes;
  std::vector<double> errors;
  for (const int elements : {1, 2, 3}) {
    const Analysed coarse("benchmarks/composite_cantilever",
                          {set("beams.box.order", 4), set("beams.box.elements", elements)});
    sizes.push_back(1.0 / elements);
    errors.push_back((coarse.position("tip") - tip).norm());
  }
  expect_order("composite cantilever", "order of the tip, elements of order 4", sizes, errors, 7.5, 10);
}

TEST(Statics, CantileverTwistedBy90Degrees) {
  const Vec3 tip = Vec3(10, 0, 0) + Vec3(-1.141525999541, -1.718053346464, -3.593213240271);
  const Analysed run("benchmarks/twisted_cantilever");
  expect_done(run);
  expect_at_most("twisted cantilever", "three elements of order 8: error of the tip [m]",
                 (run.position("tip") - tip).norm(), 1e-9);
  const Analysed coarse("benchmarks/twisted_cantilever", {"beams.arm.order=4", "beams.arm.elements=16"});
  expect_at_most("twisted cantilever", "16 elements of order 4: error of the tip [m]",
                 (coarse.position("tip") - tip).norm(), 1e-9);
}

// Of constant bending and twist kappa: s (n . e1) n + the circle of e1 about n = kappa/|kappa|, at every node.
TEST(Statics, HelixByAnEndMoment) {
  const Analysed run("benchmarks/helix");
  expect_done(run);
  const double a = 4 * std::acos(-1);
  const double c = 50 / (10 * a);
  const double length = std::hypot(1, c) * 10 * a;
  const Vec3 n = Vec3(c, 0, 1) / std::hypot(1, c);
  const Vec3 along = n.x() * n;
  const double w = a / length;
  const State start = run.system->initial_state();
  double largest = 0;
  for (const int node : run.system->beams().front().nodes) {
    const auto i = static_cast<std::size_t>(node);
    const double s = start.x[i].x();
    const Vec3 exact =
        s * along + std::sin(w * s) / w * (Vec3::UnitX() - along) + (1 - std::cos(w * s)) / w * n.cross(Vec3::UnitX());
    largest = std::max(largest, (run.q.x[i] - exact).norm());
  }
  expect_at_most("helix by an end moment", "24 elements of order 6: largest error of a node [m]", largest, 1e-10);
}

// One turn: three circles of a third of the radius, one over the other. Two turns: all nodes where they were.
TEST(Statics, ElasticRingFoldsToAThirdAndOpens) {
  for (const int turns : {1, 2}) {
    const Analysed run("benchmarks/elastic_ring", {set("parameters.turns", turns)});
    expect_done(run);
    const State start = run.system->initial_state();
    const double radius = 20.0 / 3;
    double largest = 0;
    for (std::size_t i = 1; i < run.q.x.size(); ++i) {
      const Vec3& x = run.q.x[i];
      const double off =
          turns == 1 ? std::hypot(x.z(), std::hypot(x.x() - radius, x.y()) - radius) : (x - start.x[i]).norm();
      largest = std::max(largest, off);
    }
    expect_at_most("elastic ring",
                   turns == 1 ? "one turn: nodes off the circle of a third of the radius [m]"
                              : "two turns: nodes off where they began [m]",
                   largest, 1e-6);
    expect_at_most("elastic ring",
                   std::to_string(turns) + (turns == 1 ? " turn" : " turns") + ": error of its size [m]",
                   std::abs(run.position("B").x() - (turns == 1 ? 40.0 / 3 : 40)), 1e-8);
  }
}

// Kinks inside elements: order two where the integration does not know of them, three where it has points between them,
// whatever the order of the elements; that of the elements where these end at the stations. Deflection of the tip by the
// flexibility along the axis.
TEST(Statics, SectionsWithKinks) {
  const std::vector<double> stations{0, 0.23, 0.41, 0.77, 1};
  const std::vector<double> bending{1000, 400, 900, 250, 100};
  const elements::spectral::Quadrature rule = elements::spectral::gauss(30);
  double exact = 0;
  for (std::size_t i = 0; i + 1 < stations.size(); ++i)
    for (std::size_t g = 0; g < rule.points.size(); ++g) {
      const double w = 0.5 * (1 + rule.points[g]);
      const double s = (1 - w) * stations[i] + w * stations[i + 1];
      const double ei = (1 - w) * bending[i] + w * bending[i + 1];
      const double arm = 2 * (1 - s);
      exact += 1e-3 * rule.weights[g] * (stations[i + 1] - stations[i]) * (arm * arm + 1.0 / 40) / ei;
    }
  const auto error = [&](const char* integration, int order, int count) {
    const Analysed run("benchmarks/tapered_cantilever",
                       {set("beams.arm.order", order), set("beams.arm.elements", count),
                        std::string("beams.arm.integration=") + integration});
    expect_done(run);
    return std::abs(run.position("tip").z() / exact - 1);
  };
  for (const auto& [integration, low, high] :
       {std::tuple{"reduced", 1.4, 2.4}, std::tuple{"full", 1.4, 2.4}, std::tuple{"stations", 2.5, 3.5}}) {
    std::vector<double> sizes;
    std::vector<double> errors;
    for (const int count : {1, 2, 4, 8, 16, 32}) {
      sizes.push_back(1.0 / count);
      errors.push_back(error(integration, 4, count));
    }
    expect_order("tapered cantilever", std::string("order of the tip, elements of order 4, ") + integration, sizes,
                 errors, low, high);
  }
  expect_order("tapered cantilever", "order of the tip, elements of order 1 that end at the stations", {0.01, 0.005},
               {error("reduced", 1, 100), error("reduced", 1, 200)}, 1.95, 2.05);
  expect_at_most("tapered cantilever", "one element of order 8, points between all stations: relative error",
                 error("stations", 8, 1), 5e-3);
}

// Elements with and without stations inside have different numbers of points; results have them one after the other.
TEST(Statics, BendingMomentsAtPointsBetweenStationsAreThoseOfTheLoad) {
  const Analysed run("benchmarks/tapered_cantilever",
                     {"beams.arm.integration=stations", "beams.arm.sections=[s0, s0, s0, s0, s0]"});
  expect_done(run);
  const std::vector<std::vector<double>> breaks{{0.84}, {0.28}, {}, {-0.84}};  // of four elements: 0.23, 0.41, 0.77
  std::vector<double> places;
  for (std::size_t e = 0; e < breaks.size(); ++e)
    for (const double xi : elements::spectral::between_breaks(4, breaks[e]).points)
      places.push_back(0.5 * static_cast<double>(e) + 0.25 * (1 + xi));
  results::Sampler sampler(*run.system, {}, {});
  std::string problem;
  const results::Selection forces = results::select(sampler.layout(), "beams.arm.forces", problem);
  ASSERT_TRUE(forces.channel) << problem;
  ASSERT_EQ(forces.size, 6 * places.size());
  const auto row = sampler.state_row(run.q, nullptr, 0, 0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    EXPECT_NEAR(row[forces.offset + 6 * i + 2], 1e-3, 1e-10);
    EXPECT_NEAR(std::abs(row[forces.offset + 6 * i + 4]), 1e-3 * (2 - places[i]), 1e-10) << places[i];
  }
}

// 1.088 N in the literature.
TEST(Statics, RightAngleFrameBucklesAtTheLoadOfTheLiterature) {
  for (const auto& [load, unstable] : {std::pair{1.087, 0}, std::pair{1.0885, 1}}) {
    const Analysed run("benchmarks/right_angle_frame", {set("parameters.P", load)});
    expect_done(run);
    EXPECT_EQ(run.result.unstable, unstable) << load;
  }
  const Analysed straight("benchmarks/right_angle_frame", {"parameters.P=1", "parameters.side=1.0e-6"});
  const Analysed aside("benchmarks/right_angle_frame", {"parameters.P=1.2", "parameters.side=1.0e-6"});
  expect_done(straight);
  expect_done(aside);
  expect_at_most("right-angle frame", "below the critical load, 1e-6 N to the side: deflection [m]",
                 std::abs(straight.position("tip").z()), 1e-5);
  expect_between("right-angle frame", "above the critical load, 1e-6 N to the side: deflection [m]",
                 std::abs(aside.position("tip").z()), 0.03, 0.06);
}

TEST(Statics, ShallowTrussIsFollowedThroughBothLimitPoints) {
  const Analysed run("benchmarks/shallow_truss");
  expect_done(run);
  const double b = 1;
  const double h = 0.2;
  const double k = 1e6;
  const double P = 4000;
  const double l0 = std::hypot(b, h);
  const auto load = [&](double y) { return 2 * k * (l0 - std::hypot(b, y)) * y / std::hypot(b, y) / P; };
  const double l = std::cbrt(l0 * b * b);
  const double limit = load(std::sqrt(l * l - b * b));
  double largest = 0;
  for (std::size_t i = 0; i < run.path.states.size(); ++i)
    largest = std::max(largest, std::abs(run.path.steps[i].load_factor - load(run.path.states[i].x[1].y())));
  expect_at_most("shallow truss", "load factors of the path against the closed form", largest, 1e-8);
  ASSERT_EQ(run.result.limit_loads.size(), 2u);
  expect_at_most("shallow truss", "first limit load, relative", std::abs(run.result.limit_loads[0] / limit - 1), 1e-8);
  expect_at_most("shallow truss", "second limit load, relative", std::abs(run.result.limit_loads[1] / -limit - 1),
                 1e-8);
  expect_at_most("shallow truss", "load factor at the end, from 1", std::abs(run.path.steps.back().load_factor - 1), 0);
  EXPECT_LT(run.position("apex").y(), -h);
}

TEST(Statics, LoadControlStopsAtTheLimitPointAndSaysSo) {
  const Analysed run("benchmarks/shallow_truss", {"analysis.control=load"});
  EXPECT_EQ(run.result.end, StaticResult::End::failed);
  EXPECT_NE(run.result.failure.find("beyond a limit point"), std::string::npos) << run.result.failure;
  const double limit = 0.754786851;
  expect_between("shallow truss", "load control: last equilibrium over the limit load", run.result.load_factor / limit,
                 0.9999, 1, 6);
  EXPECT_GT(run.position("apex").y(), 0.1);
}

// Newton's method finds the other side of the snap-through from most starts; loads far beyond must not hide the limit.
TEST(Statics, LoadControlDoesNotStepOverLimitPoints) {
  for (const char* factor : {"2", "4", "10", "16"}) {
    const Analysed run("benchmarks/shallow_truss",
                       {"analysis.control=load", std::string("forces.push.history=") + factor});
    EXPECT_EQ(run.result.end, StaticResult::End::failed) << factor;
    EXPECT_NE(run.result.failure.find("beyond a limit point"), std::string::npos) << factor << run.result.failure;
    EXPECT_NEAR(run.result.load_factor * std::stod(factor), 0.754786851, 1e-4) << factor;
  }
}

TEST(Statics, LeesFrame) {
  const Analysed run("benchmarks/lee_frame");
  expect_done(run);
  ASSERT_EQ(run.result.limit_loads.size(), 2u);
  const double first = 2 * run.result.limit_loads[0];
  const double second = 2 * run.result.limit_loads[1];
  const Analysed fine("benchmarks/lee_frame",
                      {"beams.column.elements=8", "beams.left.elements=2", "beams.right.elements=7"});
  expect_at_most("Lee's frame", "first limit load against a mesh twice as fine, relative",
                 std::abs(first / (2 * fine.result.limit_loads.at(0)) - 1), 1e-5);
  expect_between("Lee's frame", "first limit load", first, 1.84, 1.87, 6);
  expect_between("Lee's frame", "second limit load", second, -0.96, -0.92, 6);
}

// A transient from the equilibrium of the hanging right-angle beam: 10 s.
TEST(Statics, TheHangingRightAngleBeamStaysWhereItHangs) {
  Analysed run("examples/hanging_beam");
  expect_done(run);
  struct Watch final : analyses::Observer {
    explicit Watch(const State& q) : start(q) {}
    void observe(const State& q, const integrators::StepRecord&, const analyses::Progress&, bool) override {
      for (std::size_t i = 0; i < q.x.size(); ++i) largest = std::max(largest, (q.x[i] - start.x[i]).norm());
    }
    void warn(const std::string&) override {}
    State start;
    double largest = 0;
  };
  Watch watch(run.q);
  model::Problems problems;
  State q = run.q;
  const auto& transient = *run.deck.analyses.at(1).as<analyses::TransientSettings>();
  EXPECT_EQ(transient.duration, 10);
  const auto result = run_transient(*run.system, transient, q, 0, watch, problems);
  EXPECT_EQ(result.end, analyses::TransientResult::End::done);
  expect_at_most("right-angle beam that hangs", "largest move of a node in 10 s [m]", watch.largest, 1e-9);
}

}  // namespace
}  // namespace polhode::verification
