// SPDX-License-Identifier: BSD-3-Clause
// The assembled system: residual, iteration matrix, rates, energies.
#include "polhode/assembly/system.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <set>

#include "polhode/math/parallel.hpp"
#include "polhode/model/catalog.hpp"

namespace polhode::assembly {

namespace {

std::span<double> span_of(VectorX& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

// Violations and rates of locks that do not hold, and of joints that have come apart, are none: zeros.
void clear_open_rows(const DroppedConstraints& dropped, VectorX& rows) {
  for (const int row : dropped.open) rows[row] = 0;
}

// A lock adds to the reaction, which its multipliers alone know: a sensor would leave that out. What holds rotations alone
// adds no force.
void check_measured_locks(const model::Builder& builder, model::Problems& problems) {
  using Reaction = model::Sensor::Reaction;
  const auto adds_to = [](const model::Lock& lock, Reaction reaction) {
    bool moves = false;
    for (int i = 0; i < lock.rows(); ++i) moves = moves || lock.batch->row_is_length(i);
    return reaction == Reaction::moment || moves;
  };
  for (const model::SignalEntry& signal : builder.signals_) {
    const Reaction reaction = signal.sensor ? signal.sensor->reaction() : Reaction::none;
    if (reaction == Reaction::none) continue;
    const model::Sensor::Element of = signal.sensor->multipliers();
    const int joint = of.batch->entry_of(of.number);
    const bool is_locked = std::any_of(builder.locks_.begin(), builder.locks_.end(), [&](const model::Lock& lock) {
      return lock.joint == joint && adds_to(lock, reaction);
    });
    if (!is_locked) continue;
    const auto& entries = builder.model().entries;
    problems.push_back({entries[static_cast<std::size_t>(signal.entry)].path("of"),
                        "is a reaction of " + entries[static_cast<std::size_t>(joint)].path() +
                            ", which is locked on the way, and signals leave out what holds a lock; results and "
                            "responses have all of it, and so has a `fixed` joint, or a drive that stands still"});
  }
}

// A copy of a model may have lost its last entries, or have got others.
std::vector<int> build_order(const model::Model& model) {
  const int count = static_cast<int>(model.entries.size());
  std::vector<int> order;
  std::copy_if(model.build_order.begin(), model.build_order.end(), std::back_inserter(order),
               [&](int i) { return i < count; });
  for (int i = static_cast<int>(model.build_order.size()); i < count; ++i) order.push_back(i);
  return order;
}

template <class Topology>
void sort_by_entry(std::vector<Topology>& list) {
  std::stable_sort(list.begin(), list.end(), [](const Topology& a, const Topology& b) { return a.entry < b.entry; });
}

}  // namespace

// Builds all entries, so that problems of several are reported at once, in the order of the model. Nodes of entries with
// problems may have got only some of their elements: for those a missing mass is no news.
std::optional<System> System::make(const model::Model& model, model::Problems& problems,
                                   const model::SignalForm& form) {
  model::Builder builder(model);
  std::set<std::string, std::less<>>
      unsure;  // nodes of entries with problems, which may not have got all their elements
  std::vector<model::Problems> of_entries(model.entries.size());
  std::vector<InnerNodes> inner;
  problems.insert(problems.end(), builder.problems_.begin(), builder.problems_.end());
  for (const int i : build_order(model)) {
    const model::Entry& entry = model.entries[static_cast<std::size_t>(i)];
    const std::size_t nodes = builder.nodes_.size();
    const std::size_t before = builder.problems_.size();
    entry.kind->build(entry, builder);
    if (builder.nodes_.size() > nodes)
      inner.push_back({i, static_cast<int>(nodes), static_cast<int>(builder.nodes_.size())});
    if (builder.problems_.size() == before) continue;
    of_entries[static_cast<std::size_t>(i)].assign(builder.problems_.begin() + static_cast<std::ptrdiff_t>(before),
                                                   builder.problems_.end());
    if (entry.family == model::Family::force) continue;
    for (const auto& [key, value] : entry.values) {
      if (const auto* name = std::get_if<std::string>(&value)) unsure.insert(*name);
      if (const auto* names = std::get_if<std::vector<std::string>>(&value))
        unsure.insert(names->begin(), names->end());
    }
  }
  for (const model::Problems& found : of_entries) problems.insert(problems.end(), found.begin(), found.end());
  check_measured_locks(builder, problems);
  // Fixed nodes without anything do no harm: the run warns of them.
  for (std::size_t i = 1; i < builder.nodes_.size(); ++i)
    if (!builder.nodes_[i].referenced && !builder.nodes_[i].is_fixed())
      problems.push_back({builder.nodes_[i].label(),
                          "nothing refers to this node; attach a body, beam, joint or force, or remove it"});

  System system;
  system.model_ = &model;
  system.form_ = form;
  system.nodes_ = std::move(builder.nodes_);
  for (auto& [kind, batch] : builder.batches_) system.batches_.push_back(std::move(batch));
  system.beams_ = std::move(builder.beams_);
  system.joints_ = std::move(builder.joints_);
  system.bodies_ = std::move(builder.bodies_);
  sort_by_entry(system.beams_);
  sort_by_entry(system.joints_);
  sort_by_entry(system.bodies_);
  system.events_ = std::move(builder.events_);
  system.starts_ = std::move(builder.starts_);
  system.locks_ = std::move(builder.locks_);
  // Nothing is numbered for a model with problems: they are all that the caller wants then.
  system.check_masses(unsure, problems);
  if (!problems.empty()) return std::nullopt;
  system.set_node_axis(std::move(inner));
  system.number_unknowns();
  system.number_joint_rows(builder.separable_);
  if (system.size() == 0) {
    problems.push_back({"nodes", "all nodes are fixed, so nothing can move; free one of them"});
    return std::nullopt;
  }
  // Signals hold what a state has, and measure it
  for (model::SignalEntry& signal : builder.signals_) signal.take_form(form);
  system.signals_ = SignalNetwork(std::move(builder.signals_), system.batches_, system.initial_state());
  system.signals_.check(system.initial_state(), model, form, problems);
  if (!problems.empty()) return std::nullopt;
  system.make_pattern();
  return system;
}

std::size_t System::elements() const {
  std::size_t sum = 0;
  for (const auto& batch : batches_) sum += batch->size();
  return sum;
}

// Velocities are as the deck gives them, on the constraints or not; analyses correct them (initial/start.hpp).
State System::initial_state() const {
  State q;
  q.resize(nodes_.size(), rows_, history_);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    q.x[i] = nodes_[i].position;
    q.set_rotation(i, nodes_[i].orientation.normalized());
    q.v[i] << nodes_[i].velocity, nodes_[i].angular_velocity;
  }
  for (const model::Lock& lock : locks_)
    for (int i = 0; i < lock.rows(); ++i) q.dropped.drop(lock.row() + i);
  initialize_history(q);
  signals_.start(q);
  return q;
}

// Matrices share the pattern of the system and own their values.
SparseMatrix System::make_matrix() const { return SparseMatrix(pattern_); }

Residual System::make_residual() const {
  return {std::vector<Vec6>(nodes_.size(), Vec6::Zero()), VectorX::Zero(rows_)};
}

// Who adds first at a node clears it (sections.hpp): there is no pass over all nodes before.
void System::set_residual(const State& q, Residual& r, model::Parts parts) const {
  const model::Context c = context(q);
  sections_.each([&](std::size_t i) {
    const Sections::Section section = sections_[i];
    for (const Sections::Claim& claim : section.claims)
      std::fill(r.force.begin() + claim.first_node, r.force.begin() + claim.end_node, Vec6::Zero());
    for (const auto& [batch, elements] : section.parts)
      batches_[batch]->add_residual_to(elements, q, c, parts, r.force, span_of(r.phi));
  });
  if (parts.constraints) clear_open_rows(q.dropped, r.phi);
}

// With v = 0 and without gravity the inertia part of the residual is M vdot alone.
void System::set_inertia_forces(const State& q, Residual& r) const {
  std::fill(r.force.begin(), r.force.end(), Vec6::Zero());
  const model::Context weightless{.t = q.t, .signals = signals_.values(q)};
  for (const auto& batch : batches_)
    batch->add_residual_to(batch->all(), q, weightless, {true, false, false}, r.force, span_of(r.phi));
}

void System::clear_dropped(const DroppedConstraints& dropped, VectorX& vector) const {
  for (const int row : dropped.rows) vector[free_ + row] = 0;
}

// All rows and columns become zero before the first diagonal becomes one. The pattern is symmetric: each entry of the
// column of a dropped equation has its counterpart in the row.
void System::clear_dropped(const DroppedConstraints& dropped, std::span<double> values) const {
  const auto value = [&](int row, int column) -> double& {
    const auto begin = pattern_.row.begin() + pattern_.column_start[column];
    const auto end = pattern_.row.begin() + pattern_.column_start[column + 1];
    return values[pattern_.place[std::lower_bound(begin, end, row) - pattern_.row.begin()]];
  };
  for (const int row : dropped.rows) {
    const int unknown = free_ + row;
    for (int p = pattern_.column_start[unknown]; p < pattern_.column_start[unknown + 1]; ++p) {
      values[pattern_.place[p]] = 0;
      value(unknown, pattern_.row[p]) = 0;  // the pattern is symmetric
    }
  }
  for (const int row : dropped.rows) value(free_ + row, free_ + row) = 1;
}

void System::set_matrix(const State& q, const Factors& factors, double scale, std::span<double> values) const {
  set_matrix_of_all_rows(q, factors, scale, values);
  clear_dropped(q.dropped, values);
}

// Values that are kept with nodes are cleared by sections; those of constraint rows follow them, and here.
void System::set_matrix_of_all_rows(const State& q, const Factors& factors, double scale,
                                    std::span<double> values) const {
  std::fill(values.begin() + values_of_nodes_, values.begin() + static_cast<int>(pattern_.values()), 0.0);
  const model::Context c = context(q);
  sections_.each([&](std::size_t i) { set_matrix_of_section(i, q, c, factors, scale, values); });
  if (!signals_.empty()) signals_.add_tangents_to(q, c, factors, scale, unknowns_, values);
}

void System::set_rows_of_section(std::size_t section, const State& q, std::span<double> values) const {
  const model::Context c = context(q);
  for (const auto& [batch, elements] : sections_[section].parts)
    batches_[batch]->set_gradient(elements, q, c, Factors{.b = 1}, unknowns_, values);
}

void System::set_matrix_of_section(std::size_t section, const State& q, const Factors& factors, double scale,
                                   std::span<double> values) const {
  set_matrix_of_section(section, q, context(q), factors, scale, values);
}

void System::set_matrix_of_section(std::size_t section, const State& q, const model::Context& c, const Factors& factors,
                                   double scale, std::span<double> values) const {
  const Sections::Section own = sections_[section];
  for (const Sections::Claim& claim : own.claims)
    std::fill(values.begin() + claim.first_value, values.begin() + claim.end_value, 0.0);
  for (const auto& [batch, elements] : own.parts)
    batches_[batch]->add_tangents_to(elements, q, c, factors, scale, unknowns_, values);
}

// Once more without the dropped equations: elements add to all of their rows.
void System::add_velocity_tangents_to(const State& q, const Factors& factors, double force_scale,
                                      std::span<double> values) const {
  sections_.each([&](std::size_t i) { add_velocity_tangents_of_section(i, q, factors, values); });
  signals_.add_velocity_tangents_to(q, factors, force_scale, unknowns_, values);
  clear_dropped(q.dropped, values);
}

void System::add_velocity_tangents_of_section(std::size_t section, const State& q, const Factors& factors,
                                              std::span<double> values) const {
  const model::Context c = context(q);
  for (const auto& [batch, elements] : sections_[section].parts)
    batches_[batch]->add_velocity_tangents_to(elements, q, c, factors, unknowns_, values);
}

namespace {

// Elements write their own rows. Without Gamma where there is no room for it.
void write_rates(const Sections& sections, const Sections::Batches& batches, const State& q, const model::Context& c,
                 std::span<double> Bv, std::span<double> phi_t, std::span<double> gamma) {
  sections.each([&](std::size_t i) {
    for (const auto& [batch, elements] : sections[i].parts) batches[batch]->set_rates(elements, q, c, Bv, phi_t, gamma);
  });
}

}  // namespace

void System::set_rates(const State& q, VectorX& Bv, VectorX& phi_t, VectorX& gamma) const {
  write_rates(sections_, batches_, q, context(q), span_of(Bv), span_of(phi_t), span_of(gamma));
  clear_open_rows(q.dropped, Bv);
  clear_open_rows(q.dropped, phi_t);
  clear_open_rows(q.dropped, gamma);
}

void System::set_velocity_rates(const State& q, VectorX& Bv, VectorX& phi_t) const {
  write_rates(sections_, batches_, q, context(q), span_of(Bv), span_of(phi_t), {});
  clear_open_rows(q.dropped, Bv);
  clear_open_rows(q.dropped, phi_t);
}

// Removed components hold reactions of supports, which do not count.
System::Norms System::norms(const Residual& r) const {
  struct Squares {
    double force = 0;
    double phi = 0;
    void operator+=(const Squares& other) {
      force += other.force;
      phi += other.phi;
    }
  };
  const auto sum = math::sum_of_lots<Squares>(node_lots_, [&](std::size_t lot) {
    Squares squares;
    node_lots_.each_of(lot, [&](std::size_t i) {
      const model::NodeUnknowns& u = unknowns_[i];
      if (u.full()) {
        squares.force += r.force[i].squaredNorm();
        return;
      }
      if (u.count == 0) return;
      for (int k = 0; k < 6; ++k)
        if (u.local[k] >= 0) squares.force += r.force[i][k] * r.force[i][k];
    });
    for (const auto [begin, count] : row_lots_.ranges_of(lot)) squares.phi += r.phi.segment(begin, count).squaredNorm();
    return squares;
  });
  return {std::sqrt(sum.force), std::sqrt(sum.phi)};
}

// Nodes of six free unknowns, nearly all, are copied at once. Rows of a lot go with its nodes: whose cache has the ones has
// the others.
void System::gather(const Residual& r, const DroppedConstraints& dropped, double force_scale, VectorX& vector,
                    double phi_scale) const {
  const auto gather_node = [&](std::size_t i) {
    const model::NodeUnknowns& u = unknowns_[i];
    if (u.full()) {
      vector.segment<6>(u.first) = force_scale * r.force[i];
      return;
    }
    if (u.count == 0) return;
    for (int k = 0; k < 6; ++k)
      if (u.local[k] >= 0) vector[u.first + u.local[k]] = force_scale * r.force[i][k];
  };
  if (node_lots_.lots() == 1) {
    node_lots_.each(gather_node);
    vector.tail(rows_) = phi_scale * r.phi;
  } else {
    node_lots_.each_lot([&](std::size_t lot) {
      node_lots_.each_of(lot, gather_node);
      for (const auto [begin, count] : row_lots_.ranges_of(lot))
        vector.segment(free_ + begin, count) = phi_scale * r.phi.segment(begin, count);
    });
  }
  clear_dropped(dropped, vector);
}

// Components that are fixed get zero.
inline void System::scatter_to(std::size_t node, const VectorX& vector, Vec6& of_node) const {
  const model::NodeUnknowns& u = unknowns_[node];
  if (u.full()) {
    of_node = vector.segment<6>(u.first);
    return;
  }
  for (int k = 0; k < 6; ++k) of_node[k] = u.local[k] >= 0 ? vector[u.first + u.local[k]] : 0;
}

void System::scatter(const VectorX& vector, std::vector<Vec6>& nodal) const {
  node_lots_.each([&](std::size_t i) { scatter_to(i, vector, nodal[i]); });
}

// By the sum of all, which is none where one of them is none, nor where they are too large to be added.
bool System::scatter_finite(const VectorX& vector, std::vector<Vec6>& nodal) const {
  if (node_lots_.lots() == 1) {
    scatter(vector, nodal);
    return std::isfinite(vector.sum());
  }
  const auto sum = math::sum_of_lots<double>(node_lots_, [&](std::size_t lot) {
    double of_lot = 0;
    node_lots_.each_of(lot, [&](std::size_t i) {
      scatter_to(i, vector, nodal[i]);
      of_lot += nodal[i].sum();
    });
    for (const auto [begin, count] : row_lots_.ranges_of(lot)) of_lot += vector.segment(free_ + begin, count).sum();
    return of_lot;
  });
  return std::isfinite(sum);
}

// The first found is enough: a position with one is none that counts.
int System::mirrored_entry(const State& q) const {
  for (const auto& batch : batches_)
    if (const int element = batch->first_mirrored(q); element >= 0)
      return batch->entry_of(static_cast<std::size_t>(element));
  return -1;
}

namespace {

// By which two of these nodes have turned against each other since the initial configuration, the largest, rad.
double largest_turn(const std::vector<model::NodeData>& nodes, std::span<const int> of, const State& q) {
  double largest = 0;
  const auto turn = [&](int node) {
    const auto i = static_cast<std::size_t>(node);
    return math::so3::Quaternion(q.quat[i] * nodes[i].orientation.normalized().conjugate());
  };
  for (const int a : of)
    for (const int b : of) largest = std::max(largest, turn(a).angularDistance(turn(b)));
  return largest;
}

}  // namespace

std::string System::PastBound::turn_text() const {
  if (turn == 0) return "turned too far against each other";
  return "turned by " + std::to_string(std::lround(turn * 180 / std::numbers::pi)) + " degrees against each other";
}

// Elements of an entry stand one behind the other in their batch.
System::PastBound System::past_bound(const State& before, const State& now) const {
  for (const auto& batch : batches_) {
    const int found = batch->first_past_bound(before, now);
    if (found < 0) continue;
    const auto element = static_cast<std::size_t>(found);
    const int entry = batch->entry_of(element);
    std::size_t number = 0;
    std::size_t count = 0;
    for (std::size_t e = 0; e < batch->size(); ++e) {
      if (batch->entry_of(e) != entry) continue;
      ++count;
      if (e <= element) ++number;
    }
    const model::Entry& of = model().entries[static_cast<std::size_t>(entry)];
    const double turn = of.family == model::Family::beam ? largest_turn(nodes_, batch->nodes_of(element), now) : 0;
    return {count > 1 ? of.path() + ", element " + std::to_string(number) : of.path(), turn};
  }
  return {};
}

model::Energies System::energies(const State& q) const {
  model::Energies sum;
  const model::Context c = context(q);
  for (const auto& batch : batches_) sum += batch->energies(q, c);
  return sum;
}

double System::power(const State& q) const {
  double sum = 0;
  const model::Context c = context(q);
  for (const auto& batch : batches_) sum += batch->power(q, c);
  return sum;
}

// From the deck's configuration, in which all angles are zero.
void System::initialize_history(State& q) const {
  const model::Context c{q.t, q.load_factor * model_->gravity, q.load_factor};
  for (const auto& batch : batches_) batch->initialize_history(q, c);
}

// Internal variables follow from the configuration; signals are found behind them, once, unless drives follow them.
void System::update_history(State& q) const {
  model::Context c{q.t, q.load_factor * model_->gravity, q.load_factor};
  if (signals_.has_drives()) c.signals = signals_.values(q);
  for (const auto& batch : batches_) batch->update_history(q, c);
  if (!signals_.empty()) signals_.settle(q, true);
}

// Times that several elements name count once.
std::vector<double> System::breakpoints(double t0, double t1) const {
  std::vector<double> times;
  for (const auto& batch : batches_) batch->add_breakpoints_to(t0, t1, times);
  signals_.add_breakpoints_to(t0, t1, times);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace polhode::assembly
