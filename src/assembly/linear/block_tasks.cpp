// SPDX-License-Identifier: BSD-3-Clause
// Subtrees of the elimination tree, cut where most of the work lies below and little above.
#include "block_tasks.hpp"

#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>

namespace polhode::assembly {
namespace {

struct EliminationTree {
  EliminationTree(std::span<const int> start, std::span<const int> later);
  int size() const { return static_cast<int>(parent.size()); }
  // Children before parents, each subtree in one piece. The heaviest child goes first, so that small ones stand next to
  // their parent: of a chain with leaves, all leaves would go first else, and memory be passed twice.
  std::vector<int> postorder() const;

  std::vector<int> parent;  // -1: none
  std::vector<int> degree;
  std::vector<double> work;   // products of blocks, nearly: the inverse, and what is divided by it, count as some
  std::vector<double> below;  // of the whole subtree
  double all = 0;
  std::vector<int> roots;
  // Children of p, the heaviest first: first_child[p], then next[that], and so on; -1: no more.
  std::vector<int> first_child;
  std::vector<int> next;
};

EliminationTree::EliminationTree(std::span<const int> start, std::span<const int> later)
    : parent(start.size() - 1, -1), below(parent.size(), 0), first_child(parent.size(), -1), next(parent.size(), -1) {
  for (int p = 0; p < size(); ++p) {
    degree.push_back(start[p + 1] - start[p]);
    work.push_back((degree[p] + 1.0) * (degree[p] + 1.0));
    below[p] += work[p];
    all += work[p];
    if (degree[p] == 0) {
      roots.push_back(p);
      continue;
    }
    parent[p] = later[start[p]];
    below[parent[p]] += below[p];
  }
  std::vector<int> lightest_first(parent.size());
  std::iota(lightest_first.rbegin(), lightest_first.rend(), 0);
  std::stable_sort(lightest_first.begin(), lightest_first.end(), [&](int a, int b) { return below[a] < below[b]; });
  for (const int p : lightest_first) {
    if (parent[p] < 0) continue;
    next[p] = first_child[parent[p]];
    first_child[parent[p]] = p;
  }
}

// Without recursion: rows of bodies are as deep as they are long.
std::vector<int> EliminationTree::postorder() const {
  std::vector<int> order;
  for (const int root : roots) {
    int p = root;
    for (;;) {
      while (first_child[p] >= 0) p = first_child[p];
      order.push_back(p);
      while (p != root && next[p] < 0) {
        p = parent[p];
        order.push_back(p);
      }
      if (p == root) break;
      p = next[p];
    }
  }
  return order;
}

// Subtrees side by side, and what is left above them.
class Cut {
 public:
  explicit Cut(const EliminationTree& tree) : tree_(tree), subtrees_({&tree}) {
    for (const int root : tree.roots) add(root);
  }
  bool has_subtrees() const { return !subtrees_.empty(); }
  double top() const { return top_; }
  // What several threads wait for: the top, what subtrees hand on to it, and the longer one of the heaviest subtree and
  // a fair share.
  double waiting() const {
    constexpr double threads = 4;
    return top_ + handed_on_ + std::max(tree_.below[subtrees_.top()], (tree_.all - top_) / threads);
  }
  // Its root joins the top, its children are subtrees. Beside the heaviest of them, what is little work stays with the
  // root, of a chain the leaves: else memory would be passed twice for them.
  void open_heaviest() {
    constexpr double little = 300;  // products, of which an element of nine nodes has 280 below its end
    const int root = subtrees_.top();
    subtrees_.pop();
    handed_on_ -= handing_on(root);
    top_ += tree_.work[root];
    const int heaviest = tree_.first_child[root];
    if (heaviest < 0) return;
    add(heaviest);
    const double others = tree_.below[root] - tree_.work[root] - tree_.below[heaviest];
    if (others < little)
      top_ += others;
    else
      for (int child = tree_.next[heaviest]; child >= 0; child = tree_.next[child]) add(child);
  }
  // By position: its place is below the top.
  std::vector<char> marks() {
    std::vector<char> marked(static_cast<std::size_t>(tree_.size()), 0);
    for (; has_subtrees(); subtrees_.pop()) marked[subtrees_.top()] = 1;
    for (int p = tree_.size() - 1; p >= 0; --p)
      if (tree_.parent[p] >= 0 && marked[tree_.parent[p]]) marked[p] = 1;
    return marked;
  }

