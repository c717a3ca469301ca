// SPDX-License-Identifier: BSD-3-Clause
// Quantities of many entities as one channel.
#include "shared_channel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "polhode/results/kept_fields.hpp"
#include "polhode/results/names.hpp"

namespace polhode::results {
namespace {

enum class Axis { one_each, points, numbers };

// The shared quantities whose form is fixed. `places`: the table of places, in the group; of one_each needed only where
// some entity has none, as a coupling has no force of its own.
struct SharedQuantity {
  std::string_view path;
  Axis axis;
  std::string_view places;
};
// Others need no entry: with two axes they are points, else numbers, with places in <quantity>_ranges.
constexpr SharedQuantity quantities[] = {
    {"/beams/forces", Axis::points, "points"},
    {"/beams/strains", Axis::points, "points"},
    {"/joints/force", Axis::one_each, "items"},
    {"/joints/moment", Axis::one_each, "items"},
    {"/joints/multipliers", Axis::numbers, "rows"},
    {"/joints/coordinates", Axis::numbers, "coordinate_ranges"},
    {"/joints/rates", Axis::numbers, "coordinate_ranges"},
    {"/reactions/force", Axis::one_each, "force_items"},
    {"/reactions/moment", Axis::one_each, "moment_items"},
};

const SharedQuantity* known_quantity(std::string_view path) {
  for (const SharedQuantity& quantity : quantities)
    if (quantity.path == path) return &quantity;
  return nullptr;
}

bool is_one_each(std::string_view path) {
  const SharedQuantity* known = known_quantity(path);
  return known && known->axis == Axis::one_each;
}

// "N, N m" and "N" make "N, N m": each unit once.
void join_units(std::string& units, std::string_view more) {
  while (!more.empty()) {
    const std::size_t end = std::min(more.find(", "), more.size());
    const std::string_view one = more.substr(0, end);
    const std::string all = ", " + units + ", ";
    if (one != no_unit && all.find(fmt::format(", {}, ", one)) == std::string::npos) units += fmt::format(", {}", one);
    more.remove_prefix(std::min(end + 2, more.size()));
  }
}

bool differ(const std::vector<PartForm>& forms, std::string PartForm::*what) {
  return std::any_of(forms.begin(), forms.end(), [&](const PartForm& form) { return form.*what != forms[0].*what; });
}

const StaticData* find(const Layout& layout, const std::string& path) {
  const auto found = std::find_if(layout.statics.begin(), layout.statics.end(),
                                  [&](const StaticData& data) { return data.path == path; });
  return found == layout.statics.end() ? nullptr : &*found;
}

// A table of places under its own name, or what is there already and says the same. Gives its path.
std::string add_or_share(Layout& layout, StaticData places, const std::string& other_path) {
  const StaticData* known = find(layout, places.path);
  if (known && known->indices == places.indices) return places.path;
  if (known) places.path = other_path;
  layout.statics.push_back(std::move(places));
  return layout.statics.back().path;
}

}  // namespace

// Names are added where the first channel or table of a group is.
void add_names_of(const EntityGroup& group, Layout& layout) {
  StaticData names;
  names.path = '/' + group.name + "/names";
  if (find(layout, names.path)) return;
  names.description = group.name == "reactions" ? "nodes with supports, in the order of the axis of entities"
                                                : "names in the order of the axis of entities";
  names.names = group.names;
  layout.statics.push_back(std::move(names));
}

SharedChannel::SharedChannel(const EntityGroup& group, std::string_view quantity)
    : group_(group), path_(fmt::format("/{}/{}", group.name, quantity)) {}

bool SharedChannel::is_of(const EntityGroup& group, std::string_view quantity) const {
  return &group == &group_ && std::string_view(path_).substr(group.name.size() + 2) == quantity;
}

// Kinds have few forms in all, so they are found by looking at each.
void SharedChannel::add(int entity, const std::vector<int>& shape, const PartForm& form, bool kept) {
  const bool single = is_one_each(path_);
  const bool has_axis = !single && !shape.empty();
  const std::vector<int> item(shape.begin() + (has_axis ? 1 : 0), shape.end());
  if (members_.empty()) item_shape_ = item;
  if (item != item_shape_) throw std::logic_error(path_ + " has items of different shapes");
  auto known = std::find(forms_.begin(), forms_.end(), form);
  if (known == forms_.end()) known = forms_.insert(known, form);
  members_.push_back({{entity, 0, has_axis ? shape[0] : 1, static_cast<int>(known - forms_.begin())}, kept});
}

// Where every entity is kept, an item has the index of its entity, also if some entities have none.
int SharedChannel::place_parts() {
  const bool all = std::all_of(members_.begin(), members_.end(), [](const Member& member) { return member.kept; });
  const bool by_index = all && is_one_each(path_);
  int items = 0;
  for (Member& member : members_) {
    member.part.first = by_index ? member.part.entity : items;
    if (member.kept) items += member.part.count;
  }
  return by_index ? static_cast<int>(group_.names.size()) : items;
}

void SharedChannel::append_to(Layout& layout) {
  if (std::none_of(members_.begin(), members_.end(), [](const Member& member) { return member.kept; })) return;
  Channel channel;
  channel.path = path_;
  channel.group = group_.name;
  channel.one_each = is_one_each(path_);
  channel.shape = item_shape_;
  channel.shape.insert(channel.shape.begin(), place_parts());
  channel.forms = forms_;
  for (const Member& member : members_)
    if (member.kept) channel.parts.push_back(member.part);
  for (const PartForm& form : forms_) {
    if (channel.units.empty())
      channel.units = form.units;
    else
      join_units(channel.units, form.units);
  }
  if (!differ(forms_, &PartForm::frame)) channel.frame = forms_[0].frame;
  channel.description = forms_[0].description;
  if (differ(forms_, &PartForm::description))
    channel.description = fmt::format("{} of all {}, each as its kind documents it",
                                      std::string_view(path_).substr(group_.name.size() + 2), group_.name);
  add_tables(layout, channel);
  offset_ = append_channel(std::move(channel), layout.states, layout.state_size);
}

// Names always; places where they are not those of the names; units and frames where they differ.
void SharedChannel::add_tables(Layout& layout, Channel& channel) const {
  add_names_of(group_, layout);
  channel.links.push_back({"names", '/' + group_.name + "/names"});
  const bool by_index = channel.one_each && channel.parts.size() == group_.names.size();
  if (!by_index) channel.links.push_back({channel.one_each ? "items" : "ranges", add_places(layout)});
  add_texts_that_differ(layout, channel);
}

std::string SharedChannel::add_places(Layout& layout) const {
  const SharedQuantity* known = known_quantity(path_);
  StaticData table;
  table.integer = true;
  const std::string own_path = path_ + (is_one_each(path_) ? "_items" : "_ranges");
  table.path = known ? fmt::format("/{}/{}", group_.name, known->places) : own_path;
  if (is_one_each(path_)) {
    table.description = "place on the axis of each entity; -1: it has none";
    table.indices.assign(group_.names.size(), -1);
    for (const Member& member : members_)
      if (member.kept) table.indices[static_cast<std::size_t>(member.part.entity)] = member.part.first;
    table.shape = {static_cast<int>(group_.names.size())};
  } else {
    table.description = "first place on the axis and number of places of each entity";
    table.indices.assign(2 * group_.names.size(), 0);
    for (const Member& member : members_) {
      if (!member.kept) continue;
      const auto at = 2 * static_cast<std::size_t>(member.part.entity);
      table.indices[at] = member.part.first;
      table.indices[at + 1] = member.part.count;
    }
    table.shape = {static_cast<int>(group_.names.size()), 2};
  }
  return add_or_share(layout, std::move(table), own_path);
}

void SharedChannel::add_texts_that_differ(Layout& layout, Channel& channel) const {
  const auto add = [&](std::string PartForm::*what, const char* ending, const char* attribute) {
    if (!differ(forms_, what)) return;
    StaticData table;
    table.path = path_ + ending;
    table.description = "of each entity, in the order of the names";
    table.names.resize(group_.names.size());
    for (const Part& part : channel.parts)
      table.names[static_cast<std::size_t>(part.entity)] = forms_[static_cast<std::size_t>(part.form)].*what;
    channel.links.push_back({attribute, table.path});
    layout.statics.push_back(std::move(table));
  };
  add(&PartForm::units, "_units", "units_by_name");
  add(&PartForm::frame, "_frames", "frames_by_name");
}

std::size_t SharedChannel::offset_of(std::size_t member) const {
  return offset_ + static_cast<std::size_t>(members_[member].part.first) * numbers_of(item_shape_);
}

}  // namespace polhode::results
