// SPDX-License-Identifier: BSD-3-Clause
// Rows of numbers from the tables of channels.
#include "polhode/results/sampler.hpp"

#include <algorithm>

#include "fixed_data.hpp"
#include "polhode/model/catalog.hpp"
#include "shared_channel.hpp"

namespace polhode::results {
namespace {

// One item of a collection that a channel belongs to.
struct NamedItem {
  ChannelItem item;
  // Null: the run.
  const EntityGroup* group = nullptr;
  // Entry or node.
  int key = 0;
  // Names of its constraint equations.
  std::string equations;
};

// Multipliers of an entry follow each other in lambda, element by element.
std::vector<NamedItem> entries_with_constraints(const assembly::System& system, const Entities& entities) {
  std::vector<NamedItem> items;
  for (const EntryElements& elements : entries_with_elements(system)) {
    const model::BatchBase& batch = *elements.batch;
    const model::Family family = system.model().entries[static_cast<std::size_t>(elements.entry)].family;
    if (batch.rows() == 0 || family == model::Family::event || family == model::Family::analysis) continue;
    const int first = batch.first_row_of(elements.first);
    std::string names;
    for (int r = 0; r < batch.rows(); ++r) {
      if (r > 0) names += ", ";
      names += batch.row_name(r);
    }
    items.push_back({{first, batch.rows()}, &entities.group(model::deck_key(family)), elements.entry, names});
  }
  return items;
}

// Nodes with a removed translation, or rotation; a point has no rotations that a support could hold.
std::vector<NamedItem> supported_nodes(const assembly::System& system, const Entities& entities, bool moments) {
  std::vector<NamedItem> items;
  for (std::size_t place = 0; place < system.node_axis().size(); ++place) {
    const int i = system.node_axis()[place];
    const model::NodeData& node = system.node(static_cast<std::size_t>(i));
    if (moments && node.translation_only) continue;
    const auto first = node.removed.begin() + (moments ? 3 : 0);
    if (std::none_of(first, first + 3, [](bool removed) { return removed; })) continue;
    items.push_back({{i, 0}, &entities.group("reactions"), static_cast<int>(place), ""});
  }
  return items;
}

// The items that a channel is made for.
std::vector<NamedItem> items_of(const assembly::System& system, const Entities& entities, Each each) {
  switch (each) {
    case Each::run:
      break;
    case Each::entry_with_constraints:
      return entries_with_constraints(system, entities);
    case Each::supported_force:
      return supported_nodes(system, entities, false);
    case Each::supported_moment:
      return supported_nodes(system, entities, true);
  }
  return {};
}

// The pattern with the name in the place of its "{}".
std::string filled_in(std::string pattern, const std::string& name) {
  const std::size_t place = pattern.find("{}");
  return place == std::string::npos ? pattern : pattern.replace(place, 2, name);
}

// The entry's shape, with the model's lengths for the axes.
std::vector<int> shape_of(std::vector<int> shape, const ChannelItem& item, std::size_t nodes) {
  for (int& length : shape) {
    if (length == node_axis) length = static_cast<int>(nodes) - 1;
    if (length == multiplier_axis) length = item.size;
  }
  return shape;
}

// A channel of the run.
template <class Sample>
Channel channel_of(const ChannelEntry<Sample>& entry, std::size_t nodes) {
  Channel channel;
  channel.path = entry.path;
  channel.shape = shape_of(entry.shape, {}, nodes);
  channel.units = entry.unit;
  channel.frame = entry.frame;
  channel.description = entry.doc;
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
  const Entities entities(system);
  add_states(states, true, kept, contents, entities);
  labels_ = layout_.state_size;
  add_states(states, false, kept, contents, entities);
  add_signals(kept);
  outputs_.add_channels(kept, entities, layout_);
  add_steps(steps, contents);
  add_fixed_data(system, entities, layout_);
  state_row_.assign(layout_.state_size, 0.0);
  step_row_.assign(layout_.step_size, 0.0);
}

void Sampler::name_units(const model::Units& units) { results::name_units(layout_, units); }

// One channel a signal, by its name in the deck; several outputs of one are an axis of it.
// Values are those of a state that is settled, as all that are stored are.
void Sampler::add_signals(const KeptFields& kept) {
  const assembly::SignalNetwork& network = system_.signals();
  for (std::size_t i = 0; i < network.signals().size(); ++i) {
    const model::SignalEntry& signal = network.signals()[i];
    const model::Entry& entry = system_.model().entries[static_cast<std::size_t>(signal.entry)];
    const int count = signal.block ? signal.block->sizes().outputs : 1;
    Channel channel;
    channel.path = "/signals/" + entry.name;
    if (count > 1) channel.shape = {count};
    channel.description = std::string(entry.kind->doc);
    channel.units = signal.unit;
    if (!kept.keep(channel.path)) continue;
    const std::size_t offset = append_channel(std::move(channel), layout_.states, layout_.state_size);
    state_fills_.push_back({[](const StateSample& s, double* to) {
                              std::copy_n(s.q.signals.values.data() + s.item.index, s.item.size, to);
                            },
                            offset,
                            {static_cast<int>(network.first_of(i)), count}});
  }
}

// One channel of the run, or one for all items of a group.
void Sampler::add_states(const std::vector<StateChannel>& table, bool labels, const KeptFields& kept,
                         const RunContents& contents, const Entities& entities) {
  std::vector<int> supports;
  for (const StateChannel& entry : table) {
    const ChannelOptions& options = entry.options;
    if (options.label != labels || !exists(options, contents)) continue;
    if (options.each != Each::run) {
      add_items(entry, kept, entities, supports);
      continue;
    }
    Channel channel = channel_of(entry, system_.nodes());
    if (!options.label && !kept.keep(channel.path)) continue;
    const std::size_t offset = append_channel(std::move(channel), layout_.states, layout_.state_size);
    state_fills_.push_back({entry.fill, offset, {}});
    // Energies and momenta cost a pass over all elements, and are summed only where a channel asks for them.
    needs_totals_ = needs_totals_ || options.of_totals;
  }
  if (!labels) support_forces_.set_nodes(std::move(supports));
}

// Reactions are computed for the supports that a kept channel reports, and for no others.
void Sampler::add_items(const StateChannel& entry, const KeptFields& kept, const Entities& entities,
                        std::vector<int>& supports) {
  const std::string quantity = entry.path.substr(entry.path.rfind('/') + 1);
  const std::vector<NamedItem> items = items_of(system_, entities, entry.options.each);
  for (const EntityGroup& group : entities.groups()) {
    SharedChannel channel(group, quantity);
    std::vector<ChannelItem> kept_items;
    std::vector<std::size_t> members;
    for (const NamedItem& item : items) {
      if (item.group != &group) continue;
      const int entity = group.index_of(item.key);
      const std::string path = '/' + group.name + '/' + group.names[static_cast<std::size_t>(entity)] + '/' + quantity;
      const bool is_kept = kept.keep(path, channel.path());
      if (is_kept) {
        kept_items.push_back(item.item);
        members.push_back(channel.size());
      }
      channel.add(entity, shape_of(entry.shape, item.item, system_.nodes()),
                  {entry.unit, entry.frame, filled_in(entry.doc, item.equations)}, is_kept);
    }
    channel.append_to(layout_);
    for (std::size_t i = 0; i < kept_items.size(); ++i) {
      state_fills_.push_back({entry.fill, channel.offset_of(members[i]), kept_items[i]});
      if (entry.options.each != Each::entry_with_constraints) supports.push_back(kept_items[i].index);
    }
    if (!kept_items.empty()) needs_totals_ = needs_totals_ || entry.options.of_totals;
  }
}

// Steps are few numbers: all of them are kept whatever the fields are.
void Sampler::add_steps(const std::vector<StepChannel>& table, const RunContents& contents) {
  for (const StepChannel& entry : table) {
    if (!exists(entry.options, contents)) continue;
    Channel channel = channel_of(entry, system_.nodes());
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
