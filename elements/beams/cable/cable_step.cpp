// SPDX-License-Identifier: BSD-3-Clause
// The cable over a whole step.
#include "elements/beams/cable/cable_step.hpp"

#include <cmath>

namespace polhode::elements {

using math::larger;
using math::Mat3;
using math::Vec3;
using math::where_reached;

namespace {

// d and its length, with the direction that an element of length zero has not.
struct Chord {
  Vec3 d;
  double l;
  Chord(const Cable::Data& data, const Vec3& from, const Vec3& to)
      : d(to - from), l(std::sqrt(d.squaredNorm() + 1e-16 * data.length * data.length)) {}
  Vec3 t() const { return d / l; }
  double strain(const Cable::Data& data) const { return (l - data.length) / data.length; }
};

// I - t t^T
Mat3 across(const Vec3& t) { return Mat3::Identity() - t * t.transpose(); }

// X by x_2 - x_1 into the rows and columns of both nodes.
void add_pair(const Mat3& X, math::Mat<12, 12>& K) {
  K.block<3, 3>(0, 0) += X;
  K.block<3, 3>(6, 6) += X;
  K.block<3, 3>(0, 6) -= X;
  K.block<3, 3>(6, 0) -= X;
}

// Tension of a state.
struct Pull {
  Vec3 t;
  double l;
  Vec3 spread;
  double strain;
  double rate;
  double unbounded;
  double tension;

