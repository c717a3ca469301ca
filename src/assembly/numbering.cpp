// SPDX-License-Identifier: BSD-3-Clause
// Numbers of unknowns and rows, their names, the sparsity pattern, and the slots of each element in it.
#include <algorithm>
#include <array>

#include "polhode/assembly/system.hpp"

namespace polhode::assembly {

void System::number_unknowns() {
  unknowns_.resize(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    model::NodeUnknowns& u = unknowns_[i];
    u.first = free_;
    for (int k = 0; k < 6; ++k)
      if (!nodes_[i].removed[k]) u.local[k] = static_cast<std::int8_t>(u.count++);
    free_ += u.count;
  }
  for (const auto& batch : batches_) {
    batch->set_numbering(rows_, history_);
    rows_ += batch->rows() * static_cast<int>(batch->size());
    history_ += batch->history() * static_cast<int>(batch->size());
  }
  Eigen::AlignedBox3d box;
  for (std::size_t i = 1; i < nodes_.size(); ++i) box.extend(nodes_[i].position);
  for (const model::JointTopology& joint : joints_)
    box.extend(nodes_[joint.nodes[0]].position + nodes_[joint.nodes[0]].orientation * joint.offsets[0]);
  if (!box.isEmpty() && box.diagonal().norm() > 0) length_ = box.diagonal().norm();
}

// Blocks are nodes, then one group of rows an element with constraints; an element couples all its blocks.
void System::make_pattern() {
  const int n_nodes = static_cast<int>(nodes_.size());
  for (int i = 0; i < n_nodes; ++i) {
    block_first_.push_back(unknowns_[i].first);
    block_count_.push_back(unknowns_[i].count);
  }
  neighbours_.resize(nodes_.size());
  for (const auto& batch : batches_)
    for (std::size_t e = 0; e < batch->size(); ++e) {
      const auto at = batch->nodes_of(e);
      for (const int a : at)
        for (const int b : at) neighbours_[a].push_back(b);
      if (batch->rows() == 0) continue;
      const int group = static_cast<int>(block_first_.size());
      block_first_.push_back(free_ + batch->first_row() + static_cast<int>(e) * batch->rows());
      block_count_.push_back(batch->rows());
      neighbours_.emplace_back(at.begin(), at.end());
      if (model_->resolve_redundant) neighbours_.back().push_back(group);  // room for ones, where rows are left out
      for (const int a : at) neighbours_[a].push_back(group);
    }
  std::size_t entries = 0;
  for (std::size_t b = 0; b < block_first_.size(); ++b) {
    auto& list = neighbours_[b];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    for (const int other : list) entries += static_cast<std::size_t>(block_count_[other]) * block_count_[b];
  }
  const std::vector<int> value_start = place_blocks();
  values_of_nodes_ = value_start.back();
  pattern_.size = size();
  pattern_.late = free_;
  pattern_.column_start.reserve(static_cast<std::size_t>(size()) + 1);
  pattern_.column_start.assign(1, 0);
  pattern_.row.reserve(entries);
  pattern_.place.reserve(entries);
  for (std::size_t b = 0; b < block_first_.size(); ++b)
    for (int column = 0; column < block_count_[b]; ++column) {
      for (std::size_t i = 0; i < neighbours_[b].size(); ++i) {
        const int other = neighbours_[b][i];
        const int rows = block_count_[other];
        for (int k = 0; k < rows; ++k) {
          pattern_.row.push_back(block_first_[other] + k);
          pattern_.place.push_back(places_[b][i] + column * rows + k);
        }
      }
      pattern_.column_start.push_back(static_cast<int>(pattern_.row.size()));
    }
  for (std::size_t b = 0; b < block_first_.size(); ++b)
    if (block_count_[b] > 0) pattern_.block_start.push_back(block_first_[b]);
  pattern_.block_start.push_back(size());
  std::vector<char> claimed(nodes_.size(), 0);
  for (const auto& batch : batches_) batch->claim_nodes(claimed, value_start);
}

// With each node (or group of rows) are kept its own block and those that couple it to later ones, so that only
// elements at the node touch them. Gives where the values of each node begin, and the end of the last.
std::vector<int> System::place_blocks() {
  std::vector<int> value_start;
  places_.resize(neighbours_.size());
  for (std::size_t b = 0; b < neighbours_.size(); ++b) places_[b].assign(neighbours_[b].size(), 0);
  int next = 0;
  for (int b = 0; b < static_cast<int>(neighbours_.size()); ++b) {
    if (b <= static_cast<int>(nodes_.size())) value_start.push_back(next);
    const auto& list = neighbours_[b];
    const auto first = std::lower_bound(list.begin(), list.end(), b) - list.begin();
    for (auto i = static_cast<std::size_t>(first); i < list.size(); ++i) {
      const int other = list[i];
      const int size = block_count_[b] * block_count_[other];
      places_[b][i] = next;
      next += size;
      if (other == b) continue;
      const auto& back = neighbours_[other];
      places_[other][std::lower_bound(back.begin(), back.end(), b) - back.begin()] = next;
      next += size;
    }
  }
  if (value_start.size() == nodes_.size()) value_start.push_back(next);
  return value_start;
}

void System::set_slots() {
  int group = static_cast<int>(nodes_.size());
  for (const auto& batch : batches_) {
    const auto slots = batch->slots();
    std::size_t next = 0;
    for (std::size_t e = 0; e < batch->size(); ++e) {
      const auto at = batch->nodes_of(e);
      const auto block_of = [&](int i) { return i < batch->nodes() ? at[i] : group; };
      for (int column = 0; column < batch->groups(); ++column)
        for (int row = 0; row < batch->groups(); ++row, ++next) {
          const int block = block_of(column);
          const int other = block_of(row);
          if (block_count_[block] == 0 || block_count_[other] == 0 || (block == group && other == group)) continue;
          const auto& list = neighbours_[block];
          slots[next] = places_[block][std::lower_bound(list.begin(), list.end(), other) - list.begin()];
        }
      if (batch->rows() > 0) ++group;
    }
  }
  neighbours_.clear();
  places_.clear();
  block_first_.clear();
  block_count_.clear();
  neighbours_.shrink_to_fit();
  places_.shrink_to_fit();
}

std::string System::name_of(int unknown) const {
  if (unknown < free_) {
    const auto after = std::upper_bound(unknowns_.begin(), unknowns_.end(), unknown,
                                        [](int value, const model::NodeUnknowns& u) { return value < u.first; });
    const std::size_t node = static_cast<std::size_t>(after - unknowns_.begin()) - 1;
    static constexpr std::array names{"force x", "force y", "force z", "moment x", "moment y", "moment z"};
    for (int k = 0; k < 6; ++k)
      if (unknowns_[node].local[k] == unknown - unknowns_[node].first) return nodes_[node].label() + ": " + names[k];
    return nodes_[node].label();
  }
  const int row = unknown - free_;
  const model::BatchBase& batch = *batch_of_row(row);
  return model_->entries[entry_of_row(row)].path() + ": " + batch.row_name((row - batch.first_row()) % batch.rows());
}

const model::BatchBase* System::batch_of_row(int row) const {
  for (const auto& batch : batches_)
    if (batch->rows() > 0 && row >= batch->first_row() &&
        row < batch->first_row() + batch->rows() * static_cast<int>(batch->size()))
      return batch.get();
  return nullptr;
}

int System::entry_of_row(int row) const {
  const model::BatchBase& batch = *batch_of_row(row);
  return batch.entry_of(static_cast<std::size_t>((row - batch.first_row()) / batch.rows()));
}

bool System::row_is_length(int row) const {
  const model::BatchBase& batch = *batch_of_row(row);
  return batch.row_is_length((row - batch.first_row()) % batch.rows());
}

void System::check_masses(const std::set<std::string, std::less<>>& unsure, model::Problems& problems) const {
  std::vector<char> held(nodes_.size(), 0);
  for (const auto& batch : batches_)
    if (batch->has_inertia() || batch->rows() > 0)
      for (std::size_t e = 0; e < batch->size(); ++e)
        for (const int node : batch->nodes_of(e)) held[node] = 1;
  for (std::size_t i = 1; i < nodes_.size(); ++i)
    if (const model::NodeData& node = nodes_[i];
        !held[i] && node.referenced && !unsure.contains(node.name) &&
        std::find(node.removed.begin(), node.removed.end(), false) != node.removed.end())
      problems.push_back(
          {node.label(), "has no mass, and no joint or beam holds it; attach a body, or give `fixed: true`"});
}

}  // namespace polhode::assembly
