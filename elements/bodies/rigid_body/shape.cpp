// SPDX-License-Identifier: BSD-3-Clause
// Volume and inertia of bodies by shape.
#include "elements/bodies/rigid_body/shape.hpp"

#include <algorithm>
#include <numbers>

namespace polhode::elements {

using math::Vec3;

// J_x = m (b^2 + c^2)/12 and so on around, for unit mass.
BodyShape box(const Vec3& size) {
  const Vec3 s = size.cwiseAbs2();
  return {size.prod(), Vec3(s[1] + s[2], s[2] + s[0], s[0] + s[1]) / 12};
}

// Differences of two solid cylinders of one density: r^4 - r_i^4 over r^2 - r_i^2 leaves r^2 + r_i^2.
// A full cylinder has r_i = 0.
BodyShape tube(double r, double r_i, double length, int axis) {
  const double radii = r * r + r_i * r_i;
  Vec3 J = Vec3::Constant((3 * radii + length * length) / 12);
  J[axis] = radii / 2;
  return {std::numbers::pi * (r * r - r_i * r_i) * length, J};
}

BodyShape sphere(double r) { return {4.0 / 3 * std::numbers::pi * r * r * r, Vec3::Constant(0.4 * r * r)}; }

namespace {

// Which keys a shape must have and may have.
struct Dimensions {
  std::vector<std::string_view> needed;
  std::vector<std::string_view> optional;
};

Dimensions dimensions_of(std::string_view shape) {
  if (shape == "box") return {{"size"}, {}};
  if (shape == "sphere") return {{"radius"}, {}};
  if (shape == "cylinder") return {{"radius", "length"}, {"along"}};
  return {{"radius", "inner_radius", "length"}, {"along"}};
}

}  // namespace

// Keys of other shapes are refused rather than ignored: a radius beside a box is a slip of one or the other.
std::optional<BodyShape> read_body_shape(const model::Entry& entry, model::Builder& builder) {
  const std::string& shape = entry.text("shape");
  const auto [needed, optional] = dimensions_of(shape);
  const auto in = [](const auto& list, std::string_view key) {
    return std::find(list.begin(), list.end(), key) != list.end();
  };
  bool good = true;
  const auto problem = [&](std::string_view key, std::string message) {
    builder.problem(entry, key, std::move(message));
    good = false;
  };
  for (const std::string_view key : {"size", "radius", "inner_radius", "length", "along"})
    if (entry.has(key) && !in(needed, key) && !in(optional, key))
      problem(key, "does not belong to the shape '" + shape + "'");
  for (const std::string_view key : needed)
    if (!entry.has(key)) problem("", "'" + std::string(key) + "' is missing: the shape '" + shape + "' needs it");
  if (!good) return std::nullopt;
  if (shape == "box") return box(entry.vector3("size"));
  if (shape == "sphere") return sphere(entry.number("radius"));
  const double radius = entry.number("radius");
  const double inner = entry.number("inner_radius", 0);
  if (inner >= radius) {
    problem("inner_radius", "must be less than `radius`");
    return std::nullopt;
  }
  const std::string_view along = entry.has("along") ? std::string_view(entry.text("along")) : "x";
  return tube(radius, inner, entry.number("length"), along[0] - 'x');
}

}  // namespace polhode::elements
