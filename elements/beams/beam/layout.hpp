// SPDX-License-Identifier: BSD-3-Clause
// What a beam of the deck is along its axis: geometry, section frames, section data between stations, and where its
// elements begin.
#pragma once
#include <optional>

#include "elements/beams/axis/axis.hpp"
#include "elements/beams/spectral/kind.hpp"

namespace polhode::elements {

struct Layout {
  Axis axis;
  math::Vec3 orientation;                            // the sections' y axis is its part normal to the axis
  std::vector<double> stations;                      // parts of the length; empty: the same all along
  std::vector<const model::SectionEntry*> sections;  // one, or one a station
  std::vector<double> twist;                         // rad about the axis, one a station; or none
  std::vector<double> ends;                          // parts where elements begin and end: elements + 1

  bool has_frame(double part) const;  // the orientation is not along the axis there
  math::Mat3 frame(double part) const;
  spectral::Station station(double part) const;
  bool is_uniform() const { return sections.size() == 1 && twist.empty(); }
};

// Reads and checks an entry; problems go to the builder, and nothing comes back then.
std::optional<Layout> read_layout(const model::Entry& entry, model::Builder& builder, const math::Vec3& from,
                                  const math::Vec3& to);

}  // namespace polhode::elements
