// SPDX-License-Identifier: BSD-3-Clause
// Consistent inertia and weight, damping proportional to mass, their tangents, and what is observed.
//
//   force i  = sum_j m_ij (udot_j - gamma) + Q_j (Omegadot_j x s_ij + Omega_j x (Omega_j x s_ij))
//   moment i = sum_j J_ij Omegadot_j + Omega_i x J_ij Omega_j + s_ij x Q_i^T (udot_j - gamma)     (element's axes)
#include "elements/beams/spectral/kinematics.hpp"

namespace polhode::elements::spectral {
namespace {

// Frame and rates of the nodes in the element's axes.
struct NodeRates {
  // Where nodes are turned; where the center of mass is offset
  std::array<Matrix, most_nodes> E;
  std::array<Matrix, most_nodes> Q;
  std::array<Vector, most_nodes> Omega;
  std::array<Vector, most_nodes> Omegadot;
  NodeRates(const Elements& d, NodeSpan n) {
    for (std::size_t i = 0; i < n.size(); ++i) {
      Omega[i] = n[i].Omega;
      Omegadot[i] = n[i].Omegadot;
      if (d.turned) {
        E[i] = math::so3::rotation_matrix(d.E[i]);
        Omega[i] = E[i].transpose() * n[i].Omega;
        Omegadot[i] = E[i].transpose() * n[i].Omegadot;
      }
      if (d.offset) Q[i] = math::so3::rotation_matrix(d.turned ? math::so3::product(n[i].quat, d.E[i]) : n[i].quat);
    }
  }
  // Omegadot x s + Omega x (Omega x s): of a lever that turns with node j, mass included.
  Vector lever_acceleration(std::size_t j, const Vector& s) const {
    return Omegadot[j].cross(s) + Omega[j].cross(Omega[j].cross(s));
  }
};

void add(const Vector& a, Lanes* to) {
  for (int c = 0; c < 3; ++c) to[c] += a[c];
}

}  // namespace

// The equations at the top, node by node, in element's axes until the last line.
// Weight enters as the acceleration -gamma of all nodes.
void add_inertia_to(const Elements& d, NodeSpan n, const Vector& gravity, Lanes* r) {
  const NodeRates rates(d, n);
  for (std::size_t i = 0; i < n.size(); ++i) {
    Vector force = Vector::Zero();
    Vector moment = Vector::Zero();
    Vector spin = Vector::Zero();
    for (std::size_t j = 0; j < n.size(); ++j) {
      const auto& pair = d.pair(i, j);
      const Vector acceleration = n[j].udot - gravity;
      force += pair.mass * acceleration;
      moment += pair.inertia * rates.Omegadot[j];
      spin += pair.inertia * rates.Omega[j];
      if (!d.offset) continue;
      force += rates.Q[j] * rates.lever_acceleration(j, pair.moment);
      moment += pair.moment.cross(rates.Q[i].transpose() * acceleration);
    }
    moment += rates.Omega[i].cross(spin);
    if (d.turned) moment = (rates.E[i] * moment).eval();
    add(force, r + 6 * i);
    add(moment, r + 6 * i + 3);
  }
}

namespace {

void add(const Matrix& X, const Sink& t, std::size_t row, std::size_t column) {
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < 3; ++i) t.at(row, column + static_cast<std::size_t>(c))[i] += X(i, c);
}

// What turns columns from the element's axes to those of a node, with the right factors of M, C and K.
struct Factored {
  Matrix m;
  Matrix c;
  Matrix k;
  Factored(const Sink& t, const Elements& d, const NodeRates& rates, std::size_t node) {
    const Matrix Et = d.turned ? Matrix(rates.E[node].transpose()) : Matrix(Matrix::Identity());
    const auto times = [&](const Lanes& scalar, const Matrix* rotations) {
      return rotations ? product(Et, rotations[node]) : Matrix(scalar * Et);
    };
    m = times(t.m, t.rot_m);
    c = times(t.c, t.rot_c);
    k = times(t.k, t.rot_k);
  }
};

// Of offset centers of mass, for rows i and columns j; that of K between rotations of node i is summed up in `weight`.
void add_offset_to(const Elements& d, NodeSpan n, const Vector& gravity, const NodeRates& rates, const Factored& factor,
                   std::size_t i, std::size_t j, Matrix& weight, const Sink& t) {
  const auto tilde = [](const Vector& a) { return math::tilde_of<Lanes>(a); };
  const Vector& s = d.pair(i, j).moment;
  const Vector& Omega = rates.Omega[j];
  const Matrix Qt = rates.Q[i].transpose();
  weight += math::cross_left_of<Lanes>(s, tilde(Qt * (n[j].udot - gravity)));
  Matrix rotations = product(tilde(s), factor.m);
  add_product(Matrix(tilde(Omega.cross(s)) + math::cross_left_of<Lanes>(Omega, tilde(s))), factor.c, rotations);
  add_product(tilde(rates.lever_acceleration(j, s)), factor.k, rotations);
  add(-product(rates.Q[j], rotations), t, 6 * i, 6 * j + 3);
  const Matrix moments = t.m * math::cross_left_of<Lanes>(s, Qt);
  add(d.turned ? product(rates.E[i], moments) : moments, t, 6 * i + 3, 6 * j);
}

}  // namespace

