// SPDX-License-Identifier: BSD-3-Clause
// The stabilized index-2 formulation: evaluation, linearization, solution.
#include "polhode/integrators/generalized_alpha/index2.hpp"

#include <cmath>

#include "integrators/mass_scale.hpp"

namespace polhode::integrators {
namespace {

// Twice the largest distance of nodes and joint points from their mean, m: the same in any frame, where the length of
// the model is that of a box along the inertial axes.
double extent(const assembly::System& system) {
  std::vector<Vec3> points;
  for (std::size_t i = 1; i < system.nodes(); ++i)
    if (system.unknowns()[i].count > 0) points.push_back(system.node(i).position);
  for (const model::JointTopology& joint : system.joints()) {
    const model::NodeData& node = system.node(static_cast<std::size_t>(joint.nodes[0]));
    points.push_back(node.position + node.orientation * joint.offsets[0]);
  }
  Vec3 mean = Vec3::Zero();
  for (const Vec3& point : points) mean += point / static_cast<double>(points.size());
  double farthest = 0;
  for (const Vec3& point : points) farthest = std::max(farthest, (point - mean).norm());
  const bool at_one_place = farthest <= 1e-12 * mean.norm();
  return at_one_place || system.model().size ? system.length() : 2 * farthest;
}

// W^-1: translations count as they are, rotations by the extent of the model.
model::VectorX inverse_weights(const assembly::System& system) {
  const double length = extent(system);
  const double of_rotation = 1 / (length * length);
  model::VectorX weights(system.free_unknowns());
  for (const model::NodeUnknowns& u : system.unknowns())
    for (int k = 0; k < 6; ++k)
      if (u.local[k] >= 0) weights[u.first + u.local[k]] = k < 3 ? 1 : of_rotation;
  return weights;
}

}  // namespace

// Vectors of all sizes that a step needs are made here; steps allocate nothing.
Index2Equations::Index2Equations(const assembly::System& system, const AlphaParameters& parameters)
    : StepEquations(system, parameters),
      all_(system, inverse_weights(system)),
      mass_(mass_scale(system)),
      solver_(all_.all(), assembly::InPlace{}),
      Bv_(system.rows()),
      phi_t_(system.rows()),
      rhs_(all_.layout().pattern.size),
      system_rhs_(model::VectorX::Zero(system.size())),
      s_T_(system.nodes(), Mat3::Identity()),
      dp_(dx_),
      dy_(dx_) {
  if (system.has_whole_sections()) solver_.follow(system.sections(), all_.layout().finished_by);
}

// N belongs to the begin of the step and stays for all of its iterates. s makes velocity rows as large as
// those of positions.
void Index2Equations::begin(const State& old, double h) {
  StepEquations::begin(old, h);
  scale_ /= mass_;
  s_ = 1 / p_.gamma_prime(h);
  if (!system_.has_whole_sections()) {
    system_.set_matrix(old, Factors{.b = 1}, 0, all_.second());
    return all_.set_normal(all_.whole());
  }
  system_.sections().each([&](std::size_t i) {
    system_.set_rows_of_section(i, old, all_.second());
    all_.set_normal({i, i + 1});
  });
}

// Bv_ becomes s (B v + Phi_t), the residual of row four.
void Index2Equations::evaluate(const State& next) {
  StepEquations::evaluate(next);
  system_.set_velocity_rates(next, Bv_, phi_t_);
  Bv_ = s_ * (Bv_ + phi_t_);
}

// Positions and scaled velocities together: both rows have to be met by the same iterate.
assembly::System::Norms Index2Equations::norms() const {
  const assembly::System::Norms of_residual = StepEquations::norms();
  return {of_residual.force, std::hypot(of_residual.phi, Bv_.norm())};
}

bool Index2Equations::linearize(const State& next, Scheme& scheme) {
  set_rhs();
  const Factors factors = scheme.factors(next);
  const Factors dynamic = scheme.dynamic_factors();
  if (!scheme.turns().empty()) all_.turn_normal(scheme.turns());
  s_T_.resize(factors.rot_b.size());
  for (std::size_t i = 0; i < s_T_.size(); ++i) s_T_[i] = s_ * factors.rot_b[i];
  const auto write_section = [&](std::size_t i) {
    set_values(
        factors, dynamic,
        [&](const Factors& f, double scale, std::span<double> to) {
          system_.set_matrix_of_section(i, next, f, scale, to);
        },
        [&](const Factors& f, std::span<double> to) { system_.add_velocity_tangents_of_section(i, next, f, to); },
        {i, i + 1});
  };
  const auto write_all = [&] {
    set_values(
        factors, dynamic,
        [&](const Factors& f, double scale, std::span<double> to) { system_.set_matrix(next, f, scale, to); },
        [&](const Factors& f, std::span<double> to) { system_.add_velocity_tangents_to(next, f, scale_, to); },
        all_.whole());
  };
  is_solved_ = write_and_solve(solver_, write_section, write_all, rhs_);
  return is_solved_;
}

// The second values serve for what dy brings and for s Z T.
template <class SetMatrix, class AddVelocityTangents>
void Index2Equations::set_values(const Factors& factors, const Factors& dynamic, const SetMatrix& set_matrix,
                                 const AddVelocityTangents& add_velocity_tangents, Index2Matrix::Part part) {
  set_matrix(dynamic, scale_, all_.second());
  all_.set_dynamics(part);
  add_velocity_tangents(Factors{.c = s_ * factors.c, .k = s_, .b = s_, .rot_k = s_T_, .rot_b = s_T_}, all_.second());
  set_matrix(factors, scale_, all_.first());
  if (factors.rot_c.empty())
    all_.subtract_rows(part);
  else
    all_.turn_rows(part, s_, factors.rot_c);
}

// Right-hand sides of the header, row three subtracted from row four; dropped equations have zeros in both.
void Index2Equations::set_rhs() {
  const int k = system_.free_unknowns();
  const int m = system_.rows();
  system_.gather(residual_, dropped_, -scale_, system_rhs_);
  rhs_.setZero();
  rhs_.head(k) = system_rhs_.head(k);
  rhs_.segment(all_.layout().first_lambda, m) = -system_rhs_.tail(m);
  system_rhs_.tail(m) = Bv_ - residual_.phi;
  system_.clear_dropped(dropped_, system_rhs_);
  rhs_.tail(m) = -system_rhs_.tail(m);
}

// x follows dx, v and vdot follow dy = dx + dp, dp = N h deta with the N of this step: a reused factorization has that
// of another one. Multipliers were scaled by beta h^2 in the system, and divided by the mass.
bool Index2Equations::advance(const State& old, State& next, Scheme& scheme) {
  if (!is_solved_) {
    set_rhs();
    solver_.solve(rhs_);
  }
  is_solved_ = false;
  if (!rhs_.allFinite()) return false;
  system_.scatter(rhs_, dx_);
  scheme.to_increments(dx_);
  set_dp();
  system_.node_lots().each([&](std::size_t i) { dy_[i] = dx_[i] + dp_[i]; });
  scheme.update(old, next, dx_, dy_);
  add_multipliers(rhs_, all_.layout().first_lambda, next);
  return true;
}

void Index2Equations::set_dp() {
  system_rhs_.head(system_.free_unknowns()).setZero();
  all_.add_p(rhs_, system_rhs_);
  system_.scatter(system_rhs_, dp_);
}

void Index2Equations::add_p_again(std::span<Vec6> x) {
  set_dp();
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += dp_[i];
}

// The last factorization with other right-hand sides: forces, rows of positions, rows of velocities.
bool Index2Equations::solve_again(const assembly::Residual& force, const model::VectorX& velocity,
                                  std::vector<Vec6>& x) {
  const int k = system_.free_unknowns();
  const int m = system_.rows();
  system_.gather(force, dropped_, 1 / mass_, system_rhs_);
  rhs_.setZero();
  rhs_.head(k) = system_rhs_.head(k);
  rhs_.segment(all_.layout().first_lambda, m) = system_rhs_.tail(m);
  system_rhs_.tail(m) = velocity - force.phi;
  system_.clear_dropped(dropped_, system_rhs_);
  rhs_.tail(m) = system_rhs_.tail(m);
  solver_.solve(rhs_);
  system_.scatter(rhs_, x);
  return rhs_.allFinite();
}

// Of the last solve_again(): lambda, which stand before eta in the unknowns.
std::span<const double> Index2Equations::multipliers_again() const {
  return {rhs_.data() + all_.layout().first_lambda, static_cast<std::size_t>(system_.rows())};
}

// Columns of p have no name; those of eta that of the row that they belong to.
std::string Index2Equations::singular_place() const {
  const int column = solver_.singular_column();
  const int k = system_.free_unknowns();
  if (column < 0 || (column >= k && column < all_.layout().first_lambda)) return "";
  return system_.name_of(column < k ? column : k + (column - all_.layout().first_lambda) % system_.rows());
}

}  // namespace polhode::integrators
