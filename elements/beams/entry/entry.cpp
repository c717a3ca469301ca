// SPDX-License-Identifier: BSD-3-Clause
// What entries of `beams` have in common.
#include "elements/beams/entry/entry.hpp"

#include <algorithm>
#include <cmath>

namespace polhode::elements {

using math::Vec3;

bool check_length(const model::Entry& entry, model::Builder& builder, int from, int to, std::string_view what) {
  const model::NodeData& a = builder.at(from);
  const model::NodeData& b = builder.at(to);
  const double size = 1 + a.position.norm() + b.position.norm();
  if (from != to && (b.position - a.position).norm() >= 1e-12 * size) return true;
  builder.problem(entry, "to",
                  "stands at the same place as `from` (" + a.name + "): " + std::string(what) + " needs a length");
  return false;
}

// Three points in line have no circle, and two at one place make a piece of length zero:
// both are refused relative to the size of the beam.
std::optional<Axis> read_axis(const model::Entry& entry, model::Builder& builder, const Vec3& from, const Vec3& to) {
  const auto problem = [&](std::string_view key, std::string message) {
    builder.problem(entry, key, std::move(message));
  };
  if (entry.has("arc") && entry.has("points")) {
    problem("points", "goes not together with `arc`; give one of them");
    return std::nullopt;
  }
  if (entry.has("interpolation") && !entry.has("points")) {
    problem("interpolation", "is between `points`, of which there are none; remove it");
    return std::nullopt;
  }
  if (entry.has("arc")) {
    const Vec3 through = entry.vector3("arc");
    const Vec3 a = through - from;
    const Vec3 b = to - from;
    if (a.cross(b).norm() < 1e-9 * b.norm() * std::max(a.norm(), b.norm()) || (through - to).norm() < 1e-9 * b.norm()) {
      problem("arc", "stands in line with the ends of the beam, which makes no circle; remove it for a straight beam");
      return std::nullopt;
    }
    return Axis::arc(from, through, to);
  }
  if (!entry.has("points")) return Axis::straight(from, to);
  const math::MatrixX& given = entry.matrix("points");
  std::vector<Vec3> points{from};
  for (Eigen::Index i = 0; i < given.rows(); ++i) points.emplace_back(given.row(i).transpose());
  points.push_back(to);
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    if ((points[i + 1] - points[i]).norm() < 1e-9 * (to - from).norm()) {
      problem("points", i + 2 < points.size()
                            ? "entry " + std::to_string(i + 1) + " stands where " +
                                  (i == 0 ? "the beam starts" : "the one before stands") + "; remove it"
                            : "the last one stands where the beam ends; remove it");
      return std::nullopt;
    }
  const bool cubic = entry.has("interpolation") && entry.text("interpolation") == "cubic";
  return cubic ? Axis::spline(std::move(points)) : Axis::polyline(std::move(points));
}

// Elements of equal length; on a polyline each piece has its own, so that none has a corner inside. After
// one for each piece the next goes where elements are longest; of equally long ones to the first, whatever round-off
// says.
std::vector<double> read_ends(const model::Entry& entry, model::Builder& builder, const Axis& axis) {
  const int elements = static_cast<int>(entry.number("elements", 1));
  std::vector<double> pieces{0};
  pieces.insert(pieces.end(), axis.corners().begin(), axis.corners().end());
  pieces.push_back(1);
  const int count = static_cast<int>(pieces.size()) - 1;
  if (elements < count) {
    builder.problem(entry, "elements",
                    "a line of " + std::to_string(count) +
                        " straight pieces needs as many elements at least; there are " + std::to_string(elements));
    return {};
  }
  std::vector<int> shares(static_cast<std::size_t>(count), 1);
  for (int left = elements - count; left > 0; --left) {  // to the piece with the longest elements
    std::size_t longest = 0;
    const auto size = [&](std::size_t i) { return (pieces[i + 1] - pieces[i]) / shares[i]; };
    for (std::size_t i = 1; i < shares.size(); ++i)
      if (size(i) > size(longest) * (1 + 1e-9)) longest = i;
    ++shares[longest];
  }
  std::vector<double> ends{0};
  for (std::size_t i = 0; i < shares.size(); ++i)
    for (int k = 1; k <= shares[i]; ++k)
      ends.push_back(k == shares[i] ? pieces[i + 1] : pieces[i] + (pieces[i + 1] - pieces[i]) * k / shares[i]);
  return ends;
}

namespace {

// Velocity of an end as inner nodes take it over.
struct EndMotion {
  // inertial
  Vec3 velocity;
  Vec3 angular_velocity;
};
EndMotion motion_of(const model::NodeData& node) { return {node.velocity, node.orientation * node.angular_velocity}; }

}  // namespace

std::vector<int> add_inner_nodes(const model::Entry& entry, model::Builder& builder, int from, int to,
                                 std::span<const InnerNode> inner, bool points) {
  const model::InitialMotion* motion = builder.motion_of_beam(entry.name);
  const EndMotion start = motion_of(builder.at(from));
  const EndMotion end = motion_of(builder.at(to));
  std::vector<int> nodes{from};
  nodes.reserve(inner.size() + 2);
  for (const InnerNode& at : inner) {
    model::NodeData node;
    node.name = entry.name + "." + std::to_string(nodes.size());
    node.referenced = true;
    node.position = at.position;
    node.orientation = at.orientation;
    node.velocity = (1 - at.part) * start.velocity + at.part * end.velocity;
    Vec3 turn = (1 - at.part) * start.angular_velocity + at.part * end.angular_velocity;
    if (motion) {
      const model::PointMotion m = model::motion_at(*motion, node.position);
      node.velocity = m.velocity;
      turn = m.angular_velocity;
    }
    node.translation_only = points;
    if (points)
      std::fill(node.removed.begin() + 3, node.removed.end(), true);
    else
      node.angular_velocity = node.orientation.conjugate() * turn;
    node.inner = true;
    nodes.push_back(builder.add_node(std::move(node)));
  }
  nodes.push_back(to);
  return nodes;
}

// Whether an entry of the model, a load along the beam, asks for the shares of its nodes.
bool shares_wanted(const model::Entry& beam, const model::Builder& builder) {
  // In the order of families: of many beams each one looks at forces alone
  const auto& entries = builder.model().entries;
  const auto is_behind = [](const model::Entry& e) { return e.family > model::Family::force; };
  const auto is_other = [](const model::Entry& e) { return e.family != model::Family::force; };
  const auto last = std::find_if_not(entries.rbegin(), entries.rend(), is_behind);
  return std::any_of(last, std::find_if(last, entries.rend(), is_other),
                     [&](const model::Entry& e) { return e.has("beam") && e.text("beam") == beam.name; });
}

}  // namespace polhode::elements