// Pair by pair what a rigid body has (rigid_body.cpp), as the mass of a beam couples its nodes.
// Two terms of the moment on node i belong to i alone and are summed over j first:
// -(sum J_ij Omega_j)~ by its velocity, and the weight's s x Q_i^T a by its rotation.
void add_inertia_tangents_to(const Elements& d, NodeSpan n, const Vector& gravity, const Sink& t) {
  const NodeRates rates(d, n);
  const bool scalars = !d.turned && !t.rot_m && !t.rot_c;
  std::array<Vector, most_nodes> spin;
  std::array<Matrix, most_nodes> weight;
  for (std::size_t i = 0; i < n.size(); ++i) {
    spin[i].setZero();
    weight[i].setZero();
  }
  for (std::size_t j = 0; j < n.size(); ++j) {
    const Factored factor(t, d, rates, j);
    for (std::size_t i = 0; i < n.size(); ++i) {
      const auto& pair = d.pair(i, j);
      spin[i] += pair.inertia * rates.Omega[j];
      const Lanes mass = t.m * pair.mass;
      for (std::size_t c = 0; c < 3; ++c) *t.at(6 * i + c, 6 * j + c) += mass;
      // J by the angular acceleration, Omega_i x J by the angular velocity of node j
      const Matrix gyroscopic = math::cross_left_of<Lanes>(rates.Omega[i], pair.inertia);
      Matrix J;
      if (scalars) {
        J = t.m * pair.inertia + t.c * gyroscopic;
      } else {
        J = product(pair.inertia, factor.m);
        add_product(gyroscopic, factor.c, J);
        if (d.turned) J = product(rates.E[i], J);
      }
      add(J, t, 6 * i + 3, 6 * j + 3);
      if (d.offset) add_offset_to(d, n, gravity, rates, factor, i, j, weight[i], t);
    }
  }
  for (std::size_t i = 0; i < n.size(); ++i) {
    const Factored factor(t, d, rates, i);
    Matrix own = -product(math::tilde_of<Lanes>(spin[i]), factor.c);
    if (d.offset) add_product(weight[i], factor.k, own);
    add(d.turned ? product(rates.E[i], own) : own, t, 6 * i + 3, 6 * i + 3);
  }
}

namespace {

// What node i has of M v by these pairs: momenta, as the inertia of velocities in the place of accelerations at rest.
struct Momentum {
  // Inertial
  Vector linear = Vector::Zero();
  // Element's axes
  Vector angular = Vector::Zero();
  Momentum(const Elements& d, const std::vector<PairOf<Lanes>>& pairs, NodeSpan n, const NodeRates& rates,
           std::size_t i) {
    for (std::size_t j = 0; j < n.size(); ++j) {
      const auto& pair = pairs[i * n.size() + j];
      linear += pair.mass * n[j].u;
      angular += pair.inertia * rates.Omega[j];
      if (!d.offset) continue;
      linear += rates.Q[j] * rates.Omega[j].cross(pair.moment);
      angular += pair.moment.cross(rates.Q[i].transpose() * n[j].u);
    }
  }
};

}  // namespace

void add_mass_damping_to(const Elements& d, NodeSpan n, Lanes* r) {
  const NodeRates rates(d, n);
  for (std::size_t i = 0; i < n.size(); ++i) {
    const Momentum of(d, d.mass_damping, n, rates, i);
    add(of.linear, r + 6 * i);
    add(d.turned ? Vector(rates.E[i] * of.angular) : of.angular, r + 6 * i + 3);
  }
}

