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
  int entry = 0;  // index into Model::entries
  const model::BatchBase* batch = nullptr;
  std::size_t first = 0, count = 0;  // elements of the batch
};

// All entries with elements, in the order of Model::entries.
std::vector<EntryElements> entries_with_elements(const assembly::System& system);

// "joints/pivot": the group of an entry in the results, without the leading slash.
std::string group_of(const assembly::System& system, int entry);

class ElementOutputs {
 public:
  // Without any channel. `system` must outlive this.
  explicit ElementOutputs(const assembly::System& system) : system_(system) {}

  // Appends the channels that are kept to the states of `layout`. Call it once, before write().
  void add_channels(const KeptFields& kept, Layout& layout);

  // Fills the channels in `row`, of Layout::state_size numbers. With `with_totals` returns energies and momenta of all
  // elements of the model, computed in the same pass; else zeros. Allocates nothing.
  model::Totals write(const model::State& q, bool with_totals, std::span<double> row);

 private:
  struct Part {  // one channel: its place in the row, numbers a point, and whether it is kept
    std::size_t offset, size;
    bool kept;
  };
  struct EntryOutputs {
    EntryElements elements;
    std::size_t points = 1;  // integration points an element
    std::size_t stride = 0;  // numbers a point, of all outputs
    std::vector<Part> parts{};
    bool with_totals = false;  // outputs are written for all elements of the batch, so totals can be summed there
  };
  void add(const EntryElements& elements, const KeptFields& kept, Layout& layout);
  void share_totals();

  const assembly::System& system_;
  std::vector<EntryOutputs> entries_;
  std::vector<const model::BatchBase*> without_outputs_;  // batches that only totals need
  std::vector<double> scratch_;
};

}  // namespace polhode::results
