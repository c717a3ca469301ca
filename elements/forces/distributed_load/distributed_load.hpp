// SPDX-License-Identifier: BSD-3-Clause
// A force and a moment per length of a beam, both times a history: nodal loads by the shares of the beam's nodes.
//
// A dead force f has the power integral of f . u ds = f . sum_i u_i (integral of L_i ds): the share of a node is the
// integral of its shape function, and the load on it is exact. Moments, and followers in the section's frame of each
// node, are taken at the nodes with the same shares: a quadrature of order 2p on an element of order p.
// It has no element of its own: it adds one Load (load.hpp) to each node of the beam.
#pragma once
#include "polhode/model/catalog.hpp"

namespace polhode::elements {

extern const model::KindInfo distributed_load_info;

}  // namespace polhode::elements
