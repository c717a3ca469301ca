// SPDX-License-Identifier: BSD-3-Clause
// Strains, forces and tangents of the director beam.
#include "elements/beams/director/director.hpp"

namespace polhode::elements::director {

using math::tilde;
using spectral::most_nodes;
using Point = spectral::PointOf<double>;

namespace {

// Position and directors of a node, or their rates, or their variations.
struct Place {
  Vec3 x = Vec3::Zero();
  Mat3 d = Mat3::Zero();
};
// The same along the axis at a point: x', d, d'.
struct Slope {
  Vec3 x = Vec3::Zero();
  Mat3 d = Mat3::Zero();
  Mat3 dd = Mat3::Zero();
};
using Places = std::array<Place, most_nodes>;

// R of a mean is no rotation, hence no quaternions here.
Places places_of(const Element& d, NodeSpan n) {
  Places all;
  for (std::size_t a = 0; a < n.size(); ++a) all[a] = {n[a].x, n[a].R * d.frames[a]};
  return all;
}

Places rates_of(const Element& d, NodeSpan n) {
  Places all;
  for (std::size_t a = 0; a < n.size(); ++a)
    all[a] = {n[a].u(), n[a].R * math::cross_left(Vec3(n[a].Omega()), d.frames[a])};
  return all;
}

Slope at(const Point& p, std::size_t nodes, const Places& places) {
  Slope s;
  for (std::size_t a = 0; a < nodes; ++a) {
    s.x += p.dL[a] * places[a].x;
    s.d += p.L[a] * places[a].d;
    s.dd += p.dL[a] * places[a].d;
  }
  return s;
}
// What one node alone makes of it.
Slope of_node(const Point& p, std::size_t a, const Place& place) {
  return {p.dL[a] * place.x, p.L[a] * place.d, p.dL[a] * place.d};
}

// The change of the strains at q by w; symmetric in both, and twice the quadratic form of equal ones.
Vec6 change(const Slope& q, const Slope& w) {
  const Mat3 X = q.d.transpose() * w.dd + w.d.transpose() * q.dd;
  Vec6 both;
  both << q.d.transpose() * w.x + w.d.transpose() * q.x,
      0.5 * Vec3(X(2, 1) - X(1, 2), X(0, 2) - X(2, 0), X(1, 0) - X(0, 1));
  return both;
}

Vec6 strain(const Point& p, const Slope& q) {
  Vec6 both = 0.5 * change(q, q);
  both.head<3>() -= p.axis;
  return both;
}

// What s . change(q, w) is as a product with w: linear in q and in s.
Slope gradient(const Slope& q, const Vec6& s) {
  const Vec3 N = s.head<3>();
  const Mat3 M = 0.5 * tilde(Vec3(s.tail<3>()));
  return {q.d * N, q.x * N.transpose() - q.dd * M, q.d * M};
}

Vec6 product(const Mat3& A11, const Mat3& A12, const Mat3& A22, const Vec6& e) {
  Vec6 both;
  both << A11 * e.head<3>() + A12 * e.tail<3>(), A12.transpose() * e.head<3>() + A22 * e.tail<3>();
  return both;
}
Vec6 stiffness(const Point& p, const Vec6& e) { return product(p.C11, p.C12, p.C22, e); }
Vec6 damping(const Point& p, const Vec6& e) { return product(p.D11, p.D12, p.D22, e); }

// The sum of d_i x G_i over the columns.
Vec3 axial(const Mat3& d, const Mat3& G) {
  return d.col(0).cross(G.col(0)) + d.col(1).cross(G.col(1)) + d.col(2).cross(G.col(2));
}

// Derivatives by the places of the nodes: f_a, G_a.
void add_gradient_to(const Point& p, std::size_t nodes, const Slope& g, Places& sum) {
  for (std::size_t a = 0; a < nodes; ++a) {
    sum[a].x += p.weight * p.dL[a] * g.x;
    sum[a].d += p.weight * (p.L[a] * g.d + p.dL[a] * g.dd);
  }
}

// By a unit displacement, or a unit turn about this inertial axis: directors, and rates, vary by axis x d.
Place variation(const Place& q, bool turns, const Vec3& axis) {
  if (!turns) return {axis, Mat3::Zero()};
  return {Vec3::Zero(), math::cross_left(axis, q.d)};
}

// One column of a tangent: what node b feels of a change g of the gradient at a point, with the directors `lever`.
// Moments are in the frames of `n`; inertial without.
void add_column_to(const Point& p, std::size_t nodes, const Slope& g, const Places& lever, NodeSpan n, double* column) {
  for (std::size_t b = 0; b < nodes; ++b) {
    const Vec3 moment = p.L[b] * axial(lever[b].d, g.d) + p.dL[b] * axial(lever[b].d, g.dd);
    Eigen::Map<Vec3>(column + 6 * b) += p.weight * p.dL[b] * g.x;
    Eigen::Map<Vec3>(column + 6 * b + 3) += p.weight * (n.empty() ? moment : n[b].R.transpose() * moment);
  }
}

Vec6 stress_of(const Element& d, const Point& p, std::size_t nodes, const Slope& q, const Places& rates) {
  Vec6 stress = stiffness(p, strain(p, q));
  if (d.constants.damped) stress += damping(p, change(q, at(p, nodes, rates)));
  return stress;
}

// The nodes over a step.
struct StepPlaces {
  Places begin;
  Places mean;
  Places end;
  StepPlaces(const Element& d, const Step& s)
      : begin(places_of(d, s.begin)), mean(places_of(d, s.mean)), end(places_of(d, s.end)) {}
  // Directors at which forces act.
  const Places& at(model::Lever lever) const {
    return lever == model::Lever::begin ? begin : lever == model::Lever::mean ? mean : end;
  }
};

// What a step has at a point.
struct DiscreteStress {
  Slope mean;
  Slope end;
  Vec6 stress;
  DiscreteStress(const Element& d, const Point& p, const Step& s, const StepPlaces& places)
      : mean(at(p, s.mean.size(), places.mean)), end(at(p, s.mean.size(), places.end)) {
    const bool both_ends = s.gradient || d.constants.damped;
    const Vec6 e0 = both_ends ? strain(p, at(p, s.mean.size(), places.begin)) : Vec6(Vec6::Zero());
    const Vec6 e1 = both_ends ? strain(p, end) : e0;
    stress = stiffness(p, s.gradient ? Vec6(0.5 * (e0 + e1)) : strain(p, mean));
    if (d.constants.damped) stress += damping(p, (e1 - e0) / s.h);
  }
};

}  // namespace

Element make_element(spectral::Element constants) {
  Element made{std::move(constants), {}, {}};
  const auto nodes = static_cast<std::size_t>(made.constants.nodes);
  for (std::size_t a = 0; a < nodes; ++a) {
    NodeMass sum{0, Vec3::Zero(), Mat3::Zero()};
    for (std::size_t b = 0; b < nodes; ++b) {
      const spectral::PairOf<double>& pair = made.constants.pair(a, b);
      sum.mass += pair.mass;
      sum.c += pair.moment;
      sum.J += pair.inertia;
    }
    const auto& q = made.constants.E[a];
    const Mat3 E = math::so3::Quaternion(q[0], q[1], q[2], q[3]).toRotationMatrix();
    made.frames.push_back(E);
    if (sum.mass != 0) sum.c /= sum.mass;
    made.masses.push_back({sum.mass, E * sum.c, E * sum.J * E.transpose()});
  }
  return made;
}

void add_forces_to(const Element& d, NodeSpan n, double* r) {
  const Places q = places_of(d, n);
  const Places rates = d.constants.damped ? rates_of(d, n) : Places{};
  Places sum;
  for (const Point& p : d.constants.points) {
    const Slope s = at(p, n.size(), q);
    add_gradient_to(p, n.size(), gradient(s, stress_of(d, p, n.size(), s, rates)), sum);
  }
  for (std::size_t a = 0; a < n.size(); ++a) {
    Eigen::Map<Vec3>(r + 6 * a) += sum[a].x;
    Eigen::Map<Vec3>(r + 6 * a + 3) += n[a].R.transpose() * axial(q[a].d, sum[a].d);
  }
}

// With R^T of the node's equations and the directors turning along.
void add_force_tangents_to(const Element& d, NodeSpan n, double* C, double* K) {
  const std::size_t nodes = n.size();
  const bool damped = d.constants.damped;
  const Places q = places_of(d, n);
  const Places rates = damped ? rates_of(d, n) : Places{};
  Places sum;
  for (const Point& p : d.constants.points) {
    const Slope s = at(p, nodes, q);
    const Slope rate = at(p, nodes, rates);
    const Vec6 stress = stress_of(d, p, nodes, s, rates);
    add_gradient_to(p, nodes, gradient(s, stress), sum);
    for (std::size_t column = 0; column < 6 * nodes; ++column) {
      const std::size_t a = column / 6;
      const auto k = static_cast<Eigen::Index>(column % 6);
      const bool turns = k >= 3;
      const Vec3 axis = turns ? Vec3(n[a].R.col(k - 3)) : Vec3(Vec3::Unit(k));
      const Slope w = of_node(p, a, variation(q[a], turns, axis));
      const Vec6 by_w = change(s, w);
      Vec6 by_configuration = stiffness(p, by_w);
      if (damped) {
        add_column_to(p, nodes, gradient(s, damping(p, by_w)), q, n, C + 6 * nodes * column);
        Vec6 of_rate = change(rate, w);
        if (turns) of_rate += change(s, of_node(p, a, variation(rates[a], true, axis)));
        by_configuration += damping(p, of_rate);
      }
      add_column_to(p, nodes, gradient(s, by_configuration), q, n, K + 6 * nodes * column);
      add_column_to(p, nodes, gradient(w, stress), q, n, K + 6 * nodes * column);
    }
  }
  for (std::size_t a = 0; a < nodes; ++a) {
    const Mat3& R = n[a].R;
    const Vec3 moment = R.transpose() * axial(q[a].d, sum[a].d);
    for (Eigen::Index k = 0; k < 3; ++k) {
      const auto column = static_cast<Eigen::Index>(6 * a) + 3 + k;
      const Mat3 turned = math::cross_left(Vec3(R.col(k)), q[a].d);
      Eigen::Map<Vec3>(K + static_cast<Eigen::Index>(6 * nodes) * column + static_cast<Eigen::Index>(6 * a) + 3) +=
          R.transpose() * axial(turned, sum[a].d) - Vec3::Unit(k).cross(moment);
    }
  }
}

double strain_energy(const Element& d, NodeSpan n) {
  const Places q = places_of(d, n);
  double sum = 0;
  for (const Point& p : d.constants.points) {
    const Vec6 e = strain(p, at(p, n.size(), q));
    sum += 0.5 * p.weight * e.dot(stiffness(p, e));
  }
  return sum;
}

double damping_power(const Element& d, NodeSpan n) {
  if (!d.constants.damped) return 0;
  const Places q = places_of(d, n);
  const Places rates = rates_of(d, n);
  double sum = 0;
  for (const Point& p : d.constants.points) {
    const Vec6 e = change(at(p, n.size(), q), at(p, n.size(), rates));
    sum -= p.weight * e.dot(damping(p, e));
  }
  return sum;
}

void write_outputs(const Element& d, NodeSpan n, double* out) {
  const Places q = places_of(d, n);
  const Places rates = d.constants.damped ? rates_of(d, n) : Places{};
  for (const Point& p : d.constants.points) {
    const Slope s = at(p, n.size(), q);
    const Vec6 e = strain(p, s);
    const Vec6 stress = stress_of(d, p, n.size(), s, rates);
    for (const Vec6& both : {e, stress}) {
      Eigen::Map<Vec6> to(out);
      to << p.section.transpose() * both.head<3>(), p.section.transpose() * both.tail<3>();
      out += 6;
    }
  }
}

void add_discrete_forces_to(const Element& d, const Step& s, double* r) {
  const std::size_t nodes = s.mean.size();
  const StepPlaces places(d, s);
  const Places& lever = places.at(s.lever);
  Places sum;
  for (const Point& p : d.constants.points) {
    const DiscreteStress at_point(d, p, s, places);
    add_gradient_to(p, nodes, gradient(at_point.mean, at_point.stress), sum);
  }
  for (std::size_t a = 0; a < nodes; ++a) {
    Eigen::Map<Vec3>(r + 6 * a) += sum[a].x;
    Eigen::Map<Vec3>(r + 6 * a + 3) += axial(lever[a].d, sum[a].d);
  }
}

// The mean varies by half of the end.
void add_discrete_force_tangents_to(const Element& d, const Step& s, double* K) {
  const std::size_t nodes = s.mean.size();
  const StepPlaces places(d, s);
  const Places& lever = places.at(s.lever);
  Places sum;
  for (const Point& p : d.constants.points) {
    const DiscreteStress at_point(d, p, s, places);
    add_gradient_to(p, nodes, gradient(at_point.mean, at_point.stress), sum);
    for (std::size_t column = 0; column < 6 * nodes; ++column) {
      const std::size_t a = column / 6;
      const auto k = static_cast<Eigen::Index>(column % 6);
      const Slope w = of_node(p, a, variation(places.end[a], k >= 3, Vec3::Unit(k % 3)));
      const Vec6 of_end = change(at_point.end, w);
      Vec6 by_end = stiffness(p, 0.5 * (s.gradient ? of_end : change(at_point.mean, w)));
      if (d.constants.damped) by_end += damping(p, of_end / s.h);
      add_column_to(p, nodes, gradient(at_point.mean, by_end), lever, {}, K + 6 * nodes * column);
      add_column_to(p, nodes, gradient(w, 0.5 * at_point.stress), lever, {}, K + 6 * nodes * column);
    }
  }
  if (s.lever != model::Lever::mean) return;
  for (std::size_t a = 0; a < nodes; ++a)
    for (Eigen::Index k = 0; k < 3; ++k) {
      const auto first = static_cast<Eigen::Index>(6 * a) + 3;
      const Mat3 turned = math::cross_left(Vec3(0.5 * Vec3::Unit(k)), places.end[a].d);
      Eigen::Map<Vec3>(K + static_cast<Eigen::Index>(6 * nodes) * (first + k) + first) += axial(turned, sum[a].d);
    }
}

double discrete_energy(const Element& d, const Step& s) { return strain_energy(d, s.mean); }

// Stresses of the damping on the change of the strains, as the two halves of the forces do on the increments.
double discrete_work(const Element& d, const Step& s) {
  if (!d.constants.damped) return 0;
  const std::size_t nodes = s.mean.size();
  const Places begin = places_of(d, s.begin);
  const Places end = places_of(d, s.end);
  double sum = 0;
  for (const Point& p : d.constants.points) {
    const Vec6 change_of_strain = strain(p, at(p, nodes, end)) - strain(p, at(p, nodes, begin));
    sum -= p.weight * change_of_strain.dot(damping(p, change_of_strain)) / s.h;
  }
  return sum;
}

}  // namespace polhode::elements::director