// The mass matrix to C; to K what the momenta change by with the velocities held, by the offset alone: levers turn with
// node j, and s x Q_i^T u with node i.
void add_mass_damping_tangents_to(const Elements& d, NodeSpan n, const Sink& t) {
  const NodeRates rates(d, n);
  const auto tilde = [](const Vector& a) { return math::tilde_of<Lanes>(a); };
  std::array<Matrix, most_nodes> own;
  for (std::size_t i = 0; i < n.size(); ++i) own[i].setZero();
  for (std::size_t j = 0; j < n.size(); ++j) {
    const Factored factor(t, d, rates, j);
    for (std::size_t i = 0; i < n.size(); ++i) {
      const PairOf<Lanes>& pair = d.mass_damping[i * n.size() + j];
      const Lanes mass = t.c * pair.mass;
      for (std::size_t c = 0; c < 3; ++c) *t.at(6 * i + c, 6 * j + c) += mass;
      const Matrix turns = product(pair.inertia, factor.c);
      add(d.turned ? product(rates.E[i], turns) : turns, t, 6 * i + 3, 6 * j + 3);
      if (!d.offset) continue;
      const Vector& s = pair.moment;
      const Matrix Qt = rates.Q[i].transpose();
      own[i] += math::cross_left_of<Lanes>(s, tilde(Qt * n[j].u));
      Matrix lever = product(tilde(s), factor.c);
      add_product(tilde(rates.Omega[j].cross(s)), factor.k, lever);
      add(-product(rates.Q[j], lever), t, 6 * i, 6 * j + 3);
      const Matrix moments = t.c * math::cross_left_of<Lanes>(s, Qt);
      add(d.turned ? product(rates.E[i], moments) : moments, t, 6 * i + 3, 6 * j);
    }
  }
  if (!d.offset) return;
  for (std::size_t i = 0; i < n.size(); ++i) {
    const Matrix X = product(own[i], Factored(t, d, rates, i).k);
    add(d.turned ? product(rates.E[i], X) : X, t, 6 * i + 3, 6 * i + 3);
  }
}

Lanes mass_damping_power(const Elements& d, NodeSpan n) {
  const NodeRates rates(d, n);
  Lanes sum(0);
  for (std::size_t i = 0; i < n.size(); ++i) {
    const Momentum of(d, d.mass_damping, n, rates, i);
    sum -= n[i].u.dot(of.linear) + rates.Omega[i].dot(of.angular);
  }
  return sum;
}

// Strain energy at the points of the forces, with their weights: what the residual is the gradient of.
// With p_i and pi_i the momenta of node i the kinetic energy is sum (u_i . p_i + Omega_i . pi_i)/2.
Sums observe(const Elements& d, NodeSpan n, const Vector& gravity, Lanes* out) {
  const Lanes half(0.5);
  Sums sums{{Lanes(0), Lanes(0), Lanes(0)}, Vector::Zero(), Vector::Zero()};
  const Frames frames(d, n);
  for (const Point& point : d.points) {
    const Kinematics k(point, n, frames, false);
    Stress stress(k);
    sums.energies.strain += half * point.weight * (stress.N.dot(k.Gamma) + stress.M.dot(k.kappa));
    if (d.damped) stress.add(Stress(point, StrainRates(d, k, n)));
    // Results are in the axes of the section at the point.
    for (const Vector* v : std::initializer_list<const Vector*>{&k.Gamma, &k.kappa, &stress.N, &stress.M}) {
      const Vector turned = point.section.transpose() * *v;
      for (int c = 0; c < 3; ++c) *out++ = turned[c];
    }
  }
  const NodeRates rates(d, n);
  for (std::size_t i = 0; i < n.size(); ++i) {
    for (std::size_t j = 0; j < n.size(); ++j) {
      const auto& pair = d.pair(i, j);
      sums.energies.gravity -= pair.mass * gravity.dot(n[j].x);
      if (d.offset) sums.energies.gravity -= gravity.dot(rates.Q[j] * pair.moment);
    }
    const Momentum of(d, d.pairs, n, rates, i);
    sums.energies.kinetic += half * (n[i].u.dot(of.linear) + rates.Omega[i].dot(of.angular));
    sums.linear += of.linear;
    const Vector pi = d.turned ? Vector(rates.E[i] * of.angular) : of.angular;
    sums.angular += n[i].x.cross(of.linear) + math::so3::rotation_matrix(n[i].quat) * pi;
  }
  return sums;
}

}  // namespace polhode::elements::spectral
