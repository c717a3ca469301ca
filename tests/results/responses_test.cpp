// SPDX-License-Identifier: BSD-3-Clause
// Responses: names find their numbers, and each kind gives the number that it says.
#include "polhode/results/responses.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "../io/sample_results.hpp"
#include "polhode/results/names.hpp"

using namespace polhode;
using results::Response;

namespace {

// Rows whose number at place k is k.
void add_first_rows(const results::Layout& layout, results::ResponseValues& values) {
  std::vector<double> state(layout.state_size);
  std::vector<double> step(layout.step_size);
  test::fill_row(state, 0);
  test::fill_row(step, 0);
  values.add_state(state);
  values.add_step(step);
}

// `of` of the first row.
double first_value(const std::string& of) {
  const results::Layout layout = test::make_layout();
  model::Problems problems;
  results::ResponseValues values(layout, {{"r", Response::Kind::last, of, 0}}, problems);
  if (!problems.empty()) {
    ADD_FAILURE() << problems[0].message;
    return 0;
  }
  add_first_rows(layout, values);
  return values.value(0);
}

std::string problem_of(const std::string& of) {
  model::Problems problems;
  const results::ResponseValues values(test::make_layout(), {{"r", Response::Kind::last, of, 0}}, problems);
  EXPECT_EQ(values.size() + problems.size(), 1u);
  if (problems.empty()) return "";
  EXPECT_EQ(problems[0].path, "responses.r");
  return problems[0].message;
}

double offset(const std::string& path) {
  const results::Layout layout = test::make_layout();
  for (const auto* channels : {&layout.states, &layout.steps})
    for (const results::Channel& channel : *channels)
      if (channel.path == path) return static_cast<double>(channel.offset);
  ADD_FAILURE() << path;
  return 0;
}

double norm(double first, int size) {
  double sum = 0;
  for (int k = 0; k < size; ++k) sum += (first + k) * (first + k);
  return std::sqrt(sum);
}

// The value of a response of `energy.total` after the given times and values.
double gathered(Response::Kind kind, const std::vector<std::pair<double, double>>& history, double time = 0) {
  const results::Layout layout = test::make_layout();
  model::Problems problems;
  results::ResponseValues values(layout, {{"r", kind, "energy.total", time}}, problems);
  std::vector<double> row(layout.state_size, 7);
  for (const auto& [t, value] : history) {
    row[static_cast<std::size_t>(offset("/time"))] = t;
    row[static_cast<std::size_t>(offset("/energy/total"))] = value;
    values.add_state(row);
  }
  return values.value(0);
}

TEST(Responses, NamesFindTheirNumbers) {
  EXPECT_EQ(first_value("energy.total"), offset("/energy/total"));
  EXPECT_EQ(first_value("nodes.tip.position.z"), offset("/nodes/position") + 2);
  EXPECT_EQ(first_value("nodes.arm.2.position.x"), offset("/nodes/position") + 6);
  EXPECT_EQ(first_value("nodes.arm.1.rotation[2]"), offset("/nodes/rotation") + 6);
  EXPECT_EQ(first_value("nodes.arm.1.rotation.w"), offset("/nodes/rotation") + 4);
  EXPECT_EQ(first_value("nodes.position[2].y"), offset("/nodes/position") + 7);
  EXPECT_EQ(first_value("joints.motor.coordinates[0]"), offset("/joints/motor/coordinates"));
  EXPECT_EQ(first_value("joints.motor.coordinates"), offset("/joints/motor/coordinates"));
  EXPECT_EQ(first_value("beams.arm.forces[1][4]"), offset("/beams/arm/forces") + 10);
  EXPECT_EQ(first_value("solver.newton_iterations"), offset("/solver/newton_iterations"));
  EXPECT_EQ(first_value("time"), offset("/time"));
}

TEST(Responses, AVectorCountsByItsNorm) {
  EXPECT_DOUBLE_EQ(first_value("joints.motor.force"), norm(offset("/joints/motor/force"), 3));
  EXPECT_DOUBLE_EQ(first_value("nodes.tip.velocity"), norm(offset("/nodes/velocity"), 3));
  EXPECT_DOUBLE_EQ(first_value("beams.arm.forces[1]"), norm(offset("/beams/arm/forces") + 6, 6));
}

TEST(Responses, TheLongestNameThatFitsWins) {
  results::Layout layout;
  test::add_channel(layout.states, layout.state_size, {"/time", {}, "s", "", "times"});
  test::add_channel(layout.states, layout.state_size, {"/joints/a/force", {2}, "N", "", "short"});
  test::add_channel(layout.states, layout.state_size, {"/joints/a/force/x", {}, "N", "", "long"});
  std::string problem;
  EXPECT_EQ(results::select(layout, "joints.a.force.x", problem).channel->description, "long");
  EXPECT_EQ(results::select(layout, "joints.a.force[0]", problem).channel->description, "short");
}

TEST(Responses, UnknownNamesAreNamedWithTheNearestOne) {
  EXPECT_EQ(problem_of("joints.motr.force"),
            "the results hold no \"joints.motr.force\"; did you mean \"joints.motor.force\"?");
  EXPECT_EQ(problem_of("nodes.tipp.position.z"),
            "the results hold no \"nodes.tipp.position.z\"; did you mean \"nodes.tip.position.z\"?");
  EXPECT_EQ(problem_of("joints.motor.coordinates[1]"),
            "index 1 is out of range: \"joints.motor.coordinates\" has 1 item, [0]");
  EXPECT_EQ(problem_of("nodes.tip.position.w"),
            "\"nodes.tip.position\" has no component \"w\"; write an index like [0], or one of xyz");
  EXPECT_EQ(problem_of("energy.total.x"), "\"energy.total\" is a single number, nothing can follow it");
  EXPECT_EQ(problem_of("nodes.tip.position[one]"), "expected an index like [0] at \"[one]\"");
}

TEST(Responses, NumbersThatAnEntityDoesNotHaveAreRefused) {
  results::Layout layout;
  test::add_channel(layout.states, layout.state_size,
                    {"/beams/rope/forces", {2, 6}, "N, -, -, -, -, -", "section", ""});
  std::string problem;
  EXPECT_EQ(results::select(layout, "beams.rope.forces[1][0]", problem).offset, 6u);
  EXPECT_EQ(results::select(layout, "beams.rope.forces[1]", problem).size, 6u);
  EXPECT_EQ(results::select(layout, "beams.rope.forces[1][4]", problem).channel, nullptr);
  EXPECT_EQ(problem, "\"beams.rope.forces\" has nothing in component [4], where it is always zero; take [0]");
}

TEST(Responses, NamesOfNumbersLeadBackToThem) {
  const results::Layout layout = test::make_layout();
  for (const results::Channel& channel : layout.states) {
    std::size_t size = 1;
    for (const int n : channel.shape) size *= static_cast<std::size_t>(n);
    const bool letters = results::has_letters(channel.path, channel.shape, channel.frame);
    for (std::size_t k = 0; k < size; ++k) {
      const std::string name = results::dotted_name(channel.path) + results::component_name(channel.shape, k, letters);
      EXPECT_EQ(first_value(name), static_cast<double>(channel.offset + k)) << name;
    }
  }
}

TEST(Responses, EachKindGivesWhatItSays) {
  const std::vector<std::pair<double, double>> history = {{0, 1}, {1, -5}, {2, 4}, {4, 2}};
  EXPECT_EQ(gathered(Response::Kind::max_abs, history), 5);
  EXPECT_EQ(gathered(Response::Kind::range, history), 9);
  EXPECT_EQ(gathered(Response::Kind::min, history), -5);
  EXPECT_EQ(gathered(Response::Kind::max, history), 4);
  EXPECT_EQ(gathered(Response::Kind::last, history), 2);
  EXPECT_TRUE(std::isnan(gathered(Response::Kind::max, {})));
}

TEST(Responses, TheMeanSquareIsOverTimeWhateverTheSteps) {
  EXPECT_DOUBLE_EQ(gathered(Response::Kind::rms, {{0, -3}, {1, -3}, {5, -3}}), 3);
  EXPECT_DOUBLE_EQ(gathered(Response::Kind::rms, {{0, -3}}), 3);
  std::vector<std::pair<double, double>> sine;
  for (int k = 0; k <= 1000; ++k) {
    const double t = std::pow(k / 1000.0, 2);  // uneven steps over one period
    sine.emplace_back(t, std::sin(2 * std::acos(-1.0) * t));
  }
  EXPECT_NEAR(gathered(Response::Kind::rms, sine), std::sqrt(0.5), 1e-5);
}

TEST(Responses, AtIsLinearBetweenStates) {
  const std::vector<std::pair<double, double>> history = {{0, 1}, {1, 3}, {1.5, 5}};
  EXPECT_DOUBLE_EQ(gathered(Response::Kind::at, history, 0), 1);
  EXPECT_DOUBLE_EQ(gathered(Response::Kind::at, history, 0.25), 1.5);
  EXPECT_DOUBLE_EQ(gathered(Response::Kind::at, history, 1), 3);
  EXPECT_DOUBLE_EQ(gathered(Response::Kind::at, history, 1.5), 5);
  EXPECT_DOUBLE_EQ(gathered(Response::Kind::at, history, 1.5 * (1 + 4e-16)), 5);
  EXPECT_TRUE(std::isnan(gathered(Response::Kind::at, history, 2)));
}

TEST(Responses, AResultOfStepsHasAValueWithinTheFirstStep) {
  const results::Layout layout = test::make_layout();
  for (const double time : {0.0, 0.25, 0.5}) {
    model::Problems problems;
    results::ResponseValues values(layout, {{"r", Response::Kind::at, "solver.newton_iterations", time}}, problems);
    ASSERT_TRUE(problems.empty());
    std::vector<double> row(layout.step_size);
    row[static_cast<std::size_t>(offset("/solver/time"))] = 0.5;
    row[static_cast<std::size_t>(offset("/solver/newton_iterations"))] = 3;
    values.add_step(row);
    EXPECT_EQ(values.value(0), 3) << time;
  }
}

TEST(Responses, ARunHoldsItsEndsToRounding) {
  EXPECT_TRUE(results::is_in_run(0, 2));
  EXPECT_TRUE(results::is_in_run(2 * (1 + 4e-16), 2));
  EXPECT_TRUE(results::is_in_run(-1e-12, 2));
  EXPECT_FALSE(results::is_in_run(2.001, 2));
  EXPECT_FALSE(results::is_in_run(-0.001, 2));
  EXPECT_FALSE(results::is_in_run(1, 0)) << "a run of equilibria alone";
}

// Of the last row, whose number at place k is k, at t = 0.
std::string expression_problem(const std::string& text, double* value = nullptr) {
  const results::Layout layout = test::make_layout();
  Response response{"r", Response::Kind::last, '=' + text, 0};
  response.expression = results::read_result_expression(text, {{"k", 3}, {"joints_motor_coordinates", 7}});
  model::Problems problems;
  results::ResponseValues values(layout, {response}, problems);
  if (!problems.empty()) return problems[0].message;
  add_first_rows(layout, values);
  if (value) *value = values.value(0);
  return "";
}

double expression_value(const std::string& text) {
  double value = 0;
  EXPECT_EQ(expression_problem(text, &value), "");
  return value;
}

TEST(Responses, ExpressionsTakeNumbersOfOneRow) {
  const double z = offset("/nodes/position") + 2;
  const double angle = offset("/joints/motor/coordinates");
  EXPECT_DOUBLE_EQ(expression_value("nodes.tip.position.z - 2*joints.motor.coordinates[0]"), z - 2 * angle);
  EXPECT_DOUBLE_EQ(expression_value("k*abs(-nodes.tip.position.z)+1.5e+1"), 3 * z + 15);
  EXPECT_DOUBLE_EQ(expression_value("joints.motor.coordinates+joints_motor_coordinates"), angle + 7);
  EXPECT_DOUBLE_EQ(expression_value("nodes.position[2].y/nodes.position[2].y"), 1);
  EXPECT_DOUBLE_EQ(expression_value("solver.newton_iterations^2"), std::pow(offset("/solver/newton_iterations"), 2));
}

TEST(Responses, FaultyExpressionsAreNamed) {
  EXPECT_EQ(expression_problem("2*k"), "the expression takes no result; name one, such as nodes.tip.position.z");
  EXPECT_EQ(expression_problem("2*nodes.tipp.position.z"),
            "in the expression: the results hold no \"nodes.tipp.position.z\"; did you mean \"nodes.tip.position.z\"?");
  EXPECT_EQ(expression_problem("2*nodes.tip.position"),
            "in the expression: \"nodes.tip.position\" is 3 numbers; take one, such as nodes.tip.position.x");
  EXPECT_EQ(expression_problem("energy.total*solver.newton_iterations"),
            "the expression takes results of states and of steps, which are at other times; take those of one sort");
  EXPECT_THROW(results::read_result_expression("2*energy.total +", {}), model::ExpressionError);
  try {
    results::read_result_expression("energy.total*kk", {{"k", 3}});
    ADD_FAILURE();
  } catch (const model::ExpressionError& error) {
    EXPECT_EQ(error.position, 13u);
  }
}

// A mean square of a constant, and no number where the expression is none at some time.
TEST(Responses, ExpressionsAreTakenAsOtherResults) {
  const results::Layout layout = test::make_layout();
  const auto response = [](Response::Kind kind, const std::string& text) {
    Response made{"r", kind, '=' + text, 0};
    made.expression = results::read_result_expression(text, {});
    return made;
  };
  model::Problems problems;
  results::ResponseValues values(
      layout, {response(Response::Kind::rms, "energy.total - t"), response(Response::Kind::max, "sqrt(energy.total)")},
      problems);
  std::vector<double> row(layout.state_size, 7);
  for (const double t : {0.0, 1.0, 3.0}) {
    row[static_cast<std::size_t>(offset("/time"))] = t;
    row[static_cast<std::size_t>(offset("/energy/total"))] = t == 1 ? -1 : t + 2;
    if (t != 1) values.add_state(row);
  }
  EXPECT_DOUBLE_EQ(values.value(0), 2);
  EXPECT_DOUBLE_EQ(values.value(1), std::sqrt(5.0));
  row[static_cast<std::size_t>(offset("/energy/total"))] = -1;
  values.add_state(row);
  EXPECT_TRUE(std::isnan(values.value(1)));
}

}  // namespace
