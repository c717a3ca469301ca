// SPDX-License-Identifier: BSD-3-Clause
// What a file holds: the paths of its datasets, found without leaving the file and without trusting it.
#pragma once
#include <string>
#include <vector>

#include "io/hdf5/hdf5.hpp"

namespace polhode::io::hdf5 {

// Deepest nesting of groups that is read. Results of polhode have five levels; HDF5 itself walks through groups by
// recursion and runs out of stack in a file of some ten thousand levels.
constexpr int deepest_group = 32;

// All datasets below the root, sorted. One that several links lead to is found once, soft links are not followed.
// Throws ContentError with the path of a link that leads to another file or is nested too deep, else Error.
std::vector<std::string> paths_of_datasets(hid_t file);

}  // namespace polhode::io::hdf5
