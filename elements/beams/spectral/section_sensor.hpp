// SPDX-License-Identifier: BSD-3-Clause
// What a sensor reads of a beam: strains and section forces at an integration point.
#pragma once
#include <memory>

#include "elements/beams/spectral/element.hpp"
#include "polhode/model/signal.hpp"

namespace polhode::elements::spectral {

// `at`: the nodes of the element in the model; `point`: of its integration points; `number`: 0 to 5 strains (without
// unit, 1/m), 6 to 11 forces and moments with damping (N, N m), both in the section's frame.
std::unique_ptr<model::Sensor> make_section_sensor(const Element& element, std::span<const int> at, std::size_t point,
                                                   int number);

}  // namespace polhode::elements::spectral
