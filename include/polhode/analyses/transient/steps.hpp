// SPDX-License-Identifier: BSD-3-Clause
// A transient analysis in steps, for who looks at the state between them, or changes external signals there:
//
//   analyses::TransientSteps steps = analyses::begin_transient(settings, context);
//   if (steps.start())
//     while (steps.step()) look_at(context.q);
//   const analyses::AnalysisResult result = analyses::end_transient(settings, context, steps.finish());
#pragma once
#include <memory>

#include "polhode/analyses/analysis.hpp"

namespace polhode::analyses {

class TransientSteps {
 public:
  // From `q`, which is the state that was reached. Keeps references to all.
  TransientSteps(const assembly::System& system, const TransientSettings& settings, State& q, double external_work,
                 Observer& observer, model::Problems& problems);
  TransientSteps(TransientSteps&& other) noexcept;
  ~TransientSteps();

  // From consistent accelerations (problems, if any, in `problems`: End::invalid). False if the analysis ends here;
  // no other function but finish() is to be called then.
  bool start();
  // The next step. False, and no state is observed, if the analysis has ended.
  bool step();
  // External signals of `q` have been changed since the last step, or since the start.
  void note_inputs();
  // What came of the analysis, once it has ended.
  TransientResult finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The steps of an analysis of a run, from the state of the context.
TransientSteps begin_transient(const TransientSettings& settings, AnalysisContext& context);
// What such an analysis returns to the run, in its words.
AnalysisResult end_transient(const TransientSettings& settings, AnalysisContext& context, const TransientResult& done);

}  // namespace polhode::analyses
