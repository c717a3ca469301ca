// SPDX-License-Identifier: BSD-3-Clause
// From sections along an axis to the constants of an element; orders by number.
#include "elements/beams/spectral/kind.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "elements/beams/spectral/kinematics.hpp"

namespace polhode::elements::spectral {
namespace {

// Six numbers of two vectors.
Vec6 joined(const Vec3& a, const Vec3& b) { return (Vec6() << a, b).finished(); }

// A stiffness or mass matrix of section axes in the axes of R: both halves of strains and velocities turn
// alike.
Mat6 turned(const Mat6& m, const Mat3& R) {
  Mat6 turn = Mat6::Zero();
  turn.topLeftCorner<3, 3>() = turn.bottomRightCorner<3, 3>() = R;
  return turn * m * turn.transpose();
}

// The axis at xi, as the element interpolates it.
struct Place {
  Shapes shapes;
  Vec3 slope = Vec3::Zero();  // by xi
  double stretch;             // m per unit of xi
  Place(const Recipe& r, const std::vector<double>& nodes, double xi) : shapes(lagrange(nodes, xi)) {
    for (std::size_t i = 0; i < nodes.size(); ++i) slope += shapes.derivative[i] * (r.positions[i] - r.positions[0]);
    stretch = slope.norm();
  }
};

double sum_of_positive(const std::array<double, most_nodes>& L) {
  return std::accumulate(L.begin(), L.end(), 0.0, [](double sum, double a) { return sum + std::max(a, 0.0); });
}

// f(xi, weight) over Gauss points between the kinks of the data: exact for polynomials of twice the order between them.
template <class F>
void integrate(const Recipe& recipe, const F& f) {
  const Quadrature rule = gauss(static_cast<int>(recipe.positions.size()) + 1);
  std::vector<double> ends{-1};
  ends.insert(ends.end(), recipe.breaks.begin(), recipe.breaks.end());
  ends.push_back(1);
  for (std::size_t part = 0; part + 1 < ends.size(); ++part) {
    const double middle = 0.5 * (ends[part] + ends[part + 1]);
    const double half = 0.5 * (ends[part + 1] - ends[part]);
    for (std::size_t g = 0; g < rule.points.size(); ++g) f(middle + half * rule.points[g], half * rule.weights[g]);
  }
}

}  // namespace

Mat6 damping(const Station& station) { return damping(station.stiffness, station.damping) + station.damping_matrix; }

// Semidefinite whatever the coupling, which the product C diag(tau) is not.
Mat6 damping(const Mat6& stiffness, const Vec6& time_constants) {
  const Vec6 roots = time_constants.cwiseSqrt();
  return (roots * roots.transpose()).cwiseProduct(stiffness);
}

// The element's frame is that of the section in its middle. Nodes carry it as Q_i = R_i E_i,
// so that all Q_i are equal in the deck's configuration, whatever the orientations of the deck's nodes,
// and the given axis and twist are free of strain: what bends there is in the constants of the points.
Element make_element(const Recipe& recipe) {
  const std::size_t n = recipe.positions.size();
  const std::vector<double> nodes = lobatto_nodes(static_cast<int>(n));
  Element element;
  element.nodes = static_cast<int>(n);
  double farthest = 0;
  double closest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i) {
    farthest = std::max(farthest, recipe.positions[i].norm());
    if (i > 0) closest = std::min(closest, (recipe.positions[i] - recipe.positions[i - 1]).norm());
  }
  element.round_off = RoundOff::of_positions(farthest, closest);
  for (auto& E : element.E) E << 1, 0, 0, 0;
  const Mat3 F0 = recipe.station(0).frame;
  for (std::size_t i = 0; i < n; ++i) {
    math::so3::Quaternion E(Mat3(recipe.orientations[i].transpose() * F0));
    E.normalize();
    // Round-off is no turn: nodes along the sections take the faster kernels.
    if (E.vec().norm() < 1e-15) E.setIdentity();
    element.E[i] << E.w(), E.vec();
    element.turned = element.turned || !E.vec().isZero(0);
  }
  const Quadrature& rule = recipe.rule;
  double largest = 1;  // sum of positive weights
  for (std::size_t g = 0; g < rule.points.size(); ++g) {
    const Place place(recipe, nodes, rule.points[g]);
    const Station station = recipe.station(rule.points[g]);
    PointOf<double> point{};
    point.weight = rule.weights[g] * place.stretch;
    for (std::size_t i = 0; i < n; ++i) {
      point.L[i] = place.shapes.value[i];
      point.dL[i] = place.shapes.derivative[i] / place.stretch;
    }
    point.axis = F0.transpose() * place.slope / place.stretch;
    point.section = F0.transpose() * station.frame;
    const Mat6 D = damping(station);
    point.set_section(turned(station.stiffness, point.section), turned(D, point.section));
    element.damped = element.damped || !D.isZero(0);
    largest = std::max(largest, sum_of_positive(point.L));
    element.points.push_back(point);
  }
  element.near = std::cos(std::numbers::pi / (6 * largest));
  // Masses are integrals over the pieces between breaks, since section data have kinks there;
  // a rule over all of the element would lose its order. The mass of a section stands three times on the
  // diagonal, its offset twice in the skew block.
  const std::vector<PairOf<double>> zero(n * n, PairOf<double>{0, Vec3::Zero(), Mat3::Zero()});
  element.pairs = zero;
  std::vector<PairOf<double>> mass_damping = zero;
  integrate(recipe, [&](double xi, double weight) {
    const Place place(recipe, nodes, xi);
    const Station station = recipe.station(xi);
    const Mat6 mass = weight * place.stretch * turned(station.mass, F0.transpose() * station.frame);
    const Mat3 s = mass.bottomLeftCorner<3, 3>();  // m tilde(c)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const double product = place.shapes.value[i] * place.shapes.value[j];
        const auto add_to = [&](PairOf<double>& pair, double factor) {
          pair.mass += factor * mass.diagonal().head<3>().mean();
          pair.moment += factor * 0.5 * Vec3(s(2, 1) - s(1, 2), s(0, 2) - s(2, 0), s(1, 0) - s(0, 1));
          pair.inertia += factor * mass.bottomRightCorner<3, 3>();
        };
        add_to(element.pairs[i * n + j], product);
        add_to(mass_damping[i * n + j], product * station.mass_damping);
      }
  });
  element.mass_damped = mass_damping != zero;
  if (element.mass_damped) element.mass_damping = std::move(mass_damping);
  for (const PairOf<double>& pair : element.pairs) element.offset = element.offset || !pair.moment.isZero(0);
  return element;
}

