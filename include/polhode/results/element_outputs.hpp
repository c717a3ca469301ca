// SPDX-License-Identifier: BSD-3-Clause
// Outputs that the kinds of elements declare (forces of joints, strains of beams, …), as channels of their entries.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "polhode/assembly/system.hpp"
#include "polhode/results/kept_fields.hpp"

namespace polhode::results {

// The elements of one entry of the deck; they stand next to each other in one batch.
struct EntryElements {
  // Index into Model::entries.
  int entry = 0;
  const model::BatchBase* batch = nullptr;
  // Elements of the batch.
  std::size_t first = 0;
  std::size_t count = 0;
};

// All entries with elements, in the order of Model::entries.
std::vector<EntryElements> entries_with_elements(const assembly::System& system);

class Entities;

class ElementOutputs {
 public:
  // Without any channel. `system` must outlive this.
  explicit ElementOutputs(const assembly::System& system) : system_(system) {}
  // Parts point at entries.
  ElementOutputs(const ElementOutputs&) = delete;
  ElementOutputs(ElementOutputs&&) = default;

  // Appends the channels that are kept to the states of `layout`, one a quantity for all entities of a group. Call it
  // once, before write().
  void add_channels(const KeptFields& kept, const Entities& entities, Layout& layout);

  // Fills the channels in `row`, of Layout::state_size numbers. With `with_totals` returns energies and momenta of all
  // elements of the model, computed in the same pass; else zeros. Allocates nothing.
  model::Totals write(const model::State& q, bool with_totals, std::span<double> row);

 private:
  // What an entry has of a channel: its place in the row, numbers a point, and whether it is kept.
  struct Piece {
    std::size_t offset;
    std::size_t size;
    bool kept;
  };
  // A lock, and where the force and the moment of its joint stand.
  struct LockOutputs {
    const model::Lock* lock;
    Piece force;
    Piece moment;
  };
  struct EntryOutputs {
    EntryElements elements;
    // Integration points of the entry before each element, and of all; empty: one an element.
    std::vector<std::size_t> before{};
    // Integration points of an element, at most.
    std::size_t points = 1;
    // Numbers a point, of all outputs.
    std::size_t stride = 0;
    std::vector<Piece> pieces{};
    // Outputs are written for all elements of the batch, so that totals are summed in the same pass.
    bool with_totals = false;
    // Integration points of the elements before this one.
    std::size_t points_before(std::size_t element) const { return before.empty() ? element : before[element]; }
  };
  // Some elements of an entry, or of a batch that only totals need; what they do does not depend on other parts.
  struct Part {
    const EntryOutputs* entry;  // null: totals alone
    const model::BatchBase* batch;
    // Elements of the batch, and the first of them as one of the entry.
    std::size_t begin;
    std::size_t count;
    std::size_t of_entry;
  };
  // Consecutive parts that one thread takes, and where their scratch begins.
  struct Lot {
    std::size_t begin;
    std::size_t end;
    std::size_t scratch;
  };
  struct Collected;
  void add(const EntryElements& elements, const KeptFields& kept, Collected& collected);
  // Of locks the reactions belong to those of their joints.
  void add_locks();
  void drop_entries_without_pieces();
  // Decides which batches give their totals with their outputs.
  void share_totals();
  // Forms parts and lots, which depend on the elements alone.
  void divide();
  static void copy_points(const EntryOutputs& entry, const Part& part, const Piece& piece, const double* from,
                          std::span<double> row);
  model::Totals write_lot(const Lot& lot, const model::State& q, bool with_totals, std::span<double> row);

  const assembly::System& system_;
  std::vector<EntryOutputs> entries_;
  std::vector<LockOutputs> locks_;
  // Batches that only totals need.
  std::vector<const model::BatchBase*> without_outputs_;
  std::vector<Part> parts_;
  std::vector<Lot> lots_;
  // By lot: summed up in their order, whatever thread has made them.
  std::vector<model::Totals> totals_;
  // Outputs of some elements, before they are spread over the channels: for each lot.
  std::vector<double> scratch_;
};

}  // namespace polhode::results
