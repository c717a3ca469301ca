// SPDX-License-Identifier: BSD-3-Clause
// The linearization of a run: its sizes, and its matrices in the results.
#include "analyses/linearize/analysis.hpp"

#include <fmt/format.h>

#include "polhode/analyses/linearize/linear_model.hpp"
#include "polhode/analyses/linearize/prepared_loops.hpp"
#include "polhode/model/text.hpp"

namespace polhode::analyses {

namespace {

class LinearizeAnalysis final : public AnalysisTypeOf<LinearizeSettings> {
 public:
  using AnalysisTypeOf::AnalysisTypeOf;
  AnalysisResult run(const LinearizeSettings& settings, AnalysisContext& context) const override;
  void check(const LinearizeSettings& settings, const CheckContext& context) const override {
    check_linearize(context.system, settings, context.path, context.problems);
    check_open(context.system, settings.open, context.path, context.problems);
  }
  std::string describe(const LinearizeSettings& settings) const override;
};

// The state is observed as it came: linearizing changes a copy.
AnalysisResult LinearizeAnalysis::run(const LinearizeSettings& settings, AnalysisContext& context) const {
  AnalysisResult result;
  std::optional<PreparedLoops> loops;
  if (PreparedLoops::are_needed(context.system, settings.open))
    loops.emplace(context.system, settings.open, settings.pade, context.q, context.path, context.problems);
  if (loops && !loops->system) {
    result.end = End::invalid;
    return result;
  }
  auto made = make_linear_model(loops ? *loops->system : context.system, settings, loops ? loops->q : context.q,
                                context.path, context.problems, [&context] { return context.observer.interrupted(); });
  if (!made && !context.problems.empty()) {
    result.end = End::invalid;
    return result;
  }
  context.observer.observe(context.q, context.external_work);
  if (!made) {
    result.end = End::interrupted;
    result.summary.emplace_back("interrupted in `linearize`: no matrices were stored");
    return result;
  }
  if (!made->note.empty()) context.observer.warn(made->note);
  const std::string group = "/linear/analysis_" + std::to_string(context.index);
  context.observer.store(linear_data(*made, group));
  result.summary.push_back(
      fmt::format("linearize: {} unknowns, {} constraint rows, {} states, {} inputs, {} outputs, in {} of the results",
                  context.system.free_unknowns(), context.system.rows(), made->a.rows(), made->inputs.size(),
                  made->outputs.size(), group));
  if (settings.modes && !made->outputs.empty())
    result.summary.emplace_back(
        "linearize: with `modes`, reactions, section forces and accelerations among the outputs lack "
        "what the other modes carry, at rest too; they are right without `modes`");
  made->linear.system = nullptr;  // the result outlives the system
  result.data = std::move(*made);
  return result;
}

std::string LinearizeAnalysis::describe(const LinearizeSettings& settings) const {
  return fmt::format("{}, {}{}", model::counted(static_cast<long>(settings.inputs.size()), "input"),
                     model::counted(static_cast<long>(settings.outputs.size()), "output"),
                     settings.rotation ? ", in a rotating frame" : "");
}

}  // namespace

const AnalysisTypeOf<LinearizeSettings>& linearize_analysis() {
  static const LinearizeAnalysis type(linearize_table);
  return type;
}

}  // namespace polhode::analyses