namespace {

bool alike(const PointOf<double>& a, const PointOf<double>& b, const RoundOff& by) {
  using Numbers = Eigen::Map<const Eigen::Array<double, most_nodes, 1>>;
  return by.alike(a.weight, b.weight) && by.alike(Numbers(a.L.data()), Numbers(b.L.data())) &&
         by.alike(Numbers(a.dL.data()), Numbers(b.dL.data())) && by.alike(a.axis, b.axis) &&
         by.alike(a.section, b.section) && a.is_like(b, by);
}

bool alike(const std::vector<PairOf<double>>& a, const std::vector<PairOf<double>>& b, const RoundOff& by) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const PairOf<double>& x, const PairOf<double>& y) {
    return by.alike(x.mass, y.mass) && by.alike(x.moment, y.moment) && by.alike(x.inertia, y.inertia);
  });
}

}  // namespace

// Flags decide which formulas are taken, and are equal. Constants may differ by the round-off of the first one.
bool alike(const Element& a, const Element& b) {
  const RoundOff& by = a.round_off;
  return a.nodes == b.nodes && a.damped == b.damped && a.mass_damped == b.mass_damped && a.turned == b.turned &&
         a.offset == b.offset && by.alike(a.near, b.near) &&
         std::equal(a.E.begin(), a.E.end(), b.E.begin(),
                    [&](const auto& x, const auto& y) { return by.alike(x, y); }) &&
         std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(),
                    [&](const auto& x, const auto& y) { return alike(x, y, by); }) &&
         alike(a.pairs, b.pairs, by) && alike(a.mass_damping, b.mass_damping, by);
}

namespace {

void set_pair(PairOf<Lanes>& to, const PairOf<double>& from, int lane) {
  to.mass.set(lane, from.mass);
  set_lane(to.moment, from.moment, lane);
  set_lane(to.inertia, from.inertia, lane);
}

}  // namespace

// Number by number into lanes. If one of the elements is turned, offset or damped all lanes go through the general
// formulas, where E = I and zeros give the same values: no lane branches on its own.
Elements pack(const std::array<const Element*, Lanes::count>& data) {
  Elements packed;
  packed.nodes = data[0]->nodes;
  std::size_t points = 0;
  for (const Element* d : data) points = std::max(points, d->points.size());
  packed.points.resize(points);
  packed.pairs.resize(data[0]->pairs.size());
  for (int lane = 0; lane < Lanes::count; ++lane) {
    const Element& d = *data[static_cast<std::size_t>(lane)];
    packed.damped |= d.damped;
    packed.mass_damped |= d.mass_damped;
    packed.turned |= d.turned;
    packed.offset |= d.offset;
    packed.near.set(lane, d.near);
    for (std::size_t i = 0; i < static_cast<std::size_t>(d.nodes); ++i) set_lane(packed.E[i], d.E[i], lane);
    for (std::size_t g = 0; g < points; ++g) {
      const bool is_own = g < d.points.size();
      const PointOf<double>& from = d.points[is_own ? g : 0];
      Point& to = packed.points[g];
      to.weight.set(lane, is_own ? from.weight : 0);
      for (std::size_t i = 0; i < most_nodes; ++i) {
        to.L[i].set(lane, from.L[i]);
        to.dL[i].set(lane, from.dL[i]);
      }
      set_lane(to.axis, from.axis, lane);
      set_lane(to.section, from.section, lane);
      to.set_section(from, lane);
    }
    for (std::size_t i = 0; i < packed.pairs.size(); ++i) set_pair(packed.pairs[i], d.pairs[i], lane);
  }
  if (!packed.mass_damped) return packed;
  packed.mass_damping.resize(packed.pairs.size());
  const PairOf<double> none{0, Vec3::Zero(), Mat3::Zero()};
  for (int lane = 0; lane < Lanes::count; ++lane) {
    const Element& d = *data[static_cast<std::size_t>(lane)];
    for (std::size_t i = 0; i < packed.pairs.size(); ++i)
      set_pair(packed.mass_damping[i], d.mass_damped ? d.mass_damping[i] : none, lane);
  }
  return packed;
}

