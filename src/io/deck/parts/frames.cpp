// SPDX-License-Identifier: BSD-3-Clause
// Poses of nodes. An inner node has its place from its beam, which is built alone, with the nodes at its ends.
#include "frames.hpp"

#include <algorithm>
#include <charconv>

#include "../model_reader.hpp"
#include "polhode/model/builder.hpp"

namespace polhode::io {
namespace {

constexpr std::string_view family_of_frames = "nodes.";

// "hub" of "nodes.hub".
std::string name_of(const std::string& frame) {
  return frame.starts_with(family_of_frames) ? frame.substr(family_of_frames.size()) : "";
}

// The entry in the instance where there is one; else the deck's.
template <class Map>
auto look_up(const Map& all, const std::string& prefix, const std::string& name) {
  const auto own = all.find(prefix + name);
  return own == all.end() ? all.find(name) : own;
}

// Not yet in the frame of the deck.
bool is_framed(const Item& entry) { return entry.find("frame") != nullptr; }

Item family_item(const std::string& key, std::vector<Item> entries) {
  Item family;
  family.kind = Item::Kind::mapping;
  family.key = key;
  family.items = std::move(entries);
  return family;
}

}  // namespace

void Frames::add(std::size_t family, std::size_t index, const std::string& prefix) {
  const Item& all = flat_.items[family];
  if (all.key == "nodes") nodes_.emplace(all.items[index].key, Entry{family, index, prefix});
  if (all.key == "beams") beams_.emplace(all.items[index].key, Entry{family, index, prefix});
}

Frames::Found Frames::find(const std::string& frame, const std::string& prefix) {
  const std::string name = name_of(frame);
  if (const auto node = look_up(nodes_, prefix, name); node != nodes_.end()) {
    Findings unread;
    Reader quiet(unread, "");
    quiet.parameters = parameters_;
    if (is_framed(item(node->second))) return {};
    return {pose_of(item(node->second), quiet), {}};
  }
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {};
  const auto beam = look_up(beams_, prefix, name.substr(0, dot));
  return beam == beams_.end() ? Found{} : find_inner(beam->first, name.substr(dot + 1));
}

// Poses of all of them are kept: many parts may stand on one beam.
Frames::Found Frames::find_inner(const std::string& beam, const std::string& number) {
  const Entry& entry = beams_.at(beam);
  const Item* type = item(entry).find("type");
  if (type && type->text == "cable")
    return {{},
            "'" + beam + "." + number +
                "' is a point of a cable, which has no rotation; name a node with rotation, or a node of a beam"};
  auto known = inner_.find(beam);
  if (known == inner_.end()) {
    Item copy = item(entry);
    if (is_framed(copy)) return {};
    rename_references(copy, "beams", entry.prefix, names_);
    const Item* ends[] = {copy.find("from"), copy.find("to")};
    const Item* nodes[2];
    for (int i = 0; i < 2; ++i) {
      const auto node = ends[i] ? nodes_.find(ends[i]->text) : nodes_.end();
      if (node == nodes_.end() || is_framed(item(node->second))) return {};
      nodes[i] = &item(node->second);
    }
    known = inner_.emplace(beam, inner_nodes(copy, *nodes[0], *nodes[1])).first;
  }
  const std::vector<Placement>& poses = known->second;
  if (poses.empty()) return {{}, ""};
  std::size_t k = 0;
  const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), k);
  if (error == std::errc{} && stop == number.data() + number.size() && number[0] != '0' && k < poses.size())
    return {poses[k], {}};
  return {{},
          "there is no node '" + beam + "." + number + "'; the inner nodes of this beam are " +
              (poses.size() == 1 ? "none" : beam + ".1 to " + beam + "." + std::to_string(poses.size() - 1))};
}

// Those that a beam names.
std::vector<Item> Frames::sections_of(const Item& beam) const {
  std::vector<Item> sections;
  const Item* all = flat_.find("sections");
  const auto add = [&](const Item& name) {
    const Item* section = all ? all->find(name.text) : nullptr;
    const auto is_same = [&](const Item& one) { return one.key == name.text; };
    if (section && std::none_of(sections.begin(), sections.end(), is_same)) sections.push_back(*section);
  };
  if (const Item* one = beam.find("section")) add(*one);
  if (const Item* list = beam.find("sections"))
    for (const Item& one : list->items) add(one);
  return sections;
}

// The first is that of the start, so that the others have their numbers; none of a beam with a fault, which its reader
// or the model reports.
std::vector<Placement> Frames::inner_nodes(const Item& beam, const Item& from, const Item& to) const {
  Item root = family_item("", {family_item("nodes", {from, to})});
  if (&from == &to) return {};
  root.items.push_back(family_item("sections", sections_of(beam)));
  root.items.push_back(family_item("beams", {beam}));
  Findings findings;
  Reader reader(findings, "");
  reader.parameters = parameters_;
  read_names(root, reader);
  model::Model model;
  model.nodes = read_nodes(root.items.front(), reader);
  model.sections = read_sections(root.items[1], reader);
  read_family(root.items.back(), "beams", reader, model.entries);
  if (!findings.empty() || model.nodes.size() != 2 || model.entries.size() != 1) return {};
  model::Builder builder(model);
  model.entries.front().kind->build(model.entries.front(), builder);
  if (!builder.problems_.empty()) return {};
  std::vector<Placement> poses(1);
  for (std::size_t i = 3; i < builder.nodes_.size(); ++i)
    poses.push_back({builder.nodes_[i].position, builder.nodes_[i].orientation});
  return poses;
}

std::string Frames::problem(const std::string& frame, const std::string& prefix, const Findings& findings) const {
  const std::string name = name_of(frame);
  const std::size_t dot = name.rfind('.');
  const bool is_inner = dot != std::string::npos && look_up(beams_, prefix, name.substr(0, dot)) != beams_.end();
  if (is_inner || look_up(nodes_, prefix, name) != nodes_.end())
    return "'" + frame +
           "' waits for a frame that leads back to it, or that is none; give one of the entries its "
           "place without `frame`";
  std::vector<std::string> known;
  for (const auto& [node, where] : nodes_) known.push_back(std::string(family_of_frames) + node);
  return "there is no node '" + frame + "'" + findings.suggestion(frame, known);
}

}  // namespace polhode::io
