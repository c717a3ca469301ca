// SPDX-License-Identifier: BSD-3-Clause
// Numbers of unknowns and rows, and their names.
#include <algorithm>
#include <array>
#include <cmath>

#include "block_pattern.hpp"
#include "polhode/assembly/linear/block_solver.hpp"
#include "polhode/assembly/system.hpp"

namespace polhode::assembly {

namespace {

// Diagonal of the box; what is left of one place by round-off has none.
double length_of(const Eigen::AlignedBox3d& box) {
  constexpr double same_place = 1e-12;
  if (box.isEmpty()) return 0;
  const double length = box.diagonal().norm();
  return length > same_place * std::max(box.min().norm(), box.max().norm()) ? length : 0;
}

// Box of nodes and of the points that springs, bushings and loads act at: those of a mass on a spring show its length.
double extent_of_forces(const model::Model& model, const std::vector<model::NodeData>& nodes) {
  Eigen::AlignedBox3d box;
  for (std::size_t i = 1; i < nodes.size(); ++i)
    if (nodes[i].referenced || !nodes[i].is_fixed()) box.extend(nodes[i].position);
  for (const model::Entry& entry : model.entries) {
    const auto at = entry.values.find("at");
    if (entry.family != model::Family::force || at == entry.values.end()) continue;
    if (const auto* point = std::get_if<VectorX>(&at->second); point && point->size() == 3)
      box.extend(model::Vec3(*point));
    if (const auto* ends = std::get_if<math::MatrixX>(&at->second); ends && ends->rows() == 3)
      for (Eigen::Index i = 0; i < ends->cols(); ++i) box.extend(model::Vec3(ends->col(i)));
  }
  return length_of(box);
}

}  // namespace

// Of the deck's nodes the system has those of the model's order first, behind the ground; inner ones follow as their beams
// are built.
void System::set_node_axis(std::vector<InnerNodes> inner) {
  const std::size_t of_deck = model_->nodes.size();
  node_axis_.resize(of_deck);
  for (std::size_t place = 0; place < of_deck; ++place)
    node_axis_[model_->node_order.empty() ? place : model_->node_order[place]] = static_cast<int>(place) + 1;
  std::sort(inner.begin(), inner.end(), [](const InnerNodes& a, const InnerNodes& b) { return a.entry < b.entry; });
  for (const InnerNodes& own : inner)
    for (int node = own.first; node < own.end; ++node) node_axis_.push_back(node);
}

// Unknowns in the order of the nodes, constraint rows and internal variables in that of the batches.
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
    for (std::size_t e = 0; e < batch->size(); ++e)
      for (int i = 0; i < batch->rows(); ++i) row_is_length_.push_back(batch->row_is_length(i));
    rows_ += batch->rows() * static_cast<int>(batch->size());
    history_ += batch->history() * static_cast<int>(batch->size());
  }
  set_length();
}

// A joint has an element each in one batch or several.
void System::number_joint_rows(const std::set<int>& joints) {
  for (const int joint : joints) joint_rows_[joint];
  for (int row = 0; !joints.empty() && row < rows_; ++row)
    if (const auto found = joint_rows_.find(entry_of_row(row)); found != joint_rows_.end())
      found->second.push_back(row);
}

// Joint points count, too: a body that hangs on one far away makes a large model. Fixed nodes that nothing is attached
// to do not. Ends of springs and bushings count only where nodes and joints are all at one place.
void System::set_length() {
  Eigen::AlignedBox3d box;
  for (std::size_t i = 1; i < nodes_.size(); ++i)
    if (nodes_[i].referenced || !nodes_[i].is_fixed()) box.extend(nodes_[i].position);
  for (const model::JointTopology& joint : joints_)
    box.extend(nodes_[joint.nodes[0]].position + nodes_[joint.nodes[0]].orientation * joint.offsets[0]);
  double length = length_of(box);
  if (model_->size) length = *model_->size;
  if (!(length > 0)) length = extent_of_bodies();
  if (!(length > 0)) length = extent_of_forces(*model_, nodes_);
  if (!(length > 0)) length = length_of_motion();
  length_is_known_ = length > 0;
  if (length_is_known_) length_ = length;
}

// k^2 = tr J/(2 m) is the mean square distance of a body's mass from its center.
double System::extent_of_bodies() const {
  Eigen::AlignedBox3d box;
  double radius = 0;
  for (const model::BodyTopology& body : bodies_) {
    const model::NodeData& node = nodes_[static_cast<std::size_t>(body.node)];
    box.extend(node.position);
    box.extend(node.position + node.orientation * body.center_of_mass);
    radius = std::max(radius, std::sqrt(body.inertia.trace() / (2 * body.mass)));
  }
  return box.isEmpty() ? 0 : box.diagonal().norm() + 2 * radius;
}

double System::length_of_motion() const {
  double speed = 0;
  for (const model::NodeData& node : nodes_) speed = std::max(speed, node.velocity.norm());
  const double fall = 0.5 * model_->gravity.norm() * model_->duration;
  return (speed + fall) * model_->duration;
}

