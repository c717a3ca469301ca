// SPDX-License-Identifier: BSD-3-Clause
// A simulation as programs in other languages see it: one object from the deck to the responses, things by their names,
// all that goes wrong as exceptions with the messages of the command line.
//
//   bindings::Host host("cart.yaml");
//   host.set("analysis.step=0.001");
//   while (host.step()) host.set_signal("force", -20 * host.signal("angle"));
//
// Hosts of one process do not know of each other; each is for one thread at a time.
#pragma once
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "polhode/analyses/linearize/linear_model.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::bindings {

// The solution of an analysis failed; what was computed until then is kept.
struct SolutionError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Something that cannot be done now, and what can.
struct UseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Of a state, for who keeps pointers into them: they stay where they are, and each step writes them anew.
struct StateArrays {
  std::vector<math::Vec3> x;
  std::vector<math::Mat3> R;
  std::vector<model::Vec6> v;
  std::vector<model::Vec6> vdot;
  model::VectorX lambda;
  // `node_axis`: of the system; arrays of nodes begin with the ground and follow it. A state has the same sizes
  // each time.
  void take(const model::State& q, const std::vector<int>& node_axis);
};

class Host {
 public:
  // A file, or a text that messages call `name`. Throws io::DeckError or io::FileError, as the members do.
  explicit Host(const std::string& file);
  Host(const std::string& name, const std::string& text);

  // PATH=VALUE as --set takes it. Throws io::SettingError; UseError behind the start.
  void set(const std::string& setting);
  // Results go to `file` (HDF5); without it none are kept. Throws UseError behind the start.
  void write_results_to(const std::string& file);

  // Reads the deck and does all that comes before the first step. False if there is no step. Throws SolutionError.
  bool start();
  // The next step. False if the run has ended. Throws SolutionError.
  bool step();
  // Steps until the time has grown by `h` > 0, s, at least. False if the run has ended before.
  bool advance(double h);
  // All that is left.
  void run();

  // The members below start the run where that has not been done.
  const model::State& state();
  double time() { return state().t; }  // s
  // Steps cost a copy of them once they have been asked for. Empty where there is no state.
  const StateArrays& arrays();
  // Of the arrays, without the ground: name i is that of StateArrays::x[i + 1], and of place node_axis()[i] of a state.
  const std::vector<std::string>& nodes();
  const std::vector<int>& node_axis() const { return node_axis_; }
  // In the order of the deck.
  const std::vector<run::SignalPlace>& signals();
  // Of several outputs NAME.0, NAME.1. Throws std::out_of_range for a name that is none.
  double signal(const std::string& name);
  // Throws std::out_of_range, and std::invalid_argument for a signal of another type or a number that is not finite.
  void set_signal(const std::string& name, double value);

  // Runs to the end.
  const run::RunResult& result();
  bool is_done() const { return is_done_; }
  // s; without a start, 0 before it.
  double present_time() const { return simulation_ ? simulation_->time() : 0; }
  // Without a start, none before it.
  const std::vector<std::string>& known_nodes() const { return nodes_; }
  bool is_started() const { return simulation_ != nullptr; }

  // A linear model about the present state, or that of the deck before the start; `open`: signals at which loops of
  // control are cut; `pade`: the order of approximants of delays. Throws io::DeckError.
  analyses::LinearModel linearize(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                                  const std::vector<std::string>& open = {}, int pade = analyses::default_pade);
  // That of the deck's own analysis, the last one of `type: linearize`. Runs to the end; throws UseError where
  // there is none.
  analyses::LinearModel linearize();

 private:
  const io::Deck& deck();
  void name_signals();
  void name_nodes(const assembly::System& system);
  const std::pair<std::size_t, std::size_t>& place_of(const std::string& name);
  // Takes the result where the run has ended, and throws its failure.
  bool note_end(bool goes_on);
  void require_before_start(const char* what) const;

  io::DeckSource source_;
  run::RunSettings settings_;
  std::unique_ptr<io::Deck> deck_;
  // Before what refers to the deck
  std::unique_ptr<run::Simulation> simulation_;
  run::RunResult result_;
  StateArrays arrays_;
  bool has_arrays_ = false;
  bool is_done_ = false;
  std::vector<std::string> nodes_;
  std::vector<int> node_axis_;
  // Signal and output of each name
  std::map<std::string, std::pair<std::size_t, std::size_t>> names_;
};

}  // namespace polhode::bindings
