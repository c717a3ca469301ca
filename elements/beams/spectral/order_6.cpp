// SPDX-License-Identifier: BSD-3-Clause
// Beam elements of order 6.
#include "elements/beams/spectral/order.hpp"

namespace polhode::elements::spectral {

template void add_element_of<7>(model::Builder&, const model::Entry&, std::span<const int>, Element);
template std::unique_ptr<model::BatchBase> sample_of<7>(std::mt19937&);

}  // namespace polhode::elements::spectral
