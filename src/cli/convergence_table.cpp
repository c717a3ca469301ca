// SPDX-License-Identifier: BSD-3-Clause
// Errors and observed orders as tables on standard output.
#include "convergence_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "command.hpp"
#include "polhode/model/text.hpp"

namespace polhode::cli {
namespace {

using TextRow = std::vector<std::string>;

// Short heads for columns of numbers.
std::string head_of(const std::string& component) {
  if (component == "angular_velocity") return "ang. velocity";
  if (component == "angular_acceleration") return "ang. accel.";
  return component;
}

std::string order_text(double order) { return std::isnan(order) ? "" : fmt::format("{:.2f}", order); }

// Error and order stand side by side; of positions also the error relative to the size of the model.
void add_component(const io::ComponentErrors& component, std::size_t interval, double length,
                   std::vector<TextRow>& rows) {
  const analyses::Errors& errors = component.errors[interval];
  const bool position = component.component.quantity == analyses::Quantity::position;
  const auto add = [&](std::size_t row, const std::string& error, const std::string& relative,
                       const std::string& order) {
    rows[row].push_back(error);
    if (position) rows[row].push_back(relative);
    rows[row].push_back(order);
  };
  add(0, head_of(component.component.name), "of size", "order");
  add(1, "[" + component.component.units + "]", "[1]", "");
  for (std::size_t i = 0; i < errors.errors.size(); ++i)
    add(i + 2, model::rounded_text(errors.errors[i]), model::rounded_text(errors.errors[i] / length),
        order_text(errors.orders[i]) + (errors.vague[i] ? "*" : ""));
  add(rows.size() - 1, "", "", order_text(errors.order));
}

// Columns flush right; a step whose run failed has the reason in the place of its numbers.
void print_rows(const io::ConvergenceTable& table, const std::vector<TextRow>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const TextRow& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    const bool failed = r >= 2 && r - 2 < table.plan.steps.size() && !table.runs[r - 2].problem.empty();
    for (std::size_t k = 0; k < (failed ? 1 : rows[r].size()); ++k)
      line += std::string(widths[k] - rows[r][k].size(), ' ') + rows[r][k] + "  ";
    if (failed) line += "failed: " + table.runs[r - 2].problem;
    print(fmt::format("{}\n", line.substr(0, line.find_last_not_of(' ') + 1)));
  }
}

// One table for each interval of time, with a line for the slope through all steps.
void print_interval(const io::ConvergenceTable& table, std::size_t index) {
  const analyses::Interval& interval = table.intervals[index];
  const char* what = interval.name == "whole"    ? "Whole run"
                     : interval.name == "before" ? "The start's transient"
                                                 : "After the start's transient";
  print(fmt::format("\n{}, {:g} ... {:g} s\n", what, interval.begin, interval.end));
  std::vector<TextRow> rows = {{"step"}, {"[s]"}};
  for (const double step : table.plan.steps) rows.push_back({fmt::format("{:g}", step)});
  rows.push_back({"slope"});
  for (const io::ComponentErrors& component : table.components) add_component(component, index, table.length, rows);
  print_rows(table, rows);
}

}  // namespace

void print_table(const io::ConvergenceTable& table) {
  print(fmt::format("{}: {}, {} common times in {:g} s\n", table.title, table.method, table.time.size(),
                    table.plan.duration));
  print(fmt::format("reference: {}\n", table.reference));
  print(fmt::format(
      "errors: largest over the common times of the root mean square over nodes (multipliers: over joints);\n"
      "        `order` from the line above, `slope` through all; size of the model {:g} m\n",
      table.length));
  print(fmt::format("start's transient: up to {:g} s ({})\n", table.plan.from, table.plan.why_from));
  for (std::size_t i = 0; i < table.intervals.size(); ++i) print_interval(table, i);
  bool vague = false;
  for (const io::ComponentErrors& c : table.components)
    for (const analyses::Errors& errors : c.errors)
      vague = vague || std::find(errors.vague.begin(), errors.vague.end(), true) != errors.vague.end();
  if (vague)
    print(
        "* does not fall with the step, at round-off or at what Newton's tolerances leave: its order means nothing. "
        "Take larger steps, or sharper tolerances.\n");
}

}  // namespace polhode::cli
