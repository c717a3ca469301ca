// SPDX-License-Identifier: BSD-3-Clause
// Observed orders in HDF5.
#include "polhode/io/hdf5/convergence_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "io/hdf5/table_writer.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results.hpp"

namespace polhode::io {
namespace {

// Everything that the table on the terminal shows, and the errors over time.
void write(hdf5::TableWriter& out, const ConvergenceTable& table) {
  const std::size_t steps = table.plan.steps.size();
  const std::size_t times = table.time.size();
  out.head("polhode-convergence/1", table.title);
  const bool failed = std::any_of(table.runs.begin(), table.runs.end(),
                                  [](const analyses::StepRun& run) { return !run.problem.empty(); });
  out.attribute("status", failed ? "failed" : "completed");
  out.attribute("method", table.method);
  out.attribute("reference", table.reference);
  out.text("/deck", table.deck_text, "the deck as read, after --set");
  out.numbers("/steps", table.plan.steps, {steps}, "s", "step sizes");
  out.numbers("/time", table.time, {times}, "s", "times that were compared");
  out.numbers("/size", {table.length}, {}, "m", "size of the model");
  std::vector<std::string> status;
  std::vector<double> solves;
  std::vector<double> cpu;
  for (std::size_t i = 0; i < steps; ++i) {
    const analyses::StepRun& run = table.runs[i];
    status.push_back(run.problem.empty() ? "completed" : run.problem);
    solves.push_back(static_cast<double>(run.progress.iterations));
    cpu.push_back(run.cpu);
  }
  out.texts("/status", status, "how the run of each step ended");
  out.numbers("/newton_iterations", solves, {steps}, "1", "linear solves of each run");
  out.numbers("/cpu_time", cpu, {steps}, "s", "processor time of each run, without files");
  for (const analyses::Interval& interval : table.intervals)
    out.numbers("/intervals/" + interval.name, {interval.begin, interval.end}, {2}, "s",
                interval.name == "whole" ? "begin and end" : "begin and end; parted at " + table.plan.why_from);
  for (const ComponentErrors& c : table.components) {
    const std::string& name = c.component.name;
    const std::string& units = c.component.units;
    for (std::size_t i = 0; i < table.intervals.size(); ++i) {
      const std::string& interval = table.intervals[i].name;
      out.numbers("/errors/" + name + "/" + interval, c.errors[i].errors, {steps}, units,
                  c.component.description +
                      ": largest error over the times of the interval, of the root mean square "
                      "over nodes or joints");
      out.numbers("/orders/" + name + "/" + interval, c.errors[i].orders, {steps}, "1",
                  "observed order from the step before to this one");
      out.numbers("/order/" + name + "/" + interval, {c.errors[i].order}, {}, "1",
                  "observed order: slope of the least-squares line through the logarithms of all errors");
    }
    out.numbers("/sizes/" + name, {c.size}, {}, units, "largest size of the reference, in the same norm");
    std::vector<double> all;
    for (const std::vector<double>& distances : c.distances) {
      all.insert(all.end(), distances.begin(), distances.end());
      // A run that failed has fewer times; what is missing is NaN.
      all.resize(all.size() + times - distances.size(), std::numeric_limits<double>::quiet_NaN());
    }
    out.numbers("/distances/" + name, all, {steps, times}, units, c.component.description + ": error over time");
  }
}

// The first five names, for messages.
std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 5; ++i) text += (i ? ", " : "") + names[i];
  return names.size() > 5 ? text + ", ..." : text;
}

// Where the results hold a quantity; multipliers stand with their joints.
const char* path_of(analyses::Quantity quantity) {
  using analyses::Quantity;
  switch (quantity) {
    case Quantity::position:
      return "/nodes/position";
    case Quantity::rotation:
      return "/nodes/rotation";
    case Quantity::velocity:
      return "/nodes/velocity";
    case Quantity::angular_velocity:
      return "/nodes/angular_velocity";
    case Quantity::acceleration:
      return "/nodes/acceleration";
    case Quantity::angular_acceleration:
      return "/nodes/angular_acceleration";
    case Quantity::multipliers:
      break;
  }
  return "";
}

// Rows of the results at the points of the plan; the plan loses the points that are not there.
std::vector<std::size_t> find_rows(const ResultsReader& results, analyses::ConvergencePlan& plan) {
  const std::vector<double> time = results.numbers("/time");
  std::vector<std::size_t> rows;
  std::vector<long> kept;
  std::size_t row = 0;
  // Times of another program may differ by round-off.
  const double slack = 1e-9 * plan.duration;
  for (const long point : plan.kept) {
    const double t = plan.time(point);
    while (row < time.size() && !(time[row] >= t - slack)) ++row;
    if (row == time.size() || time[row] > t + slack) continue;
    rows.push_back(row);
    kept.push_back(point);
  }
  if (kept.size() < 2) {
    throw FileError(fmt::format(
        "{}: holds less than two of the times that the steps share, 0, {:.6g}, ... {:.6g} s; store more of them "
        "(output.every), or take other steps",
        results.file(), plan.time(1), plan.duration));
  }
  plan.kept = std::move(kept);
  return rows;
}

