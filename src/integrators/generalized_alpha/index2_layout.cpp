// SPDX-License-Identifier: BSD-3-Clause
// Pattern of the index-2 matrix, and what fills it.
#include "polhode/integrators/generalized_alpha/index2_layout.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "polhode/assembly/block_columns.hpp"
#include "polhode/assembly/linear/block_order.hpp"

namespace polhode::integrators {
namespace {

using assembly::BlockEntry;

// Groups at a node whose p is eliminated beforehand: each of them is coupled with each other one then.
constexpr int most_groups = 3;

// Nodes that an element with M or C has in common with others, or whose velocities act on others through signals. Their
// p stays an unknown, so that the columns of eta reach no node beyond those of the group.
std::vector<char> coupled_by_dynamics(const assembly::System& system) {
  std::vector<char> coupled(system.nodes(), 0);
  for (const auto& batch : system.batches()) {
    if (!batch->has_inertia() && !batch->has_forces()) continue;
    for (std::size_t e = 0; e < batch->size(); ++e) {
      const std::span<const int> at = batch->nodes_of(e);
      const auto is_free = [&](int i) { return system.unknowns()[static_cast<std::size_t>(i)].count > 0; };
      if (std::count_if(at.begin(), at.end(), is_free) < 2) continue;
      for (const int i : at) coupled[static_cast<std::size_t>(i)] = 1;
    }
  }
  for (const auto& [acted_on, looked_at] : system.signals().couplings())
    if (acted_on != looked_at && looked_at < static_cast<int>(system.nodes()))
      coupled[static_cast<std::size_t>(looked_at)] = 1;
  return coupled;
}

class Index2LayoutMaker {
 public:
  explicit Index2LayoutMaker(const assembly::System& system)
      : S_(system.make_matrix()), k_(system.free_unknowns()), columns_(assembly::block_columns(S_)) {
    find_blocks_of_system();
    find_sections(system);
    choose_p(system);
    number_blocks();
    list_parts();
    make_pattern();
    for (const Part& part : parts_) add_to_layout(part);
    list_zeros();
    sort_by_section();
    find_last_sections();
    layout.pattern.order =
        std::make_shared<const assembly::BlockOrder>(assembly::PatternView(layout.pattern), layout.leaders);
  }
  Index2Layout layout;

 private:
  // Written by the system, as first or as second values; what is put behind them.
  enum class Kind { first, second, copy, normal, product };
  // What goes into the block (row, column) of the large matrix. Of normal and product: the node whose N it is, and the
  // group, both as blocks of the system.
  struct Part {
    Kind kind;
    int from;  // in a matrix of the system
    int row;
    int column;
    int node = -1;
    int group = -1;
  };

  void find_blocks_of_system();
  void find_sections(const assembly::System& system);
  void choose_p(const assembly::System& system);
  void number_blocks();
  void list_parts();
  void list_parts_of_node(int node);
  void list_parts_of_group(int group);
  void make_pattern();
  void sort_by_section();
  void join_rows();
  void couple(int a, int b);
  void add_to_layout(const Part& part);
  int& place_of(int row, int column);
  void list_zeros();
  void find_last_sections();

  bool is_node(int block) const { return block < nodes_; }
  int size_of_system(int block) const { return S_.block_start[block + 1] - S_.block_start[block]; }
  int section_of(int block) const { return section_of_block_[block]; }
  int size_of(int block) const { return start_[block + 1] - start_[block]; }
  // From column to column, and all numbers, of a block of the large matrix
  int stride_of(int row) const { return row < lambda_ ? size_of(row) : math::column_width(size_of(row)); }
  int values_of(int row, int column) const { return stride_of(row) * size_of(column); }
  int place_in_system(int row, int column) const;
  int lambda_of(int group) const { return lambda_ + group - nodes_; }
  int eta_of(int group) const { return eta_ + group - nodes_; }

