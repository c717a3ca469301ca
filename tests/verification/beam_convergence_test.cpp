// SPDX-License-Identifier: BSD-3-Clause
// Beams at rest against continuous rods: order of convergence in the number of elements, for each order of the
// elements.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "polhode/io/deck/deck.hpp"
#include "support/deck_text.hpp"
#include "support/places.hpp"
#include "support/statics.hpp"
#include "verification/measured.hpp"

namespace polhode::verification {
namespace {

using math::Vec3;

struct Case {
  // all but the numbers of elements and orders
  std::string name;
  std::string deck;
  std::string node;
  Vec3 exact;
};

const Case large_load{"cantilever, large load",
                      R"(format: polhode-deck/1
nodes: {root: {position: [0, 0, 0], fixed: true}, tip: {position: [5, 0, 0]}}
sections:
  bar:
    stiffness: {EA: 4.8e+8, GAy: 3.231e+8, GAz: 3.231e+8, GJ: 1.0e+6, EIy: 9.346e+6, EIz: 9.346e+6}
    mass: {per_length: 1, inertia: [1, 1, 1]}
beams: {arm: {section: bar, from: root, to: tip}}
forces: {pull: {type: load, node: tip, force: [0, 0, -600.0e+3]}}
analysis: {type: static}
)",
                      "tip", Vec3(5 - 0.596471272235, 0, -2.159693894490)};

const Case bend_45{"45-degree bend, 600 N",
                   R"yaml(format: polhode-deck/1
nodes: {root: {position: [0, 0, 0], fixed: true}, tip: {position: ["=100*(1 - cos(pi/4))", "=100*sin(pi/4)", 0]}}
sections:
  bar:
    stiffness: {EA: 1.0e+7, GAy: 0.5e+7, GAz: 0.5e+7, GJ: "=1.0e+7/12", EIy: "=1.0e+7/12", EIz: "=1.0e+7/12"}
    mass: {per_length: 1, inertia: [1, 1, 1]}
beams: {arm: {section: bar, from: root, to: tip, arc: ["=100*(1 - cos(pi/8))", "=100*sin(pi/8)", 0], orientation: [0, 0, 1]}}
forces: {lift: {type: load, node: tip, force: [0, 0, 600]}}
analysis: {type: static}
)yaml",
                   "tip", Vec3(15.6848005, 47.1504386, 53.4748588)};

const Case roll_up{"roll-up, middle",
                   R"(format: polhode-deck/1
nodes: {root: {position: [0, 0, 0], fixed: true}, tip: {position: [10, 0, 0]}}
sections:
  strip:
    stiffness: {EA: 1.0e+4, GAy: 1.0e+4, GAz: 1.0e+4, GJ: 100, EIy: 100, EIz: 100}
    mass: {per_length: 1, inertia: [1, 1, 1]}
beams: {arm: {section: strip, from: root, to: tip, orientation: [0, 1, 0]}}
forces: {roll: {type: load, node: tip, moment: [0, 0, "=20*pi"]}}
analysis: {type: static}
)",
                   "middle", Vec3(0, 3.183098861837907, 0)};

struct Solution {
  Vec3 position;
  int unknowns;
  int solves;
};

Solution solve(const Case& c, int order, int elements, const std::vector<std::string>& more = {}) {
  const support::TemporaryFile file("deck.yaml", c.deck);
  std::vector<std::string> settings{"beams.arm.order=" + std::to_string(order),
                                    "beams.arm.elements=" + std::to_string(elements)};
  settings.insert(settings.end(), more.begin(), more.end());
  const io::Deck deck = io::read_deck(file.path, settings);
  model::Problems problems;
  auto system = assembly::System::make(deck.model, problems);
  if (!system) throw std::runtime_error(problems.front().message);
  Solution solution{Vec3::Zero(), system->size(), 0};
  const model::State q = support::equilibrium(*system, &solution.solves);
  const auto& along = system->beams().front().nodes;
  const int node = c.node == "tip" ? along.back() : along[along.size() / 2];
  solution.position = q.x[static_cast<std::size_t>(node)];
  return solution;
}

double error(const Case& c, int order, int elements) { return (solve(c, order, elements).position - c.exact).norm(); }

// The digits of the bend's reference end at 1e-7 m, which one element of order 4 comes near to.
TEST(BeamConvergence, OrderIsTwiceThatOfTheElements) {
  const std::vector<std::pair<int, std::vector<int>>> meshes{
      {1, {8, 16, 32}}, {2, {4, 8, 16}}, {3, {2, 3, 4, 6}}, {4, {1, 2, 3}}};
  for (const Case* c : {&large_load, &bend_45})
    for (const auto& [order, counts] : meshes) {
      if (c == &bend_45 && order == 4) continue;
      std::vector<double> sizes;
      std::vector<double> errors;
      for (const int count : counts) {
        sizes.push_back(1.0 / count);
        errors.push_back(error(*c, order, count));
      }
      expect_order(c->name, "order of the tip, elements of order " + std::to_string(order), sizes, errors,
                   2 * order - 0.2, 2 * order + 2.0);
    }
}

