// SPDX-License-Identifier: BSD-3-Clause
// Point on a line: inputs, outputs and building.
#include "elements/joints/point_on_line/point_on_line.hpp"

namespace polhode::elements {
namespace {

constexpr model::Field line_field{.name = "axis",
                                  .type = model::FieldType::direction,
                                  .unit = "",
                                  .doc = "direction of the line, inertial, in the initial configuration",
                                  .required = true,
                                  .frame = model::Frame::direction};
constexpr std::array fields{connects_field, at_field, line_field, initial_displacement_field};
constexpr std::array outputs{
    force_output, moment_output,
    model::Output{"coordinates", "m", "", "displacement of the point of b along the line of a", 1},
    model::Output{"rates", "m/s", "", "rate of the displacement", 1}};

}  // namespace

const model::KindInfo point_on_line_info{
    "point_on_line", model::Family::joint,        "a point of b stays on a line of a", fields,
    outputs,         build_point_on<PointOnLine>, model::samples<PointOnLine>};

}  // namespace polhode::elements
