// SPDX-License-Identifier: BSD-3-Clause
// Axes of joints in the deck's configuration, inertial, as columns of length one.
#pragma once
#include "polhode/model/field.hpp"

namespace polhode::model {

// (t1, t2, n) with n along `axis`; inertial axes for a zero axis.
math::Mat3 axes_along(const math::Vec3& axis);
// (u, v, u x v) of a cross, from its two axes as columns; of v the part normal to u.
math::Mat3 axes_of_cross(const math::MatrixX& axes);
// Of an entry: those of the cross of one with `axes`, (t1, t2, n) of one with `axis`, else the inertial axes.
math::Mat3 joint_axes(const Entry& entry);

}  // namespace polhode::model
