// SPDX-License-Identifier: BSD-3-Clause
// Signals and blocks in the place of others.
#include "polhode/analyses/linearize/prepared_loops.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polhode/model/catalog.hpp"
#include "polhode/model/text.hpp"

namespace polhode::analyses {
namespace {

// The number of the signal among those of the network; -1 and a problem where it cannot be cut.
int signal_of(const assembly::System& system, const std::string& name, const std::string& path,
              model::Problems& problems) {
  const assembly::SignalNetwork& network = system.signals();
  std::vector<std::string> known;
  for (std::size_t i = 0; i < network.signals().size(); ++i) {
    const model::SignalEntry& signal = network.signals()[i];
    known.push_back(system.model().entries[static_cast<std::size_t>(signal.entry)].path());
    if (known.back() != name) continue;
    if (signal.sensor || signal.block->sizes().outputs == 1) return static_cast<int>(i);
    problems.push_back({path, fmt::format("{} has several outputs; open the loop at an expression of one", name)});
    return -1;
  }
  const std::string nearest = model::nearest_name(name, known);
  problems.push_back(
      {path, fmt::format("there is no signal \"{}\"{}", name,
                         nearest.empty() ? "; name one as signals.torque" : "; did you mean \"" + nearest + "\"?")});
  return -1;
}

}  // namespace

// Before the run: no value is needed to find a name that is none.
void check_open(const assembly::System& system, const std::vector<std::string>& names, const std::string& path,
                model::Problems& problems) {
  for (std::size_t i = 0; i < names.size(); ++i)
    signal_of(system, names[i], path + ".open." + std::to_string(i), problems);
}

// An entry of type external takes the place of each signal that is cut: the reader's names and the numbers of values
// stay as they are, so that all that takes the signal takes what is held.
PreparedLoops::PreparedLoops(const assembly::System& from, const std::vector<std::string>& open, int pade,
                             model::State at, const std::string& path, model::Problems& problems)
    : q(std::move(at)) {
  const assembly::SignalNetwork& network = from.signals();
  if (!open.empty()) model = from.model();
  for (const std::string& name : open) {
    const int signal = signal_of(from, name, path + ".open", problems);
    if (signal < 0) return;
    const int entry = network.signals()[static_cast<std::size_t>(signal)].entry;
    model::Entry& changed = model->entries[static_cast<std::size_t>(entry)];
    changed.kind = model::find_kind(model::Family::signal, "external");
    changed.values.clear();
    changed.values["initial"] = model::Value(q.signals.values[static_cast<Eigen::Index>(network.first_of(signal))]);
  }
  // Of reactions and accelerations that forces follow nothing may pass at once
  const model::Model& deck = model ? *model : from.model();
  model::Problems of_diagonal;
  system = assembly::System::make(deck, of_diagonal, {.at_rest = false, .approximants = pade, .lags = false});
  if (!system) system = assembly::System::make(deck, problems, {.at_rest = false, .approximants = pade, .lags = true});
  if (!system) return;
  // Blocks that neither are cut nor delay go on as they are
  const model::SignalState before = q.signals;
  system->signals().start(q);
  system->signals().take_over(network, before, q);
  if (system->signals().rest_approximants(q)) return;
  problems.push_back({path,
                      "signals that depend on each other through delays have no value at rest; look for a loop of "
                      "gain 1, which gives back what it gets"});
  system.reset();
}

}  // namespace polhode::analyses
