// SPDX-License-Identifier: BSD-3-Clause
// Point on a plane: inputs, outputs and building.
#include "elements/joints/point_on_plane/point_on_plane.hpp"

#include "elements/joints/point_on_line/point_on_line.hpp"

namespace polhode::elements {
namespace {

constexpr std::array fields{connects_field, at_field, normal_field, initial_in_plane_field};
// t1 and t2 are those of axes_along() in rows.cpp.
constexpr std::array outputs{
    force_output, moment_output,
    model::Output{"coordinates", "m", "",
                  "displacements of the point of b in the plane, along t1 and t2: t1 is the inertial axis that is most "
                  "nearly normal to `axis`, made normal to it; t2 = axis x t1; both fixed on a",
                  2},
    model::Output{"rates", "m/s", "", "rates of both displacements", 2}};

}  // namespace

const model::KindInfo point_on_plane_info{
    "point_on_plane", model::Family::joint,         "a point of b stays in a plane of a", fields,
    outputs,          build_point_on<PointOnPlane>, model::samples<PointOnPlane>};

}  // namespace polhode::elements
