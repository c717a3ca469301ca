// SPDX-License-Identifier: BSD-3-Clause
// The layout of the results: which channels a model has, with units, frames and descriptions.
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "polhode/results/sampler.hpp"
#include "polhode/model/catalog.hpp"

namespace polhode::results {

using model::Entry;

Sampler::Sampler(const assembly::System& system, const std::vector<std::string>& fields, bool controlled,
                 bool with_static, bool discrete)
    : system_(system), fields_(fields) {
  add(Source::time, "/time", {}, "s", "", "time of the stored state");
  add(Source::analysis, "/analysis", {}, "", "", "index of the analysis the state belongs to, from 0");
  layout_.states.back().integer = true;
  if (with_static) add_static_analysis();
  add_nodes();
  add_elements();
  add_reactions();
  add_energies();
  add_invariants(discrete);
  add_statics();
  add_steps(controlled);
  row_.assign(layout_.state_size, 0.0);
  step_row_.assign(layout_.step_size, 0.0);
}

bool Sampler::wanted(const std::string& path) const {
  if (fields_.empty() || path == "/time" || path == "/analysis" || path.starts_with("/static/")) return true;
  std::string dotted = path.substr(1);
  std::replace(dotted.begin(), dotted.end(), '/', '.');
  return std::any_of(fields_.begin(), fields_.end(), [&](const std::string& field) {
    return dotted == field ||
           (dotted.size() > field.size() && dotted.starts_with(field) && dotted[field.size()] == '.');
  });
}

bool Sampler::add(Source source, std::string path, std::vector<int> shape, std::string units, std::string frame,
                  std::string description, int index, int count) {
  if (!wanted(path)) return false;
  const int size = std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
  items_.push_back({source, layout_.state_size, index, count});
  layout_.states.push_back({std::move(path), std::move(shape), std::move(units), std::move(frame),
                            std::move(description), layout_.state_size, false});
  layout_.state_size += static_cast<std::size_t>(size);
  return true;
}

void Sampler::add_static_analysis() {
  add(Source::load_factor, "/static/load_factor", {}, "1", "",
      "factor of loads, gravity, motors and drives; 1 in states of other analyses");
  add(Source::static_iterations, "/static/iterations", {}, "1", "", "linear solves of the load step");
  layout_.states.back().integer = true;
  add(Source::smallest_pivot, "/static/smallest_pivot", {}, "1", "",
      "smallest pivot of the tangent stiffness with constraints, over the largest one; not a number in states of other "
      "analyses");
  add(Source::limit_point, "/static/limit_point", {}, "1", "", "1 where the load factor has an extremum");
  layout_.states.back().integer = true;
}

void Sampler::add_nodes() {
  const int n = static_cast<int>(system_.nodes()) - 1;
  add(Source::position, "/nodes/position", {n, 3}, "m", "inertial", "positions of the nodes");
  add(Source::rotation, "/nodes/rotation", {n, 4}, "1", "body to inertial",
      "unit quaternions w, x, y, z, continuous in sign");
  add(Source::velocity, "/nodes/velocity", {n, 3}, "m/s", "inertial", "velocities of the nodes");
  add(Source::angular_velocity, "/nodes/angular_velocity", {n, 3}, "rad/s", "body",
      "angular velocities, in the node's own frame");
  add(Source::acceleration, "/nodes/acceleration", {n, 3}, "m/s^2", "inertial",
      "accelerations (vdot, not the auxiliary a)");
  add(Source::angular_acceleration, "/nodes/angular_acceleration", {n, 3}, "rad/s^2", "body",
      "angular accelerations, in the node's own frame");
}

// The elements of an entry share its channels; they follow each other in one batch.
void Sampler::add_elements() {
  struct Range {
    const model::BatchBase* batch;
    std::size_t first;
    std::size_t count;
  };
  std::map<int, Range> of_entry;
  for (const auto& batch : system_.batches())
    for (std::size_t e = 0; e < batch->size(); ++e)
      ++of_entry.try_emplace(batch->entry_of(e), Range{batch.get(), e, 0}).first->second.count;
  for (const auto& [index, range] : of_entry) {
    const auto& [batch, first, count] = range;
    const Entry& entry = system_.model().entries[index];
    const std::string group = "/" + std::string(model::deck_key(entry.family)) + "/" + entry.name + "/";
    if (batch->rows() > 0) {
      std::string names;
      for (int r = 0; r < batch->rows(); ++r) names += (r ? ", " : "") + batch->row_name(r);
      add(Source::multipliers, group + "multipliers", {batch->rows()}, "N, N m", "",
          "Lagrange multipliers of the rows: " + names, batch->first_row() + static_cast<int>(first) * batch->rows(),
          batch->rows());
    }
    const auto beam = std::lower_bound(system_.beams().begin(), system_.beams().end(), index,
                                       [](const model::BeamTopology& b, int at) { return b.entry < at; });
    const bool found = beam != system_.beams().end() && beam->entry == index;
    const std::size_t points = found ? static_cast<std::size_t>(beam->points) : 1;
    EntryOutputs outputs{batch, first, count, points, 0, {}};
    bool any = false;
    for (const model::Output& output : entry.kind->outputs) {
      std::vector<int> shape = output.per_element ? std::vector<int>{static_cast<int>(count * points), output.size}
                                                  : std::vector<int>{output.size};
      const std::size_t offset = layout_.state_size;
      const bool kept = add(Source::output, group + std::string(output.name), std::move(shape),
                            std::string(output.unit), std::string(output.frame), std::string(output.doc));
      any = any || kept;
      outputs.parts.push_back({offset, static_cast<std::size_t>(output.size), kept});
      outputs.stride += static_cast<std::size_t>(output.size);
    }
    if (!any) continue;
    const std::size_t size = outputs.stride * points * std::min(count, at_a_time);
    if (scratch_.size() < size) scratch_.resize(size);
    entries_.push_back(std::move(outputs));
  }
  for (const auto& batch : system_.batches()) {
    std::size_t elements = 0;
    for (const EntryOutputs& entry : entries_)
      if (entry.batch == batch.get()) elements += entry.count;
    const bool all = elements == batch->size();
    for (EntryOutputs& entry : entries_)
      if (entry.batch == batch.get()) entry.with_totals = all;
    if (!all) without_outputs_.push_back(batch.get());
  }
}

void Sampler::add_reactions() {
  std::vector<int> supports;
  for (std::size_t i = 1; i < system_.nodes(); ++i) {
    const model::NodeData& node = system_.node(i);
    const bool force = node.removed[0] || node.removed[1] || node.removed[2];
    const bool moment = !node.translation_only && (node.removed[3] || node.removed[4] || node.removed[5]);
    const std::string group = "/reactions/" + node.name + "/";
    bool kept = false;
    if (force)
      kept |= add(Source::reaction_force, group + "force", {3}, "N", "inertial", "force of the support on the node",
                  static_cast<int>(i));
    if (moment)
      kept |= add(Source::reaction_moment, group + "moment", {3}, "N m", "inertial",
                  "moment of the support on the node", static_cast<int>(i));
    if (kept) supports.push_back(static_cast<int>(i));
  }
  set_neighbours(supports);
}

void Sampler::set_neighbours(const std::vector<int>& supports) {
  forces_.assign(system_.nodes(), model::Vec6::Zero());
  for (const auto& batch : system_.batches()) {
    Neighbours some{batch.get(), {}};
    for (std::size_t e = 0; e < batch->size(); ++e) {
      const auto nodes = batch->nodes_of(e);
      const bool near = std::any_of(nodes.begin(), nodes.end(), [&](int node) {
        return std::binary_search(supports.begin(), supports.end(), node);
      });
      if (!near) continue;
      some.elements.push_back(e);
      touched_.insert(touched_.end(), nodes.begin(), nodes.end());
    }
    if (!some.elements.empty()) neighbours_.push_back(std::move(some));
  }
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
}

void Sampler::add_energies() {
  needs_totals_ |= add(Source::kinetic, "/energy/kinetic", {}, "J", "", "kinetic energy");
  needs_totals_ |= add(Source::strain, "/energy/strain", {}, "J", "", "strain energy of beams, springs and bushings");
  needs_totals_ |= add(Source::gravity, "/energy/gravity", {}, "J", "", "energy of gravity, zero at the origin");
  needs_totals_ |= add(Source::total, "/energy/total", {}, "J", "", "kinetic + strain + gravity");
  add(Source::external_work, "/energy/external_work", {}, "J", "", "work of loads, drives and dampers since the start");
}

void Sampler::add_invariants(bool discrete) {
  needs_totals_ |= add(Source::linear_momentum, "/invariants/linear_momentum", {3}, "N s", "inertial",
                       "linear momentum of the model");
  needs_totals_ |= add(Source::angular_momentum, "/invariants/angular_momentum", {3}, "N m s", "inertial",
                       "angular momentum about the origin");
  needs_totals_ |= add(Source::invariant_energy, "/invariants/energy", {}, "J", "", "total energy");
  if (!discrete) return;
  add(Source::discrete_linear_momentum, "/invariants/discrete_linear_momentum", {3}, "N s", "inertial",
      "linear momentum that the method itself keeps");
  add(Source::discrete_angular_momentum, "/invariants/discrete_angular_momentum", {3}, "N m s", "inertial",
      "angular momentum about the origin that the method itself keeps");
  add(Source::discrete_energy, "/invariants/discrete_energy", {}, "J", "",
      "energy of the step that led to the state; in the first state that of the state");
}

void Sampler::add_statics() {
  StaticData names{"/nodes/names", "names of the nodes, in the order of the node axis", {}, {}, {}, {}};
  for (std::size_t i = 1; i < system_.nodes(); ++i) names.names.push_back(system_.node(i).name);
  layout_.statics.push_back(std::move(names));
  const auto& entries = system_.model().entries;
  for (const model::BeamTopology& beam : system_.beams()) {
    StaticData data{"/beams/" + entries[beam.entry].name + "/nodes",
                    "indices into /nodes/names, along the beam",
                    {},
                    {},
                    {},
                    {static_cast<int>(beam.nodes.size())}};
    for (const int node : beam.nodes) data.indices.push_back(node - 1);
    layout_.statics.push_back(std::move(data));
  }
  for (const model::JointTopology& joint : system_.joints()) {
    const std::string group = "/joints/" + entries[joint.entry].name + "/";
    layout_.statics.push_back({group + "nodes",
                               "indices of the two nodes into /nodes/names, -1 = ground",
                               {},
                               {joint.nodes[0] - 1, joint.nodes[1] - 1},
                               {},
                               {2}});
    StaticData offsets{
        group + "offsets", "the joint's point from each node, in the node's frame", {}, {}, {}, {2, 3}, "m"};
    for (const auto& offset : joint.offsets)
      offsets.numbers.insert(offsets.numbers.end(), offset.data(), offset.data() + 3);
    layout_.statics.push_back(std::move(offsets));
  }
  for (const model::BodyTopology& body : system_.bodies()) {
    const std::string group = "/bodies/" + entries[body.entry].name + "/";
    layout_.statics.push_back({group + "node", "index of the node into /nodes/names", {}, {body.node - 1}, {}, {1}});
    layout_.statics.push_back({group + "mass", "mass", {}, {}, {body.mass}, {1}, "kg"});
    StaticData center{group + "center_of_mass", "offset from the node, in the node's frame", {}, {}, {}, {3}, "m"};
    center.numbers.assign(body.center_of_mass.data(), body.center_of_mass.data() + 3);
    layout_.statics.push_back(std::move(center));
    StaticData inertia{group + "inertia", "about the centre of mass, in the node's frame", {}, {}, {}, {3, 3},
                       "kg m^2"};
    inertia.numbers.assign(body.inertia.data(), body.inertia.data() + 9);
    layout_.statics.push_back(std::move(inertia));
  }
}

void Sampler::add_steps(bool controlled) {
  const auto channel = [&](const char* name, const char* units, const char* description, bool integer) {
    layout_.steps.push_back({std::string("/solver/") + name, {}, units, "", description, layout_.step_size++, integer});
  };
  channel("time", "s", "time at the end of the step", false);
  channel("step", "s", "step size", false);
  channel("newton_iterations", "1", "linear solves of the step", true);
  channel("residual", "N, N m", "Euclidean norm of the equations of motion over all free rows at the last evaluation",
          false);
  channel("constraint_residual", "m, rad", "Euclidean norm of the constraints over all rows at the last evaluation",
          false);
  channel("wasted_iterations", "1", "linear solves of failed attempts before the step", true);
  channel("factorizations", "1", "iteration matrices made and factorized in the step", true);
  channel("contraction", "1", "the step's last increment over the one before; NaN after fewer than two solves", false);
  channel("convergence_order", "1",
          "log(e3/e2)/log(e2/e1) of the step's last three increments; NaN after fewer than three solves", false);
  if (!controlled) return;
  channel("error", "1", "estimated local error by what the tolerance allows a step; 0 of fixed steps", false);
  channel("rejected_for_error", "1", "attempts before the step whose error was too large", true);
  channel("rejected_by_newton", "1", "attempts before the step that did not converge", true);
}

}  // namespace polhode::results
