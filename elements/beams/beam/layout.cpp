// SPDX-License-Identifier: BSD-3-Clause
// The axis, the frames and the sections of a beam, from its entry in the deck.
#include "elements/beams/beam/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polhode::elements {

using math::Mat3;
using math::Vec3;
using math::VectorX;

namespace {

// Numbers in messages.
std::string text(double value) { return fmt::format("{:.6g}", value); }

// Between which stations a part lies, and how far.
struct Between {
  std::size_t first;
  double weight;  // of the second
};
// A part at a station counts to what follows, the last one to what precedes it. Linear search:
// beams have few stations.
Between between(const std::vector<double>& stations, double part) {
  std::size_t i = 0;
  while (i + 2 < stations.size() && part >= stations[i + 1]) ++i;
  return {i, std::clamp((part - stations[i]) / (stations[i + 1] - stations[i]), 0.0, 1.0)};
}

}  // namespace

// A vector within 1e-8 rad of the axis has a part normal to it that is round-off.
bool Layout::has_frame(double part) const {
  const Vec3 t = axis.tangent(part);
  return (orientation - orientation.dot(t) * t).norm() > 1e-8 * orientation.norm();
}

// (t, y, t x y) with y the orientation less its part along t, so that sections of a curved beam turn with
// the axis as little as possible about it; then the twist, linear between stations, about t.
Mat3 Layout::frame(double part) const {
  const Vec3 t = axis.tangent(part);
  const Vec3 y = (orientation - orientation.dot(t) * t).normalized();
  Mat3 F;
  F << t, y, t.cross(y);
  if (twist.empty()) return F;
  const auto [i, w] = between(stations, part);
  const double angle = (1 - w) * twist[i] + w * twist[i + 1];
  return F * math::so3::exp(Vec3(angle, 0, 0));
}

// Matrices are interpolated entry by entry: linear data between two positive definite matrices stay so.
spectral::Station Layout::station(double part) const {
  if (sections.size() == 1) {
    const model::SectionEntry& s = *sections[0];
    return {frame(part), s.stiffness, s.mass, s.damping, s.damping_matrix, s.mass_damping};
  }
  const auto [i, w] = between(stations, part);
  const model::SectionEntry& a = *sections[i];
  const model::SectionEntry& b = *sections[i + 1];
  return {frame(part),
          (1 - w) * a.stiffness + w * b.stiffness,
          (1 - w) * a.mass + w * b.mass,
          (1 - w) * a.damping + w * b.damping,
          (1 - w) * a.damping_matrix + w * b.damping_matrix,
          (1 - w) * a.mass_damping + w * b.mass_damping};
}

namespace {

// Collects what the entry gives, and reports all that is wrong with axis, stations and sections before the
// first return: only checks that need a sound axis come later.
class LayoutReader {
 public:
  LayoutReader(const model::Entry& entry, model::Builder& builder) : entry_(entry), builder_(builder) {}

  // The default orientation is z, or y where the beam starts along z. Whether it is ever along the axis is
  // looked at in 65 places.
  std::optional<Layout> read(const Vec3& from, const Vec3& to) {
    std::optional<Axis> axis = read_axis(from, to);
    read_stations();
    read_sections();
    if (!axis || !good_) return std::nullopt;
    const Vec3 along = axis->tangent(0);
    const Vec3 fallback = std::abs(along.z()) > 1 - 1e-6 ? Vec3::UnitY() : Vec3::UnitZ();
    Layout layout{std::move(*axis), entry_.vector3("orientation", fallback), stations_, sections_, twist_, {}};
    for (int i = 0; i <= 64; ++i)
      if (!layout.has_frame(i / 64.0)) {
        problem("orientation", "is parallel to the beam" +
                                   (i > 0 ? " at the part " + text(i / 64.0) + " of its length" : std::string()) +
                                   "; give a vector towards the section's y axis");
        return std::nullopt;
      }
    set_ends(layout);
    if (!good_) return std::nullopt;
    check_turns(layout);
    return good_ ? std::optional<Layout>(std::move(layout)) : std::nullopt;
  }

 private:
  const model::Entry& entry_;
  model::Builder& builder_;
  bool good_ = true;
  std::vector<double> stations_;
  std::vector<double> twist_;
  std::vector<const model::SectionEntry*> sections_;

  void problem(std::string_view key, std::string message) {
    builder_.problem(entry_, key, std::move(message));
    good_ = false;
  }

  // Three points in line have no circle, and two at one place make a piece of length zero:
  // both are refused relative to the size of the beam.
  std::optional<Axis> read_axis(const Vec3& from, const Vec3& to) {
    if (entry_.has("arc") && entry_.has("points")) {
      problem("points", "goes not together with `arc`; give one of them");
      return std::nullopt;
    }
    if (entry_.has("interpolation") && !entry_.has("points"))
      problem("interpolation", "is between `points`, of which there are none; remove it");
    if (entry_.has("arc")) {
      const Vec3 through = entry_.vector3("arc");
      const Vec3 a = through - from;
      const Vec3 b = to - from;
      if (a.cross(b).norm() < 1e-9 * b.norm() * std::max(a.norm(), b.norm()) ||
          (through - to).norm() < 1e-9 * b.norm()) {
        problem("arc",
                "stands in line with the ends of the beam, which makes no circle; remove it for a straight beam");
        return std::nullopt;
      }
      return Axis::arc(from, through, to);
    }
    if (!entry_.has("points")) return Axis::straight(from, to);
    const math::MatrixX& given = entry_.matrix("points");
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
    const bool cubic = entry_.has("interpolation") && entry_.text("interpolation") == "cubic";
    return cubic ? Axis::spline(std::move(points)) : Axis::polyline(std::move(points));
  }

