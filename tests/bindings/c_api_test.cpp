// SPDX-License-Identifier: BSD-3-Clause
// The C API: the steps of a run, messages by value, no exception that leaves it.
#include <gtest/gtest.h>
#include <malloc.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "polhode.h"
#include "polhode/bindings/host.hpp"
#include "support/program.hpp"

namespace polhode::bindings {
namespace {

std::string falling(const std::string& more = "") {
  return "format: polhode-deck/1\ngravity: [0, 0, -10]\nnodes: {mass: {position: [0, 0, 0], dofs: translation}}\n"
         "bodies: {mass: {type: point_mass, node: mass, mass: 2}}\nresponses: {z: {last: nodes.mass.position.z}}\n" +
         more + "analysis: {type: transient, duration: 1, step: 0.01}\n";
}

struct Opened {
  explicit Opened(const std::string& text) : simulation(polhode_open_text("mass", text.c_str(), &error)) {}
  ~Opened() { polhode_close(simulation); }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  polhode_error error{POLHODE_OK, ""};
  polhode_simulation* simulation;
};

TEST(CApi, StepsToTheEndAndReadsTheState) {
  const Opened mass(falling());
  polhode_error error{};
  ASSERT_EQ(polhode_advance(mass.simulation, 0.5, &error), POLHODE_GOES_ON) << error.text;
  EXPECT_EQ(polhode_time(mass.simulation), 0.5);
  std::array<double, 3> v{};
  ASSERT_EQ(polhode_read(mass.simulation, POLHODE_VELOCITIES, v.data(), v.size(), &error), POLHODE_OK);
  EXPECT_NEAR(v[2], -5, 1e-12);
  EXPECT_STREQ(polhode_node_name(mass.simulation, 0), "mass");
  EXPECT_EQ(polhode_node_name(mass.simulation, 1), nullptr);
  int steps = 0;
  while (polhode_step(mass.simulation, &error) == POLHODE_GOES_ON) ++steps;
  EXPECT_EQ(steps, 50);
  double z = 0;
  ASSERT_EQ(polhode_response(mass.simulation, "z", &z, &error), POLHODE_OK);
  EXPECT_NEAR(z, -5, 1e-3);
}

// A row that the deck lists in no order is sorted in memory: names, places and results stay in the order of the deck.
TEST(CApi, StatesHaveTheOrderOfTheDeck) {
  constexpr int count = 300;
  std::string nodes = "format: polhode-deck/1\nnodes:\n";
  std::string bodies = "bodies:\n";
  std::string springs = "forces:\n";
  for (int k = 0; k < count; ++k) {
    const std::string i = std::to_string(k * 101 % count);
    nodes += "  n" + i + ": {position: [" + i + ", 0, 0], dofs: translation}\n";
    bodies += "  b" + i + ": {type: point_mass, node: n" + i + ", mass: 1}\n";
    if (i != "0")
      springs += "  s" + i + ": {type: spring_damper, connects: [n" + std::to_string(k * 101 % count - 1) + ", n" + i +
                 "], stiffness: 10}\n";
  }
  const Opened row(nodes + bodies + springs + "analysis: {type: transient, duration: 1, step: 0.01}\n");
  polhode_error error{};
  ASSERT_EQ(polhode_start(row.simulation, &error), POLHODE_GOES_ON) << error.text;
  std::vector<double> x(3 * count);
  ASSERT_EQ(polhode_read(row.simulation, POLHODE_POSITIONS, x.data(), x.size(), &error), POLHODE_OK) << error.text;
  for (int k = 0; k < count; ++k) {
    const int i = k * 101 % count;
    EXPECT_EQ(polhode_node_name(row.simulation, static_cast<std::size_t>(k)), "n" + std::to_string(i));
    EXPECT_EQ(x[static_cast<std::size_t>(3 * k)], i);
  }
}

TEST(CApi, AModelThatWasRefusedHasNoState) {
  Host host("mass",
            "format: polhode-deck/1\nnodes: {mass: {position: [0, 0, 0]}, free: {position: [1, 0, 0]}}\n"
            "bodies: {mass: {type: rigid_body, node: mass, mass: 2, inertia: [1, 1, 1]}}\n"
            "analysis: {type: transient, duration: 1, step: 0.1}\n");
  EXPECT_THROW(host.arrays(), std::runtime_error);
  EXPECT_TRUE(host.arrays().x.empty());
}

TEST(CApi, MessagesAreThoseOfTheCommandLine) {
  Opened wrong(falling("gravty: 3\n"));
  ASSERT_NE(wrong.simulation, nullptr);
  EXPECT_EQ(polhode_start(wrong.simulation, &wrong.error), POLHODE_INVALID_DECK);
  EXPECT_TRUE(std::string(wrong.error.text).starts_with("mass:6:1: gravty: ")) << wrong.error.text;
  const Opened none("{");
  EXPECT_EQ(none.simulation, nullptr);
  EXPECT_EQ(none.error.status, POLHODE_INVALID_DECK);
  polhode_error error{};
  EXPECT_EQ(polhode_open("no such file", &error), nullptr);
  EXPECT_EQ(error.status, POLHODE_FILE_FAILED);
}

// Free blocks that the allocator keeps for a thread count as used, so that the sum is not zero: less than the smallest
// block for each simulation.
TEST(CApi, SimulationsLeaveNothingBehind) {
  const std::string deck = falling();
  const auto grown_by = [&deck](int count) {
    const auto before = static_cast<long>(mallinfo2().uordblks);
    for (int i = 0; i < count; ++i) {
      const Opened mass(deck);
      polhode_error error{};
      EXPECT_EQ(polhode_step(mass.simulation, &error), POLHODE_GOES_ON) << error.text;
    }
    return static_cast<long>(mallinfo2().uordblks) - before;
  };
  grown_by(5);
  EXPECT_LT(grown_by(400), 400 * 24);
}

TEST(CApi, WrongUseIsAStatus) {
  const Opened mass(falling());
  polhode_error error{};
  std::array<double, 2> two{};
  EXPECT_EQ(polhode_read(mass.simulation, POLHODE_POSITIONS, two.data(), two.size(), &error), POLHODE_WRONG_USE);
  EXPECT_EQ(polhode_set_signal(mass.simulation, "none", 1, &error), POLHODE_WRONG_USE);
  EXPECT_EQ(polhode_set(mass.simulation, "analysis.step=0.1", &error), POLHODE_WRONG_USE);
  EXPECT_EQ(polhode_set(mass.simulation, "analysis.step=0.1", nullptr), POLHODE_WRONG_USE);
  for (const double h : {0.0, -1.0, std::nan("")})
    EXPECT_EQ(polhode_advance(mass.simulation, h, &error), POLHODE_WRONG_USE) << h;
}

}  // namespace
}  // namespace polhode::bindings
