// SPDX-License-Identifier: BSD-3-Clause
// The tyre: force, tangents, energy, outputs and building.
#include "elements/forces/tyre/tyre.hpp"

#include <cmath>

#include "elements/forces/measured/output_sensor.hpp"

namespace polhode::elements {

using math::Vec3;
using math::Vec6;
using model::Field;
using model::FieldType;

namespace {

// The wheel over the road, by the equations of the header.
// A contact that would pull is none: the damper may ask for tension while the tyre springs back.
struct Contact {
  Vec3 axis;  // inertial z in the node's frame
  // of p_x and p_z
  Vec6 g_x;
  Vec6 g_z;
  // of the road
  double height;
  double slope;
  double curvature;
  double deflection;  // m
  double rate;        // m/s
  // of the center along x and z, m/s
  double speed;
  double rise;
  double force;  // N
  bool pushes;

  Contact(const Tyre::Data& d, const model::Node& n) : axis(n.R.transpose().col(2)) {
    g_x << Vec3::UnitX(), d.s.cross(n.R.transpose().col(0));
    g_z << Vec3::UnitZ(), d.s.cross(axis);
    const Vec3 centre = n.x + n.R * d.s;
    const model::Jet road = d.road(centre.x());
    height = road.value;
    slope = road.first;
    curvature = road.second;
    speed = g_x.dot(n.v);
    rise = g_z.dot(n.v);
    deflection = height + d.radius - centre.z();
    rate = slope * speed - rise;
    force = deflection <= 0 ? 0 : d.stiffness * deflection + d.damping * rate;  // a road that is no number gives none
    pushes = force > 0;
    if (force < 0) force = 0;
  }

