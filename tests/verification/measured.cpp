// SPDX-License-Identifier: BSD-3-Clause
// Measured figures beside their bounds.
#include "verification/measured.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

namespace polhode::verification {
namespace {

std::string text(const char* pattern, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, pattern, value);
  return buffer;
}

std::string fixed(double value, int digits) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, value);
  return buffer;
}

void print(const std::string& model, const std::string& what, const std::string& measured, const std::string& bound) {
  std::printf("| %s | %s | %s | %s |\n", model.c_str(), what.c_str(), measured.c_str(), bound.c_str());
  std::fflush(stdout);
  testing::Test::RecordProperty(what, measured + "; bound: " + bound);
}

std::string interval(double low, double high, int digits) {
  return std::isinf(high) ? "at least " + fixed(low, digits) : fixed(low, digits) + " … " + fixed(high, digits);
}

}  // namespace

void expect_between(const std::string& model, const std::string& what, double value, double low, double high,
                    int digits) {
  print(model, what, fixed(value, digits), interval(low, high, digits));
  EXPECT_GE(value, low) << model << ": " << what;
  EXPECT_LE(value, high) << model << ": " << what;
}

void expect_at_most(const std::string& model, const std::string& what, double value, double bound) {
  print(model, what, text("%.2g", value), "at most " + text("%g", bound));
  EXPECT_LE(value, bound) << model << ": " << what;
}

void expect_order(const std::string& model, const std::string& what, const std::vector<double>& steps,
                  const std::vector<double>& errors, double low, double high) {
  const double order = observed_order(steps, errors);
  std::string measured = fixed(order, 3) + " (";
  for (std::size_t i = 0; i < errors.size(); ++i) measured += (i ? ", " : "") + text("%.3g", errors[i]);
  print(model, what, measured + ")", interval(low, high, 2));
  EXPECT_GE(order, low) << model << ": " << what;
  EXPECT_LE(order, high) << model << ": " << what;
}

double observed_order(const std::vector<double>& steps, const std::vector<double>& errors) {
  const auto count = static_cast<double>(steps.size());
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double a = std::log(steps[i]);
    const double b = std::log(errors[i]);
    x += a;
    y += b;
    xx += a * a;
    xy += a * b;
  }
  return (count * xy - x * y) / (count * xx - x * x);
}

void note(const std::string& model, const std::string& what, const std::string& measured) {
  print(model, what, measured, "");
}

}  // namespace polhode::verification
