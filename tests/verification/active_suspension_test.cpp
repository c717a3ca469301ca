// SPDX-License-Identifier: BSD-3-Clause
// An accelerometer in a closed loop, a measured tyre: a quarter of a car against the reference of active_suspension.py.
#include <gtest/gtest.h>

#include <cmath>

#include "verification/measured.hpp"
#include "verification/run.hpp"

namespace polhode::verification::active_suspension_test {
namespace {

const std::string deck = "examples/active_suspension";
const std::vector<std::string> names{"joints.body_guide.coordinates", "signals.jolt", "signals.grip", "signals.mean"};

// tests/verification/reference/active_suspension.py prints these.
struct Reference {
  double end;
  double filter;
  double jolt;
  double least;
  double most;
};
constexpr Reference active{-0.0004515718890, 0.006943185026, 2.49589089, 2565.85091, 4042.23499};
constexpr Reference passive{-0.0001333760100, 0.213641752228, 4.57330398, 2113.04300, 4176.44593};

// Of the end, m and m/s^2, and of the largest acceleration and both forces relative to them.
struct Errors {
  double end;
  double filter;
  double largest;
};
Errors errors_of(const Histories& run, const Reference& wanted) {
  const auto last = run[0].rows() - 1;
  const double jolt = run[1].col(0).cwiseAbs().maxCoeff() / wanted.jolt - 1;
  const double least = run[2].col(0).minCoeff() / wanted.least - 1;
  const double most = run[2].col(0).maxCoeff() / wanted.most - 1;
  return {std::abs(run[0](last, 0) - wanted.end), std::abs(run[3](last, 0) - wanted.filter),
          std::max({std::abs(jolt), std::abs(least), std::abs(most)})};
}

TEST(ActiveSuspension, HasTheOrderOfTheMethod) {
  for (const char* method : {"lie_alpha", "lie_alpha_index2", "ul_crv"}) {
    const std::vector<double> steps{0.004, 0.002, 0.001};
    std::vector<double> ends;
    std::vector<double> filters;
    for (const double h : steps) {
      const Errors errors = errors_of(run(deck, {set_method(method), set_step(h)}, names, h), active);
      ends.push_back(errors.end);
      filters.push_back(errors.filter);
    }
    const std::string name(method);
    expect_order("active_suspension", name + ": order (errors) of the body's height at 2 s [m]", steps, ends, 1.8, 2.2);
    expect_order("active_suspension", name + ": order (errors) of the filter at 2 s [m/s^2]", steps, filters, 1.8, 2.2);
  }
}

TEST(ActiveSuspension, AtSmallStepsIsTheReference) {
  const Errors with = errors_of(run(deck, {set_step(0.0002)}, names, 0.0002), active);
  expect_at_most("active_suspension", "error of the body's height at 2 s, h = 0.0002 s [m]", with.end, 1e-8);
  expect_at_most("active_suspension", "relative error of the largest acceleration and of the tyre's forces",
                 with.largest, 1e-5);
  const Errors without = errors_of(run(deck, {"parameters.sky=0", set_step(0.0002)}, names, 0.0002), passive);
  expect_at_most("active_suspension", "the same without the actuator", without.largest, 1e-5);
}

}  // namespace
}  // namespace polhode::verification::active_suspension_test