  // Only its pattern counts
  const assembly::SparseMatrix S_;
  const int k_;
  // Blocks of the system: nodes, then groups; the entries of their columns, and the groups at a node
  int nodes_ = 0;
  std::vector<std::vector<BlockEntry>> columns_;
  std::vector<std::vector<int>> groups_;
  // Blocks of the large matrix: nodes, p, then from these on lambda and eta. By node: the block of its p, -1 without.
  std::vector<int> p_of_;
  int lambda_ = 0;
  int eta_ = 0;
  std::vector<int> start_;
  std::vector<Part> parts_;
  // By column: the blocks that it has, ascending, and the first value of each
  std::vector<std::vector<int>> rows_;
  std::vector<std::vector<int>> places_;
  // By entry of Normal: its first value; by node and group in the order of parts
  std::vector<std::vector<int>> normal_values_;
  std::vector<char> is_set_;
  // By block of the system: the section behind which a node, or in which a group is written
  std::vector<int> section_;
  std::size_t sections_ = 0;
  // By block of the large matrix: that of its node or group
  std::vector<int> section_of_block_;
  // By item of the lists of the layout, until they are sorted
  template <class T>
  struct Found {
    int section;
    T item;
  };
  std::vector<Found<int>> ones_;
  std::vector<Found<Index2Layout::Range>> zeros_;
  std::vector<Found<Index2Layout::Copy>> copies_;
  std::vector<Found<Index2Layout::Copy>> negated_;
  std::vector<Found<Index2Layout::Product>> products_;
  std::vector<Found<Index2Layout::Normal>> normal_;
  std::vector<Found<Index2Layout::Range>> row_ranges_;
};

void Index2LayoutMaker::find_blocks_of_system() {
  while (nodes_ < static_cast<int>(columns_.size()) && S_.block_start[nodes_] < k_) ++nodes_;
  groups_.resize(static_cast<std::size_t>(nodes_));
  normal_values_.resize(static_cast<std::size_t>(nodes_));
  for (int b = 0; b < nodes_; ++b)
    for (const BlockEntry& entry : columns_[b])
      if (!is_node(entry.row)) groups_[b].push_back(entry.row);
}

// Groups are the elements with rows, in the order of the batches.
void Index2LayoutMaker::find_sections(const assembly::System& system) {
  const assembly::Sections& sections = system.sections();
  sections_ = sections.size();
  section_ = sections.last_of_blocks(system.batches(), system.unknowns());
}

// Nodes of the system that are fixed are no blocks of the matrix.
void Index2LayoutMaker::choose_p(const assembly::System& system) {
  const std::vector<char> coupled = coupled_by_dynamics(system);
  p_of_.assign(static_cast<std::size_t>(nodes_), -1);
  int block = 0;
  int next = nodes_;
  for (std::size_t i = 0; i < coupled.size(); ++i) {
    if (system.unknowns()[i].count == 0) continue;
    const std::size_t groups = groups_[block].size();
    if (groups > most_groups || (groups > 0 && coupled[i])) p_of_[block] = next++;
    ++block;
  }
}

// p is eliminated with its node, eta with the lambda of its group.
void Index2LayoutMaker::number_blocks() {
  assembly::SparsePattern& made = layout.pattern;
  const int groups = static_cast<int>(columns_.size()) - nodes_;
  layout.p_place.assign(static_cast<std::size_t>(k_), -1);
  // `of`: a node or a group, as a block of the system
  const auto add = [&](int of, int leader) {
    made.block_start.push_back(made.size);
    layout.leaders.push_back(leader);
    section_of_block_.push_back(section_[of]);
    made.size += size_of_system(of);
  };
  for (int b = 0; b < nodes_; ++b) add(b, b);
  for (int b = 0; b < nodes_; ++b) {
    if (p_of_[b] < 0) continue;
    for (int j = 0; j < size_of_system(b); ++j) layout.p_place[S_.block_start[b] + j] = made.size + j;
    add(b, b);
  }
  lambda_ = static_cast<int>(made.block_start.size());
  eta_ = lambda_ + groups;
  layout.first_lambda = made.size;
  for (int g = 0; g < groups; ++g) add(nodes_ + g, lambda_ + g);
  layout.first_eta = made.size;
  for (int g = 0; g < groups; ++g) add(nodes_ + g, lambda_ + g);
  made.block_start.push_back(made.size);
  made.late = layout.first_lambda;
  made.wide_rows = true;
  start_ = made.block_start;
}

// N comes first, so that its values have their places.
void Index2LayoutMaker::list_parts() {
  for (int b = nodes_; b < static_cast<int>(columns_.size()); ++b) list_parts_of_group(b);
  for (int b = 0; b < nodes_; ++b) list_parts_of_node(b);
}

int Index2LayoutMaker::place_in_system(int row, int column) const {
  const std::vector<BlockEntry>& entries = columns_[column];
  return std::find_if(entries.begin(), entries.end(), [row](const BlockEntry& e) { return e.row == row; })->from;
}

// A, B T, and what dy brings: A_0 and B in the columns of p, or times N in those of eta.
void Index2LayoutMaker::list_parts_of_node(int node) {
  for (const auto& [row, from] : columns_[node]) {
    const int of_rates = is_node(row) ? row : eta_of(row);
    parts_.push_back({Kind::first, from, is_node(row) ? row : lambda_of(row), node});
    if (!is_node(row)) parts_.push_back({Kind::second, from, eta_of(row), node});
    if (p_of_[node] >= 0) {
      parts_.push_back({is_node(row) ? Kind::second : Kind::copy, from, of_rates, p_of_[node]});
    } else if (!is_node(row) || row == node) {  // A_0 couples the node with no other one
      for (const int g : groups_[node]) parts_.push_back({Kind::product, from, of_rates, eta_of(g), node, g});
    }
  }
}

// B^T and N; the diagonal is there where constraint equations may be dropped, which get an identity.
void Index2LayoutMaker::list_parts_of_group(int group) {
  for (const auto& [row, from] : columns_[group]) {
    parts_.push_back({Kind::first, from, is_node(row) ? row : lambda_of(row), lambda_of(group)});
    if (is_node(row))
      parts_.push_back({Kind::normal, place_in_system(group, row), p_of_[row], eta_of(group), row, group});
    else
      parts_.push_back({Kind::second, from, eta_of(row), eta_of(group)});
  }
}

void Index2LayoutMaker::couple(int a, int b) {
  rows_[a].push_back(b);
  if (a != b) rows_[b].push_back(a);
}

// Each block with its counterpart. Those that the system writes stay where they are in its matrix, with A_0 N in the
// place of B^T; all others follow, by columns of blocks.
void Index2LayoutMaker::make_pattern() {
  assembly::SparsePattern& made = layout.pattern;
  rows_.resize(layout.leaders.size());
  places_.resize(rows_.size());
  for (const Part& part : parts_)
    if (part.row >= 0) couple(part.row, part.column);
  for (const int p : p_of_)
    if (p >= 0) couple(p, p);
  made.column_start.assign(1, 0);
  for (int b = 0; b < static_cast<int>(rows_.size()); ++b) {
    std::vector<int>& rows = rows_[b];
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    places_[b].assign(rows.size(), -1);
  }
  constexpr int of_a_line = 8;  // of the cache
  layout.of_system = static_cast<int>(S_.values.size());
  layout.second = (layout.of_system + of_a_line - 1) / of_a_line * of_a_line;
  for (const Part& part : parts_) {
    if (part.kind == Kind::first) place_of(part.row, part.column) = part.from;
    if (part.kind == Kind::second) place_of(part.row, part.column) = layout.second + part.from;
    if (part.kind == Kind::product && is_node(part.row))
      place_of(part.row, part.column) = layout.second + place_in_system(part.row, part.group);
  }
  int next = layout.second + layout.of_system;
  for (int b = 0; b < static_cast<int>(rows_.size()); ++b) {
    const std::vector<int>& rows = rows_[b];
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (places_[b][i] >= 0) continue;
      places_[b][i] = next;
      next += values_of(rows[i], b);
    }
    for (int column = 0; column < size_of(b); ++column) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (int r = 0; r < size_of(rows[i]); ++r) {
          made.row.push_back(start_[rows[i]] + r);
          made.place.push_back(places_[b][i] + column * stride_of(rows[i]) + r);
        }
      made.column_start.push_back(static_cast<int>(made.row.size()));
    }
  }
  made.spare = next - static_cast<int>(made.row.size());
  is_set_.assign(static_cast<std::size_t>(next), 0);
  for (int node = 0; node < nodes_; ++node)
    if (const int p = p_of_[node]; p >= 0)
      for (int j = 0; j < size_of(p); ++j) ones_.push_back({section_[node], place_of(p, p) + j * (size_of(p) + 1)});
}

