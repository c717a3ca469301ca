// SPDX-License-Identifier: BSD-3-Clause
// Gathering responses, and their values.
#include "polhode/results/responses.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/results/names.hpp"

namespace polhode::results {
namespace {

// As decks write it.
const char* to_text(Response::Kind kind) {
  switch (kind) {
    case Response::Kind::max_abs:
      return "max_abs";
    case Response::Kind::range:
      return "range";
    case Response::Kind::min:
      return "min";
    case Response::Kind::max:
      return "max";
    case Response::Kind::last:
      return "last";
    case Response::Kind::rms:
      return "rms";
    case Response::Kind::at:
      break;
  }
  return "at";
}

// Where the time stands in a row.
std::size_t time_offset(const std::vector<Channel>& channels, std::string_view path) {
  for (const Channel& channel : channels)
    if (channel.path == path) return channel.offset;
  return 0;  // a layout without this time has no rows of this sort either
}

// A single number keeps its sign.
double magnitude(std::span<const double> numbers) {
  if (numbers.size() == 1) return numbers[0];
  double sum = 0;
  for (const double number : numbers) sum += number * number;
  return std::sqrt(sum);
}

// Times that differ by rounding only.
bool same_time(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)}); }

}  // namespace

// Names are looked up once; rows are then read by place.
ResponseValues::ResponseValues(const Layout& layout, std::vector<Response> responses, model::Problems& problems)
    : state_time_(time_offset(layout.states, "/time")), step_time_(time_offset(layout.steps, "/solver/time")) {
  for (Response& response : responses) {
    Gathered gathered;
    gathered.response = std::move(response);
    const std::string problem = find(layout, gathered);
    if (!problem.empty())
      problems.push_back({"responses." + gathered.response.name, problem});
    else
      gathered_.push_back(std::move(gathered));
  }
}

std::string ResponseValues::find(const Layout& layout, Gathered& gathered) {
  if (gathered.response.expression) return find_names(layout, gathered);
  std::string problem;
  const Selection selection = select(layout, gathered.response.of, problem);
  if (!selection.channel) return problem;
  gathered.units = selection.units;
  gathered.offset = selection.offset;
  gathered.size = selection.size;
  // Rows of states and of steps are gathered apart.
  gathered.of_steps = selection.of_steps;
  return "";
}

// What unit a value has is not known.
std::string ResponseValues::find_names(const Layout& layout, Gathered& gathered) {
  const std::vector<std::string>& names = gathered.response.expression->names;
  if (names.empty()) return "the expression takes no result; name one, such as nodes.tip.position.z";
  for (const std::string& name : names) {
    std::string problem;
    const Selection selection = select(layout, name, problem);
    if (!selection.channel) return "in the expression: " + problem;
    if (selection.size != 1) {
      const bool letters = has_letters(selection.channel->path, selection.shape, selection.frame);
      return "in the expression: \"" + name + "\" is " + std::to_string(selection.size) +
             " numbers; take one, such as " + name + component_name(selection.shape, 0, letters);
    }
    if (!gathered.offsets.empty() && selection.of_steps != gathered.of_steps)
      return "the expression takes results of states and of steps, which are at other times; take those of one sort";
    gathered.of_steps = selection.of_steps;
    gathered.offsets.push_back(selection.offset);
  }
  gathered.numbers.resize(names.size());
  return "";
}

void ResponseValues::archive(math::Archive& a) {
  for (Gathered& one : gathered_)
    a(one.empty, one.first_time, one.last_time, one.last, one.min, one.max, one.square_integral, one.at);
}

// Rows arrive as they are stored, and also where a run stores fewer states than it makes.
void ResponseValues::add_state(std::span<const double> row) {
  for (Gathered& gathered : gathered_)
    if (!gathered.of_steps) add(gathered, row[state_time_], row);
}

void ResponseValues::add_step(std::span<const double> row) {
  for (Gathered& gathered : gathered_)
    if (gathered.of_steps) add(gathered, row[step_time_], row);
}

double ResponseValues::value_in(Gathered& gathered, double time, std::span<const double> row) {
  if (!gathered.response.expression) return magnitude(row.subspan(gathered.offset, gathered.size));
  for (std::size_t i = 0; i < gathered.offsets.size(); ++i) gathered.numbers[i] = row[gathered.offsets[i]];
  return gathered.response.expression->expression.value(time, gathered.numbers);
}

// Everything that any kind needs is gathered, which is cheaper than asking for the kind.
void ResponseValues::add(Gathered& gathered, double time, std::span<const double> row) {
  const double value = value_in(gathered, time, row);
  // `at` lies between two rows, or is one of them.
  const double wanted = gathered.response.time;
  if (gathered.empty) {
    gathered.first_time = time;
    gathered.min = gathered.max = value;
    // The first step has led from the start of the run to its end.
    const bool within_first_step = gathered.of_steps && wanted < time;
    if (within_first_step || same_time(time, wanted)) gathered.at = value;
  } else {
    const double step = time - gathered.last_time;
    // Trapezoidal rule: steps may have any lengths.
    gathered.square_integral += step * (gathered.last * gathered.last + value * value) / 2;
    if (!gathered.at && time >= wanted && gathered.last_time < wanted)
      gathered.at = gathered.last + (value - gathered.last) * (wanted - gathered.last_time) / step;
  }
  gathered.empty = false;
  // An expression may be none on the way: its extremes are then none, either
  gathered.min = std::isnan(value) ? value : std::min(gathered.min, value);
  gathered.max = std::isnan(value) ? value : std::max(gathered.max, value);
  gathered.last = value;
  gathered.last_time = time;
}

// For heads of tables and for the file.
std::string ResponseValues::description(std::size_t index) const {
  const Response& response = gathered_[index].response;
  return std::string(to_text(response.kind)) + " of " + response.of;
}

// A run may have stored a single state, so that there is no interval to take a mean over.
double ResponseValues::value(std::size_t index) const {
  const Gathered& gathered = gathered_[index];
  if (gathered.empty) return std::numeric_limits<double>::quiet_NaN();
  switch (gathered.response.kind) {
    case Response::Kind::max_abs:
      return std::max(std::abs(gathered.min), std::abs(gathered.max));
    case Response::Kind::range:
      return gathered.max - gathered.min;
    case Response::Kind::min:
      return gathered.min;
    case Response::Kind::max:
      return gathered.max;
    case Response::Kind::last:
      return gathered.last;
    case Response::Kind::rms: {
      const double duration = gathered.last_time - gathered.first_time;
      return duration > 0 ? std::sqrt(gathered.square_integral / duration) : std::abs(gathered.last);
    }
    case Response::Kind::at:
      break;
  }
  if (gathered.at) return *gathered.at;
  // The end of a run may miss the time by rounding.
  return same_time(gathered.last_time, gathered.response.time) ? gathered.last
                                                               : std::numeric_limits<double>::quiet_NaN();
}

bool is_in_run(double time, double end_time) {
  return (time >= 0 && time <= end_time) || same_time(time, 0) || same_time(time, end_time);
}

}  // namespace polhode::results