 private:
  // Equal ones in their order, so that the choice is always the same.
  struct IsLighter {
    const EliminationTree* tree;
    bool operator()(int a, int b) const {
      if (tree->below[a] != tree->below[b]) return tree->below[a] < tree->below[b];
      return a > b;
    }
  };
  void add(int root) {
    subtrees_.push(root);
    handed_on_ += handing_on(root);
  }
  // Blocks that a subtree updates above it are cleared, and added up.
  double handing_on(int root) const { return 0.3 * tree_.degree[root] * tree_.degree[root]; }

  const EliminationTree& tree_;
  std::priority_queue<int, std::vector<int>, IsLighter> subtrees_;
  double top_ = 0;
  double handed_on_ = 0;
};

// How often the heaviest subtree is to be opened; -1: threads would win little. A root with one child changes nothing
// yet, so all cuts are passed that could still be the best.
int best_openings(const EliminationTree& tree) {
  constexpr double worth_it = 0.8;
  Cut cut(tree);
  double least = worth_it * tree.all;
  int best = -1;
  for (int opened = 0; cut.has_subtrees() && cut.top() < least; ++opened) {
    if (cut.waiting() < least) {
      least = cut.waiting();
      best = opened;
    }
    cut.open_heaviest();
  }
  return best;
}

// The lowest position that has half of the work in its subtree.
int center_of(const EliminationTree& tree) {
  const auto is_heavy = [&](int p) { return tree.below[p] >= 0.5 * tree.all; };
  const auto heavy = std::find_if(tree.roots.begin(), tree.roots.end(), is_heavy);
  if (heavy == tree.roots.end()) return -1;
  int center = *heavy;
  for (int child = tree.first_child[center]; child >= 0;) {
    if (is_heavy(child)) {
      center = child;
      child = tree.first_child[center];
    } else {
      child = tree.next[child];
    }
  }
  return center;
}

}  // namespace

// Small subtrees that follow each other share a task.
BlockTasks::BlockTasks(std::span<const int> start, std::span<const int> later) {
  constexpr double least_work = 4000;  // products: a tenth of a millisecond, about
  constexpr double tasks = 32;         // about so many, where subtrees are small
  const EliminationTree tree(start, later);
  waiting = tree.all;
  if (tree.all < least_work) return;
  const int openings = best_openings(tree);
  if (openings < 0) {
    order = tree.postorder();
    return;
  }
  Cut cut(tree);
  for (int i = 0; i < openings; ++i) cut.open_heaviest();
  waiting = cut.waiting();
  const double enough = (tree.all - cut.top()) / tasks;
  const std::vector<char> is_below = cut.marks();
  double own = 0;
  const auto end_task = [&] {
    begin.push_back(static_cast<int>(order.size()));
    work.push_back(own);
    own = 0;
  };
  for (const int p : tree.postorder()) {
    if (!is_below[p]) continue;
    order.push_back(p);
    const bool ends_subtree = tree.parent[p] < 0 || !is_below[tree.parent[p]];
    if (!ends_subtree) continue;
    own += tree.below[p];
    if (own >= enough) end_task();
  }
  if (own > 0) end_task();
  for (const int p : tree.postorder())
    if (!is_below[p]) order.push_back(p);
}

// Next is always one of those that have most neighbors already: the reverse of that has no fill beyond that of the
// factor (Tarjan & Yannakakis 1984), whatever it begins with.
std::vector<int> order_with_center_last(std::span<const int> start, std::span<const int> later) {
  const EliminationTree tree(start, later);
  const int center = center_of(tree);
  if (center < 0) return {};
  std::vector<std::vector<int>> neighbors(static_cast<std::size_t>(tree.size()));
  for (int p = 0; p < tree.size(); ++p)
    for (int i = start[p]; i < start[p + 1]; ++i) {
      neighbors[p].push_back(later[i]);
      neighbors[later[i]].push_back(p);
    }
  std::vector<int> found(neighbors.size(), 0);
  std::vector<char> is_done(neighbors.size(), 0);
  std::vector<int> order;
  std::priority_queue<std::pair<int, int>> queue;  // neighbors that are done, position; old entries stay in it
  const auto take = [&](int p) {
    if (is_done[p]) return;
    is_done[p] = 1;
    order.push_back(p);
    for (const int other : neighbors[p]) queue.push({++found[other], other});
  };
  take(center);
  for (int p = tree.size() - 1; p >= 0; --p) {
    while (!queue.empty()) {
      const int next = queue.top().second;
      queue.pop();
      take(next);
    }
    take(p);  // of another part
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace polhode::assembly
