// SPDX-License-Identifier: BSD-3-Clause
// The linearization of a run: its sizes, and its matrices in the results.
#include "polhode/analyses/analysis.hpp"

#include <fmt/format.h>

#include "polhode/analyses/linearize/linear_model.hpp"

namespace polhode::analyses {

AnalysisResult run_analysis(const LinearizeSettings& settings, AnalysisContext& context) {
  AnalysisResult result;
  auto made = make_linear_model(context.system, settings, context.q, context.path, context.problems);
  if (!made) {
    result.end = End::invalid;
    return result;
  }
  context.observer.observe(context.q, context.external_work);
  if (!made->note.empty()) context.observer.warn(made->note);
  const std::string group = "/linear/analysis_" + std::to_string(context.index);
  context.observer.store(linear_data(*made, group));
  result.summary.push_back(fmt::format(
      "linearize: {} unknowns, {} constraint rows, {} states, {} inputs, {} outputs, in {} of the results",
      context.system.free_unknowns(), context.system.rows(), made->a.rows(), made->inputs.size(),
      made->outputs.size(), group));
  made->linear.system = nullptr;  // the result outlives the system
  result.data = std::move(*made);
  return result;
}

}  // namespace polhode::analyses
