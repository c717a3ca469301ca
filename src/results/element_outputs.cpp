// SPDX-License-Identifier: BSD-3-Clause
// Channels of elements: what kinds declare, computed some elements at a time.
#include "polhode/results/element_outputs.hpp"

#include <algorithm>
#include <map>

#include "polhode/model/catalog.hpp"

namespace polhode::results {
namespace {

// Elements whose numbers are computed, and then spread over the channels while they are in the processor's cache.
constexpr std::size_t elements_at_a_time = 64;

// `count` pieces of `size` numbers, `stride` apart, into one piece.
// A channel of many elements is one piece in the row, but every stride-th piece of what the kernels have
// written.
void copy_part(const double* from, std::size_t stride, std::size_t count, std::size_t size, double* to) {
  if (size == 3) {  // vectors, nearly always: three moves, no call
    for (std::size_t i = 0; i < count; ++i) {
      to[0] = from[0];
      to[1] = from[1];
      to[2] = from[2];
      from += stride;
      to += 3;
    }
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(from, size, to);
    from += stride;
    to += size;
  }
}

// Integration points of an element of a beam; other elements count as one point.
std::size_t points_of(const assembly::System& system, int entry) {
  const auto& beams = system.beams();
  const auto beam = std::lower_bound(beams.begin(), beams.end(), entry,
                                     [](const model::BeamTopology& b, int at) { return b.entry < at; });
  const bool found = beam != beams.end() && beam->entry == entry;
  return found ? static_cast<std::size_t>(beam->points) : 1;
}

}  // namespace

// Elements of an entry follow each other in a batch, so the first one and their number identify them.
std::vector<EntryElements> entries_with_elements(const assembly::System& system) {
  std::map<int, EntryElements> by_entry;
  for (const auto& batch : system.batches())
    for (std::size_t e = 0; e < batch->size(); ++e) {
      const int entry = batch->entry_of(e);
      ++by_entry.try_emplace(entry, EntryElements{entry, batch.get(), e, 0}).first->second.count;
    }
  std::vector<EntryElements> entries;
  for (const auto& [entry, elements] : by_entry) entries.push_back(elements);
  return entries;
}

// Families have the names of their keys in the deck.
std::string group_of(const assembly::System& system, int entry) {
  const model::Entry& data = system.model().entries[static_cast<std::size_t>(entry)];
  return std::string(model::deck_key(data.family)) + '/' + data.name;
}

// Entries keep the order of the deck.
void ElementOutputs::add_channels(const KeptFields& kept, Layout& layout) {
  for (const EntryElements& elements : entries_with_elements(system_)) add(elements, kept, layout);
  share_totals();
}

// All outputs of an element are computed together, so a part that is not kept still has a place in the scratch.
void ElementOutputs::add(const EntryElements& elements, const KeptFields& kept, Layout& layout) {
  const model::Entry& entry = system_.model().entries[static_cast<std::size_t>(elements.entry)];
  EntryOutputs outputs{elements, points_of(system_, elements.entry)};
  bool any = false;
  for (const model::Output& output : entry.kind->outputs) {
    Channel channel;
    channel.path = '/' + group_of(system_, elements.entry) + '/' + std::string(output.name);
    channel.shape = {output.size};
    if (output.per_element) channel.shape = {static_cast<int>(elements.count * outputs.points), output.size};
    channel.units = output.unit;
    channel.frame = output.frame;
    channel.description = output.doc;
    Part part{layout.state_size, static_cast<std::size_t>(output.size), kept.keep(channel.path)};
    if (part.kept) append_channel(std::move(channel), layout.states, layout.state_size);
    any = any || part.kept;
    outputs.stride += part.size;
    outputs.parts.push_back(part);
  }
  if (!any) return;
  const std::size_t size = outputs.stride * outputs.points * std::min(elements.count, elements_at_a_time);
  scratch_.resize(std::max(scratch_.size(), size));
  entries_.push_back(std::move(outputs));
}

// Totals come with the outputs where all elements of a batch have their outputs written, else batch by batch.
void ElementOutputs::share_totals() {
  for (const auto& batch : system_.batches()) {
    std::size_t written = 0;
    for (const EntryOutputs& entry : entries_)
      if (entry.elements.batch == batch.get()) written += entry.elements.count;
    const bool all = written == batch->size();
    for (EntryOutputs& entry : entries_)
      if (entry.elements.batch == batch.get()) entry.with_totals = all;
    if (!all) without_outputs_.push_back(batch.get());
  }
}

// Elements go through the cache once: outputs and totals of some, then their channels, then the next.
model::Totals ElementOutputs::write(const model::State& q, bool with_totals, std::span<double> row) {
  const model::Context context = system_.context(q);
  model::Totals totals;
  double* const scratch = scratch_.data();
  for (const EntryOutputs& entry : entries_) {
    const EntryElements& elements = entry.elements;
    const std::size_t stride = entry.stride * entry.points;
    for (std::size_t first = 0; first < elements.count; first += elements_at_a_time) {
      const std::size_t count = std::min(elements_at_a_time, elements.count - first);
      if (with_totals && entry.with_totals)
        totals += elements.batch->observe(elements.first + first, count, q, context, scratch, stride);
      else
        elements.batch->write_outputs(elements.first + first, count, q, context, scratch, stride);
      const double* from = scratch;
      for (const Part& part : entry.parts) {
        // Points of an element follow each other in the channel, elements after them.
        double* const to = row.data() + part.offset + first * entry.points * part.size;
        if (part.kept) copy_part(from, entry.stride, count * entry.points, part.size, to);
        from += part.size;
      }
    }
  }
  if (!with_totals) return totals;
  for (const model::BatchBase* batch : without_outputs_)
    totals += batch->observe(0, batch->size(), q, context, nullptr, 0);
  return totals;
}

}  // namespace polhode::results
