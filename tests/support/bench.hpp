// SPDX-License-Identifier: BSD-3-Clause
// One element on a bench, apart from any system: all that it offers, as dense vectors and matrices.
#pragma once
#include <memory>
#include <random>
#include <utility>

#include "polhode/model/batch.hpp"

namespace polhode::support {

using math::Mat3;
using math::MatrixX;
using math::Vec3;
using math::Vec6;
using math::VectorX;
using model::State;

Vec3 random_vector(std::mt19937& random, double size = 1);
Vec3 random_direction(std::mt19937& random);

// x + dx, R exp(dTheta) for each node but the ground; `dx` in the order of the local unknowns.
State moved(const State& q, const VectorX& dx);
VectorX velocities(const State& q);
void set_velocities(State& q, const VectorX& v);
void set_accelerations(State& q, const VectorX& vdot);
// The motion with velocity v and acceleration vdot at time q.t, at q.t + dt: exact to second order.
State flow(const State& q, double dt);
// The whole turned by `turn` about the origin, then shifted.
State rigidly_moved(const State& q, const math::so3::Quaternion& turn, const Vec3& shift);

class Bench {
 public:
  explicit Bench(std::unique_ptr<model::BatchBase> batch);
  template <class K>
  static Bench of(typename K::Data data) {
    auto batch = std::make_unique<model::Batch<K>>();
    std::array<int, K::nodes> at;
    for (int i = 0; i < K::nodes; ++i) at[i] = i + 1;
    batch->add(0, at, std::move(data));
    return Bench(std::move(batch));
  }

  const model::BatchBase& batch() const { return *batch_; }
  int size() const { return 6 * batch_->nodes(); }
  int rows() const { return batch_->rows(); }
  model::Context context(const State& q) const { return {q.t, gravity}; }

  // Random positions, velocities, accelerations and multipliers; node frames differ from the first by `angle`.
  State random_state(std::mt19937& random, double angle) const;
  // The nearest state (nearly) that meets the constraints.
  State on_constraints(State q) const;

  VectorX residual(const State& q, model::Parts parts = {}) const;
  VectorX phi(const State& q) const;
  // The iteration matrix with unscaled forces.
  MatrixX matrix(const State& q, const model::Factors& factors) const;
  MatrixX M(const State& q) const { return tangent(q, model::Factors{.m = 1}); }
  MatrixX C(const State& q) const { return tangent(q, model::Factors{.c = 1}); }
  MatrixX K(const State& q) const { return tangent(q, model::Factors{.k = 1}); }
  MatrixX B(const State& q) const;
  MatrixX Z(const State& q) const;
  // Over a step from `begin` to `end` (discrete.hpp): forces and rows, and their derivatives by its end, with the
  // columns of the multipliers.
  VectorX discrete_residual(const State& begin, const State& end, model::Lever lever, bool gradient) const;
  MatrixX discrete_matrix(const State& begin, const State& end, model::Lever lever, bool gradient) const;
  double h = 0.2;  // of a step
  struct Rates {
    VectorX Bv;
    VectorX phi_t;
    VectorX gamma;
  };
  Rates rates(const State& q) const;
  model::Energies energies(const State& q) const { return batch_->energies(q, context(q)); }
  double power(const State& q) const { return batch_->power(q, context(q)); }
  // The first `count` numbers; elements with several integration points write one set after the other.
  VectorX outputs(const State& q, int count) const;

  Vec3 gravity = Vec3(0.3, -0.2, -9.81);

 private:
  MatrixX tangent(const State& q, const model::Factors& factors) const;
  int width(int group) const;                              // unknowns of a node, or of the rows
  int stride(int group) const;                             // from column to column of a block in such rows
  MatrixX dense(const std::vector<double>& values) const;  // from blocks
  std::unique_ptr<model::BatchBase> batch_;
  std::vector<model::NodeUnknowns> unknowns_;
  std::size_t values_ = 0;  // of the matrix
};

// Derivative at 0 by fourth-order central differences: error (20/3!5) d^4 of the fifth derivative, and round-off / d.
template <class Function>
auto derivative(const Function& f, double d = 2e-4) {
  return ((8 * (f(d) - f(-d)) - (f(2 * d) - f(-2 * d))) / (12 * d)).eval();
}

// Column by column, the derivative of f(q moved by dx) at dx = 0.
template <class Function>
MatrixX gradient(const State& q, int size, int rows, const Function& f) {
  MatrixX G(rows, size);
  for (int j = 0; j < size; ++j)
    G.col(j) = derivative([&](double t) -> VectorX { return f(moved(q, t * VectorX::Unit(size, j))); });
  return G;
}

// Largest difference of the entries, relative to the largest entry.
double relative_difference(const MatrixX& a, const MatrixX& b);

}  // namespace polhode::support
