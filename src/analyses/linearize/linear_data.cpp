// SPDX-License-Identifier: BSD-3-Clause
// The linear model as data of the results.
#include <array>

#include "polhode/analyses/linearize/linear_model.hpp"

namespace polhode::analyses {

using assembly::SparseMatrix;
using math::MatrixX;

namespace {

// Rows [first, first + rows) and the columns of the free unknowns, times `factor`, in compressed rows; zeros and
// dropped rows are not stored.
// Matrices of the model are kept by columns; two walks count and fill the rows.
// Rows of constraint equations that are dropped stay empty, so that numbers of rows are those of the names.
void add_rows(const SparseMatrix& X, int first, int rows, int columns, double factor, const std::vector<int>& dropped,
              const std::string& path, const std::string& what, const std::string& units,
              std::vector<results::StaticData>& data) {
  std::vector<char> skipped(static_cast<std::size_t>(X.size), 0);
  for (const int row : dropped) skipped[static_cast<std::size_t>(columns + row)] = 1;
  const auto visit = [&](auto&& entry) {
    for (int column = 0; column < columns; ++column)
      for (int p = X.column_start[column]; p < X.column_start[column + 1]; ++p)
        if (const int row = X.row[p]; row >= first && row < first + rows && X.at(p) != 0 && !skipped[row])
          entry(static_cast<std::size_t>(row - first), column, factor * X.at(p));
  };
  std::vector<int> start(static_cast<std::size_t>(rows) + 1, 0);
  visit([&](std::size_t row, int, double) { ++start[row + 1]; });
  for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
  std::vector<int> indices(static_cast<std::size_t>(start.back()));
  std::vector<int> next = start;
  std::vector<double> values(indices.size());
  visit([&](std::size_t row, int column, double value) {
    const auto at = static_cast<std::size_t>(next[row]++);
    indices[at] = column;
    values[at] = value;
  });
  const auto count = static_cast<int>(values.size());
  data.push_back({path + "/data", what + ": values by rows", {}, {}, std::move(values), {count}, units});
  data.push_back({path + "/indices", "columns of the values", {}, std::move(indices), {}, {count}, "1", true});
  data.push_back(
      {path + "/indptr", "first value of each row, and their number", {}, std::move(start), {}, {rows + 1}, "1"});
  data.push_back({path + "/shape", "rows and columns", {}, {rows, columns}, {}, {2}, "1"});
}

// By rows, as readers of HDF5 expect; nothing where the matrix is empty.
void add_dense(const MatrixX& X, const std::string& path, const std::string& what, const std::string& units,
               std::vector<results::StaticData>& data) {
  if (X.size() == 0) return;
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> by_rows = X;
  data.push_back({path,
                  what,
                  {},
                  {},
                  {by_rows.data(), by_rows.data() + by_rows.size()},
                  {static_cast<int>(X.rows()), static_cast<int>(X.cols())},
                  units});
}

// HDF5 has no empty lists of texts.
void add_names(std::vector<std::string> names, const std::string& path, const std::string& what,
               std::vector<results::StaticData>& data) {
  if (names.empty()) return;
  const auto count = static_cast<int>(names.size());
  data.push_back({path, what, std::move(names), {}, {}, {count}, "1"});
}

}  // namespace

// Matrices are scaled back: those of the model are in units of the deck.
std::vector<results::StaticData> linear_data(const LinearModel& made, const std::string& group) {
  const assembly::System& system = *made.linear.system;
  const int k = system.free_unknowns();
  // B was never scaled.
  const double factor = 1 / made.linear.scale;
  std::vector<results::StaticData> data;
  const auto sparse = [&](const char* name, const SparseMatrix& X, const char* what, const char* units) {
    add_rows(X, 0, k, k, factor, {}, group + name, what, units, data);
  };
  sparse("/M", made.linear.m, "mass", "kg, kg m, kg m^2");
  sparse("/C", made.linear.c, "damping and gyroscopic terms", "N s/m, N s, N m s");
  sparse("/K", made.linear.k, "stiffness: elastic, of the forces present, circulatory", "N/m, N, N m");
  add_rows(made.linear.k, k, system.rows(), k, 1, made.linear.q.dropped.rows, group + "/B",
           "constraint gradient; rows that follow from others are empty", "1, m, 1/m", data);
  add_dense(made.f, group + "/F", "forces on the unknowns, a unit of each input", "N, N m, by the units of the inputs",
            data);
  add_dense(made.z, group + "/Z", "y = Z z: the unknowns by the first half of the states", "m, rad", data);
  add_dense(made.a, group + "/state_space/A", "x' = A x + B u, x = [z; z'; states of signals]", "1/s, 1/s^2", data);
  add_dense(made.b, group + "/state_space/B", "x' = A x + B u", "by the units of the inputs", data);
  add_dense(made.c, group + "/state_space/C", "outputs less their values at the equilibrium = C x + D u",
            "by the units of the outputs", data);
  add_dense(made.d, group + "/state_space/D", "outputs less their values at the equilibrium = C x + D u",
            "by the units of outputs and inputs", data);
  static constexpr std::array components{"x", "y", "z", "rx", "ry", "rz"};
  std::vector<std::string> unknowns(static_cast<std::size_t>(k));
  std::vector<std::string> rows;
  std::vector<std::string> inputs;
  std::vector<std::string> input_units;
  std::vector<std::string> outputs;
  std::vector<std::string> output_units;
  for (std::size_t i = 1; i < system.nodes(); ++i)
    for (std::size_t j = 0; j < 6; ++j)
      if (const model::NodeUnknowns& at = system.unknowns()[i]; at.local[j] >= 0)
        unknowns[static_cast<std::size_t>(at.first + at.local[j])] = system.node(i).label() + ": " + components[j];
  for (int i = 0; i < system.rows(); ++i) rows.push_back(system.name_of(k + i));
  for (const LinearInput& input : made.inputs) {
    inputs.push_back(input.name);
    input_units.push_back(input.units);
  }
  // What outputs are at the equilibrium: y = values + C x + D u.
  results::StaticData values{group + "/output_values", "of the outputs, at the equilibrium", {}, {}, {}, {},
                             "of each output"};
  for (const LinearOutput& output : made.outputs) {
    outputs.push_back(output.name);
    output_units.push_back(output.units);
    values.numbers.push_back(output.value);
  }
  add_names(std::move(unknowns), group + "/unknowns", "names of the unknowns y: rows and columns of M, C, K", data);
  add_names(std::move(rows), group + "/rows", "names of the rows of B", data);
  std::vector<std::string> states;
  for (int i = 0; i < system.signals().states(); ++i)
    states.push_back(system.model().entries[static_cast<std::size_t>(system.signals().entry_of_state(i))].path());
  add_names(std::move(states), group + "/state_space/signals", "the signal of each state behind [z; z']", data);
  add_names(std::move(inputs), group + "/inputs", "names of the inputs", data);
  add_names(std::move(input_units), group + "/input_units", "units of the inputs", data);
  add_names(std::move(outputs), group + "/outputs", "names of the outputs", data);
  add_names(std::move(output_units), group + "/output_units", "units of the outputs", data);
  if (!values.numbers.empty()) data.push_back(std::move(values));
  return data;
}

}  // namespace polhode::analyses
