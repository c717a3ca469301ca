// SPDX-License-Identifier: BSD-3-Clause
// Parts of shared histories by the names of their entities, for other programs: /joints/pivot/force is a window on
// /joints/force.
//
// Such a virtual dataset (HDF5 1.10) has no numbers of its own: it maps to places in another dataset of the same file,
// and is as long in time as that one. It is made once and never changes. Our own reader does without them.
#pragma once
#include <string>
#include <vector>

#include "io/hdf5/hdf5.hpp"
#include "polhode/results/channel.hpp"

namespace polhode::io::hdf5 {

struct NamedWindow {
  const results::Channel* channel;
  const results::Part* part;
  std::string path;
};
// Those of the groups that are small enough, which point into `layout`.
std::vector<NamedWindow> named_windows(const results::Layout& layout);
// Makes them. Throws Error.
void make_named_parts(hid_t file, const results::Layout& layout);

// Whether the dataset is virtual, which is asked before its extent is: HDF5 opens what a virtual one maps to. Throws
// ContentError where that is in another file.
bool is_window(hid_t dataset, const std::string& path);

}  // namespace polhode::io::hdf5
