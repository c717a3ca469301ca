// SPDX-License-Identifier: BSD-3-Clause
// Rates of joints are the derivatives of their coordinates, those of every kind.
#include "polhode/results/names.hpp"
#include "polhode/results/sampler.hpp"
#include "support/transients.hpp"

namespace polhode::support {
namespace {

struct Rows final : analyses::Observer {
  explicit Rows(const assembly::System& system) : sampler(system, {}) {}
  void observe(const State& q, const integrators::StepRecord&, const analyses::Progress&, bool) override {
    const std::span<const double> row = sampler.state_row(q, nullptr, 0, 0);
    all.emplace_back(row.begin(), row.end());
  }
  void warn(const std::string&) override {}
  results::Sampler sampler;
  std::vector<std::vector<double>> all;
};

struct Joint {
  std::string name;
  std::string keys;
};

const std::vector<Joint> joints{
    {"revolute", "type: revolute, axis: [0.2, 1, 0.1]"},
    {"loaded_revolute", "type: revolute, axis: [0.2, 1, 0.1], stiffness: 20, damping: 1"},
    {"driven_revolute", "type: revolute, axis: [0.2, 1, 0.1], rotation: \"=1 - cos(3*t)\""},
    {"prismatic", "type: prismatic, axis: [1, 0.3, 0.2]"},
    {"loaded_prismatic", "type: prismatic, axis: [1, 0.3, 0.2], stiffness: 30"},
    {"driven_prismatic", "type: prismatic, axis: [1, 0.3, 0.2], translation: \"=0.2 - 0.2*cos(3*t)\""},
    {"cylindrical", "type: cylindrical, axis: [1, 0.3, 0.2]"},
    {"screw", "type: screw, axis: [1, 0.3, 0.2], pitch: 0.4"},
    {"spherical", "type: spherical"},
    {"universal", "type: universal, axes: [[1, 0, 0], [0, 1, 0]]"},
    {"planar", "type: planar, axis: [0.1, 0.2, 1]"},
    {"point_on_line", "type: point_on_line, axis: [1, 0.3, 0.2]"},
    {"point_on_plane", "type: point_on_plane, axis: [0.1, 0.2, 1]"},
    {"motion", "type: motion, motion: {x: \"=2*t^2\", rz: \"=3*t^2\"}"}};

// A body on each joint, under a force and a moment from rest.
std::string machine_of_joints(double h) {
  std::string nodes;
  std::string bodies;
  std::string links;
  std::string forces;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const std::string& name = joints[i].name;
    const std::string x = std::to_string(2 * i);
    nodes += "  " + name + ": {position: [" + x + ".4, 0.1, 0.2]}\n";
    bodies += "  " + name + ": {type: rigid_body, node: " + name + ", mass: 2, inertia: [0.3, 0.2, 0.4]}\n";
    links += "  " + name + ": {connects: [ground, " + name + "], at: [" + x + ", 0, 0], " + joints[i].keys + "}\n";
    forces += "  " + name + ": {type: load, node: " + name + ", force: [2, 1, 3], moment: [0.4, 0.5, -0.3]}\n";
  }
  return "format: polhode-deck/1\nnodes:\n" + nodes + "bodies:\n" + bodies + "joints:\n" + links + "forces:\n" +
         forces + "analysis: {type: transient, duration: 0.3, step: " + std::to_string(h) + "}\n";
}

TEST(JointRates, AreDerivativesOfCoordinates) {
  const double h = 0.0005;
  const io::Deck deck = deck_of(machine_of_joints(h));
  const Machine machine(deck.model);
  State q = machine.system.initial_state();
  Rows rows(machine.system);
  model::Problems problems;
  run_transient(machine.system, *deck.analyses.front().as<analyses::TransientSettings>(), q, 0, rows, problems);
  for (const model::Problem& problem : problems) ADD_FAILURE() << problem.path << ": " << problem.message;
  ASSERT_EQ(rows.all.size(), 601u);
  for (const Joint& joint : joints) {
    std::string problem;
    const auto select = [&](const std::string& what) {
      return results::select(rows.sampler.layout(), "joints." + joint.name + "." + what, problem);
    };
    const results::Selection coordinates = select("coordinates");
    const results::Selection rates = select("rates");
    ASSERT_EQ(problem, "") << joint.name;
    ASSERT_EQ(coordinates.size, rates.size) << joint.name;
    double fastest = 0;
    for (std::size_t k = 0; k < rates.size; ++k)
      for (std::size_t n = 20; n + 1 < rows.all.size(); n += 60) {
        const auto coordinate = [&](std::size_t row) { return rows.all[row][coordinates.offset + k]; };
        const double rate = rows.all[n][rates.offset + k];
        EXPECT_NEAR((coordinate(n + 1) - coordinate(n - 1)) / (2 * h), rate, 1e-5) << joint.name << k << ' ' << n;
        fastest = std::max(fastest, std::abs(rate));
      }
    EXPECT_GT(fastest, 0.01) << joint.name;
  }
}

}  // namespace
}  // namespace polhode::support
