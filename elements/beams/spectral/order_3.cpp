// SPDX-License-Identifier: BSD-3-Clause
// Beam elements of order 3.
#include "elements/beams/spectral/order.hpp"

namespace polhode::elements::spectral {

template void add_element_of<4>(model::Builder&, const model::Entry&, std::span<const int>, Element);
template std::unique_ptr<model::BatchBase> sample_of<4>(std::mt19937&);

}  // namespace polhode::elements::spectral
