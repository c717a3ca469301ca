// SPDX-License-Identifier: BSD-3-Clause
// Parts of shared histories.
#include "io/hdf5/shared_histories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/results/channel.hpp"

namespace polhode::io::hdf5 {
namespace {

// As the names of links: they are parts of paths.
bool is_part_of_path(const std::string& name) {
  return !name.empty() && name != "." && name.find('/') == std::string::npos;
}

// A whole number from `least` to `most`.
bool is_index(double number, double least, double most) {
  return number >= least && number <= most && number == std::floor(number);
}

[[noreturn]] void refuse_places(const std::string& table, const std::string& history) {
  refuse_content(fmt::format("{:?} does not hold the places of {:?}", table, history));
}

}  // namespace

const SharedHistories::Names& SharedHistories::names_at(const std::string& path, const TableReader& file) {
  std::unique_ptr<Names>& names = names_[path];
  if (names) return *names;
  auto made = std::make_unique<Names>();
  made->list = file.texts(path);
  for (std::size_t i = 0; i < made->list.size(); ++i) {
    const std::string& name = made->list[i];
    if (!is_part_of_path(name)) refuse_content(fmt::format("{:?} holds {:?}, which cannot be a name", path, name));
    if (!made->index.emplace(name, i).second) refuse_content(fmt::format("{:?} holds {:?} twice", path, name));
  }
  names = std::move(made);
  return *names;
}

// Each place lies on the axis; an entity without any has none.
void SharedHistories::read_places(Shared& shared, const TableReader& file) {
  const std::string& path = shared.dataset.path;
  const std::size_t count = shared.names->list.size();
  const std::size_t axis = shared.dataset.shape[1];
  const auto most = static_cast<double>(axis);
  shared.places.resize(count);
  if (const std::string table = file.attribute(path, "ranges"); !table.empty()) {
    shared.one_each = false;
    const std::vector<double> numbers = file.numbers(table);
    if (numbers.size() != 2 * count) refuse_places(table, path);
    for (std::size_t i = 0; i < count; ++i) {
      const double first = numbers[2 * i];
      const double size = numbers[2 * i + 1];
      if (!is_index(first, 0, most) || !is_index(size, 0, most - first)) refuse_places(table, path);
      shared.places[i] = {static_cast<std::size_t>(first), static_cast<std::size_t>(size)};
    }
  } else if (const std::string items = file.attribute(path, "items"); !items.empty()) {
    const std::vector<double> numbers = file.numbers(items);
    if (numbers.size() != count) refuse_places(items, path);
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_index(numbers[i], -1, most - 1)) refuse_places(items, path);
      if (numbers[i] >= 0) shared.places[i] = {static_cast<std::size_t>(numbers[i]), 1};
    }
  } else {
    if (count != axis) refuse_places(file.attribute(path, "names"), path);
    for (std::size_t i = 0; i < count; ++i) shared.places[i] = {i, 1};
  }
}

void SharedHistories::add(const Dataset& dataset, const TableReader& file) {
  if (!dataset.history || !dataset.number || dataset.shape.size() < 2) return;
  const std::string table = file.attribute(dataset.path, "names");
  const std::size_t end = dataset.path.rfind('/');
  if (table.empty() || end == 0) return;
  Shared shared;
  shared.begin = dataset.path.substr(0, end + 1);
  shared.end = dataset.path.substr(end);
  shared.names = &names_at(table, file);
  shared.dataset = dataset;
  read_places(shared, file);
  for (const auto& [attribute, texts] :
       {std::pair("units_by_name", &shared.units), std::pair("frames_by_name", &shared.frames)}) {
    const std::string by_name = file.attribute(dataset.path, attribute);
    if (by_name.empty()) continue;
    *texts = file.texts(by_name);
    if (texts->size() != shared.names->list.size()) refuse_places(by_name, dataset.path);
  }
  shared_.emplace(dataset.path, std::move(shared));
}

std::string SharedHistories::path_of(const Shared& shared, const std::string& name) {
  return shared.begin + name + shared.end;
}

std::optional<FoundPart> SharedHistories::find(std::string_view path) const {
  for (const auto& [source, shared] : shared_) {
    if (path.size() <= shared.begin.size() + shared.end.size() || !path.starts_with(shared.begin) ||
        !path.ends_with(shared.end))
      continue;
    const std::string_view name =
        path.substr(shared.begin.size(), path.size() - shared.begin.size() - shared.end.size());
    const auto found = shared.names->index.find(name);
    if (found == shared.names->index.end() || shared.places[found->second].count == 0) continue;
    FoundPart part{&source, shared.places[found->second], shared.dataset};
    Dataset& dataset = part.dataset;
    dataset.path = path;
    dataset.is_part = true;
    if (shared.one_each)
      dataset.shape.erase(dataset.shape.begin() + 1);
    else
      dataset.shape[1] = part.places.count;
    if (!shared.units.empty()) dataset.units = shared.units[found->second];
    if (!shared.frames.empty()) dataset.frame = shared.frames[found->second];
    return part;
  }
  return std::nullopt;
}

std::vector<NamedPart> SharedHistories::parts(const std::string& path) const {
  const auto found = shared_.find(path);
  if (found == shared_.end()) return {};
  const Shared& shared = found->second;
  std::vector<NamedPart> all;
  for (std::size_t i = 0; i < shared.places.size(); ++i)
    if (shared.places[i].count > 0)
      all.push_back({path_of(shared, shared.names->list[i]), shared.places[i].first, shared.places[i].count});
  return all;
}

bool SharedHistories::is_small(const std::string& path) const {
  const auto found = shared_.find(path);
  return found != shared_.end() && found->second.names->list.size() <= results::most_by_name;
}

}  // namespace polhode::io::hdf5
