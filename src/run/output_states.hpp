// SPDX-License-Identifier: BSD-3-Clause
// Which states of a transient are stored: each n-th one, or those at the times of the deck, between the steps.
#pragma once
#include <functional>
#include <optional>

#include "polhode/analyses/transient/dense_output.hpp"
#include "polhode/analyses/transient/transient.hpp"
#include "polhode/integrators/structure/consistent_accelerations.hpp"
#include "polhode/results/output_times.hpp"
#include "recorder.hpp"

namespace polhode::run {

class OutputStates {
 public:
  // `interrupted`, if there is one, is asked between two states of a step; it must outlive this.
  OutputStates(const assembly::System& system, const results::OutputSettings& settings, Recorder& recorder,
               const std::function<bool()>& interrupted)
      : system_(system), settings_(settings), recorder_(recorder), interrupted_(interrupted), times_(settings) {}

  // `external_work`: J, at the state where the analysis begins.
  void begin_analysis(double external_work);
  // Stores what is due of the step that led to `q`, or the first state of an analysis (progress.step = 0).
  void add(const model::State& q, const integrators::StepRecord& step, const analyses::Progress& progress, bool last);
  // States of a step are missing, since an interrupt came.
  bool is_cut() const { return is_cut_; }
  // A state apart from steps.
  void store(const model::State& q, const StateNumbers& numbers) { recorder_.add_state(at_its_time(q), numbers); }
  // Factorizations are dropped where it writes, too.
  void archive(math::Archive& a) {
    accelerations_.reset();
    a(times_, work_before_);
  }

 private:
  // With accelerations and multipliers at the time of `q`.
  const model::State& at_its_time(const model::State& q);
  // The states at the times of the deck within the last step. True if `q` itself is one of them, and stored.
  bool store_between(const model::State& q, const integrators::StepRecord& step, const StateNumbers& numbers);
  double work_between(const integrators::StepRecord& step, const model::State& before, const model::State& q, double t,
                      double external_work) const;

  const assembly::System& system_;
  const results::OutputSettings& settings_;
  Recorder& recorder_;
  const std::function<bool()>& interrupted_;
  bool is_cut_ = false;
  results::OutputTimes times_;
  // Of methods whose values are those of the middle of a step
  std::optional<integrators::ConsistentAccelerations> accelerations_;
  model::State between_;
  // J, at the start of this analysis, or of the last step
  double work_before_ = 0;
};

}  // namespace polhode::run