// Their sum is the length of the element, as shape functions add up to one.
std::vector<double> shares(const Recipe& recipe) {
  const std::vector<double> nodes = lobatto_nodes(static_cast<int>(recipe.positions.size()));
  std::vector<double> sums(nodes.size(), 0.0);
  integrate(recipe, [&](double xi, double weight) {
    const Place place(recipe, nodes, xi);
    for (std::size_t i = 0; i < nodes.size(); ++i) sums[i] += weight * place.stretch * place.shapes.value[i];
  });
  return sums;
}

// A random curved and twisted beam with random data.
Element sample(int nodes, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vec3(number(random), number(random), number(random)); };
  const auto positive = [&](double size) -> Mat6 {
    Mat6 X;
    for (double& x : X.reshaped()) x = size * number(random);
    return X * X.transpose() + Mat6::Identity();
  };
  const Mat6 C0 = positive(1);
  const Mat6 C1 = positive(1);
  const Vec3 c = 0.3 * vector();
  const Vec3 twist = 0.4 * vector();
  const Vec3 bend = 0.2 * vector();
  const bool turned = number(random) > 0;
  const bool damped = number(random) > 0;
  const bool mass_damped = number(random) > 0;
  const Mat3 frame = math::so3::exp(2 * vector());
  const Mat3 away = math::so3::exp(2 * vector());
  Mat6 mass = Mat6::Identity();
  mass.bottomLeftCorner<3, 3>() = math::tilde(c);
  mass.topRightCorner<3, 3>() = math::tilde(c).transpose();
  mass.bottomRightCorner<3, 3>() = Mat3(Vec3(2, 1, 1.5).asDiagonal()) - math::tilde(c) * math::tilde(c);
  Vec6 damping = Vec6::Zero();
  if (damped) damping = 0.1 * joined(vector(), vector()).cwiseMax(0);  // several strains without
  const Mat6 matrix = damped ? Mat6(0.05 * (positive(1) - Mat6::Identity())) : Mat6(Mat6::Zero());
  Recipe recipe;
  for (const double xi : lobatto_nodes(nodes)) {
    recipe.positions.push_back(frame * (xi * Vec3::UnitX() + (xi * xi) * bend));
    recipe.orientations.push_back(turned ? Mat3(away * math::so3::exp(0.1 * vector())) : frame);
  }
  recipe.rule = gauss(nodes - 1);
  recipe.station = [=](double xi) {
    return Station{
        frame * math::so3::exp(xi * twist), 0.5 * (1 - xi) * C0 + 0.5 * (1 + xi) * C1, (2 + xi) * mass, damping, matrix,
        mass_damped ? 0.3 + 0.2 * xi : 0};
  };
  return make_element(recipe);
}

namespace {

// Loops are compiled for a fixed number of nodes each; this picks the one that a deck asks for.
template <int... N>
void add_element_to_order(std::integer_sequence<int, N...>, model::Builder& builder, const model::Entry& entry,
                          std::span<const int> at, Element&& element) {
  const int nodes = static_cast<int>(at.size());
  ((nodes == N + 2 ? add_element_of<N + 2>(builder, entry, at, std::move(element)) : void()), ...);
}
template <int... N>
void add_samples_of_orders(std::integer_sequence<int, N...>, std::vector<std::unique_ptr<model::BatchBase>>& samples,
                           std::mt19937& random) {
  (samples.push_back(sample_of<N + 2>(random)), ...);
}
using Orders = std::make_integer_sequence<int, most_nodes - 1>;  // 2 nodes and more

}  // namespace

void add_element(model::Builder& builder, const model::Entry& entry, std::span<const int> at, Element element) {
  add_element_to_order(Orders{}, builder, entry, at, std::move(element));
}

void add_samples_to(std::vector<std::unique_ptr<model::BatchBase>>& samples, std::mt19937& random) {
  add_samples_of_orders(Orders{}, samples, random);
}

}  // namespace polhode::elements::spectral
