// SPDX-License-Identifier: BSD-3-Clause
// What a run does with the states and steps of its analyses: hands them on to the results, to messages and to progress.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "output_states.hpp"
#include "polhode/run/run.hpp"
#include "recorder.hpp"
#include "static_work.hpp"

namespace polhode::run {

class RunObserver final : public analyses::AnalysisObserver {
 public:
  // Those of `settings` that count are the headline, a message at the first state, and whether results must fit on
  // the disk. `callbacks` and `messages` must outlive the observer.
  RunObserver(const assembly::System& system, const io::Deck& deck, Recorder& recorder, const RunCallbacks& callbacks,
              Messages& messages, const RunSettings& settings);

  // `end`: simulated time at its end, s. `external_work`: so far, J.
  void begin_analysis(int index, double begin, double end, double external_work);
  void observe(const model::State& q, const integrators::StepRecord& record, const analyses::Progress& progress,
               bool last) override;
  void observe(const model::State& q, const analyses::StaticStep& step, bool last) override;
  void observe(const model::State& q, double external_work) override;
  void store(const std::vector<results::StaticData>& data) override;
  bool has_begun() const override { return begun_; }
  double external_work() const override { return static_work_.external_work(); }
  bool interrupted() const override { return callbacks_.interrupted && callbacks_.interrupted(); }
  void warn(const std::string& message) override;
  analyses::RestartPoints* restart_points() override { return restart_points_; }
  void set_restart_points(analyses::RestartPoints* points) { restart_points_ = points; }
  // The results file is made with what `source` holds up to the point.
  void take_over(const io::RestartSource& source, const io::RestartHead& point);
  // Where it reads: warnings that are new are said.
  void archive(math::Archive& a);

  const std::vector<std::string>& warnings() const { return warnings_; }
  double first_energy() const { return first_energy_; }      // J, total at the first state
  double output_seconds() const { return output_seconds_; }  // of the clock
  // An interrupt came while states between two steps were stored; those that follow are missing.
  bool is_cut() const { return output_.is_cut(); }
  // Stores the last state `q` where that has not been done.
  void finish(const model::State& q, double external_work);

 private:
  // At the first state of the run
  void begin(const model::State& q);
  void announce();
  void report_steps(const integrators::StepRecord& record, const analyses::Progress& progress);

  const assembly::System& system_;
  const results::OutputSettings& settings_;
  const model::Units& units_;
  Recorder& recorder_;
  const RunCallbacks& callbacks_;
  Messages& messages_;
  std::string headline_;
  bool must_fit_;
  bool begun_ = false;
  OutputStates output_;
  StaticWork static_work_;
  RunProgress progress_;
  // Of the last static state, where it was not
  std::optional<results::StaticNumbers> not_stored_;
  double first_energy_ = 0;
  double output_seconds_ = 0;
  std::vector<std::string> warnings_;
  analyses::RestartPoints* restart_points_ = nullptr;
  // Data apart from histories that have been stored, without their numbers and names
  std::vector<results::StaticData> stored_;
};

}  // namespace polhode::run