namespace {

// Each run is a lot; what is in none is one before them.
math::IndexLots lots_of(const std::vector<int>& runs, std::vector<double> places) {
  std::vector<int> lots;
  for (const int run : runs) lots.push_back(run + 1);
  places.insert(places.begin(), 0);
  return {lots, std::move(places)};
}

}  // namespace

// Sections learn which nodes they clear, batches where their blocks are kept; the graph of blocks is forgotten.
void System::make_pattern() {
  const BlockPattern blocks(unknowns_, batches_, signals_.couplings(), free_,
                            model_->resolve_redundant || has_open_rows());
  pattern_ = blocks.pattern(size());
  values_of_nodes_ = blocks.value_start().back();
  const std::size_t number = Sections::number_for(batches_);
  const Sections::Elimination elimination = number > 1 ? order_elimination(number) : Sections::Elimination();
  sections_ = Sections(batches_, blocks.value_start(), number, elimination);
  const bool in_runs = sections_.runs() > 0;
  node_lots_ = in_runs ? lots_of(elimination.run, elimination.places) : math::IndexLots(nodes_.size());
  row_lots_ = in_runs ? lots_of(elimination.run_of_row, elimination.places) : math::IndexLots(rows_);
  blocks.set_slots(batches_);
  signals_.set_places([&](int row, int column) { return blocks.place_of_coupling(row, column); });
}

// Solvers take the order over. Blocks are the nodes that have unknowns, then groups of constraint equations. Each task is
// a run, so that who assembles eliminates; of few tasks each is several, and what one thread eliminates alone, too, so that
// assembly has threads. A section belongs to a run where all its nodes do: tasks of few sections stay whole, else no section
// would belong to any.
Sections::Elimination System::order_elimination(std::size_t sections) {
  constexpr int enough = 8;
  constexpr int sections_of_run = 4;
  const std::vector<int> nowhere(nodes_.size(), -1);
  Sections::Elimination made{nowhere, nowhere, std::vector<int>(rows_, -1), {}};
  const PatternView pattern(pattern_);
  if (!BlockSolver::takes(pattern)) return made;
  const auto order = std::make_shared<const BlockOrder>(pattern);
  pattern_.order = order;
  std::vector<int> node_of_block;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (unknowns_[i].count > 0) node_of_block.push_back(static_cast<int>(i));
  const int count = static_cast<int>(order->block.size());
  // Node 0, the ground, is eliminated at no position: groups of constraint equations stand for it here, until the end.
  const auto node_at = [&](int p) {
    const auto block = static_cast<std::size_t>(order->block[p]);
    return static_cast<std::size_t>(block < node_of_block.size() ? node_of_block[block] : 0);
  };
  for (int p = 0; p < count; ++p) made.position[node_at(p)] = p;
  std::vector<int> task_begin = order->task_begin;
  if (task_begin.size() == 1) task_begin.push_back(count);
  const int tasks = static_cast<int>(task_begin.size()) - 1;
  const int most = tasks == 1 ? enough : std::min(enough, static_cast<int>(sections) / sections_of_run);
  const int parts = std::max(1, most / tasks);
  const std::vector<double> work = order->task_work.empty() ? std::vector<double>{1} : order->task_work;
  std::vector<double> work_of_runs;
  for (const double of_task : work) work_of_runs.insert(work_of_runs.end(), parts, of_task / parts);
  made.places = math::places_of(work_of_runs);
  int run = 0;
  for (std::size_t task = 0; task + 1 < task_begin.size(); ++task)
    for (int part = 0; part < parts; ++part, ++run) {
      const auto cut = [&](std::int64_t at) {
        return task_begin[task] + static_cast<int>((task_begin[task + 1] - task_begin[task]) * at / parts);
      };
      for (int p = cut(part); p < cut(part + 1); ++p) {
        made.run[node_at(p)] = run;
        const auto unknown = pattern_.block_start.begin() + order->block[p];
        for (int i = std::max(*unknown, free_); i < *(unknown + 1); ++i) made.run_of_row[i - free_] = run;
      }
    }
  made.position[0] = made.run[0] = -1;
  return made;
}

// Of free unknowns by bisection over the first unknowns of the nodes; of constraint rows by their batch and element.
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

// Batches have consecutive rows; those without constraints have none.
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

// A node is held by a body or a beam (inertia) or by a joint. Fixed nodes need nothing, nodes that nothing refers to
// are reported by System::make.
void System::check_masses(const std::set<std::string, std::less<>>& unsure, model::Problems& problems) const {
  std::vector<char> held(nodes_.size(), 0);
  for (const auto& batch : batches_)
    if (batch->has_inertia() || batch->rows() > 0)
      for (std::size_t e = 0; e < batch->size(); ++e)
        for (const int node : batch->nodes_of(e)) held[node] = 1;
  for (std::size_t i = 1; i < nodes_.size(); ++i)
    if (const model::NodeData& node = nodes_[i];
        !held[i] && node.referenced && !unsure.contains(node.name) && !node.is_fixed())
      problems.push_back(
          {node.label(), "has no mass, and no joint or beam holds it; attach a body, or give `fixed: true`"});
}

}  // namespace polhode::assembly
