// SPDX-License-Identifier: BSD-3-Clause
// What a run writes while it goes: states and steps to the results file, responses, progress on the terminal, the log.
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "invariant_summary.hpp"
#include "polhode/analyses/transient/dense_output.hpp"
#include "polhode/results/responses.hpp"
#include "polhode/results/sampler.hpp"
#include "polhode/analyses/static/static.hpp"
#include "polhode/analyses/transient/transient.hpp"
#include "polhode/integrators/grid_values.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "progress.hpp"

namespace polhode::cli {

// Messages go to standard error and into the log of the results file.
class Log {
 public:
  void say(const std::string& line);  // to both
  void note(const std::string& line) { text_ += line + "\n"; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class RunObserver final : public analyses::Observer, public analyses::StaticObserver {
 public:
  // The results file is made when the first state comes, so that a model that cannot start leaves nothing behind.
  // `headline` is said at that moment. With no name of a file, only responses are gathered.
  RunObserver(const assembly::System& system, const io::Deck& deck, std::string results, std::string headline, Log& log,
              model::Problems& problems);

  // `external_work`: so far, J.
  void begin_analysis(int index, double begin, double end, double external_work);
  void observe(const model::State& q, const integrators::Stepper& stepper, const analyses::Progress& progress,
               bool last) override;
  void observe(const model::State& q, const analyses::StaticStep& step, bool last) override;
  // The one state of an analysis that has no steps.
  void observe(const model::State& q, double external_work);
  // Numbers apart from histories; they take the place of those of the same path.
  void store(const std::vector<results::StaticData>& data);
  bool interrupted() const override;
  void warn(const std::string& message) override;

  bool has_begun() const { return begun_; }  // there is a state, and a file
  const results::ResponseValues& responses() const { return responses_; }
  const InvariantSummary& invariants() const { return invariants_; }
  double output_seconds() const { return output_seconds_; }
  double first_energy() const { return first_energy_; }
  double largest_kinetic_energy() const { return largest_kinetic_; }  // of stored states, J
  double external_work() const { return external_work_; }             // at the last static state, J
  // Stores the last good state if it is not yet there, responses, log and status.
  void finish(const model::State& q, double external_work, io::Status status);

 private:
  void begin(const model::State& q);  // the file, at the first state
  const model::State& at_grid(const model::State& q);
  void store(const model::State& q, const assembly::Residual* residual, double external_work,
             const results::StaticNumbers& statics = {}, const integrators::Invariants* invariants = nullptr);
  // The states at the times asked for, of the step that led to q. True if q itself is one of them, and stored.
  bool store_between(const integrators::Stepper& stepper, const model::State& q, const assembly::Residual* residual,
                     double external_work);

  const assembly::System& system_;
  const io::Deck& deck_;
  std::string results_;
  std::string headline_;
  Log& log_;
  results::Sampler sampler_;
  results::ResponseValues responses_;
  std::unique_ptr<io::ResultsFile> file_;
  bool begun_ = false;
  std::optional<Progress> progress_;
  std::optional<integrators::GridValues> grid_values_;  // of a method that has those of the middle of the step
  InvariantSummary invariants_;
  analyses::OutputTimes times_;
  model::State between_;
  int analysis_ = 0;
  int last_analysis_ = 0;
  long static_step_ = 0;
  std::optional<results::StaticNumbers> not_stored_;  // of the last static state, where it was not
  double last_stored_ = 0;
  double output_seconds_ = 0;
  double first_energy_ = 0;
  double largest_kinetic_ = 0;
  double work_before_ = 0;    // at the start of this analysis, or of the last step
  double energy_before_ = 0;  // at the start of this analysis
  double external_work_ = 0;  // of static states
  std::vector<double> last_row_;
};

// From now on an interrupt or a termination ends the run at the next step.
void catch_interrupts();
bool is_interrupted();
// In a process whose parent deals with them: from now on they mean nothing here, one that has come before included.
void ignore_interrupts();

}  // namespace polhode::cli
