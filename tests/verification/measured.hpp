// SPDX-License-Identifier: BSD-3-Clause
// Measured figures beside their bounds: checked, and printed as rows of a Markdown table, from which docs/verification
// quotes.
#pragma once
#include <string>
#include <vector>

namespace polhode::verification {

// Each prints `| model | what | measured | bound |` and fails the test if the bound does not hold.
void expect_between(const std::string& model, const std::string& what, double value, double low, double high,
                    int digits = 2);
void expect_at_most(const std::string& model, const std::string& what, double value, double bound);

// The observed order: slope of the least-squares line through log(error) over log(step). The row tells the errors too.
void expect_order(const std::string& model, const std::string& what, const std::vector<double>& steps,
                  const std::vector<double>& errors, double low, double high);
double observed_order(const std::vector<double>& steps, const std::vector<double>& errors);

// A figure that nothing bounds.
void note(const std::string& model, const std::string& what, const std::string& measured);

}  // namespace polhode::verification
