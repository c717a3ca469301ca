// SPDX-License-Identifier: BSD-3-Clause
// Pairs of nodes and groups, minimum degree of what they make, symbolic elimination.
#include "polhode/assembly/linear/block_order.hpp"

#include <camd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>

#include "block_graph.hpp"
#include "block_tasks.hpp"
#include "constraint_forest.hpp"

namespace polhode::assembly {
namespace {

// Of L: later positions that a column has entries in, ascending.
struct SymbolicFactor {
  std::vector<int> start{0};
  std::vector<int> later;
  double products = 0;  // pairs of them, over all columns; infinite: given up
};

// Neighbours of `i` in the graph: rows[start[i] ... start[i + 1]). The later neighbors of a position are those of the
// graph and of the positions that it follows.
SymbolicFactor eliminate(std::span<const int> start, std::span<const int> rows, std::span<const int> order) {
  constexpr double most = std::numeric_limits<int>::max();  // products that a layout can number
  std::vector<int> position(order.size());
  for (std::size_t p = 0; p < order.size(); ++p) position[order[p]] = static_cast<int>(p);
  std::vector<std::vector<int>> handed_on(order.size());
  SymbolicFactor made;
  for (int p = 0; p < static_cast<int>(order.size()); ++p) {
    std::vector<int> list = std::move(handed_on[p]);
    for (int i = start[order[p]]; i < start[order[p] + 1]; ++i)
      if (position[rows[i]] > p) list.push_back(position[rows[i]]);
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    // Elimination of p couples all its later neighbors. It is enough to hand them on to the first of them, the parent
    // in the elimination tree, which hands them on in turn.
    if (!list.empty()) {
      auto& parent = handed_on[list.front()];
      parent.insert(parent.end(), list.begin() + 1, list.end());
    }
    made.later.insert(made.later.end(), list.begin(), list.end());
    made.start.push_back(static_cast<int>(made.later.size()));
    made.products += static_cast<double>(list.size()) * static_cast<double>(list.size());
    if (made.products > most) {
      made.products = std::numeric_limits<double>::infinity();
      return made;
    }
  }
  return made;
}

// Vertices are nodes with the groups that follow them at once, and groups that close loops.
class CompressedGraph {
 public:
  CompressedGraph(const BlockGraph& graph, std::span<const int> leaders);
  bool has_loops() const;
  // Orders of blocks: by minimum degree; from the ground outwards, so that loops are closed as they are reached; and the
  // deepest first, so that long loops are eliminated from their closing joint along both sides.
  std::vector<int> inward() const;
  std::vector<int> outward() const;
  std::vector<int> deepest_first() const;

 private:
  void find_loops(std::span<const int> leaders);
  void join();
  std::vector<int> minimum_degree() const;
  void turn_to_root(std::vector<int>& vertices) const;
  std::vector<int> breadth_first() const;
  std::vector<int> expand(const std::vector<int>& vertices) const;
  std::vector<int> delay(const std::vector<int>& vertices) const;

