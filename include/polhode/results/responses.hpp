// SPDX-License-Identifier: BSD-3-Clause
// The responses of a run: single numbers gathered from its histories row by row, without keeping them.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "polhode/math/archive.hpp"
#include "polhode/model/problem.hpp"
#include "polhode/results/channel.hpp"
#include "polhode/results/settings.hpp"

namespace polhode::results {

// The value of a response at a time is its number or, of more than one component, their Euclidean norm; of an expression
// the value of that. Then
//   max_abs, min, max, last: as named; range: max - min
//   rms:  the root of the mean of the squares over time, (1/T int f^2 dt)^1/2, by the trapezoidal rule
//   at:   linear between the two states around the time; a result of steps has before the end of the first step the
//         value of this step. Not a number outside of the run, see is_in_run
class ResponseValues {
 public:
  // Finds the channels of the responses. Problems carry the path "responses.<name>"; a response with a problem gives no
  // value. `layout` may go out of scope.
  ResponseValues(const Layout& layout, std::vector<Response> responses, model::Problems& problems);

  // A row of Layout::states; allocates nothing.
  void add_state(std::span<const double> row);
  // A row of Layout::steps; allocates nothing.
  void add_step(std::span<const double> row);

  // Responses without problems, in the order of the deck; `index` counts them from 0.
  std::size_t size() const { return gathered_.size(); }
  const std::string& name(std::size_t index) const { return gathered_[index].response.name; }
  const std::string& units(std::size_t index) const { return gathered_[index].units; }
  // "max_abs of joints.motor.force"
  std::string description(std::size_t index) const;
  // So far; not a number before the first row.
  double value(std::size_t index) const;
  // What has been gathered.
  void archive(math::Archive& a);

 private:
  // What is known of one response after some rows.
  struct Gathered {
    Response response;
    std::string units;
    // In a row; of an expression those of its names, and their numbers.
    std::size_t offset = 0;
    std::size_t size = 0;
    std::vector<std::size_t> offsets;
    std::vector<double> numbers;
    bool of_steps = false;
    bool empty = true;
    double first_time = 0;
    double last_time = 0;
    double last = 0;
    double min = 0;
    double max = 0;
    // Over time, by the trapezoidal rule.
    double square_integral = 0;
    // Of Response::Kind::at, once its time has come.
    std::optional<double> at;
  };
  // Sets the places of a response. What is wrong with it, or "".
  static std::string find(const Layout& layout, Gathered& gathered);
  static std::string find_names(const Layout& layout, Gathered& gathered);
  static double value_in(Gathered& gathered, double time, std::span<const double> row);
  static void add(Gathered& gathered, double time, std::span<const double> row);

  std::vector<Gathered> gathered_;
  // Where the time stands in a row.
  std::size_t state_time_ = 0;
  std::size_t step_time_ = 0;
};

// True for times up to the end of a run, both s, and for those that miss its begin or its end by rounding.
bool is_in_run(double time, double end_time);

}  // namespace polhode::results
