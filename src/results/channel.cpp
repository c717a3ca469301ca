// SPDX-License-Identifier: BSD-3-Clause
// Channels of many entities, and the names of these.
#include "polhode/results/channel.hpp"

#include <algorithm>

namespace polhode::results {
namespace {

// "/joints/force" is the dataset `name` of the group "joints".
bool is_dataset_of(std::string_view path, std::string_view group, std::string_view name) {
  return path.size() == group.size() + name.size() + 2 && path.substr(1).starts_with(group) && path.ends_with(name) &&
         path[group.size() + 1] == '/';
}

}  // namespace

// Of an empty shape, a single number, 1.
std::size_t numbers_of(std::span<const int> shape) {
  std::size_t numbers = 1;
  for (const int length : shape) numbers *= static_cast<std::size_t>(length);
  return numbers;
}

std::vector<int> shape_of(const Channel& channel, const Part& part) {
  std::vector<int> shape(channel.shape.begin() + 1, channel.shape.end());
  if (!channel.one_each) shape.insert(shape.begin(), part.count);
  return shape;
}

std::size_t offset_of(const Channel& channel, const Part& part) {
  return channel.offset + static_cast<std::size_t>(part.first) * numbers_of(std::span(channel.shape).subspan(1));
}

// "/joints/force" and "pivot" make "/joints/pivot/force".
std::string path_of(const Channel& channel, std::string_view name) {
  std::string path = channel.path;
  path.insert(channel.group.size() + 1, '/' + std::string(name));
  return path;
}

const std::vector<std::string>* names_of(const Layout& layout, std::string_view group) {
  for (const StaticData& data : layout.statics)
    if (is_dataset_of(data.path, group, "names")) return &data.names;
  return nullptr;
}

bool are_by_name(const Layout& layout, std::string_view group) {
  const std::vector<std::string>* names = names_of(layout, group);
  return names && names->size() <= most_by_name;
}

bool is_free(const Layout& layout, std::string_view group, std::string_view name) {
  const auto taken = [&](const auto& one) { return is_dataset_of(one.path, group, name); };
  return std::none_of(layout.states.begin(), layout.states.end(), taken) &&
         std::none_of(layout.statics.begin(), layout.statics.end(), taken);
}

}  // namespace polhode::results
