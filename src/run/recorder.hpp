// SPDX-License-Identifier: BSD-3-Clause
// Rows of states and steps: to the results file, to responses and to the summary of invariants.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "invariant_summary.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/restart_file.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/results/responses.hpp"
#include "polhode/results/sampler.hpp"
#include "polhode/run/result.hpp"

namespace polhode::run {

// What belongs to a state beside itself.
struct StateNumbers {
  // Of the state, where it is known
  const assembly::Residual* residual = nullptr;
  // J, since the start of the run
  double external_work = 0;
  results::StaticNumbers statics;
  // Of structure-preserving methods
  const integrators::Invariants* invariants = nullptr;
};

class Recorder {
 public:
  // Responses that the model cannot give become `problems`. With no `file` only responses are gathered.
  Recorder(const assembly::System& system, const io::Deck& deck, std::string file, model::Problems& problems);

  // Throws io::ResultsError where the results would not fit on the disk of their file.
  void check_space() const;
  // Makes the file, complete in structure. Before that, nothing is left behind.
  void open();
  void begin_analysis(int index) { analysis_ = index; }

  // Appends a state to the file. The first state of a later analysis is dropped where it equals the last one.
  void add_state(const model::State& q, const StateNumbers& numbers);
  // A state that counts in responses but is not stored.
  void add_to_responses(const model::State& q, const StateNumbers& numbers);
  void add_step(const integrators::StepReport& report, int wasted_iterations, const integrators::WatchedStep& watched);
  // Numbers apart from histories.
  void replace(const std::vector<results::StaticData>& data);
  // Responses, log and status; closes the file.
  void finish(io::Status status, const std::string& log);

  // A restart point: `body`, at the present rows.
  void keep_point(io::RestartHead head, const std::vector<double>& body);
  // Makes the file as open() does, with what `source` holds up to the point: rows, these data apart from histories, and
  // restart points. Throws io::FileError where it cannot be read.
  void take_over(const io::RestartSource& source, const io::RestartHead& point,
                 const std::vector<results::StaticData>& data);
  void archive(math::Archive& a);

  bool has_responses() const { return responses_.size() > 0; }
  std::vector<ResponseValue> responses() const;
  const InvariantSummary& invariants() const { return invariants_; }
  double largest_kinetic_energy() const { return largest_kinetic_; }  // of stored states, J
  double last_time() const { return last_time_; }                     // of the last stored state, s

 private:
  std::span<const double> row_of(const model::State& q, const StateNumbers& numbers);

  const io::Deck& deck_;
  // Of the file
  std::string name_;
  results::Sampler sampler_;
  results::ResponseValues responses_;
  InvariantSummary invariants_;
  std::unique_ptr<io::ResultsFile> file_;
  int analysis_ = 0;
  // Of the last stored state
  int last_analysis_ = 0;
  double last_time_ = 0;
  std::vector<double> last_row_;
  double largest_kinetic_ = 0;
  // That were added, stored or not
  std::uint64_t states_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace polhode::run
