// SPDX-License-Identifier: BSD-3-Clause
// A suspension on its stops against the reference of bump_stop.py: contacts, peaks, and the end of the motion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "verification/measured.hpp"
#include "verification/run.hpp"

namespace polhode::verification::bump_stop_test {
namespace {

const std::string deck = "examples/bump_stop";
const std::vector<std::string> names{"joints.strut.coordinates", "nodes.body.velocity.z", "joints.strut.axis_force"};

// tests/verification/reference/bump_stop.py prints these.
struct Contact {
  double place;
  double begin;
  double peak;
  double at;
};
const std::vector<Contact> contacts{{-0.06, 0.0309508240788, 29203.9193298, 0.0504859685},
                                    {0.05, 0.184159524352, -13324.7235766, 0.209148991},
                                    {-0.06, 0.448521180352, 377.087382261, 0.473768645}};
constexpr double end_of_motion = 0.0124732110429;

// Where the cubic through places and velocities at both ends of the step passes `place`: by bisection.
double passing(const Histories& run, Eigen::Index i, double place) {
  const auto k = static_cast<std::size_t>(i);
  const double h = run.time[k] - run.time[k - 1];
  const double a = run[0](i - 1, 0);
  const double b = run[0](i, 0);
  const auto cubic = [&](double p) {
    const double q = 1 - p;
    return q * q * (1 + 2 * p) * a + p * p * (1 + 2 * q) * b + h * p * q * (q * run[1](i - 1, 0) - p * run[1](i, 0));
  };
  double low = 0;
  double high = 1;
  for (int n = 0; n < 60; ++n) {
    const double middle = 0.5 * (low + high);
    ((cubic(middle) - place) * (a - place) > 0 ? low : high) = middle;
  }
  return run.time[k - 1] + low * h;
}

// Largest errors of the three contacts: begin in s, peak relative to it.
struct Errors {
  double begin = 0;
  double peak = 0;
  double end = 0;
};
Errors errors_of(const Histories& run) {
  Errors errors;
  for (const Contact& contact : contacts) {
    double largest = 0;
    for (Eigen::Index i = 1; i < run[0].rows(); ++i) {
      const double t = run.time[static_cast<std::size_t>(i)];
      if (std::abs(t - contact.at) < 0.02) largest = std::max(largest, contact.peak > 0 ? run[2](i, 0) : -run[2](i, 0));
      const bool enters =
          (run[0](i, 0) - contact.place) * contact.place > 0 && (run[0](i - 1, 0) - contact.place) * contact.place <= 0;
      if (enters && std::abs(t - contact.begin) < 0.02)
        errors.begin = std::max(errors.begin, std::abs(passing(run, i, contact.place) - contact.begin));
    }
    errors.peak = std::max(errors.peak, std::abs(largest / std::abs(contact.peak) - 1));
  }
  errors.end = std::abs(run[0](run[0].rows() - 1, 0) - end_of_motion);
  return errors;
}

TEST(BumpStop, StepControlFindsContactsAndPeaks) {
  // Steps of radau5 are so long that the largest force lies between them: a longest one for it.
  const std::vector<std::pair<std::string, std::string>> runs{
      {"lie_alpha", "analysis.step={tolerance: 3.0e-7}"}, {"radau5", "analysis.step={tolerance: 1.0e-7, max: 0.0003}"}};
  for (const auto& [method, step] : runs) {
    const Histories histories = run(deck, {set_method(method), step}, names, 1);
    const Errors errors = errors_of(histories);
    note("bump_stop", method + ": steps", std::to_string(histories.analyses[0].step));
    expect_at_most("bump_stop", method + ": largest relative error of three peaks", errors.peak, 5e-5);
    expect_at_most("bump_stop", method + ": largest error of the begin of three contacts [s]", errors.begin, 1e-6);
    expect_at_most("bump_stop", method + ": error of the place at the end [m]", errors.end, 1e-7);
  }
  const Errors shipped = errors_of(run(deck, {}, names, 1));
  expect_at_most("bump_stop", "as shipped: largest relative error of three peaks", shipped.peak, 1e-4);
}

TEST(BumpStop, IsMetWithTheOrderOfTheMethod) {
  const std::vector<double> steps{0.0004, 0.0002, 0.0001};
  std::vector<double> ends;
  std::vector<double> begins;
  for (const double h : steps) {
    const Errors errors = errors_of(run(deck, {set_step(h)}, names, h));
    ends.push_back(errors.end);
    begins.push_back(errors.begin);
  }
  expect_order("bump_stop", "lie_alpha: order (errors) of the place at the end [m]", steps, ends, 1.7, 2.3);
  expect_order("bump_stop", "lie_alpha: order (errors) of the begin of three contacts [s]", steps, begins, 1.7, 2.3);
}

}  // namespace
}  // namespace polhode::verification::bump_stop_test
