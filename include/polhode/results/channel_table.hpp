// SPDX-License-Identifier: BSD-3-Clause
// The table of channels: each history of the results is one entry, with the function that fills it.
//
// A new channel is one more entry in src/results/state_channels.cpp (a row a stored state) or step_channels.cpp (a row
// a step); nothing else names it. docs/adding_a_channel.md shows an example. Outputs of elements are not in these
// tables: each kind declares its own (model::KindInfo::outputs), and element_outputs.hpp makes channels of them.
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
struct WatchedStep;
}  // namespace polhode::integrators

namespace polhode::results {

struct StaticNumbers;

// What a channel belongs to: the run (one channel), or each item of a collection (one channel an item).
enum class Each {
  run,
  // Entries of the deck with constraint equations. Item: first multiplier, number of multipliers.
  entry_with_constraints,
  // Nodes whose translations, or some of them, are removed from the unknowns. Item: the node.
  supported_force,
  // Nodes whose rotations are removed. Item: the node.
  supported_moment
};

// The item that a function fills a channel for.
struct ChannelItem {
  // Node, or first multiplier; 0 of the run.
  int index = 0;
  // Number of multipliers; 0 elsewhere.
  int size = 0;
};

// Axes of a shape whose length is that of the model: all nodes but the ground; the multipliers of the item.
constexpr int node_axis = -1;
constexpr int multiplier_axis = -2;

// What the numbers of a stored state are computed from. References live as long as the call.
struct StateSample {
  const assembly::System& system;
  const model::State& q;
  // By node: N in the inertial frame, N m in the node's frame. Right at supported nodes only.
  std::span<const model::Vec6> support_forces;
  // On the model since the start, J.
  double external_work;
  // Index, from 0.
  int analysis;
  // Of a static state; neutral in other states.
  const StaticNumbers& statics;
  // What the method itself keeps; null: it keeps nothing.
  const integrators::Invariants* invariants;
  // Null where no kept channel reads totals().
  const model::Totals* sums = nullptr;
  ChannelItem item{};

  // Energies and momenta of the model. Throws std::logic_error in a channel without `.of_totals = true`.
  const model::Totals& totals() const;
};

// What the numbers of a step are computed from.
struct StepSample {
  const integrators::StepReport& report;
  // Linear solves of failed attempts before the step.
  int wasted_iterations;
  // Of the whole step, where it was subdivided.
  const integrators::WatchedStep& watched;
};

struct ChannelOptions {
  // Stored as int32.
  bool integer = false;
  // Says which state it is, as the time does: always kept, and not compared between states.
  bool label = false;
  // Reads StateSample::totals(), which is computed only where such a channel is kept.
  bool of_totals = false;
  // Exists only in runs with this content; null: always.
  bool RunContents::*only = nullptr;
  Each each = Each::run;
};

// One entry of a table. `path` holds "{}" where the item's name stands ("joints/pivot", or the name of a node), and
// `doc` where the names of its constraint equations stand.
template <class Sample>
struct ChannelEntry {
  // Of the dataset: "/energy/kinetic".
  std::string path;
  // Without the time axis; {} = a scalar; may hold node_axis and multiplier_axis.
  std::vector<int> shape;
  // SI; "" = the channel counts something.
  std::string unit;
  // "inertial", "body", "section", or "".
  std::string frame;
  // One line.
  std::string doc;
  // Writes the numbers of the sample to `to`, last index fastest, as many as the shape has. Allocates nothing.
  void (*fill)(const Sample& sample, double* to);
  ChannelOptions options{};
};

using StateChannel = ChannelEntry<StateSample>;
using StepChannel = ChannelEntry<StepSample>;

// All channels that are not outputs of elements, in the order of a row; labels go first wherever they stand.
const std::vector<StateChannel>& state_channels();
const std::vector<StepChannel>& step_channels();

}  // namespace polhode::results