  static constexpr int everything = -1;  // in the place of a vertex to wait for
  const BlockGraph& graph_;
  ConstraintForest forest_;
  std::vector<std::vector<int>> blocks_;    // by vertex, ascending: a node comes before its groups
  std::vector<int> vertex_of_;              // by block
  std::vector<std::vector<int>> wait_for_;  // by vertex: vertices that have to be eliminated before
  std::vector<int> start_{0};               // neighbours of vertex v: rows_[start_[v] ... start_[v + 1])
  std::vector<int> rows_;
};

CompressedGraph::CompressedGraph(const BlockGraph& graph, std::span<const int> leaders)
    : graph_(graph), forest_(graph, leaders), vertex_of_(static_cast<std::size_t>(graph.count()), -1) {
  int vertices = 0;
  for (int b = 0; b < graph.count(); ++b)
    if (leaders[b] == b && !graph.is_group[b]) vertex_of_[b] = vertices++;
  wait_for_.resize(static_cast<std::size_t>(vertices));
  find_loops(leaders);
  blocks_.resize(wait_for_.size());
  for (int b = 0; b < graph.count(); ++b) {
    vertex_of_[b] = vertex_of_[leaders[b]];
    blocks_[vertex_of_[b]].push_back(b);
  }
  join();
}

// What waits for a single node belongs to it. Where loops are too long for all their nodes to be listed, the groups that
// are left wait for all vertices.
void CompressedGraph::find_loops(std::span<const int> leaders) {
  constexpr std::size_t longest = 50'000'000;  // all of them together: 200 MB
  std::size_t listed = 0;
  for (int b = 0; b < graph_.count(); ++b) {
    if (leaders[b] != b || !graph_.is_group[b]) continue;
    if (forest_.partner(b) >= 0) {
      vertex_of_[b] = vertex_of_[forest_.partner(b)];
      continue;
    }
    std::vector<int> loop = forest_.loop_of(b, longest - listed);
    listed += loop.size();
    for (int& node : loop) node = vertex_of_[node];
    if (listed >= longest) loop.assign(1, everything);
    if (loop.size() == 1 && loop.front() != everything) {
      vertex_of_[b] = loop.front();
      continue;
    }
    vertex_of_[b] = static_cast<int>(wait_for_.size());
    wait_for_.push_back(std::move(loop));
  }
}

// With entries twice, and of vertices with themselves.
void CompressedGraph::join() {
  for (const auto& blocks : blocks_) {
    for (const int b : blocks)
      for (const int other : graph_.neighbours(b)) rows_.push_back(vertex_of_[other]);
    start_.push_back(static_cast<int>(rows_.size()));
  }
}

bool CompressedGraph::has_loops() const {
  return std::any_of(wait_for_.begin(), wait_for_.end(), [](const auto& list) { return !list.empty(); });
}

std::vector<int> CompressedGraph::inward() const {
  std::vector<int> vertices = minimum_degree();
  if (!forest_.has_groups()) return expand(vertices);
  turn_to_root(vertices);
  return expand(delay(vertices));
}

std::vector<int> CompressedGraph::outward() const { return expand(delay(breadth_first())); }

// Each node before the one that it hangs on.
std::vector<int> CompressedGraph::deepest_first() const {
  std::vector<int> vertices(blocks_.size());
  std::iota(vertices.begin(), vertices.end(), 0);
  std::stable_sort(vertices.begin(), vertices.end(),
                   [&](int a, int b) { return forest_.depth(blocks_[a].front()) > forest_.depth(blocks_[b].front()); });
  return expand(delay(vertices));
}

// What shares the place of a node comes before it: it is coupled with less. Groups follow.
std::vector<int> CompressedGraph::expand(const std::vector<int>& vertices) const {
  std::vector<int> blocks;
  for (const int v : vertices) {
    const auto& own = blocks_[v];
    const auto groups = std::find_if(own.begin(), own.end(), [&](int b) { return graph_.is_group[b]; });
    blocks.insert(blocks.end(), std::make_reverse_iterator(groups), own.rend());
    blocks.insert(blocks.end(), groups, own.end());
  }
  return blocks;
}

// From what stands on ground, or is the root of a part that does not.
std::vector<int> CompressedGraph::breadth_first() const {
  std::vector<int> order;
  std::vector<char> reached(blocks_.size(), 0);
  const auto reach = [&](int v) {
    if (!reached[v]) order.push_back(v);
    reached[v] = 1;
  };
  std::size_t next = 0;
  const auto go_on = [&] {
    for (; next < order.size(); ++next)
      for (int i = start_[order[next]]; i < start_[order[next] + 1]; ++i) reach(rows_[i]);
  };
  const int vertices = static_cast<int>(blocks_.size());
  for (int v = 0; v < vertices; ++v)
    if (forest_.depth(blocks_[v].front()) == 1) reach(v);
  go_on();
  for (int v = 0; v < vertices; ++v) {
    reach(v);
    go_on();
  }
  return order;
}

// Input that is unsorted or has entries twice is put right by CAMD itself (OK_BUT_JUMBLED).
std::vector<int> CompressedGraph::minimum_degree() const {
  const int vertices = static_cast<int>(blocks_.size());
  std::vector<int> order(blocks_.size());
  std::vector<int> constraints(blocks_.size(), 0);
  const int status =
      camd_order(vertices, start_.data(), rows_.data(), order.data(), nullptr, nullptr, constraints.data());
  if (status != CAMD_OK && status != CAMD_OK_BUT_JUMBLED) throw std::bad_alloc();
  return order;
}

// Vertices that follow each other and are coupled with the same later ones may change places. A node that comes before
// the one nearer to the root leaves no group waiting; so those without groups go first, then the deepest ones.
void CompressedGraph::turn_to_root(std::vector<int>& vertices) const {
  const SymbolicFactor factor = eliminate(start_, rows_, vertices);
  const auto count = [&](std::size_t p) { return factor.start[p + 1] - factor.start[p]; };
  const auto depth = [&](int v) { return forest_.depth(blocks_[v].front()); };
  for (std::size_t begin = 0; begin + 1 < factor.start.size();) {
    std::size_t end = begin + 1;
    while (end + 1 < factor.start.size() && count(end - 1) == count(end) + 1 &&
           factor.later[factor.start[end - 1]] == static_cast<int>(end))
      ++end;
    std::stable_sort(vertices.begin() + static_cast<std::ptrdiff_t>(begin),
                     vertices.begin() + static_cast<std::ptrdiff_t>(end),
                     [&](int a, int b) { return depth(a) > depth(b); });
    begin = end;
  }
}

// Moves each vertex that has to wait behind the last one that it waits for.
std::vector<int> CompressedGraph::delay(const std::vector<int>& vertices) const {
  std::vector<int> position(vertices.size());
  for (std::size_t p = 0; p < vertices.size(); ++p) position[vertices[p]] = static_cast<int>(p);
  const auto position_of = [&](int v) { return v == everything ? static_cast<int>(position.size()) - 1 : position[v]; };
  std::vector<std::vector<int>> after(vertices.size());  // by position
  for (const int v : vertices) {
    int last = position[v];
    for (const int other : wait_for_[v]) last = std::max(last, position_of(other));
    if (last > position[v]) after[last].push_back(v);
  }
  std::vector<int> order;
  for (std::size_t p = 0; p < vertices.size(); ++p) {
    const auto& waits = wait_for_[vertices[p]];
    const auto comes_later = [&](int other) { return position_of(other) > static_cast<int>(p); };
    if (std::none_of(waits.begin(), waits.end(), comes_later)) order.push_back(vertices[p]);
    order.insert(order.end(), after[p].begin(), after[p].end());
  }
  return order;
}

// Where that leaves threads less to wait for. What has much fill has wide fronts at its end, and no need of it.
void end_at_center(const BlockGraph& graph, std::vector<int>& block, SymbolicFactor& factor) {
  constexpr std::size_t little_fill = 8;  // later neighbors, by position
  constexpr double worth_it = 0.9;
  if (std::isinf(factor.products) || factor.later.size() > little_fill * block.size()) return;
  std::vector<int> other;
  for (const int p : order_with_center_last(factor.start, factor.later)) other.push_back(block[p]);
  if (other.empty()) return;
  SymbolicFactor of_other = eliminate(graph.start, graph.rows, other);
  const double before = BlockTasks(factor.start, factor.later).waiting;
  if (BlockTasks(of_other.start, of_other.later).waiting > worth_it * before) return;
  block = std::move(other);
  factor = std::move(of_other);
}

}  // namespace

// Where loops wait long for their nodes, other orders may have less fill: in a ladder of bodies that stands on ground,
// all loops reach down to it; minimum degree leaves every other joint of a ring waiting.
BlockOrder::BlockOrder(const PatternView& matrix, std::span<const int> leaders) {
  constexpr double of_rows = 4;  // products, by block: rows and trees have no more
  const BlockGraph graph(matrix);
  std::vector<int> own(static_cast<std::size_t>(graph.count()));
  std::iota(own.begin(), own.end(), 0);
  const CompressedGraph compressed(graph, leaders.empty() ? std::span<const int>(own) : leaders);
  block = compressed.inward();
  SymbolicFactor factor = eliminate(graph.start, graph.rows, block);
  if (compressed.has_loops() && factor.products > of_rows * graph.count())
    for (std::vector<int> other : {compressed.outward(), compressed.deepest_first()}) {
      SymbolicFactor of_other = eliminate(graph.start, graph.rows, other);
      if (of_other.products < factor.products) {
        block = std::move(other);
        factor = std::move(of_other);
      }
    }
  // Pivots of nodes are regular in any order.
  if (leaders.empty() && std::count(graph.is_group.begin(), graph.is_group.end(), 0) == graph.count())
    end_at_center(graph, block, factor);
  for (const int b : block) is_group.push_back(graph.is_group[b]);
  start = std::move(factor.start);
  later = std::move(factor.later);
  products = factor.products;
  if (!std::isinf(products)) form_tasks();
  const auto size_at = [&](int p) { return matrix.block_start[block[p] + 1] - matrix.block_start[block[p]]; };
  for (int p = 0; p < static_cast<int>(block.size()); ++p) {
    const int size = size_at(p);
    numbers += stride(size) * size;
    double others = 0;
    for (int i = start[p]; i < start[p + 1]; ++i) {
      const int other = size_at(later[i]);
      numbers += stride(other) * size + stride(size) * other;
      others += stride(other);
    }
    if (ends_subtree(p)) numbers += others * others;
  }
}

bool BlockOrder::ends_subtree(int p) const {
  return p < task_begin.back() && (start[p] == start[p + 1] || later[start[p]] >= task_begin.back());
}

// The same elimination in an order of the tree that has each task in one piece.
void BlockOrder::form_tasks() {
  const BlockTasks tasks(start, later);
  task_begin = tasks.begin;
  task_work = tasks.work;
  if (tasks.order.empty()) return;
  std::vector<int> place(tasks.order.size());
  for (std::size_t p = 0; p < place.size(); ++p) place[tasks.order[p]] = static_cast<int>(p);
  const BlockOrder before = *this;
  block.clear();
  is_group.clear();
  start.assign(1, 0);
  later.clear();
  for (const int p : tasks.order) {
    block.push_back(before.block[p]);
    is_group.push_back(before.is_group[p]);
    for (int i = before.start[p]; i < before.start[p + 1]; ++i) later.push_back(place[before.later[i]]);
    start.push_back(static_cast<int>(later.size()));
  }
}

// Numbers of a block on the diagonal, and of two for each later position; one index a product, some a position.
double BlockOrder::bytes(double bytes_in_place) const {
  constexpr double neighbour = 4 * sizeof(int);
  const auto pairs = static_cast<double>(later.size());
  const double blocks = sizeof(double) * numbers;
  return std::max(0.0, blocks - bytes_in_place) + neighbour * pairs + sizeof(int) * products;
}

}  // namespace polhode::assembly
