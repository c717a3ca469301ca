// SPDX-License-Identifier: BSD-3-Clause
// The nodal load and its tangents.
#include "elements/forces/load/load.hpp"

#include "elements/joints/rows/rows.hpp"
#include "polhode/model/builder.hpp"

namespace polhode::elements {

using math::Vec3;
using model::Field;
using model::FieldType;

math::Vec6 Load::wrench(const Data& d, const model::Node& n) {
  math::Vec6 w;
  if (d.follower)
    w << n.R * d.force, d.moment + d.c.cross(d.force);
  else
    w << d.force, n.R.transpose() * d.moment + d.c.cross(n.R.transpose() * d.force);
  return w;
}

// Loads stand on the right of the equations of motion, so with a minus in the residual.
void Load::add_forces_to(const Data& d, const Nodes& n, const model::Context& c, math::Vec6& r) {
  r -= acting(d.scale, c) * wrench(d, n[0]);
}

// dead: d(R^T M) = (R^T M)~ dTheta, and of the lever's moment c~ (R^T F)~ dTheta. follower: d(R F)
// = -R F~ dTheta. Neither is symmetric in general: followers have no potential.
void Load::add_force_tangents_to(const Data& d, const Nodes& n, const model::Context& c, model::Tangents<Load>& t) {
  const double s = acting(d.scale, c);
  if (d.follower)
    t.K.topRightCorner<3, 3>() += math::cross_right(n[0].R, s * d.force);
  else
    t.K.bottomRightCorner<3, 3>() -=
        s * (math::tilde(n[0].R.transpose() * d.moment) + math::tilde(d.c) * math::tilde(n[0].R.transpose() * d.force));
}

// Spatial wrenches: the moment of a dead force is (R c) x F with the lever R of s.lever,
// which a mean R shortens in a way that keeps the angular momentum.
void Load::add_discrete_forces_to(const Data& d, const Step& s, math::Vec6& r) {
  const double scale = s.middle.load_factor * d.scale(s.middle.t).value;
  const math::Mat3& R = s.at()[0].R;
  if (d.follower) {
    r.head<3>() -= scale * (R * d.force);
    r.tail<3>() -= scale * (R * (d.moment + d.c.cross(d.force)));
  } else {
    r.head<3>() -= scale * d.force;
    r.tail<3>() -= scale * (d.moment + (R * d.c).cross(d.force));
  }
}

// A mean vector w moves by -w+~ dtheta/2.
void Load::add_discrete_force_tangents_to(const Data& d, const Step& s, math::Mat6& K) {
  if (s.lever != model::Lever::mean) return;
  const double half = 0.5 * s.middle.load_factor * d.scale(s.middle.t).value;
  const math::Mat3& R = s.end[0].R;
  if (d.follower) {
    K.topRightCorner<3, 3>() += half * math::tilde(R * d.force);
    K.bottomRightCorner<3, 3>() += half * math::tilde(R * (d.moment + d.c.cross(d.force)));
  } else {
    K.bottomRightCorner<3, 3>() -= half * math::tilde(d.force) * math::tilde(R * d.c);
  }
}

// t: that of the mean of both momenta of `variational`, (R+^T R)'s sine; all increments differ by O(h^3).
double Load::discrete_work(const Data& d, const Step& s) {
  const double scale = s.middle.load_factor * d.scale(s.middle.t).value;
  const math::so3::Quaternion turn = s.begin[0].quat.conjugate() * s.end[0].quat;
  const Vec3 dx = s.end[0].x - s.begin[0].x;
  const Vec3 t = 2 * turn.w() * turn.vec();
  const math::Mat3& R = s.mean[0].R;
  if (d.follower) return scale * ((R * d.force).dot(dx) + (d.moment + d.c.cross(d.force)).dot(t));
  return scale * (d.force.dot(dx + R * t.cross(d.c)) + d.moment.dot(R * t));
}

// On the model, W: of force and moment with the node's velocities.
double Load::power(const Data& d, const Nodes& n, const model::Context& c) {
  return acting(d.scale, c) * wrench(d, n[0]).dot(n[0].v);
}

void Load::breakpoints(const Data& d, double t0, double t1, std::vector<double>& out) {
  add_times_to(d.scale, t0, t1, out);
}

// Absent vectors are zero and an absent history is 1: a constant load.
Load::Data loads::read(const model::Entry& entry, model::Builder& builder) {
  if (!entry.has("force") && !entry.has("moment"))
    builder.problem(entry, "", "has neither `force` nor `moment`; give one of them");
  return {entry.vector3("force", Vec3::Zero()), entry.vector3("moment", Vec3::Zero()), Vec3::Zero(),
          entry.flag("follower", false), entry.has("history") ? entry.function("history") : model::TimeFunction(1)};
}

Load::Data Load::sample(std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vec3(number(random), number(random), number(random)); };
  return {vector(), vector(), vector(), number(random) > 0, model::Expression::parse("2 + sin(3*t)", {}, true)};
}

namespace {

constexpr std::array fields{
    Field{.name = "node", .type = FieldType::node, .unit = "", .doc = "the node that is loaded", .required = true},
    loads::vector("force", "N", "inertial components, or the node's with `follower`"),
    loads::vector("moment", "N m", "inertial components, or the node's with `follower`"),
    Field{.name = "at",
          .type = FieldType::vector3,
          .unit = "m",
          .doc = "the point of the force, inertial, in the initial configuration; default: the node",
          .frame = model::Frame::point},
    loads::follower("force and moment turn with the node"),
    loads::history,
};

// The point of a force is given in the deck's configuration and becomes a lever in the node's frame,
// with which it turns.
void build(const model::Entry& entry, model::Builder& builder) {
  const int node = builder.node(entry.text("node"));
  Load::Data data = loads::read(entry, builder);
  const Vec3 lever = entry.vector3("at", builder.at(node).position) - builder.at(node).position;
  builder.check_lever(entry, node, lever, "the force");
  if (builder.at(node).translation_only && (!data.moment.isZero(0) || data.follower))
    builder.problem(entry, "node",
                    "is a point without rotation, which takes no moment and no follower force; take `dofs: "
                    "translation` from the node");
  data.c = builder.at(node).orientation.conjugate() * lever;
  builder.add<Load>(entry, {node}, std::move(data));
}

}  // namespace

const model::KindInfo load_info{
    "load", model::Family::force, "a force and a moment on a node, with a history", fields, {},
    build,  model::samples<Load>};

}  // namespace polhode::elements
