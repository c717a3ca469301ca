// SPDX-License-Identifier: BSD-3-Clause
// The table of channels: each history of the results is one entry, with the function that fills it.
//
// A new channel is one more entry in src/results/state_channels.cpp (a row a stored state) or step_channels.cpp (a row a
// step); nothing else names it. docs/adding_a_channel.md shows an example. Outputs of elements are not in these tables:
// each kind declares its own (model::KindInfo::outputs), and element_outputs.hpp makes channels of them.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "polhode/assembly/system.hpp"
#include "polhode/model/contract.hpp"
#include "polhode/results/settings.hpp"

namespace polhode::integrators {
struct Invariants;
struct StepReport;
}  // namespace polhode::integrators

namespace polhode::results {

struct StaticNumbers;

// What a channel belongs to: the run (one channel), or each item of a collection (one channel an item).
enum class Each {
  run,
  entry_with_constraints,  // item: first multiplier, number of multipliers
  supported_force,         // item: a node whose translations, or some of them, are removed from the unknowns
  supported_moment         // item: a node whose rotations are removed
};

// The item that a function fills a channel for.
struct ChannelItem {
  int index = 0;  // node, or first multiplier; 0 of the run
  int size = 0;   // number of multipliers; 0 elsewhere
};

// Axes of a shape whose length is that of the model.
constexpr int node_axis = -1;        // all nodes but the ground
constexpr int multiplier_axis = -2;  // the multipliers of the item

// What the numbers of a stored state are computed from. References live as long as the call.
struct StateSample {
  const assembly::System& system;
  const model::State& q;
  std::span<const model::Vec6> support_forces;  // by node: N inertial, N m in the node's frame; of supported nodes only
  double external_work;                         // on the model since the start, J
  int analysis;                                 // index, from 0
  const StaticNumbers& statics;                 // of a static state; neutral in other states
  const integrators::Invariants* invariants;    // that the method itself keeps; null: it has none
  const model::Totals* sums = nullptr;          // use totals()
  ChannelItem item{};

  // Energies and momenta of the model. Throws std::logic_error in a channel without `.of_totals = true`.
  const model::Totals& totals() const;
};

// What the numbers of a step are computed from.
struct StepSample {
  const integrators::StepReport& report;
  int wasted_iterations;  // linear solves of failed attempts before the step
};

struct ChannelOptions {
  bool integer = false;            // stored as int32
  bool label = false;              // tells which state it is: always kept, and not compared between states
  bool of_totals = false;          // reads StateSample::totals(), which is computed only for such channels
  bool RunContents::*only = nullptr;  // exists only in runs with this content
  Each each = Each::run;
};

// One entry of a table. `path` holds "{}" where the item's name stands ("joints/pivot", or the name of a node), and
// `doc` where the names of its constraint equations stand.
template <class Sample>
struct ChannelEntry {
  std::string path;        // of the dataset: "/energy/kinetic"
  std::vector<int> shape;  // without the time axis; {} = a scalar; may hold node_axis and multiplier_axis
  std::string unit;        // SI; "" = the channel counts something
  std::string frame;       // "inertial", "body", "section", or ""
  std::string doc;         // one line
  // Writes the numbers of the sample to `to`, last index fastest, as many as the shape has. Allocates nothing.
  void (*fill)(const Sample& sample, double* to);
  ChannelOptions options{};
};

using StateChannel = ChannelEntry<StateSample>;
using StepChannel = ChannelEntry<StepSample>;

// All channels that are not outputs of elements, in the order of a row.
const std::vector<StateChannel>& state_channels();
const std::vector<StepChannel>& step_channels();

}  // namespace polhode::results
