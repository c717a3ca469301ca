// SPDX-License-Identifier: BSD-3-Clause
// Rows of numbers from the tables of channels.
#include "polhode/results/sampler.hpp"

#include <algorithm>

#include "polhode/results/fixed_data.hpp"

namespace polhode::results {
namespace {

// One item of a collection that a channel belongs to.
struct NamedItem {
  ChannelItem item;
  std::string name;       // in the path
  std::string equations;  // names of its constraint equations
};

// Multipliers of an entry follow each other in lambda, element by element.
std::vector<NamedItem> entries_with_constraints(const assembly::System& system) {
  std::vector<NamedItem> items;
  for (const EntryElements& elements : entries_with_elements(system)) {
    const model::BatchBase& batch = *elements.batch;
    if (batch.rows() == 0) continue;
    const int first = batch.first_row() + static_cast<int>(elements.first) * batch.rows();
    std::string names;
    for (int r = 0; r < batch.rows(); ++r) {
      if (r > 0) names += ", ";
      names += batch.row_name(r);
    }
    items.push_back({{first, batch.rows()}, group_of(system, elements.entry), names});
  }
  return items;
}

// Nodes with a removed translation, or rotation; a point has no rotations that a support could hold.
std::vector<NamedItem> supported_nodes(const assembly::System& system, bool moments) {
  std::vector<NamedItem> items;
  for (std::size_t i = 1; i < system.nodes(); ++i) {
    const model::NodeData& node = system.node(i);
    if (moments && node.translation_only) continue;
    const auto first = node.removed.begin() + (moments ? 3 : 0);
    if (std::none_of(first, first + 3, [](bool removed) { return removed; })) continue;
    items.push_back({{static_cast<int>(i), 0}, node.name, ""});
  }
  return items;
}

// The items that a channel is made for; of the run one without a name.
std::vector<NamedItem> items_of(const assembly::System& system, Each each) {
  switch (each) {
    case Each::run:
      break;
    case Each::entry_with_constraints:
      return entries_with_constraints(system);
    case Each::supported_force:
      return supported_nodes(system, false);
    case Each::supported_moment:
      return supported_nodes(system, true);
  }
  return {NamedItem{}};
}

// The pattern with the name in the place of its "{}".
std::string filled_in(std::string pattern, const std::string& name) {
  const std::size_t place = pattern.find("{}");
  return place == std::string::npos ? pattern : pattern.replace(place, 2, name);
}

// The channel of an item, with the model's lengths for the axes.
template <class Sample>
Channel channel_of(const ChannelEntry<Sample>& entry, const NamedItem& item, std::size_t nodes) {
  Channel channel;
  channel.path = filled_in(entry.path, item.name);
  channel.shape = entry.shape;
  for (int& length : channel.shape) {
    if (length == node_axis) length = static_cast<int>(nodes) - 1;
    if (length == multiplier_axis) length = item.item.size;
  }
  channel.units = entry.unit;
  channel.frame = entry.frame;
  channel.description = filled_in(entry.doc, item.equations);
  channel.integer = entry.options.integer;
  return channel;
}

// Whether a run of this content has the channel.
bool exists(const ChannelOptions& options, const RunContents& contents) {
  return !options.only || contents.*options.only;
}

}  // namespace

// Labels stand first in a row, so that rows are compared without them.
Sampler::Sampler(const assembly::System& system, const std::vector<std::string>& fields, const RunContents& contents,
                 const std::vector<StateChannel>& states, const std::vector<StepChannel>& steps)
    : system_(system), outputs_(system), support_forces_(system) {
  const KeptFields kept(fields);
  add_states(states, true, kept, contents);
  labels_ = layout_.state_size;
  add_states(states, false, kept, contents);
  outputs_.add_channels(kept, layout_);
  add_steps(steps, contents);
  layout_.statics = fixed_data(system);
  state_row_.assign(layout_.state_size, 0.0);
  step_row_.assign(layout_.step_size, 0.0);
}

// Reactions are computed for the supports that a kept channel reports, and for no others.
void Sampler::add_states(const std::vector<StateChannel>& table, bool labels, const KeptFields& kept,
                         const RunContents& contents) {
  std::vector<int> supports;  // nodes whose reactions are kept
  // One channel for each item, filled by the function of its table entry: a row is a loop over calls.
  for (const StateChannel& entry : table) {
    const ChannelOptions& options = entry.options;
    if (options.label != labels || !exists(options, contents)) continue;
    for (const NamedItem& item : items_of(system_, options.each)) {
      Channel channel = channel_of(entry, item, system_.nodes());
      if (!options.label && !kept.keep(channel.path)) continue;
      const std::size_t offset = append_channel(std::move(channel), layout_.states, layout_.state_size);
      state_fills_.push_back({entry.fill, offset, item.item});
      // Energies and momenta cost a pass over all elements, and are summed only where a channel asks for
      // them.
      needs_totals_ = needs_totals_ || options.of_totals;
      if (options.each == Each::supported_force || options.each == Each::supported_moment)
        supports.push_back(item.item.index);
    }
  }
  if (!labels) support_forces_.set_nodes(std::move(supports));
}

// Steps are few numbers: all of them are kept whatever the fields are.
void Sampler::add_steps(const std::vector<StepChannel>& table, const RunContents& contents) {
  for (const StepChannel& entry : table) {
    if (!exists(entry.options, contents)) continue;
    Channel channel = channel_of(entry, {}, system_.nodes());
    step_fills_.push_back({entry.fill, append_channel(std::move(channel), layout_.steps, layout_.step_size)});
  }
}

// Elements first: energies are a part of the sample that the other channels are filled from.
std::span<const double> Sampler::state_row(const model::State& q, const assembly::Residual* residual,
                                           double external_work, int analysis, const StaticNumbers& statics,
                                           const integrators::Invariants* invariants) {
  const model::Totals totals = outputs_.write(q, needs_totals_, state_row_);
  kinetic_energy_ = totals.energies.kinetic;
  // The residual of the last step holds the reactions already, where the method has it;
  // else they are computed.
  const std::span<const model::Vec6> forces = residual ? std::span(residual->force) : support_forces_.at(q);
  StateSample sample{system_, q, forces, external_work, analysis, statics, invariants};
  if (needs_totals_) sample.sums = &totals;
  for (const StateFill& channel : state_fills_) {
    sample.item = channel.item;
    channel.fill(sample, state_row_.data() + channel.offset);
  }
  return state_row_;
}

// The row of the last report; the span stays the same.
std::span<const double> Sampler::step_row(const integrators::StepReport& report, int wasted_iterations,
                                          const integrators::WatchedStep& watched) {
  const StepSample sample{report, wasted_iterations, watched};
  for (const StepFill& channel : step_fills_) channel.fill(sample, step_row_.data() + channel.offset);
  return step_row_;
}

}  // namespace polhode::results
