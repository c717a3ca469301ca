// SPDX-License-Identifier: BSD-3-Clause
// Channels of elements: what kinds declare, computed some elements at a time.
#include "polhode/results/element_outputs.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "polhode/math/parallel.hpp"
#include "polhode/model/catalog.hpp"
#include "shared_channel.hpp"

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

// Integration points of the elements of a beam; empty where each has one, as other elements have.
std::span<const int> points_of(const assembly::System& system, int entry) {
  const auto& beams = system.beams();
  const auto beam = std::lower_bound(beams.begin(), beams.end(), entry,
                                     [](const model::BeamTopology& b, int at) { return b.entry < at; });
  const bool found = beam != beams.end() && beam->entry == entry;
  return found ? beam->points : std::span<const int>();
}

}  // namespace

// Elements of an entry follow each other in a batch, so the first one and their number identify them.
std::vector<EntryElements> entries_with_elements(const assembly::System& system) {
  std::vector<EntryElements> entries;
  for (const auto& batch : system.batches())
    for (std::size_t e = 0; e < batch->size(); ++e) {
      const int entry = batch->entry_of(e);
      if (entries.empty() || entries.back().entry != entry || entries.back().batch != batch.get())
        entries.push_back({entry, batch.get(), e, 0});
      ++entries.back().count;
    }
  std::sort(entries.begin(), entries.end(),
            [](const EntryElements& a, const EntryElements& b) { return a.entry < b.entry; });
  return entries;
}

// Channels in the order in which their quantities are met first, and what each has been asked for.
struct ElementOutputs::Collected {
  const Entities& entities;
  std::vector<SharedChannel> channels{};
  // Of the pieces of all entries in turn: channel and member.
  std::vector<std::pair<std::size_t, std::size_t>> members{};

  std::size_t channel_of(const EntityGroup& group, std::string_view quantity) {
    for (std::size_t i = 0; i < channels.size(); ++i)
      if (channels[i].is_of(group, quantity)) return i;
    channels.emplace_back(group, quantity);
    return channels.size() - 1;
  }
};

// Entries keep the order of the deck. Places in a row are known once all entries have asked for theirs.
void ElementOutputs::add_channels(const KeptFields& kept, const Entities& entities, Layout& layout) {
  Collected collected{entities};
  for (const EntryElements& elements : entries_with_elements(system_)) add(elements, kept, collected);
  for (SharedChannel& channel : collected.channels) channel.append_to(layout);
  auto member = collected.members.begin();
  for (EntryOutputs& entry : entries_)
    for (Piece& piece : entry.pieces) {
      if (piece.kept) piece.offset = collected.channels[member->first].offset_of(member->second);
      ++member;
    }
  add_locks();
  drop_entries_without_pieces();
  share_totals();
  divide();
}

// Joints give their force and their moment first.
void ElementOutputs::add_locks() {
  for (const model::Lock& lock : system_.locks()) {
    const auto joint = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const EntryOutputs& entry) { return entry.elements.entry == lock.joint; });
    if (joint != entries_.end()) locks_.push_back({&lock, joint->pieces[0], joint->pieces[1]});
  }
}

// All outputs of an element are computed together, so a piece that is not kept still has a place in the scratch.
void ElementOutputs::add(const EntryElements& elements, const KeptFields& kept, Collected& collected) {
  const model::Entry& entry = system_.model().entries[static_cast<std::size_t>(elements.entry)];
  if (entry.kind->outputs.empty()) return;
  const EntityGroup& group = collected.entities.group(model::deck_key(entry.family));
  const int entity = group.index_of(elements.entry);
  EntryOutputs outputs{elements};
  if (const std::span<const int> points = points_of(system_, elements.entry); !points.empty()) {
    outputs.before.push_back(0);
    for (const int count : points) {
      outputs.before.push_back(outputs.before.back() + static_cast<std::size_t>(count));
      outputs.points = std::max(outputs.points, static_cast<std::size_t>(count));
    }
  }
  for (const model::Output& output : entry.kind->outputs) {
    std::vector<int> shape = {output.size};
    if (output.per_element) shape.insert(shape.begin(), static_cast<int>(outputs.points_before(elements.count)));
    const std::size_t index = collected.channel_of(group, output.name);
    SharedChannel& channel = collected.channels[index];
    const std::string path = '/' + group.name + '/' + entry.name + '/' + std::string(output.name);
    const Piece piece{0, static_cast<std::size_t>(output.size), kept.keep(path, channel.path())};
    collected.members.emplace_back(index, channel.size());
    channel.add(entity, shape, {std::string(output.unit), std::string(output.frame), std::string(output.doc)},
                piece.kept);
    outputs.stride += piece.size;
    outputs.pieces.push_back(piece);
  }
  entries_.push_back(std::move(outputs));
}

