// SPDX-License-Identifier: BSD-3-Clause
// Models that are factorized behind the assembly of their sections, against the same once all is assembled.
#include <gtest/gtest.h>

#include "polhode/assembly/linear/block_solver.hpp"
#include "polhode/math/parallel.hpp"
#include "support/models.hpp"
#include "support/stepper.hpp"

namespace polhode::support {
namespace {

// Bodies one for each of these numbers but the first: of what it hangs on, 0 for the ground.
model::Model bodies_on(const std::vector<int>& parents, std::string_view joint) {
  ModelMaker m;
  const auto name = [](int i) { return i == 0 ? "ground" : "body" + std::to_string(i); };
  const auto place = [](int i) { return Vec3(i, 0.1 * (i % 7), 0.2 * (i % 3)); };
  for (int i = 1; i < static_cast<int>(parents.size()); ++i) {
    m.node(name(i), place(i));
    m.body(name(i), name(i), 1, Vec3(0.1, 0.2, 0.2));
    model::Entry& made =
        m.joint(joint, "joint" + std::to_string(i), name(parents[i]), name(i), (place(parents[i]) + place(i)) / 2);
    if (joint == "revolute") made.values.emplace("axis", value(Vec3(0, 1, 0)));
  }
  m.model.gravity = Vec3(1, 2, -9);
  return std::move(m.model);
}

model::Model row(std::string_view joint) {
  std::vector<int> parents{0};
  for (int i = 0; i < 1000; ++i) parents.push_back(i);
  return bodies_on(parents, joint);
}
model::Model row_of_balls() { return row("spherical"); }
model::Model row_of_hinges() { return row("revolute"); }

// Numbered branch by branch.
void add_branch(int parent, int depth, std::vector<int>& parents) {
  const int own = static_cast<int>(parents.size());
  parents.push_back(parent);
  for (int branch = 0; depth > 1 && branch < 2; ++branch) add_branch(own, depth - 1, parents);
}
model::Model binary_tree() {
  std::vector<int> parents{0};
  add_branch(0, 11, parents);
  return bodies_on(parents, "spherical");
}
// Numbered level by level: each level has bodies of all subtrees.
model::Model tree_by_levels() {
  std::vector<int> parents{0};
  for (int i = 1; i < 2048; ++i) parents.push_back(i / 2);
  return bodies_on(parents, "spherical");
}
model::Model long_beam() {
  model::Model model = cantilever(4000);
  model.gravity = Vec3(1, 2, -9);
  return model;
}
// The eight beams of a group in lanes lie anywhere.
model::Model scattered_beams() {
  constexpr int beams = 1000;
  ModelMaker m;
  const auto name = [](int i) { return "n" + std::to_string(i); };
  for (int i = 0; i <= beams; ++i) m.node(name(i), Vec3(i, 0, 0)).fixed.fill(i == 0);
  m.section("bar", Vec6::Constant(1e4), 1.5, Vec3(0.02, 0.01, 0.01));
  for (int k = 0; k < beams; ++k) {
    const int i = k * 163 % beams;
    m.add(Family::beam, "beam", "beam" + std::to_string(i),
          {{"section", value("bar")}, {"from", name(i)}, {"to", name(i + 1)}, {"elements", 1.0}});
  }
  m.model.gravity = Vec3(1, 2, -9);
  return std::move(m.model);
}

struct Case {
  const char* name;
  model::Model (*make)();
  bool has_runs;
  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
};

class Behind : public testing::TestWithParam<Case> {
 protected:
  void TearDown() override { math::set_number_of_threads(1); }
  const Machine machine{GetParam().make()};
  const assembly::System& system = machine.system;
};
INSTANTIATE_TEST_SUITE_P(
    Sections, Behind,
    testing::Values(Case{"row_of_balls", &row_of_balls, true}, Case{"row_of_hinges", &row_of_hinges, true},
                    Case{"binary_tree", &binary_tree, true}, Case{"tree_by_levels", &tree_by_levels, true},
                    Case{"long_beam", &long_beam, true}, Case{"scattered_beams", &scattered_beams, false}),
    [](const auto& of) { return std::string(of.param.name); });

// With one thread the first nodes are factors, in the place of their values, before the last are written.
TEST_P(Behind, OneThreadGoesOnWhileSectionsAreWritten) {
  const model::Factors factors{.m = 1.3, .c = 0.7, .k = 0.9, .b = 1};
  const State q = system.initial_state();
  assembly::SparseMatrix at_once = system.make_matrix();
  system.set_matrix(q, factors, 0.6, at_once);
  ASSERT_TRUE(system.has_whole_sections());
  const assembly::Sections& sections = system.sections();
  const std::vector<int> last = sections.last_of_blocks(system.batches(), system.unknowns());
  assembly::SparseMatrix matrix = system.make_matrix();
  const assembly::BlockOrder order(matrix);
  assembly::BlockSolver solver(matrix, order, assembly::InPlace{});
  solver.follow(sections, last);
  EXPECT_EQ(sections.runs() > 0, GetParam().has_runs);
  std::size_t first_written = GetParam().has_runs ? sections.first_of_run(0) : 0;
  while (sections[first_written].claims.empty()) ++first_written;
  const assembly::Sections::Claim first = sections[first_written].claims[0];
  bool was_ahead = false;
  std::vector<double> x(static_cast<std::size_t>(matrix.size), 1.0);
  ASSERT_TRUE(solver.factorize_and_solve(x, [&](std::size_t section) {
    system.set_matrix_of_section(section, q, factors, 0.6, matrix.values);
    if (section + 1 == sections.size())
      was_ahead = !std::equal(matrix.values.begin() + first.first_value, matrix.values.begin() + first.end_value,
                              at_once.values.begin() + first.first_value);
  }));
  EXPECT_EQ(was_ahead, GetParam().has_runs);
  std::vector<double> y(x.size(), 1.0);
  assembly::BlockSolver whole(at_once, order);
  ASSERT_TRUE(whole.factorize_and_solve(y));
  EXPECT_EQ(x, y);
}

TEST(Sections, OfATreeByLevelsAreNearlyAllInRuns) {
  const Machine machine{tree_by_levels()};
  const assembly::Sections& sections = machine.system.sections();
  EXPECT_GE(sections.runs(), 4U);
  std::size_t in_colors = 0;
  for (std::size_t i = 0; i < sections.first_of_run(0); ++i)
    for (const auto& part : sections[i].parts) in_colors += part.elements.end - part.elements.begin;
  EXPECT_LT(in_colors, machine.system.elements() / 20);
  EXPECT_EQ(machine.system.node_lots().count(), machine.system.nodes());
}

// So many threads that the matrix is whole before, and few that are not.
TEST_P(Behind, StepsHaveTheSameBitsForAnyNumberOfThreads) {
  for (const char* method : {"lie_alpha", "lie_alpha_index2"}) {
    integrators::IntegratorSettings settings;
    settings.method = method;
    std::vector<State> ends;
    for (const int threads : {20, 1, 2}) {
      math::set_number_of_threads(threads);
      State q = consistent_start(system);
      Stepper stepper(system, settings, {});
      stepper.start(q);
      for (int i = 1; i <= 2; ++i) ASSERT_TRUE(stepper.advance(q, 1e-3, 1e-3 * i)) << method;
      EXPECT_TRUE(stepper.linear_solver().uses_blocks());
      ends.push_back(q);
    }
    for (const State& end : ends) {
      EXPECT_EQ(end.x, ends[0].x) << method;
      EXPECT_EQ(end.v, ends[0].v) << method;
      EXPECT_EQ(end.vdot, ends[0].vdot) << method;
      EXPECT_EQ(end.lambda, ends[0].lambda) << method;
    }
  }
}

}  // namespace
}  // namespace polhode::support