  void read_stations() {
    if (!entry_.has("stations")) return;
    const VectorX& given = entry_.vector("stations");
    stations_.assign(given.data(), given.data() + given.size());
    for (std::size_t i = 1; i < stations_.size(); ++i)
      if (stations_[i] <= stations_[i - 1])
        return problem("stations", "must ascend along the beam, but entry " + std::to_string(i + 1) + " is " +
                                       text(stations_[i]) + " after " + text(stations_[i - 1]));
    if (stations_.size() < 2 || stations_.front() != 0 || stations_.back() != 1)
      problem("stations", "must begin with 0, the start of the beam, and end with 1, its end");
  }

  // Lists that hold at stations have as many entries as there are stations.
  void check_count(std::string_view key, std::size_t count) {
    if (!entry_.has("stations"))
      problem(key, "needs `stations`: the parts of the length at which its entries hold");
    else if (count != stations_.size())
      problem(key, "has " + std::to_string(count) + " entries for " + std::to_string(stations_.size()) +
                       " stations; give one a station");
  }

  void read_sections() {
    if (entry_.has("section") == entry_.has("sections")) {
      if (entry_.has("section"))
        problem("sections", "goes not together with `section`; give one of them");
      else
        problem("", "has neither `section` nor `sections`; name one section, or one for each of `stations`");
      return;
    }
    if (entry_.has("section")) {
      sections_.push_back(&builder_.section(entry_.text("section")));
    } else {
      for (const std::string& name : entry_.names("sections")) sections_.push_back(&builder_.section(name));
      check_count("sections", sections_.size());
    }
    if (!entry_.has("twist")) return;
    const VectorX& twist = entry_.vector("twist");
    twist_.assign(twist.data(), twist.data() + twist.size());
    check_count("twist", twist_.size());
  }

  // Elements of equal length; on a polyline each piece has its own, so that none has a corner inside. After
  // one for each piece the next goes where elements are longest; of equally long ones to the first, whatever round-off
  // says.
  void set_ends(Layout& layout) {
    const int elements = static_cast<int>(entry_.number("elements", 1));
    std::vector<double> pieces{0};
    pieces.insert(pieces.end(), layout.axis.corners().begin(), layout.axis.corners().end());
    pieces.push_back(1);
    const int count = static_cast<int>(pieces.size()) - 1;
    if (elements < count)
      return problem("elements", "a line of " + std::to_string(count) +
                                     " straight pieces needs as many elements at least; there are " +
                                     std::to_string(elements));
    std::vector<int> shares(static_cast<std::size_t>(count), 1);
    for (int left = elements - count; left > 0; --left) {  // to the piece with the longest elements
      std::size_t longest = 0;
      const auto size = [&](std::size_t i) { return (pieces[i + 1] - pieces[i]) / shares[i]; };
      for (std::size_t i = 1; i < shares.size(); ++i)
        if (size(i) > size(longest) * (1 + 1e-9)) longest = i;
      ++shares[longest];
    }
    layout.ends.push_back(0);
    for (std::size_t i = 0; i < shares.size(); ++i)
      for (int k = 1; k <= shares[i]; ++k)
        layout.ends.push_back(k == shares[i] ? pieces[i + 1] : pieces[i] + (pieces[i + 1] - pieces[i]) * k / shares[i]);
  }

  // Sections must turn by less than half a turn in an element, where the logarithm of the relative rotation ends. The
  // sum over 16 parts of an element sees turns beyond that, too; 3 rad leave room for the motion.
  void check_turns(const Layout& layout) {
    if (layout.axis.is_straight() && layout.twist.empty()) return;
    for (std::size_t e = 0; e + 1 < layout.ends.size(); ++e) {
      double turn = 0;
      constexpr int parts = 16;
      const double begin = layout.ends[e];
      const double size = layout.ends[e + 1] - begin;
      for (int i = 0; i < parts; ++i) {
        const double a = begin + size * (i + 1e-9) / parts;
        const double b = begin + size * (i + 1 - 1e-9) / parts;
        turn += math::so3::log(Mat3(layout.frame(a).transpose() * layout.frame(b))).norm();
      }
      if (turn < 3) continue;
      return problem("elements", "the beam turns by " + text(turn) + " rad in element " + std::to_string(e + 1) +
                                     ", and an element takes less than half a turn; give more elements");
    }
  }
};

}  // namespace

std::optional<Layout> read_layout(const model::Entry& entry, model::Builder& builder, const Vec3& from,
                                  const Vec3& to) {
  return LayoutReader(entry, builder).read(from, to);
}

}  // namespace polhode::elements
