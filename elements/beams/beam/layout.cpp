// SPDX-License-Identifier: BSD-3-Clause
// The axis, the frames and the sections of a beam, from its entry in the deck.
#include "elements/beams/beam/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/beams/entry/entry.hpp"

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
    std::optional<Axis> axis = read_axis(entry_, builder_, from, to);
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
    layout.ends = read_ends(entry_, builder_, layout.axis);
    if (layout.ends.empty()) return std::nullopt;
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
    for (const model::SectionEntry* section : sections_)
      if (section->stiffness(1, 1) == 0)
        problem(entry_.has("section") ? "section" : "sections",
                "(" + section->name +
                    ") has `EA` alone, which is a section of cables; give all six constants of its "
                    "stiffness, or make the beam a `type: cable`");
    if (!entry_.has("twist")) return;
    const VectorX& twist = entry_.vector("twist");
    twist_.assign(twist.data(), twist.data() + twist.size());
    check_count("twist", twist_.size());
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
