// SPDX-License-Identifier: BSD-3-Clause
// The revolute joint, free or driven: rows, counted angle, outputs and building.
#include "elements/joints/revolute/revolute.hpp"

namespace polhode::elements {
namespace {

// The five rows that both forms share.
template <class Rows>
void set_hinge(const Markers& d, const PairNodes& n, Rows& phi) {
  phi.template head<3>() = rows::coincidence(d, n);
  for (int i = 0; i < 2; ++i) phi[3 + i] = rows::dot(n, d.E_a.col(i), d.E_b.col(2));
}
template <class Gradient>
void set_hinge_gradient(const Markers& d, const PairNodes& n, Gradient& B) {
  rows::coincidence_gradient(d, n, 0, B);
  for (int i = 0; i < 2; ++i) B.row(3 + i) = rows::dot_gradient(n, d.E_a.col(i), d.E_b.col(2));
}
template <class Rows>
void add_hinge_tangent_to(const Markers& d, const PairNodes& n, const Rows& lambda, PairBlock& K) {
  rows::add_coincidence_tangent_to(d, n, lambda.template head<3>(), K);
  for (int i = 0; i < 2; ++i) rows::add_dot_tangent_to(n, d.E_a.col(i), d.E_b.col(2), lambda[3 + i], K);
}
template <class Kind>
void write_hinge(const typename Kind::Data& d, const PairNodes& n, const model::Context& c,
                 const model::Rows<Kind>& lambda, const double* history, double* out) {
  typename Kind::Gradient B = Kind::Gradient::Zero();
  Kind::gradient(d, n, c, B);
  write_reaction(B, lambda, d, n, out);
  out[6] = history[0];
}

}  // namespace

void Revolute::constraint(const Data& d, const PairNodes& n, const model::Context&, Rows& phi) { set_hinge(d, n, phi); }
void Revolute::gradient(const Data& d, const PairNodes& n, const model::Context&, Gradient& B) {
  set_hinge_gradient(d, n, B);
}
void Revolute::add_geometric_tangent_to(const Data& d, const PairNodes& n, const model::Context&, const Rows& lambda,
                                        PairBlock& K) {
  add_hinge_tangent_to(d, n, lambda, K);
}
void Revolute::update_history(const Data& d, const PairNodes& n, const model::Context&, double* history) {
  history[0] = unwrap(rows::angle(d, n), history[0]);
}
void Revolute::write_outputs(const Data& d, const PairNodes& n, const model::Context& c, const Rows& lambda,
                             const double* history, double* out) {
  write_hinge<Revolute>(d, n, c, lambda, history, out);
}

void DrivenRevolute::constraint(const Data& d, const PairNodes& n, const model::Context& c, Rows& phi) {
  set_hinge(d, n, phi);
  phi[5] = unwrap(d.rotation(c.t).value - rows::angle(d, n), 0);
}
void DrivenRevolute::gradient(const Data& d, const PairNodes& n, const model::Context&, Gradient& B) {
  set_hinge_gradient(d, n, B);
  B.row(5) = -rows::angle_gradient(d, n);
}
void DrivenRevolute::add_geometric_tangent_to(const Data& d, const PairNodes& n, const model::Context&,
                                              const Rows& lambda, PairBlock& K) {
  add_hinge_tangent_to(d, n, lambda, K);
  rows::add_angle_tangent_to(d, n, -lambda[5], K);
}
void DrivenRevolute::time_derivatives(const Data& d, const model::Context& c, Rows& phi_t, Rows& phi_tt) {
  const model::Jet theta = d.rotation(c.t);
  phi_t[5] = theta.first;
  phi_tt[5] = theta.second;
}
void DrivenRevolute::update_history(const Data& d, const PairNodes& n, const model::Context& c, double* history) {
  history[0] = unwrap(rows::angle(d, n), d.rotation(c.t).value);
}
void DrivenRevolute::write_outputs(const Data& d, const PairNodes& n, const model::Context& c, const Rows& lambda,
                                   const double* history, double* out) {
  write_hinge<DrivenRevolute>(d, n, c, lambda, history, out);
}
DrivenRevolute::Data DrivenRevolute::sample(std::mt19937& random) {
  return {sample_markers(random), model::Expression::parse("0.3 + 0.8*t + sin(3*t)", {}, true)};
}
void DrivenRevolute::breakpoints(const Data& d, double t0, double t1, std::vector<double>& out) {
  const auto times = d.rotation.breakpoints(t0, t1);
  out.insert(out.end(), times.begin(), times.end());
}

namespace {

constexpr std::array fields{
    connects_field, at_field, axis_field,
    model::Field{.name = "rotation",
                 .type = model::FieldType::function,
                 .unit = "rad",
                 .doc = "drives the angle of b against a, zero in the deck's configuration, as a function of time"}};
constexpr std::array outputs{
    force_output, moment_output,
    model::Output{"coordinates", "rad", "", "angle of b against a about the axis, counted without jumps", 1}};

void build(const model::Entry& entry, model::Builder& builder) {
  const int a = builder.node(entry.names("connects")[0]), b = builder.node(entry.names("connects")[1]);
  if (!check_rotations(entry, builder, a, b)) return;
  const Markers markers = make_markers(builder, a, b, entry.vector3("at"), entry.vector3("axis"));
  if (entry.has("rotation"))
    builder.add<DrivenRevolute>(entry, {a, b}, {markers, entry.function("rotation")});
  else
    builder.add<Revolute>(entry, {a, b}, markers);
  builder.add_topology(model::JointTopology{builder.index_of(entry), {a, b}, {markers.s_a, markers.s_b}});
}

}  // namespace

const model::KindInfo revolute_info{"revolute",
                                    model::Family::joint,
                                    "a point and an axis in common; free or driven",
                                    fields,
                                    outputs,
                                    build,
                                    model::samples<Revolute, DrivenRevolute>};

}  // namespace polhode::elements