TEST(BeamConvergence, OneFiveNodeElementDoesWhatThirtyTwoNodeElementsDo) {
  for (const Case* c : {&large_load, &bend_45}) {
    const double one = error(*c, 4, 1);
    const double thirty = error(*c, 1, 30);
    expect_at_most(c->name, "one 5-node element against thirty 2-node elements: ratio of errors", one / thirty, 1);
  }
}

TEST(BeamConvergence, RollUpOfTwoNodeElementsIsThatOfThePolygon) {
  for (const auto& [elements, height] :
       std::vector<std::pair<int, double>>{{10, 3.23606797750}, {20, 3.19622661}, {40, 3.18637371}})
    expect_at_most(roll_up.name, std::to_string(elements) + " two-node elements against the closed form [m]",
                   std::abs(solve(roll_up, 1, elements).position.y() - height), 1e-8);
}

TEST(BeamConvergence, ShearLocksNotEvenOfFullIntegrationAtHigherOrder) {
  const double reduced = error(large_load, 4, 2);
  const double full = (solve(large_load, 4, 2, {"beams.arm.integration=full"}).position - large_load.exact).norm();
  expect_at_most(large_load.name, "two 5-node elements, full integration: error [m]", full, 1e-4);
  expect_at_most(large_load.name, "two 5-node elements, reduced integration: error [m]", reduced, 1e-6);
}

constexpr std::string_view page_head = R"page(<!-- Written by polhode_verification; not for editing. -->

# Beams: convergence in the number of elements

Equilibria of beams of elements of order p (p + 1 nodes, p Gauss points) against continuous rods. The error is the
distance of the node from its reference. `solves` counts linear solves over all load steps.

* cantilever, large load: 5 m, bent by 2.2 m by 600 kN at its tip; Géradin & Cardona 2001, reference of 12 digits
* 45-degree bend, 600 N: an arc, lifted by 53 m out of its plane; Bathe & Bolourchi 1979, reference of 9 digits
* roll-up, middle: a strip rolled up to a full circle; its middle node on the circle

The error at a node falls with the power 2p of the element length. One element of five nodes is more accurate than
thirty of two nodes.

Written by `POLHODE_BEAM_CONVERGENCE=docs/verification/beam_convergence.md
build/release/tests/polhode_verification --gtest_filter=BeamConvergence.Table`; the other tests of that suite check its
statements.

| case | order | elements | unknowns | error [m] | solves |
| --- | --- | --- | --- | --- | --- |
)page";

// "| case | order | elements | unknowns |" and the error of a row of the page.
struct PageRow {
  std::string name;
  double error;
};
std::vector<PageRow> rows_of(std::istream& page) {
  std::vector<PageRow> rows;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| ") || line.starts_with("| case") || line.starts_with("| ---")) continue;
    std::size_t end = 0;
    for (int cell = 0; cell < 4; ++cell) end = line.find('|', end + 1);
    rows.push_back({line.substr(0, end), std::stod(line.substr(end + 1))});
  }
  return rows;
}

// The page tells what the program does; it is written anew to the file that the environment names.
TEST(BeamConvergence, Table) {
  std::stringstream out;
  out << page_head;
  const auto write = [&](const Case& c, int order, int elements) {
    const Solution s = solve(c, order, elements);
    char row[200];
    std::snprintf(row, sizeof row, "| %s | %d | %d | %d | %.2e | %d |\n", c.name.c_str(), order, elements, s.unknowns,
                  (s.position - c.exact).norm(), s.solves);
    out << row;
  };
  for (const Case* c : {&large_load, &bend_45})
    for (const auto& [order, counts] : std::vector<std::pair<int, std::vector<int>>>{{1, {4, 8, 16, 30, 60}},
                                                                                     {2, {1, 2, 4, 8, 16}},
                                                                                     {3, {1, 2, 4, 8}},
                                                                                     {4, {1, 2, 3, 4}},
                                                                                     {5, {1, 2}},
                                                                                     {6, {1, 2}},
                                                                                     {8, {1}}})
      for (const int count : counts) write(*c, order, count);
  for (const auto& [order, counts] :
       std::vector<std::pair<int, std::vector<int>>>{{1, {10, 20, 40}}, {2, {4, 8, 16}}, {4, {3, 4, 8}}, {6, {3, 4}}})
    for (const int count : counts) write(roll_up, order, count);

  if (const char* file = std::getenv("POLHODE_BEAM_CONVERGENCE")) std::ofstream(file) << out.str();
  std::ifstream page(POLHODE_SOURCE_DIR "/docs/verification/beam_convergence.md");
  const std::vector<PageRow> told = rows_of(page);
  const std::vector<PageRow> found = rows_of(out);
  ASSERT_EQ(told.size(), found.size());
  ASSERT_GE(found.size(), 30u);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(told[i].name, found[i].name);
    EXPECT_NEAR(told[i].error, found[i].error, 0.02 * told[i].error + 1e-8)
        << found[i].name;  // 1e-8 m: Newton's tolerance
  }
}

}  // namespace
}  // namespace polhode::verification