int& Index2LayoutMaker::place_of(int row, int column) {
  const std::vector<int>& rows = rows_[column];
  return places_[column][std::lower_bound(rows.begin(), rows.end(), row) - rows.begin()];
}

void Index2LayoutMaker::add_to_layout(const Part& part) {
  const int to = part.row >= 0 ? place_of(part.row, part.column) : -1;
  const int columns = size_of(part.column);
  const int count = part.row >= 0 ? values_of(part.row, part.column) : 0;
  const bool comes_first = to >= 0 && !is_set_[to];
  if (to >= 0) is_set_[to] = 1;
  switch (part.kind) {
    case Kind::first:
      break;
    case Kind::second:
      if (part.row >= eta_ && is_node(part.column))
        row_ranges_.push_back({section_of(part.row), {part.from, part.from + count}});
      break;
    case Kind::copy:
      copies_.push_back({section_of(part.row), {layout.second + part.from, to, count}});
      break;
    case Kind::normal: {
      const int rows = size_of(part.node);
      const int section = section_[part.group];
      normal_.push_back({section,
                         {start_[part.node], start_[part.column], rows, columns, math::column_width(columns), part.from,
                          layout.normal_values}});
      if (to >= 0) negated_.push_back({section, {layout.normal_values, to, count}});
      normal_values_[part.node].push_back(layout.normal_values);
      layout.normal_values += rows * columns;
      break;
    }
    case Kind::product: {
      const std::vector<int>& groups = groups_[part.node];
      const auto which = std::lower_bound(groups.begin(), groups.end(), part.group) - groups.begin();
      products_.push_back({section_of(part.row),
                           {layout.second + part.from, normal_values_[part.node][which], to, size_of(part.row),
                            stride_of(part.row), size_of(part.node), columns, comes_first}});
      break;
    }
  }
}

