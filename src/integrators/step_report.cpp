// SPDX-License-Identifier: BSD-3-Clause
// Words for the end of a step.
#include "polhode/integrators/step_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace polhode::integrators {

// Continues the sentence "the step ...".
std::string_view text_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::converged:
      return "converged";
    case Outcome::round_off:
      return "stopped at round-off";
    case Outcome::not_converged:
      return "did not converge";
    case Outcome::diverged:
      return "diverged";
    case Outcome::singular:
      return "met a singular iteration matrix";
    case Outcome::mirrored:
      return "went to the mirror image of a joint";
    case Outcome::past_bound:
      return "turned an element past the bound of its rotation";
    case Outcome::inaccurate:
      return "missed the tolerance of its local error";
    case Outcome::turned_too_far:
      return "turned a body further than `variational` can in a step (h |Omega| < 1)";
    case Outcome::not_finite:
      return "led to numbers that are not finite";
    case Outcome::unbounded:
      return "led to energy that nothing gave";
    case Outcome::interrupted:
      return "was interrupted";
  }
  return "";
}

// Rows of joints hold there, but no motion leads to it: the iteration has gone through a singular position.
void refuse_mirrored(const assembly::System& system, const model::State& next, StepReport& report) {
  const int entry = system.mirrored_entry(next);
  if (entry < 0) return;
  report.outcome = Outcome::mirrored;
  report.worst.push_back(system.model().entries[static_cast<std::size_t>(entry)].path() +
                         "  (an axis is turned end over end)");
}

// Forces jump there, and angles and rates behind it are those of another motion.
void refuse_past_bound(const assembly::System& system, const model::State& old, const model::State& next,
                       StepReport& report) {
  const assembly::System::PastBound past = system.past_bound(old, next);
  if (!past.found()) return;
  report.outcome = Outcome::past_bound;
  report.worst.push_back(past.element + "  (its nodes are " + past.turn_text() + ")");
}

// Of the last increments: about 2 for full Newton, 1 for a reused Jacobian.
void set_convergence(const std::vector<Iteration>& iterations, StepReport& report) {
  report.contraction = report.order = std::numeric_limits<double>::quiet_NaN();
  if (iterations.size() < 2) return;
  const Iteration* last = &iterations.back();
  report.contraction = last[0].increment / last[-1].increment;
  if (iterations.size() < 3) return;
  report.order = std::log(report.contraction) / std::log(last[-1].increment / last[-2].increment);
}

void name_worst_rows(const assembly::System& system, const assembly::Residual& residual,
                     const model::DroppedConstraints& dropped, StepReport& report) {
  model::VectorX all(system.size());
  system.gather(residual, dropped, 1, all);
  // Forces and constraints have different units: each is measured against its own norm.
  const int k = system.free_unknowns();
  model::VectorX relative = all.cwiseAbs();
  if (k > 0) relative.head(k) /= std::max(report.residual, 1e-300);
  if (system.rows() > 0) relative.tail(system.rows()) /= std::max(report.constraint_residual, 1e-300);
  std::vector<int> order(static_cast<std::size_t>(all.size()));
  std::iota(order.begin(), order.end(), 0);
  const auto worse = [&](int a, int b) {
    return relative[a] > relative[b] || (std::isnan(relative[a]) && !std::isnan(relative[b]));
  };
  const std::size_t count = std::min<std::size_t>(5, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(), worse);
  for (std::size_t i = 0; i < count; ++i) {
    report.worst.push_back(fmt::format("{}  {:.3g}", system.name_of(order[i]), all[order[i]]));
  }
}

namespace {

// Its motion; accelerations and multipliers may follow from the force in question.
bool is_finite(const model::State& q) {
  const auto all_finite = [](const auto& of_nodes) {
    return std::all_of(of_nodes.begin(), of_nodes.end(), [](const auto& v) { return v.allFinite(); });
  };
  const bool turned = std::all_of(q.quat.begin(), q.quat.end(), [](const auto& r) { return r.coeffs().allFinite(); });
  return turned && all_finite(q.x) && all_finite(q.v) && q.history.allFinite();
}

}  // namespace

// Of a state that is not finite nothing can be said: all that looks at it has no value. Constraint equations of drives
// are not looked at, which the network of signals names.
void find_without_value(const assembly::System& system, const model::State& failed, StepReport& report) {
  // A residual of 0 is none: methods of stages know no residual
  const bool has_residual = report.residual > 0 && std::isfinite(report.residual) && report.said.empty();
  const bool all_have_values = report.outcome == Outcome::inaccurate
                                   ? std::isfinite(report.error)
                                   : has_residual && report.outcome != Outcome::singular;
  if (all_have_values || report.without_value >= 0 || !is_finite(failed)) return;
  model::State q = failed;
  for (model::Vec6& vdot : q.vdot)
    if (!vdot.allFinite()) vdot.setZero();
  if (!q.lambda.allFinite()) q.lambda.setZero();
  const model::Context c = system.context(q);
  std::vector<model::Vec6> force(q.x.size(), model::Vec6::Zero());
  for (const auto& batch : system.batches())
    for (std::size_t e = 0; e < batch->size(); ++e) {
      batch->add_residual_of({&e, 1}, q, c, force);
      // Those of its nodes alone: what others gave before has been cleared
      bool has_value = true;
      for (const int node : batch->nodes_of(e)) {
        model::Vec6& of_node = force[static_cast<std::size_t>(node)];
        has_value = has_value && of_node.allFinite();
        of_node.setZero();
      }
      if (!has_value) {
        report.without_value = batch->entry_of(e);
        return;
      }
    }
}

// In descending order, each with its size.
std::vector<std::string> names_of_largest(const assembly::System& system, std::vector<std::pair<double, int>>& sizes,
                                          std::size_t count) {
  const std::size_t first = std::min(sizes.size(), count);
  std::partial_sort(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(first), sizes.end(), std::greater<>());
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < first; ++i)
    rows.push_back(system.name_of(sizes[i].second) + fmt::format("  {:.3g}", sizes[i].first));
  return rows;
}

std::vector<std::string> names_of_largest(const assembly::System& system, std::span<const model::Vec6> errors,
                                          std::size_t count) {
  std::vector<std::pair<double, int>> sizes;
  for (std::size_t i = 1; i < errors.size(); ++i)
    for (int k = 0; k < 6; ++k)
      if (const model::NodeUnknowns& u = system.unknowns()[i]; u.local[k] >= 0)
        sizes.push_back({std::abs(errors[i][k]) / (k < 3 ? system.length() : 1), u.first + u.local[k]});
  return names_of_largest(system, sizes, count);
}

}  // namespace polhode::integrators
