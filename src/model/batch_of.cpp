// SPDX-License-Identifier: BSD-3-Clause
// BatchOf for the pairs (nodes, constraint equations) of the catalog's kinds.
#include "polhode/model/batch_of.hpp"

namespace polhode::model {

template class BatchOf<1, 0>;
template class BatchOf<2, 0>;
template class BatchOf<2, 1>;
template class BatchOf<2, 2>;
template class BatchOf<2, 3>;
template class BatchOf<2, 4>;
template class BatchOf<2, 5>;
template class BatchOf<2, 6>;

}  // namespace polhode::model