// In the order of their places, so that one loop takes what follows each other in a section.
void Index2LayoutMaker::join_rows() {
  std::vector<Found<Index2Layout::Range>> found = std::move(row_ranges_);
  row_ranges_.clear();
  const auto comes_before = [](const auto& a, const auto& b) {
    return std::pair(a.section, a.item.begin) < std::pair(b.section, b.item.begin);
  };
  std::sort(found.begin(), found.end(), comes_before);
  for (const auto& r : found)
    if (!row_ranges_.empty() && row_ranges_.back().section == r.section && row_ranges_.back().item.end == r.item.begin)
      row_ranges_.back().item.end = r.item.end;
    else
      row_ranges_.push_back(r);
}

// Products of a section stay in their order: the first one to a place sets it.
void Index2LayoutMaker::sort_by_section() {
  join_rows();
  const auto sort = [this](auto& found, auto& list) {
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.section < b.section; });
    list.start.assign(sections_ + 1, 0);
    for (const auto& f : found) {
      list.items.push_back(f.item);
      ++list.start[static_cast<std::size_t>(f.section) + 1];
    }
    std::partial_sum(list.start.begin(), list.start.end(), list.start.begin());
  };
  sort(ones_, layout.ones);
  sort(zeros_, layout.zeros);
  sort(copies_, layout.copies);
  sort(negated_, layout.negated);
  sort(products_, layout.products);
  sort(normal_, layout.normal);
  sort(row_ranges_, layout.rows);
}

// Blocks are written with their row or with their column.
void Index2LayoutMaker::find_last_sections() {
  for (int b = 0; b < static_cast<int>(rows_.size()); ++b) {
    int last = section_of(b);
    for (const int row : rows_[b]) last = std::max(last, section_of(row));
    layout.finished_by.push_back(last);
  }
}

void Index2LayoutMaker::list_zeros() {
  for (int b = 0; b < static_cast<int>(rows_.size()); ++b)
    for (std::size_t i = 0; i < rows_[b].size(); ++i)
      if (const int place = places_[b][i]; !is_set_[place])
        zeros_.push_back({section_of(b), {place, place + values_of(rows_[b][i], b)}});
}

}  // namespace

Index2Layout make_index2_layout(const assembly::System& system) { return std::move(Index2LayoutMaker(system).layout); }

}  // namespace polhode::integrators
