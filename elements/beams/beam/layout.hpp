// SPDX-License-Identifier: BSD-3-Clause
// What a beam of the deck is along its axis: geometry, section frames, section data between stations, and where its
// elements begin.
#pragma once
#include <optional>

#include "elements/beams/axis/axis.hpp"
#include "elements/beams/spectral/kind.hpp"

namespace polhode::elements {

// Made once for an entry. "Part" is a fraction of the length of the axis, 0 at `from` and 1 at `to`.
struct Layout {
  Axis axis;
  // Inertial, of any length; the y axis of each section is its part normal to the axis there.
  math::Vec3 orientation;
  // Parts at which `sections` and `twist` stand, ascending from 0 to 1; empty: the same all along.
  std::vector<double> stations;
  // One, or one a station; they belong to the model and outlive this.
  std::vector<const model::SectionEntry*> sections;
  // Angle of the sections about the axis, rad, one a station; empty: none.
  std::vector<double> twist;
  // Parts at which elements begin and end, ascending from 0 to 1: one more than there are elements.
  std::vector<double> ends;

  // Whether the orientation gives a frame there: it is not along the axis.
  bool has_frame(double part) const;
  // Frame of the section: columns x along the axis, y, z = x cross y, inertial; twist included. Needs has_frame.
  math::Mat3 frame(double part) const;
  // Frame and section data there, linear between stations.
  spectral::Station station(double part) const;
  // One section without twist: its data are the same all along, while the axis may be curved.
  bool is_uniform() const { return sections.size() == 1 && twist.empty(); }
};

// Reads and checks an entry; problems go to the builder, and nothing comes back then.
// `from` and `to` are the positions of the end nodes, m. Checked are the curve, stations and their numbers, the
// orientation at 65 places, and that no element turns by 3 rad or more.
std::optional<Layout> read_layout(const model::Entry& entry, model::Builder& builder, const math::Vec3& from,
                                  const math::Vec3& to);

}  // namespace polhode::elements
