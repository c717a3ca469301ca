// SPDX-License-Identifier: BSD-3-Clause
// Where an expression switches: between two times whose states differ, halving leads to neighboring numbers.
//
// Switches of what is linear in t are found for certain: the root is known and looked at. All else is looked at on a
// grid that is refined wherever value, slope and curvature at both ends leave room for a switch there and back in
// between.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "expression_program.hpp"
#include "jet.hpp"

namespace polhode::model {
namespace {

using Node = ExpressionEvaluator::Node;
using Sighting = ExpressionEvaluator::Sighting;
using Trace = ExpressionEvaluator::Trace;

constexpr int grid = 512;             // intervals to begin with
constexpr double finest = 0x1p-24;    // of the whole interval: switches and returns closer than this may be missed
constexpr long most_looks = 2000000;  // evaluations; only an expression that switches everywhere needs more

bool same_state(const Sighting& a, const Sighting& b) { return a.node == b.node && a.state == b.state; }

bool same_states(const Trace& a, const Trace& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_state);
}

// Whether both give the same value: conditions may change inwardly and have the same outcome.
bool same_outcome(const Trace& a, const Trace& b) {
  const auto matters = [](const Sighting& s) { return s.node->matters; };
  auto i = a.begin();
  auto j = b.begin();
  for (;; ++i, ++j) {
    i = std::find_if(i, a.end(), matters);
    j = std::find_if(j, b.end(), matters);
    if (i == a.end() || j == b.end()) return i == a.end() && j == b.end();
    if (!same_state(*i, *j)) return false;
  }
}

// True if the quantity, in one state at both ends, keeps it in between: it is too far from a threshold for its slope
// and curvature, or it runs one way (and the ends agree that it does: no oscillation hides between them).
bool keeps_state(const Sighting& a, const Sighting& b, double h) {
  const Jet& qa = a.quantity;
  const Jet& qb = b.quantity;
  if (jet::rests(qa) && jet::rests(qb)) return true;
  if (!jet::is_finite(qa) && !jet::is_finite(qb)) return true;
  const auto reach = [h](const Jet& q) { return std::abs(q.first) * h + std::abs(q.second) * h * h / 2; };
  const double reach_a = reach(qa);
  const double reach_b = reach(qb);
  const double error = std::abs(qb.value - qa.value - h / 2 * (qa.first + qb.first));
  if (!(error <= (reach_a + reach_b) / 8)) return false;
  const bool far = std::min(a.distance, b.distance) > std::max(reach_a, reach_b);
  const bool one_way = qa.first * qb.first > 0 && std::min(std::abs(qa.first), std::abs(qb.first)) >
                                                      std::max(std::abs(qa.second), std::abs(qb.second)) * h;
  return far || one_way;
}

// Bisection on states: an interval whose ends agree, and which no switch can enter and leave, is done.
// All others are halved down to the finest length; where the ends still differ follow()
// goes on to neighboring numbers.
class Search {
 public:
  Search(std::span<const Node> program, bool scan, double length)
      : program_(program), scan_(scan), shortest_(length * finest) {}

  Trace look(double t) {
    ++looks_;
    return ExpressionEvaluator::watch(program_, t);
  }

  // Interval with its traces at both ends, so that no time is evaluated twice.
  // Recursion ends at the finest length, some 24 halvings down.
  void between(double a, const Trace& at_a, double b, const Trace& at_b) {
    const bool same = same_states(at_a, at_b);
    if (looks_ > most_looks || (same && (!scan_ || quiet(at_a, at_b, b - a)))) return;
    const double middle = std::midpoint(a, b);
    if (b - a <= shortest_ || middle == a || middle == b) {
      if (!same) follow(a, at_a, b, at_b);
      return;
    }
    const Trace at_middle = look(middle);
    between(a, at_a, middle, at_middle);
    between(middle, at_middle, b, at_b);
  }

  std::vector<double> found;

 private:
  // Pair by pair: the traces have the same nodes in the same order, as their states agree.
  static bool quiet(const Trace& at_a, const Trace& at_b, double h) {
    return std::equal(at_a.begin(), at_a.end(), at_b.begin(),
                      [h](const Sighting& a, const Sighting& b) { return keeps_state(a, b, h); });
  }

  // The changes from the state at a to that at b, one after the other; as many as there are switches at most, since
  // round-off may make a state flicker.
  void follow(double a, Trace at_a, double b, const Trace& at_b) {
    for (std::size_t i = 0; i < program_.size() && !same_states(at_a, at_b); ++i) {
      double low = a;
      double high = b;
      Trace at_low = at_a;
      Trace at_high = at_b;
      for (double middle = std::midpoint(low, high); middle != low && middle != high;
           middle = std::midpoint(low, high)) {
        Trace at_middle = look(middle);
        const bool before = same_states(at_middle, at_a);
        (before ? low : high) = middle;
        (before ? at_low : at_high) = std::move(at_middle);
      }
      if (!same_outcome(at_low, at_high)) found.push_back(high);
      a = high;
      at_a = std::move(at_high);
    }
  }

  std::span<const Node> program_;
  bool scan_;
  double shortest_;
  long looks_ = 0;
};

}  // namespace

// Known roots and the grid are ends of intervals. A root lies exactly on its switch,
// and the state there is that an instant later, so the interval before it has different ends and bisection
// closes in on the root itself.
std::vector<double> ExpressionEvaluator::breakpoints(const Expression& expression, double t0, double t1) {
  if (!(t0 < t1)) return {};
  Search search(expression.program_, expression.scan_, t1 - t0);
  Trace before = search.look(t0);
  if (before.empty()) return {};

  const auto& roots = expression.roots_;
  std::vector<double> times;
  std::copy_if(roots.begin(), roots.end(), std::back_inserter(times), [&](double t) { return t0 < t && t < t1; });
  for (int i = 1; expression.scan_ && i < grid; ++i) times.push_back(t0 + (t1 - t0) * i / grid);
  times.push_back(t1);
  std::sort(times.begin(), times.end());
  for (double previous = t0; const double t : times) {
    if (t == previous) continue;
    Trace here = search.look(t);
    search.between(previous, before, t, here);
    previous = t;
    before = std::move(here);
  }

  // Switches that coincide but for round-off are one; the known roots are exact, and kept before others.
  const double same = 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t0), std::abs(t1));
  const auto is_exact = [&](double t) { return std::binary_search(roots.begin(), roots.end(), t); };
  std::vector<double> result;
  for (const double t : search.found) {
    if (t <= t0 || t >= t1) continue;
    if (!is_exact(t)) {
      if (t - t0 <= same || t1 - t <= same || (!result.empty() && t - result.back() <= same)) continue;
    } else if (!result.empty() && t - result.back() <= same && !is_exact(result.back())) {
      result.pop_back();
    }
    if (result.empty() || result.back() < t) result.push_back(t);
  }
  return result;
}

}  // namespace polhode::model