// The results must be of a model with the same nodes; else their numbers would be compared with others' ones.
void check_nodes(const ResultsReader& results, const analyses::Component& component,
                 const std::vector<std::string>& names, std::vector<std::size_t>& columns) {
  std::vector<std::string> missing;
  for (const analyses::Component::Item& item : component.items) {
    const auto found = std::find(names.begin(), names.end(), item.name);
    if (found == names.end()) missing.push_back(item.name);
    columns.push_back(static_cast<std::size_t>(found - names.begin()));
  }
  if (!missing.empty())
    throw FileError(results.file() + ": is of another model, without the nodes " + list(missing) +
                    "; a reference needs the nodes of the deck");
}

// The numbers of a history are copied row by row: each row must have its form, and rows be as many as times.
void check_form(const ResultsReader& results, const std::string& path, const std::vector<std::size_t>& row,
                std::size_t rows) {
  const Dataset& dataset = results.dataset(path);
  const bool good = dataset.number && dataset.shape.size() == row.size() + 1 && dataset.shape[0] >= rows &&
                    std::equal(row.begin(), row.end(), dataset.shape.begin() + 1);
  if (!good)
    throw FileError(
        fmt::format("{}: {:?} has the shape [{}], where {} rows of [{}] numbers are expected; the file is "
                    "damaged, or was not written by polhode",
                    results.file(), path, fmt::join(dataset.shape, ", "), rows, fmt::join(row, ", ")));
}

}  // namespace

void write_convergence(const std::string& file, const ConvergenceTable& table) {
  hdf5::write_whole(file, [&](hdf5::TableWriter& out) { write(out, table); });
}

// Components that the results do not hold are dropped, since a run may have stored some fields only.
analyses::Trajectory read_trajectory(const ResultsReader& results, std::vector<analyses::Component>& components,
                                     analyses::ConvergencePlan& plan) {
  const std::string format = results.attribute("format");
  if (format != results_format && format != first_results_format)
    throw FileError(results.file() + ": holds no results of a run; a reference is a file of polhode run");
  std::erase_if(components, [&](const analyses::Component& component) {
    if (component.quantity != analyses::Quantity::multipliers) return !results.has(path_of(component.quantity));
    return std::none_of(results.datasets().begin(), results.datasets().end(),
                        [](const Dataset& dataset) { return dataset.path.ends_with("/multipliers"); });
  });
  const std::vector<std::string> names = results.texts("/nodes/names");
  const std::vector<std::size_t> rows = find_rows(results, plan);
  analyses::Trajectory trajectory;
  for (const long point : plan.kept) trajectory.time.push_back(plan.time(point));
  for (const analyses::Component& component : components) {
    std::vector<double>& numbers = trajectory.rows.emplace_back(rows.size() * component.size);
    // Multipliers stand with their joints, all other quantities with the nodes.
    if (component.quantity == analyses::Quantity::multipliers) {
      std::size_t column = 0;
      for (std::size_t k = 0; k < component.items.size(); ++k) {
        const auto& item = component.items[k];
        const std::string path = "/joints/" + item.name + "/multipliers";
        const auto width = static_cast<std::size_t>(component.widths[k]);
        const auto offset = static_cast<std::size_t>(item.offset);
        const bool known = results.has(path) && results.dataset(path).shape.size() == 2;
        if (!known || results.dataset(path).shape[1] < offset + width)
          throw FileError(results.file() + ": holds no " + path +
                          " as the deck has them; a reference needs its joints");
        const std::size_t stride = results.dataset(path).shape[1];
        check_form(results, path, {stride}, rows.back() + 1);
        const std::vector<double> all = results.numbers(path);
        for (std::size_t i = 0; i < rows.size(); ++i)
          std::copy_n(all.data() + rows[i] * stride + offset, width, numbers.data() + i * component.size + column);
        column += width;
      }
      continue;
    }
    std::vector<std::size_t> columns;
    check_nodes(results, component, names, columns);
    const auto width = static_cast<std::size_t>(component.widths.front());
    check_form(results, path_of(component.quantity), {names.size(), width}, rows.back() + 1);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      // One row at a time: a reference may be far larger than what is compared.
      const std::vector<double> row = results.numbers(path_of(component.quantity), rows[i], 1);
      for (std::size_t k = 0; k < columns.size(); ++k)
        std::copy_n(row.data() + columns[k] * width, width, numbers.data() + i * component.size + k * width);
    }
  }
  return trajectory;
}

}  // namespace polhode::io
