// SPDX-License-Identifier: BSD-3-Clause
// Graph of the deck's nodes, its order by minimum degree, and how far apart that leaves neighbors.
#include "polhode/model/node_order.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "polhode/model/catalog.hpp"

namespace polhode::model {
namespace {

using Order = std::vector<int>;

// By name; fixed nodes have no unknowns and tie nothing together, as the ground does not.
using Indices = std::unordered_map<std::string_view, int>;

Indices free_nodes(const Model& model) {
  Indices indices;
  indices.reserve(model.nodes.size());
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const auto& fixed = model.nodes[i].fixed;
    if (std::find(fixed.begin(), fixed.end(), false) != fixed.end())
      indices.emplace(model.nodes[i].name, static_cast<int>(i));
  }
  return indices;
}

// The free nodes that an entry names.
std::vector<int> nodes_of(const Entry& entry, const Indices& indices) {
  std::vector<int> nodes;
  const auto add = [&](const std::string& name) {
    if (const auto found = indices.find(name); found != indices.end()) nodes.push_back(found->second);
  };
  for (const Field& field : entry.kind->fields) {
    if (field.type != FieldType::node && field.type != FieldType::node_pair) continue;
    if (!entry.has(field.name)) continue;
    if (field.type == FieldType::node) add(entry.text(field.name));
    if (field.type == FieldType::node_pair)
      for (const std::string& name : entry.names(field.name)) add(name);
  }
  return nodes;
}

using Pair = std::pair<int, int>;

// Each two of them once.
void add_pairs(const std::vector<int>& nodes, std::vector<Pair>& pairs) {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (nodes[i] != nodes[j]) pairs.emplace_back(nodes[i], nodes[j]);
}

Order as_they_stand(std::size_t count) {
  Order order(count);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// Place of each index.
std::vector<int> places_in(const Order& order) {
  std::vector<int> places(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) places[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  return places;
}

// Mean of the logarithms of distances: caches hold what is near, and far is far.
double spread(const std::vector<Pair>& pairs, const std::vector<int>& places) {
  double sum = 0;
  for (const auto& [a, b] : pairs)
    sum += std::log2(std::abs(places[static_cast<std::size_t>(a)] - places[static_cast<std::size_t>(b)]));
  return pairs.empty() ? 0 : sum / static_cast<double>(pairs.size());
}

// With a diagonal: Eigen leaves nodes without a diagonal to the end, as if all others were their neighbors.
Order minimum_degree(const std::vector<Pair>& pairs, std::size_t nodes) {
  std::vector<Eigen::Triplet<char>> entries;
  entries.reserve(2 * pairs.size() + nodes);
  for (int node = 0; node < static_cast<int>(nodes); ++node) entries.emplace_back(node, node, 1);
  for (const auto& [a, b] : pairs) {
    entries.emplace_back(a, b, 1);
    entries.emplace_back(b, a, 1);
  }
  const auto size = static_cast<Eigen::Index>(nodes);
  Eigen::SparseMatrix<char> graph(size, size);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(graph, order);
  return {order.indices().data(), order.indices().data() + size};
}

// Who numbers a machine along its parts, or a lattice row by row, is left alone: with the mean distance of two that rows
// have at most, the graph is not even sorted.
Order order_of_nodes(const std::vector<Pair>& pairs, std::size_t nodes) {
  constexpr double near = 1;
  constexpr double worth_it = 0.8;
  const double now = spread(pairs, as_they_stand(nodes));
  if (now <= near) return {};
  Order order = minimum_degree(pairs, nodes);
  return spread(pairs, places_in(order)) < worth_it * now ? order : Order();
}

}  // namespace

// Families stay apart: forces and what follows them refer to others. An entry without free nodes, as a support of what
// is fixed, comes last of its family.
void set_order(Model& model) {
  constexpr std::size_t large = 256;  // below, all that a step touches stays in the cache
  model.node_order.clear();
  model.build_order.clear();
  if (model.nodes.size() < large) return;
  const Indices indices = free_nodes(model);
  std::vector<Pair> pairs;
  std::vector<std::vector<int>> nodes;  // by entry
  for (const Entry& entry : model.entries) {
    nodes.push_back(entry.family <= Family::force ? nodes_of(entry, indices) : std::vector<int>());
    add_pairs(nodes.back(), pairs);
  }
  model.node_order = order_of_nodes(pairs, model.nodes.size());
  const std::vector<int> places =
      places_in(model.node_order.empty() ? as_they_stand(model.nodes.size()) : model.node_order);
  std::vector<std::pair<Family, int>> keys;
  for (std::size_t i = 0; i < model.entries.size(); ++i) {
    const Family family = model.entries[i].family;
    int first = std::numeric_limits<int>::max();
    for (const int node : nodes[i]) first = std::min(first, places[static_cast<std::size_t>(node)]);
    keys.emplace_back(std::min(family, Family::force), family < Family::force ? first : 0);
  }
  if (std::is_sorted(keys.begin(), keys.end())) return;
  model.build_order = as_they_stand(model.entries.size());
  std::stable_sort(model.build_order.begin(), model.build_order.end(),
                   [&](int a, int b) { return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)]; });
}

}  // namespace polhode::model
