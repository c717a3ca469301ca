// SPDX-License-Identifier: BSD-3-Clause
// From states and steps to rows of numbers: fills all channels that a run keeps.
#pragma once
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "polhode/assembly/system.hpp"
#include "polhode/integrators/step_record.hpp"
#include "polhode/results/channel.hpp"
#include "polhode/results/channel_table.hpp"
#include "polhode/results/deck_units.hpp"
#include "polhode/results/element_outputs.hpp"
#include "polhode/results/support_forces.hpp"

namespace polhode::results {

// What a row holds of a static analysis. The defaults are those of states of other analyses: loads act in full.
struct StaticNumbers {
  // Of loads, gravity, motors and drives.
  double load_factor = 1;
  // Linear solves of the load step.
  int iterations = 0;
  // Of the tangent stiffness with constraints, over the largest one.
  double smallest_pivot = std::numeric_limits<double>::quiet_NaN();
  // The load factor has an extremum here.
  bool limit_point = false;
};

// Fills the channels of a run, in the order of their tables. Holds the row that it fills, so one sampler serves one
// thread.
class Sampler {
 public:
  // `fields`: groups to keep ("nodes", "joints.pivot", "energy"); empty = all. Labels (/time, /analysis, /static) are
  // always kept. The tables may be those of the program with entries added. `system` must outlive the sampler.
  Sampler(const assembly::System& system, const std::vector<std::string>& fields, const RunContents& contents = {},
          const std::vector<StateChannel>& states = state_channels(),
          const std::vector<StepChannel>& steps = step_channels());

  // Channels with their places in rows, and data that does not change in time.
  const Layout& layout() const { return layout_; }
  // Names the units of the layout after those of the deck.
  void name_units(const model::Units& units);
  // The first numbers of a state's row are labels: two rows are the same state if they agree from here on.
  std::size_t labels() const { return labels_; }

  // The row of a state, in the order of Layout::states. `residual`, where given, is that of the state; else the forces
  // of supports are computed where they are kept. `external_work`: on the model since the start, J. `analysis`: index,
  // from 0. `invariants`: what the method itself keeps, or null. Allocates nothing. The span lives until the next call.
  std::span<const double> state_row(const model::State& q, const assembly::Residual* residual, double external_work,
                                    int analysis, const StaticNumbers& statics = {},
                                    const integrators::Invariants* invariants = nullptr);

  // The row of a step, in the order of Layout::steps. `wasted_iterations`: linear solves of failed attempts before it.
  // `watched`: what monitors see of it. Allocates nothing. The span lives until the next call.
  std::span<const double> step_row(const integrators::StepReport& report, int wasted_iterations,
                                   const integrators::WatchedStep& watched = {});

  // Of the last row of a state, J; 0 where no channel that is kept needs energies.
  double kinetic_energy() const { return kinetic_energy_; }

 private:
  // A channel that is kept: its function, its place in the row, and the item that it is filled for.
  struct StateFill {
    void (*fill)(const StateSample& sample, double* to);
    std::size_t offset;
    ChannelItem item;
  };
  struct StepFill {
    void (*fill)(const StepSample& sample, double* to);
    std::size_t offset;
  };
  // Appends the channels of the table that are kept and exist: those that are labels, or those that are not.
  void add_states(const std::vector<StateChannel>& table, bool labels, const KeptFields& kept,
                  const RunContents& contents, const Entities& entities);
  // Channels of the items of an entry; `supports` gains the nodes whose reactions are kept.
  void add_items(const StateChannel& entry, const KeptFields& kept, const Entities& entities,
                 std::vector<int>& supports);
  void add_signals(const KeptFields& kept);
  void add_steps(const std::vector<StepChannel>& table, const RunContents& contents);

  const assembly::System& system_;
  Layout layout_;
  std::size_t labels_ = 0;
  bool needs_totals_ = false;
  std::vector<StateFill> state_fills_;
  std::vector<StepFill> step_fills_;
  ElementOutputs outputs_;
  SupportForces support_forces_;
  std::vector<double> state_row_;
  std::vector<double> step_row_;
  double kinetic_energy_ = 0;
};

}  // namespace polhode::results
