// SPDX-License-Identifier: BSD-3-Clause
// What is wrong with a deck or a model: the deck path of the entry concerned, and what to do about it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace polhode::model {

// `path` is the deck's path of the entry ("joints.pivot.axis"); the reader knows where in the file it stands.
struct Problem {
  std::string path;
  // What is wrong, and a way out; no full stop at the end.
  std::string message;
};
// All that is wrong, collected: a reader goes on after a problem where it can.
using Problems = std::vector<Problem>;

// The known name nearest to `name` (a third of its letters may be wrong; of `hip` also `leg.hip`), or an empty string.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace polhode::model