  Pull(const Cable::Data& d, const model::Nodes<2>& n) {
    const Chord chord(d, n[0].x, n[1].x);
    t = chord.t();
    l = chord.l;
    spread = n[1].u() - n[0].u();
    strain = chord.strain(d);
    rate = t.dot(spread) / d.length;
    unbounded = d.stiffness * strain + d.damping * rate;
    tension = larger(unbounded, d.least);
  }
};

// N of a step, and its derivative by d at the end; direction, and its derivative.
struct StepPull {
  double elastic;
  double tension;
  Vec3 by_end;
  Vec3 t;
  Mat3 t_by_end;
};

// The mean of EA max(epsilon, 0) from one strain to another, and its derivative by the latter: energies over way, in
// forms without differences of near numbers.
std::pair<double, double> mean_force(const Cable::Data& d, double from, double to) {
  const double half = 0.5 * d.stiffness;
  if (from >= d.least && to >= d.least) return {half * (from + to), half};
  if (from < d.least && to < d.least) return {0, 0};
  const double way = to - from;
  if (to > from) return {half * to * to / way, half * (2 * to * way - to * to) / (way * way)};
  return {-half * from * from / way, half * from * from / (way * way)};
}

StepPull pull_of(const Cable::Data& d, const CableStep::Step& s) {
  const double by_rate = d.damping / (s.h * d.length);
  StepPull pull;
  if (s.gradient) {
    const Chord begin(d, s.begin[0].x, s.begin[1].x);
    const Chord end(d, s.end[0].x, s.end[1].x);
    const double mean = 0.5 * (begin.l + end.l);
    const auto [force, slope] = mean_force(d, begin.strain(d), end.strain(d));
    // Damping adds max(EA e + D e', 0) - EA max(e, 0) at the mean strain e. A mean of max(e, 0) is no less than the
    // latter, so that the sum never pushes
    const double strain = 0.5 * (begin.strain(d) + end.strain(d));
    const double unbounded = d.stiffness * strain + by_rate * (end.l - begin.l);
    const double half = 0.5 * d.stiffness / d.length;
    pull.elastic = force;
    pull.tension = force + larger(unbounded, d.least) - d.stiffness * larger(strain, d.least);
    pull.by_end =
        (slope / d.length + where_reached(unbounded, d.least, half + by_rate) - where_reached(strain, d.least, half)) *
        end.t();
    pull.t = 0.5 * (begin.d + end.d) / mean;
    pull.t_by_end = 0.5 / mean * (Mat3::Identity() - pull.t * end.t().transpose());
    return pull;
  }
  const Chord middle(d, s.mean[0].x, s.mean[1].x);
  const Vec3 way = (s.end[1].x - s.end[0].x) - (s.begin[1].x - s.begin[0].x);
  pull.t = middle.t();
  pull.t_by_end = 0.5 / middle.l * across(pull.t);
  pull.elastic = d.stiffness * larger(middle.strain(d), d.least);
  const double unbounded = d.stiffness * middle.strain(d) + by_rate * way.dot(pull.t);
  pull.tension = larger(unbounded, d.least);
  pull.by_end = where_reached(unbounded, d.least, 1) *
                (0.5 * d.stiffness / d.length * pull.t + by_rate * (pull.t + pull.t_by_end * way));
  return pull;
}

}  // namespace

void CableStep::add_inertia_to(const Data& d, const Nodes& n, const model::Context& c, math::Mat<12>& r) {
  const double half = 0.5 * d.mass * d.length;
  for (int i = 0; i < 2; ++i) r.segment<3>(6 * i) += half * (n[static_cast<std::size_t>(i)].udot() - c.gravity);
}

void CableStep::add_inertia_tangents_to(const Data& d, const Nodes&, const model::Context&, model::TangentsOf<2>& t) {
  const double half = 0.5 * d.mass * d.length;
  for (int i = 0; i < 2; ++i) t.M.block<3, 3>(6 * i, 6 * i).diagonal().array() += half;
}

void CableStep::add_forces_to(const Data& d, const Nodes& n, const model::Context&, math::Mat<12>& r) {
  const Pull pull(d, n);
  r.segment<3>(0) -= pull.tension * pull.t;
  r.segment<3>(6) += pull.tension * pull.t;
}

void CableStep::add_force_tangents_to(const Data& d, const Nodes& n, const model::Context&, model::TangentsOf<2>& t) {
  const Pull pull(d, n);
  const Mat3 P = across(pull.t);
  const double acts = where_reached(pull.unbounded, d.least, 1);
  const Vec3 row = acts / d.length * (d.stiffness * pull.t + d.damping / pull.l * (P * pull.spread));
  add_pair(pull.t * row.transpose() + pull.tension / pull.l * P, t.K);
  add_pair(acts * d.damping / d.length * pull.t * pull.t.transpose(), t.C);
}

model::Energies CableStep::energies(const Data& d, const Nodes& n, const model::Context& c) {
  const Pull pull(d, n);
  const double strain = larger(pull.strain, d.least);
  const double half = 0.5 * d.mass * d.length;
  return {0.5 * half * (n[0].u().squaredNorm() + n[1].u().squaredNorm()),
          0.5 * d.length * d.stiffness * strain * strain, -half * c.gravity.dot(n[0].x + n[1].x)};
}

double CableStep::power(const Data& d, const Nodes& n, const model::Context&) {
  const Pull pull(d, n);
  return (d.stiffness * larger(pull.strain, d.least) - pull.tension) * pull.rate * d.length;
}

void CableStep::write_outputs(const Data& d, const Nodes& n, const model::Context&, const model::Rows<CableStep>&,
                              const double*, double* out) {
  const Pull pull(d, n);
  std::fill_n(out, Cable::outputs, 0.0);
  out[0] = pull.strain;
  out[6] = pull.tension;
}

void CableStep::add_discrete_forces_to(const Data& d, const Step& s, math::Mat<12>& r) {
  const StepPull pull = pull_of(d, s);
  r.segment<3>(0) -= pull.tension * pull.t;
  r.segment<3>(6) += pull.tension * pull.t;
}

void CableStep::add_discrete_force_tangents_to(const Data& d, const Step& s, math::Mat<12, 12>& K) {
  const StepPull pull = pull_of(d, s);
  add_pair(pull.t * pull.by_end.transpose() + pull.tension * pull.t_by_end, K);
}

double CableStep::discrete_energy(const Data& d, const Step& s) {
  const double strain = larger(Chord(d, s.mean[0].x, s.mean[1].x).strain(d), d.least);
  return 0.5 * d.length * d.stiffness * strain * strain;
}

// Of what is not the gradient of the energy.
double CableStep::discrete_work(const Data& d, const Step& s) {
  const StepPull pull = pull_of(d, s);
  const Vec3 way = (s.end[1].x - s.end[0].x) - (s.begin[1].x - s.begin[0].x);
  return (pull.elastic - pull.tension) * pull.t.dot(way);
}

CableStep::Data CableStep::sample(std::mt19937& random) {
  Data data = Cable::sample(random);
  data.mass_damping = 0;
  return data;
}

}  // namespace polhode::elements
