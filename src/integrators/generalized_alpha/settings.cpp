// SPDX-License-Identifier: BSD-3-Clause
// The keys of the Lie group methods of the generalized-alpha family.
#include "polhode/integrators/generalized_alpha/settings.hpp"

namespace polhode {

template <>
struct model::Choices<integrators::Frame> {
  using Frame = integrators::Frame;
  static constexpr std::array<std::pair<Frame, std::string_view>, 2> all{
      {{Frame::body, "body"}, {Frame::spatial, "spatial"}}};
};

namespace integrators {
namespace {

constexpr model::Setting lie_alpha_keys[] = {model::setting<&LieAlphaSettings::frame>(
    {.name = "frame",
     .doc =
         "lie_alpha and lie_alpha_index2: components of angular velocities and increments of rotations. body: in the "
         "node's own frame; spatial: in inertial directions, for bodies that spin fast about an axis of their own"})};

}  // namespace

const model::SettingsTable lie_alpha_table{"lie_alpha", "Keys of lie_alpha and lie_alpha_index2.", lie_alpha_keys};

}  // namespace integrators
}  // namespace polhode
