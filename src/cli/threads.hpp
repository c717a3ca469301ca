// SPDX-License-Identifier: BSD-3-Clause
// How many threads a run uses.
#pragma once
#include <cstddef>

namespace polhode::cli {

// Sets the number of threads for all loops over elements and nodes, and returns it. `asked` = 0: one, but for models of
// many elements, where assembly takes most of the time, as many as there are processors (four at most).
// The results do not depend on it.
int set_threads(int asked, std::size_t elements);

}  // namespace polhode::cli
