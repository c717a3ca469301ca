// SPDX-License-Identifier: BSD-3-Clause
// How computations that may take long learn that they are to end early.
#pragma once
#include <functional>

namespace polhode::math {

// Asked between two parts of a computation, none of which takes much longer than a factorization; true ends it early.
// Once true it stays so. Empty: nobody asks for an end.
using StopRequest = std::function<bool()>;

inline bool is_asked_to_stop(const StopRequest& stop) { return stop && stop(); }

}  // namespace polhode::math
