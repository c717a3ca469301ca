// SPDX-License-Identifier: BSD-3-Clause
// The cable: kernels over lanes.
#include "elements/beams/cable/cable.hpp"

#include <limits>

namespace polhode::elements {

using math::Lanes;
using math::larger;
using math::Mat3Of;
using math::Vec3Of;
using math::where_reached;

namespace {

// Integral of the shape functions over an element of unit length.
constexpr double weight(int i, int j) { return i == j ? 1.0 / 3 : 1.0 / 6; }

// Direction, strain and tension of an element.
template <class S>
struct CableStrain {
  S length;
  Vec3Of<S> t;
  S strain;
  // u_2 - u_1, and its part along t by L
  Vec3Of<S> spread;
  S rate;
  // EA epsilon + D epsilon', and N
  S unbounded;
  S tension;

  CableStrain(const Cable::DataOf<S>& d, const Cable::NodesOf<S>& n) : rate(0) {
    using std::sqrt;
    const Vec3Of<S> way = n[1].x - n[0].x;
    length = sqrt(way.squaredNorm() + S(1e-16) * d.length * d.length);
    t = way * (S(1) / length);
    strain = (length - d.length) / d.length;
    unbounded = d.stiffness * strain;
    if (d.damped) {
      spread = n[1].u - n[0].u;
      rate = t.dot(spread) / d.length;
      unbounded += d.damping * rate;
    }
    tension = larger(unbounded, d.least);
  }
  // EA max(epsilon, 0)
  S elastic(const Cable::DataOf<S>& d) const { return d.stiffness * larger(strain, d.least); }
};

}  // namespace

Cable::DataOf<Lanes> Cable::pack(const std::array<const Data*, Lanes::count>& data) {
  DataOf<Lanes> packed;
  packed.damped = false;
  for (int lane = 0; lane < Lanes::count; ++lane) {
    const Data& d = *data[lane];
    packed.length.set(lane, d.length);
    packed.stiffness.set(lane, d.stiffness);
    packed.damping.set(lane, d.damping);
    packed.mass.set(lane, d.mass);
    packed.mass_damping.set(lane, d.mass_damping);
    packed.least.set(lane, d.least);
    packed.damped |= d.damped;
  }
  return packed;
}

template <class S>
void Cable::add_to(const DataOf<S>& d, const NodesOf<S>& n, const model::ContextOf<S>& c, model::Parts parts,
                   model::PointVectorOf<2, S>& r) {
  const S mass = d.mass * d.length;
  std::array<Vec3Of<S>, 2> a{Vec3Of<S>::Zero(), Vec3Of<S>::Zero()};
  for (int i = 0; i < 2; ++i) {
    if (parts.inertia) a[i] = n[i].udot - c.gravity;
    if (parts.forces && d.damped) a[i] += d.mass_damping * n[i].u;
  }
  for (int i = 0; i < 2; ++i) r.template segment<3>(3 * i) += mass * (S(weight(i, 0)) * a[0] + S(weight(i, 1)) * a[1]);
  if (!parts.forces) return;
  const CableStrain<S> e(d, n);
  const Vec3Of<S> pull = e.tension * e.t;
  r.template segment<3>(0) -= pull;
  r.template segment<3>(3) += pull;
}
template void Cable::add_to(const DataOf<Lanes>&, const NodesOf<Lanes>&, const model::ContextOf<Lanes>&, model::Parts,
                            model::PointVectorOf<2, Lanes>&);

// By d: N t varies by t dN + N (I - t t^T)/l dd, and epsilon' by (I - t t^T) (u_2 - u_1)/(l L) . dd. Where the bound
// holds N does not vary.
template <class S>
void Cable::add_tangents_to(const DataOf<S>& d, const NodesOf<S>& n, const model::ContextOf<S>&,
                            model::PointTangentSink<2, S>& sink) {
  const S mass = d.mass * d.length * (sink.m + sink.c * d.mass_damping);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) sink.add_identity(i, j, S(weight(i, j)) * mass);
  const CableStrain<S> e(d, n);
  const S across = sink.k * e.tension / e.length;
  const S along = where_reached(e.unbounded, d.least, d.stiffness / d.length) * sink.k - across;
  Vec3Of<S> row = along * e.t;
  if (d.damped) {
    const S damping = where_reached(e.unbounded, d.least, d.damping / d.length);
    row += sink.c * damping * e.t + sink.k * damping / e.length * (e.spread - e.t * e.t.dot(e.spread));
  }
  Mat3Of<S> X = e.t * row.transpose();
  for (int k = 0; k < 3; ++k) X(k, k) += across;
  sink.add(0, 0, X);
  sink.add(1, 1, X);
  X = -X;
  sink.add(0, 1, X);
  sink.add(1, 0, X);
}
template void Cable::add_tangents_to(const DataOf<Lanes>&, const NodesOf<Lanes>&, const model::ContextOf<Lanes>&,
                                     model::PointTangentSink<2, Lanes>&);

template <class S>
S Cable::power(const DataOf<S>& d, const NodesOf<S>& n) {
  const CableStrain<S> e(d, n);
  S power = (e.elastic(d) - e.tension) * e.rate * d.length;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) power -= S(weight(i, j)) * d.mass_damping * d.mass * d.length * n[i].u.dot(n[j].u);
  return power;
}
template Lanes Cable::power(const DataOf<Lanes>&, const NodesOf<Lanes>&);

template <class S>
model::Observed<Cable::outputs, S> Cable::observe(const DataOf<S>& d, const NodesOf<S>& n,
                                                  const model::ContextOf<S>& c) {
  const CableStrain<S> e(d, n);
  const S half(0.5);
  const S mass = d.mass * d.length;
  model::Observed<outputs, S> all;
  all.energies = {S(0), half * d.length * e.elastic(d) * larger(e.strain, d.least),
                  -half * mass * c.gravity.dot(n[0].x + n[1].x)};
  all.linear.setZero();
  all.angular.setZero();
  for (int i = 0; i < 2; ++i) {
    const Vec3Of<S> p = mass * (S(weight(i, 0)) * n[0].u + S(weight(i, 1)) * n[1].u);
    all.energies.kinetic += half * p.dot(n[i].u);
    all.linear += p;
    all.angular += n[i].x.cross(p);
  }
  all.outputs.fill(S(0));
  all.outputs[0] = e.strain;
  all.outputs[6] = e.tension;
  return all;
}
template model::Observed<Cable::outputs, Lanes> Cable::observe(const DataOf<Lanes>&, const NodesOf<Lanes>&,
                                                               const model::ContextOf<Lanes>&);

Cable::Data Cable::sample(std::mt19937& random) {
  std::uniform_real_distribution<double> number(0.5, 2);
  const bool damped = number(random) > 1;
  const bool slack = number(random) > 1;
  return {number(random), 3 * number(random), damped ? number(random) : 0,
          number(random), damped ? 0.4 : 0,   slack ? 0 : -std::numeric_limits<double>::infinity(),
          damped};
}

}  // namespace polhode::elements
