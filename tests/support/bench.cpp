// SPDX-License-Identifier: BSD-3-Clause
// The bench of one element: dense numbering, states and motions.
#include "support/bench.hpp"

#include "support/equations.hpp"

namespace polhode::support {

using math::so3::Quaternion;
using model::Factors;

Vec3 random_vector(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> number(-size, size);
  const double x = number(random);
  const double y = number(random);
  const double z = number(random);
  return {x, y, z};
}

Vec3 random_direction(std::mt19937& random) {
  Vec3 v = random_vector(random);
  while (v.norm() < 0.1) v = random_vector(random);
  return v.normalized();
}

State moved(const State& q, const VectorX& dx) {
  State r = q;
  for (std::size_t i = 1; i < q.x.size(); ++i) {
    const Vec6 d = dx.segment<6>(6 * static_cast<Eigen::Index>(i - 1));
    r.x[i] += d.head<3>();
    r.set_rotation(i, q.quat[i] * math::so3::exp_quaternion(d.tail<3>()));
  }
  return r;
}

VectorX velocities(const State& q) {
  VectorX v(6 * (q.v.size() - 1));
  for (std::size_t i = 1; i < q.v.size(); ++i) v.segment<6>(6 * static_cast<Eigen::Index>(i - 1)) = q.v[i];
  return v;
}

void set_velocities(State& q, const VectorX& v) {
  for (std::size_t i = 1; i < q.v.size(); ++i) q.v[i] = v.segment<6>(6 * static_cast<Eigen::Index>(i - 1));
}

void set_accelerations(State& q, const VectorX& vdot) {
  for (std::size_t i = 1; i < q.v.size(); ++i) q.vdot[i] = vdot.segment<6>(6 * static_cast<Eigen::Index>(i - 1));
}

// Omega dt + Omegadot dt^2/2 as a rotation vector: Omega(dt) = Omega + Omegadot dt + O(dt^2).
State flow(const State& q, double dt) {
  VectorX dx = dt * velocities(q);
  for (std::size_t i = 1; i < q.v.size(); ++i)
    dx.segment<6>(6 * static_cast<Eigen::Index>(i - 1)) += 0.5 * dt * dt * q.vdot[i];
  State r = moved(q, dx);
  r.t = q.t + dt;
  for (std::size_t i = 1; i < q.v.size(); ++i) r.v[i] += dt * q.vdot[i];
  return r;
}

State rigidly_moved(const State& q, const Quaternion& turn, const Vec3& shift) {
  State r = q;
  for (std::size_t i = 1; i < q.x.size(); ++i) {
    r.x[i] = turn * q.x[i] + shift;
    r.set_rotation(i, turn * q.quat[i]);
    r.v[i].head<3>() = turn * Vec3(q.v[i].head<3>());
    r.vdot[i].head<3>() = turn * Vec3(q.vdot[i].head<3>());
  }
  return r;
}

Bench::Bench(std::unique_ptr<model::BatchBase> batch) : batch_(std::move(batch)) {
  unknowns_.resize(batch_->nodes() + 1);
  for (int i = 1; i <= batch_->nodes(); ++i) unknowns_[i] = {6 * (i - 1), 6, {0, 1, 2, 3, 4, 5}};
  batch_->set_numbering(0, 0);
  const auto slots = batch_->slots();
  int next = 0;
  for (int column = 0; column < batch_->groups(); ++column)
    for (int row = 0; row < batch_->groups(); ++row, ++next) {
      slots[next] = static_cast<model::Slot>(values_);
      values_ += static_cast<std::size_t>(width(column) * stride(row));
    }
}

int Bench::width(int group) const { return group < batch_->nodes() ? 6 : rows(); }
int Bench::stride(int group) const { return math::column_width(width(group)); }

MatrixX Bench::dense(const std::vector<double>& values) const {
  MatrixX S(size() + rows(), size() + rows());
  const double* block = values.data();
  for (int column = 0; column < batch_->groups(); ++column)
    for (int row = 0; row < batch_->groups(); block += width(column) * stride(row), ++row)
      S.block(6 * row, 6 * column, width(row), width(column)) = Eigen::Map<const MatrixX, 0, Eigen::OuterStride<>>(
          block, width(row), width(column), Eigen::OuterStride<>(stride(row)));
  return S;
}

State Bench::random_state(std::mt19937& random, double angle) const {
  if (batch_->nodes() > 2) angle /= batch_->nodes();  // chains of nodes: half a turn from the first to the last
  State q;
  q.resize(batch_->nodes() + 1, rows(), batch_->history());
  q.t = 0.7;
  for (std::size_t i = 1; i < q.x.size(); ++i) {
    q.x[i] = random_vector(random);
    if (i == 1)
      q.set_rotation(i, math::so3::exp_quaternion(random_vector(random, 1.5)));
    else
      q.set_rotation(i, q.quat[1] * math::so3::exp_quaternion(angle * random_direction(random)));
    q.v[i] << random_vector(random), random_vector(random);
    q.vdot[i] << random_vector(random), random_vector(random);
  }
  for (double& l : q.lambda) l = random_vector(random)[0];
  batch_->initialize_history(q, context(q));
  return q;
}

State Bench::on_constraints(State q) const {
  for (int i = 0; i < 50 && phi(q).norm() > 1e-15; ++i) {
    VectorX dx = -least_norm(B(q), phi(q));
    dx *= std::min(1.0, 0.5 / dx.lpNorm<Eigen::Infinity>());  // full steps could jump to a far solution
    q = moved(q, dx);
  }
  batch_->update_history(q, context(q));
  return q;
}

VectorX Bench::residual(const State& q, model::Parts parts) const {
  std::vector<Vec6> force(q.x.size(), Vec6::Zero());
  VectorX unused(rows());
  batch_->add_residual_to(batch_->all(), q, context(q), parts, force,
                          {unused.data(), static_cast<std::size_t>(rows())});
  VectorX r(size());
  for (int i = 0; i < batch_->nodes(); ++i) r.segment<6>(6 * i) = force[i + 1];
  return r;
}

VectorX Bench::phi(const State& q) const {
  std::vector<Vec6> force(q.x.size(), Vec6::Zero());
  VectorX result(rows());
  batch_->add_residual_to(batch_->all(), q, context(q), {false, false, true}, force,
                          {result.data(), static_cast<std::size_t>(rows())});
  return result;
}

MatrixX Bench::matrix(const State& q, const Factors& factors) const {
  std::vector<double> values(values_, 0.0);
  batch_->add_tangents_to(batch_->all(), q, context(q), factors, 1, unknowns_, values);
  return dense(values);
}

MatrixX Bench::tangent(const State& q, const Factors& factors) const {
  return matrix(q, factors).topLeftCorner(size(), size());
}

MatrixX Bench::B(const State& q) const { return matrix(q, Factors{.b = 1}).bottomLeftCorner(rows(), size()); }

MatrixX Bench::Z(const State& q) const {
  std::vector<double> values(values_, 0.0);
  batch_->add_velocity_tangents_to(batch_->all(), q, context(q), {.b = 1}, unknowns_, values);
  return dense(values).bottomLeftCorner(rows(), size());
}

namespace {

State mean_of(const State& begin, const State& end) {
  State mean = begin;
  for (std::size_t i = 0; i < mean.x.size(); ++i) {
    mean.x[i] = 0.5 * (begin.x[i] + end.x[i]);
    mean.R[i] = 0.5 * (begin.R[i] + end.R[i]);
  }
  return mean;
}

}  // namespace

VectorX Bench::discrete_residual(const State& begin, const State& end, model::Lever lever, bool gradient) const {
  std::vector<Vec6> force(begin.x.size(), Vec6::Zero());
  const State mean = mean_of(begin, end);
  batch_->add_discrete_residual_to({begin, mean, end, context(begin), h, gradient, lever},
                                   {begin.lambda.data(), static_cast<std::size_t>(rows())}, true, force);
  VectorX r(size());
  for (int i = 0; i < batch_->nodes(); ++i) r.segment<6>(6 * i) = force[i + 1];
  return r;
}

MatrixX Bench::discrete_matrix(const State& begin, const State& end, model::Lever lever, bool gradient) const {
  std::vector<double> values(values_, 0.0);
  const State mean = mean_of(begin, end);
  const std::vector<Mat3> factors(begin.x.size(), Mat3::Identity());
  batch_->add_discrete_tangents_to({begin, mean, end, context(begin), h, gradient, lever},
                                   {begin.lambda.data(), static_cast<std::size_t>(rows())}, true, factors, 1, unknowns_,
                                   values);
  return dense(values);
}

Bench::Rates Bench::rates(const State& q) const {
  Rates r{VectorX(rows()), VectorX(rows()), VectorX(rows())};
  const auto span = [](VectorX& v) { return std::span<double>(v.data(), static_cast<std::size_t>(v.size())); };
  batch_->set_rates(batch_->all(), q, context(q), span(r.Bv), span(r.phi_t), span(r.gamma));
  return r;
}

VectorX Bench::outputs(const State& q, int count) const {
  VectorX out(count * batch_->nodes());
  batch_->write_outputs(0, 1, q, context(q), out.data(), out.size());
  return out.head(count);
}

double relative_difference(const MatrixX& a, const MatrixX& b) {
  if (a.size() == 0) return 0;
  const double largest = std::max(a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff());
  return largest == 0 ? 0 : (a - b).cwiseAbs().maxCoeff() / largest;
}

}  // namespace polhode::support