// Nothing is computed for entries of which nothing is kept.
void ElementOutputs::drop_entries_without_pieces() {
  std::erase_if(entries_, [](const EntryOutputs& entry) {
    return std::none_of(entry.pieces.begin(), entry.pieces.end(), [](const Piece& piece) { return piece.kept; });
  });
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

// Models of few elements have one lot, so that they start no threads.
void ElementOutputs::divide() {
  constexpr std::size_t of_a_lot = 256;  // elements, at least
  const auto add_parts = [&](const EntryOutputs* entry, const EntryElements& elements) {
    for (std::size_t first = 0; first < elements.count; first += elements_at_a_time) {
      const std::size_t count = std::min(elements_at_a_time, elements.count - first);
      parts_.push_back({entry, elements.batch, elements.first + first, count, first});
    }
  };
  for (const EntryOutputs& entry : entries_) add_parts(&entry, entry.elements);
  for (const model::BatchBase* batch : without_outputs_) add_parts(nullptr, {0, batch, 0, batch->size()});
  std::size_t scratch = 0;
  std::size_t scratch_of_lot = 0;
  std::size_t elements = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const EntryOutputs* entry = parts_[i].entry;
    if (entry) scratch_of_lot = std::max(scratch_of_lot, entry->stride * entry->points * parts_[i].count);
    elements += parts_[i].count;
    if (elements < of_a_lot && i + 1 < parts_.size()) continue;
    lots_.push_back({begin, i + 1, scratch});
    scratch += scratch_of_lot;
    scratch_of_lot = 0;
    elements = 0;
    begin = i + 1;
  }
  scratch_.resize(scratch);
  totals_.resize(lots_.size());
}

// Points of an element follow each other in the channel, elements after them.
void ElementOutputs::copy_points(const EntryOutputs& entry, const Part& part, const Piece& piece, const double* from,
                                 std::span<double> row) {
  const std::size_t first = entry.points_before(part.of_entry);
  const std::size_t points = entry.points_before(part.of_entry + part.count) - first;
  double* to = row.data() + piece.offset + first * piece.size;
  if (points == part.count * entry.points) return copy_part(from, entry.stride, points, piece.size, to);
  for (std::size_t e = part.of_entry; e < part.of_entry + part.count; ++e) {
    const std::size_t of_element = entry.points_before(e + 1) - entry.points_before(e);
    copy_part(from, entry.stride, of_element, piece.size, to);
    from += entry.stride * entry.points;
    to += of_element * piece.size;
  }
}

// Elements go through the cache once: outputs and totals of some, then their channels, then the next.
model::Totals ElementOutputs::write_lot(const Lot& lot, const model::State& q, bool with_totals,
                                        std::span<double> row) {
  const model::Context context = system_.context(q);
  model::Totals totals;
  double* const scratch = scratch_.data() + lot.scratch;
  for (std::size_t i = lot.begin; i < lot.end; ++i) {
    const Part& part = parts_[i];
    if (!part.entry) {
      if (with_totals) totals += part.batch->observe(part.begin, part.count, q, context, nullptr, 0);
      continue;
    }
    const EntryOutputs& entry = *part.entry;
    const std::size_t stride = entry.stride * entry.points;
    if (with_totals && entry.with_totals)
      totals += part.batch->observe(part.begin, part.count, q, context, scratch, stride);
    else
      part.batch->write_outputs(part.begin, part.count, q, context, scratch, stride);
    const double* from = scratch;
    for (const Piece& piece : entry.pieces) {
      if (piece.kept) copy_points(entry, part, piece, from, row);
      from += piece.size;
    }
  }
  return totals;
}

// Each part has places of its own in the row.
model::Totals ElementOutputs::write(const model::State& q, bool with_totals, std::span<double> row) {
  math::in_parallel(lots_.size(), [&](std::size_t i) { totals_[i] = write_lot(lots_[i], q, with_totals, row); });
  const model::Context context = system_.context(q);
  for (const auto& [lock, force, moment] : locks_) {
    std::array<double, 6> reaction;
    lock->batch->write_outputs(lock->element, 1, q, context, reaction.data(), reaction.size());
    for (std::size_t i = 0; i < 3; ++i) {
      if (force.kept) row[force.offset + i] += reaction[i];
      if (moment.kept) row[moment.offset + i] += reaction[3 + i];
    }
  }
  model::Totals totals;
  for (const model::Totals& of_lot : totals_) totals += of_lot;
  return totals;
}

}  // namespace polhode::results
