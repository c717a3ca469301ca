// SPDX-License-Identifier: BSD-3-Clause
// Windows on shared histories.
#include "io/hdf5/named_parts.hpp"

#include <array>
#include <vector>

#include "io/hdf5/datasets.hpp"

namespace polhode::io::hdf5 {
namespace {

// A space without end in time, and in it all times of a block of each of them.
Handle make_window(const std::vector<hsize_t>& shape, const std::vector<hsize_t>& start,
                   const std::vector<hsize_t>& block) {
  std::vector<hsize_t> limit(shape);
  limit[0] = H5S_UNLIMITED;
  Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), limit.data()), H5Sclose);
  std::vector<hsize_t> count(shape.size(), 1);
  count[0] = H5S_UNLIMITED;
  checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), block.data()));
  return space;
}

// Shape with one row of time in front.
std::vector<hsize_t> in_time(const std::vector<int>& shape, hsize_t rows) {
  std::vector<hsize_t> all = {rows};
  for (const int length : shape) all.push_back(static_cast<hsize_t>(length));
  return all;
}

void make_window_of(hid_t file, const NamedWindow& named) {
  const results::Channel& channel = *named.channel;
  const results::Part& part = *named.part;
  const std::vector<int> part_shape = results::shape_of(channel, part);
  const std::vector<hsize_t> row = in_time(part_shape, 1);
  std::vector<hsize_t> block = in_time(channel.shape, 1);
  block[1] = static_cast<hsize_t>(part.count);
  std::vector<hsize_t> start(block.size(), 0);
  start[1] = static_cast<hsize_t>(part.first);
  const Handle source = make_window(in_time(channel.shape, 1), start, block);
  const Handle window = make_window(row, std::vector<hsize_t>(row.size(), 0), row);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  checked(H5Pset_obj_track_times(properties, false));
  checked(H5Pset_virtual(properties, window, ".", channel.path.c_str(), source));
  std::vector<hsize_t> limit(row);
  limit[0] = H5S_UNLIMITED;
  const Handle space(H5Screate_simple(static_cast<int>(row.size()), in_time(part_shape, 0).data(), limit.data()),
                     H5Sclose);
  const hid_t type = channel.integer ? H5T_NATIVE_INT32 : H5T_NATIVE_DOUBLE;
  const Handle dataset(H5Dcreate2(file, named.path.c_str(), type, space, link_properties(), properties, H5P_DEFAULT),
                       H5Dclose);
  const results::PartForm& form = channel.forms[static_cast<std::size_t>(part.form)];
  describe(dataset, form.units.empty() ? "1" : form.units, form.description);
  if (!form.frame.empty()) write_attribute(dataset, "frame", form.frame);
}

}  // namespace

std::vector<NamedWindow> named_windows(const results::Layout& layout) {
  std::vector<NamedWindow> windows;
  for (const results::Channel& channel : layout.states) {
    if (channel.group.empty() || !results::are_by_name(layout, channel.group)) continue;
    const std::vector<std::string>& names = *results::names_of(layout, channel.group);
    for (const results::Part& part : channel.parts) {
      const std::string& name = names[static_cast<std::size_t>(part.entity)];
      if (part.count > 0 && results::is_free(layout, channel.group, name))
        windows.push_back({&channel, &part, results::path_of(channel, name)});
    }
  }
  return windows;
}

void make_named_parts(hid_t file, const results::Layout& layout) {
  for (const NamedWindow& window : named_windows(layout)) make_window_of(file, window);
}

// A file names "." where it means itself.
bool is_window(hid_t dataset, const std::string& path) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  if (H5Pget_layout(properties) != H5D_VIRTUAL) return false;
  std::size_t count = 0;
  checked(H5Pget_virtual_count(properties, &count));
  for (std::size_t i = 0; i < count; ++i) {
    std::array<char, 4> file{};
    const ssize_t length = H5Pget_virtual_filename(properties, i, file.data(), file.size());
    if (length != 1 || file[0] != '.') refuse_other_file(path, "a dataset whose numbers are");
  }
  return true;
}

}  // namespace polhode::io::hdf5