  // Of e: the road rises under the wheel by h' p_x, and the wheel by p_z.
  Vec6 by_deflection() const { return slope * g_x - g_z; }
  // Of F where it pushes. pdot = u + R (Omega x s): of its component along e the derivative by dTheta is
  // (Omega x s) x R^T e.
  void set_gradient(const Tyre::Data& d, const model::Node& n, Vec6& by_position, Vec6& by_velocity) const {
    const Vec3 turning = n.Omega().cross(d.s);
    by_position = d.stiffness * by_deflection() + d.damping * curvature * speed * g_x;
    by_position.tail<3>() += d.damping * turning.cross(slope * n.R.transpose().col(0) - axis);
    by_velocity = d.damping * by_deflection();
  }
};

}  // namespace

// Along inertial z alone: friction and the slope of the road give no force along x.
void Tyre::add_forces_to(const Data& d, const Nodes& n, const model::Context&, Vec6& r) {
  const Contact at(d, n[0]);
  r -= at.force * at.g_z;
}

// F varies with e and edot. edot = h' pdot_x - pdot_z has, beside the gradients,
// h'' pdot_x dp_x and the change of pdot with the turn of s; the last line is the lever of F, s x R^T e_z,
// that turns.
void Tyre::add_force_tangents_to(const Data& d, const Nodes& n, const model::Context&, model::Tangents<Tyre>& t) {
  const Contact at(d, n[0]);
  if (!at.pushes) return;
  Vec6 by_position;
  Vec6 by_velocity;
  at.set_gradient(d, n[0], by_position, by_velocity);
  t.C.noalias() -= at.g_z * by_velocity.transpose();
  t.K.noalias() -= at.g_z * by_position.transpose();
  t.K.bottomRightCorner<3, 3>() -= at.force * math::tilde(d.s) * math::tilde(at.axis);
}

// Of a tyre that is pressed in, whether or not the damper cancels its push at that instant.
model::Energies Tyre::energies(const Data& d, const Nodes& n, const model::Context&) {
  const double deflection = std::max(0.0, Contact(d, n[0]).deflection);
  return {0, 0.5 * d.stiffness * deflection * deflection, 0};
}

// dV/dt + F pdot_z: what the road's shape, rolled over, and the damper do,
// as V is no potential of F (tyre.hpp).
double Tyre::power(const Data& d, const Nodes& n, const model::Context&) {
  const Contact at(d, n[0]);
  return at.deflection > 0 ? d.stiffness * at.deflection * at.rate + at.force * at.rise : 0;
}

void Tyre::write_outputs(const Data& d, const Nodes& n, const model::Context&, const model::Rows<Tyre>&, const double*,
                         double* out) {
  const Contact at(d, n[0]);
  out[0] = at.force;
  out[1] = at.deflection;
  out[2] = at.height;
}

// In the air a tyre has no force, and its deflection is a gap.
void Tyre::set_output_gradient(const Data& d, const Nodes& n, const model::Context&, int number, Vec6& by_position,
                               Vec6& by_velocity) {
  const Contact at(d, n[0]);
  if (number == 1) by_position = at.by_deflection();
  if (number == 2) by_position = at.slope * at.g_x;
  if (number == 0 && at.pushes) at.set_gradient(d, n[0], by_position, by_velocity);
}

// Wheels of the size of the random positions, pressed in or in the air; the damper is weak enough not to end the push.
Tyre::Data Tyre::sample(std::mt19937& random) {
  std::uniform_real_distribution<double> number(0.5, 2);
  const double radius = number(random) - 0.3;
  const Vec3 s(number(random) - 1, number(random) - 1, number(random) - 1);
  std::vector<double> bumps;
  if (number(random) > 1) bumps = {number(random) - 1.2, 3};
  std::optional<model::Table> profile;
  if (number(random) > 1)
    profile = model::Table({-3, -0.4, 0.3, 4}, {0.2, -0.1, 0.3, 0.1}, model::Interpolation::cubic);
  return {Road(model::Expression::parse("0.3*sin(2*t) + 0.1*t", {}, true), std::move(profile), std::move(bumps),
               0.5 * number(random), radius),
          s, radius, 10 * number(random), 0.05 * number(random)};
}

namespace {

constexpr std::array<std::string_view, 1> road_variables{"x"};
constexpr std::array<std::string_view, 2> interpolations{"linear", "cubic"};
constexpr std::array profile_fields{
    Field{.name = "x", .type = FieldType::numbers, .unit = "m", .doc = "strictly ascending", .required = true},
    Field{.name = "height", .type = FieldType::numbers, .unit = "m", .doc = "at each `x`", .required = true},
    Field{.name = "interpolation",
          .type = FieldType::choice,
          .unit = "",
          .doc = "between the rows; cubic: a natural spline",
          .default_text = "linear",
          .choices = interpolations},
};
constexpr std::array fields{
    Field{.name = "node", .type = FieldType::node, .unit = "", .doc = "the node of the wheel", .required = true},
    Field{.name = "at",
          .type = FieldType::vector3,
          .unit = "m",
          .doc = "the wheel's center, inertial, in the initial configuration; default: the node",
          .frame = model::Frame::point},
    Field{.name = "radius",
          .type = FieldType::number,
          .unit = "m",
          .doc = "radius of the unloaded wheel",
          .required = true,
          .min = 0,
          .min_exclusive = true},
    Field{.name = "stiffness",
          .type = FieldType::number,
          .unit = "N/m",
          .doc = "vertical force over deflection",
          .required = true,
          .min = 0,
          .min_exclusive = true},
    Field{.name = "damping",
          .type = FieldType::number,
          .unit = "N s/m",
          .doc = "vertical force over rate of the deflection, while in contact",
          .min = 0,
          .default_text = "0"},
    Field{.name = "height",
          .type = FieldType::function,
          .unit = "m",
          .doc = "height z of the road over x",
          .default_text = "0",
          .variables = road_variables},
    Field{.name = "profile",
          .type = FieldType::group,
          .unit = "",
          .doc = "a table of heights, on top of `height`; it holds its end values outside",
          .members = profile_fields},
    Field{.name = "bumps",
          .type = FieldType::numbers,
          .unit = "m",
          .doc = "half cylinders across the road: x of each axis"},
    Field{.name = "bump_diameter",
          .type = FieldType::number,
          .unit = "m",
          .doc = "diameter of the half cylinders",
          .min = 0,
          .min_exclusive = true},
};
constexpr std::array outputs{
    model::Output{"force", "N", "", "of the road on the wheel, upwards; never negative", 1},
    model::Output{"deflection", "m", "", "of the tyre; negative: gap below a wheel in the air", 1},
    model::Output{"road", "m", "", "height of the road below the wheel's center", 1},
};

// Checks that need the road come last: it is made of inputs that have to be sound by then.
void build(const model::Entry& entry, model::Builder& builder) {
  const int node = builder.node(entry.text("node"));
  const Vec3 lever = entry.vector3("at", builder.at(node).position) - builder.at(node).position;
  builder.check_lever(entry, node, lever, "the wheel");
  // One is of no use without the other.
  if (entry.has("bumps") != entry.has("bump_diameter"))
    return builder.problem(entry, entry.has("bumps") ? "bumps" : "bump_diameter",
                           entry.has("bumps") ? "stand without their size; give `bump_diameter`"
                                              : "belongs to `bumps`; give their places, or remove it");
  std::optional<model::Table> profile;
  if (entry.has("profile.x")) {
    const math::VectorX& x = entry.vector("profile.x");
    const math::VectorX& height = entry.vector("profile.height");
    const bool cubic = entry.has("profile.interpolation") && entry.text("profile.interpolation") == "cubic";
    if (x.size() != height.size()) return builder.problem(entry, "profile.height", "has another length than `x`");
    if (x.size() < 2) return builder.problem(entry, "profile.x", "needs at least two rows");
    for (Eigen::Index i = 1; i < x.size(); ++i)
      if (!(x[i] > x[i - 1])) return builder.problem(entry, "profile.x", "is not strictly ascending");
    profile.emplace(std::vector<double>(x.begin(), x.end()), std::vector<double>(height.begin(), height.end()),
                    cubic ? model::Interpolation::cubic : model::Interpolation::linear);
  }
  std::vector<double> bumps;
  if (entry.has("bumps")) bumps.assign(entry.vector("bumps").begin(), entry.vector("bumps").end());
  const double radius = entry.number("radius");
  // A road without height and profile is flat, at z = 0.
  Road road(entry.has("height") ? entry.function("height") : model::TimeFunction(0), std::move(profile),
            std::move(bumps), 0.5 * entry.number("bump_diameter", 0), radius);
  if (!std::isfinite(road(builder.at(node).position.x() + lever.x()).value))
    return builder.problem(entry, "height", "is not finite below the wheel at the start");
  if (const auto x = road.bump_on_nothing())
    return builder.problem(entry, "bumps",
                           "stand at x = " + std::to_string(*x) + ", where the road's height is not finite");
  add_measured_force<Tyre>(entry, builder, {node},
                           {std::move(road), builder.at(node).orientation.conjugate() * lever, radius,
                            entry.number("stiffness"), entry.number("damping", 0)});
}

}  // namespace

const model::KindInfo tyre_info{
    "tyre", model::Family::force, "a vertical spring and damper between a wheel and the road", fields, outputs,
    build,  model::samples<Tyre>};

}  // namespace polhode::elements
