// SPDX-License-Identifier: BSD-3-Clause
// Walking instances: parameters, place, and the entries of their parts; instances inside of parts the same way.
#include "expand_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "../model_reader.hpp"
#include "frames.hpp"
#include "part_entries.hpp"
#include "part_parameters.hpp"

namespace polhode::io {
namespace {

using model::Field;

constexpr int most_copies = 1'000'000;  // of all parts; parts that place others twice multiply them

// What an instance is placed in: the deck, or an instance of another part.
struct Surroundings {
  std::string path;    // "instances", or "instances.leg" in an instance
  std::string prefix;  // "leg.", "" in the deck
  Placement placement;
  PartValues values;
  std::vector<std::string> parts;  // that are being placed, for those that place themselves
};

// An instance whose frame is that of a node that is not there yet.
struct Waiting {
  const Item* instance;
  Surroundings around;
};

// An entry of the flat deck that came from a part, with what its references are looked up with.
struct Placed {
  std::size_t family;
  std::size_t index;
  std::string prefix;
};

// Entries whose points and directions may be in the frame of a node.
constexpr std::array framed_families{"nodes", "beams", "joints", "forces"};
bool takes_frame(std::string_view family) {
  return std::find(framed_families.begin(), framed_families.end(), family) != framed_families.end();
}

// Keys of a part that hold entries.
bool has_entries(const Key& key) {
  return (key.form == Form::named || key.form == Form::kinds) && key.field.name != "instances";
}

class Expander {
 public:
  Expander(const Item& root, Findings& findings)
      : root_(root),
        findings_(findings),
        reader_(findings, ""),
        quiet_(unread_, ""),
        frames_(flat_, names_, quiet_.parameters) {}

  Item write() {
    start();
    if (const Item* instances = root_.find("instances")) place_all(*instances, deck_);
    place_waiting();
    for (const Placed& placed : placed_) {
      Item& family = flat_.items[placed.family];
      rename_references(family.items[placed.index], family.key, placed.prefix, names_);
    }
    return std::move(flat_);
  }

 private:
  const Item& root_;
  Findings& findings_;
  Findings unread_;  // of values, which the reader of the flat deck finds again
  Reader reader_;
  Reader quiet_;
  Surroundings deck_;
  Item flat_;
  FlatNames names_;
  Frames frames_;
  std::vector<Placed> placed_;
  std::vector<Waiting> waiting_;
  std::vector<Placed> framed_;  // entries with a frame of their own
  int copies_ = 0;

  ReportValue report(const std::string& path) {
    return [this, path](const Item& at, std::string message) { findings_.add_cause(at, path, std::move(message)); };
  }

  // The deck itself: its parameters, and its own entries as they are.
  void start() {
    deck_.path = "instances";
    flat_.kind = Item::Kind::mapping;
    flat_.place = root_.place;
    if (const Item* parameters = root_.find("parameters")) start_parameters(*parameters);
    for (const Item& item : root_.items) {
      if (item.key == "parameters" || item.key == "instances") continue;
      if (item.key == "parts") {
        check_parts(item);
        continue;
      }
      substitute_values(flat_.items.emplace_back(item), deck_.values, report(item.key));
    }
    // `format` stays the first key.
    std::stable_partition(flat_.items.begin(), flat_.items.end(),
                          [](const Item& item) { return item.key == "format"; });
    for (std::size_t i = 0; i < flat_.items.size(); ++i)
      for (std::size_t k = 0; k < flat_.items[i].items.size(); ++k) note({i, k, ""});
  }

  // Numbers stay in the flat deck, where settings and studies find them; vectors and matrices end here, since values
  // that use them have their components. Faults of numbers are found again by the reader of the flat deck.
  void start_parameters(const Item& parameters) {
    const auto is_list = [](const Item& one) { return one.kind == Item::Kind::sequence; };
    Item numbers = parameters;
    std::erase_if(numbers.items, is_list);
    Item lists = parameters;
    std::erase_if(lists.items, std::not_fn(is_list));
    check_parameter_names(lists, "parameters", findings_);
    for (const Item& one : lists.items) {
      const std::string path = "parameters." + one.key;
      if (numbers.find(one.key)) findings_.add(one, path, "'" + one.key + "' is a number, too; rename or remove one");
      // Lists may use those above.
      Item value = one;
      substitute_values(value, deck_.values, report(path));
      deck_.values.emplace(one.key, std::move(value));
    }
    substitute_values(numbers, deck_.values, report("parameters"));
    read_parameters(numbers, quiet_);
    reader_.parameters = quiet_.parameters;
    flat_.items.push_back(std::move(numbers));
  }

  // Keys that a part does not have are found even where nobody places it.
  void check_parts(const Item& parts) {
    reader_.entries(parts, "parts", [&](const Item& part, const std::string& path) {
      reader_.mapping(part, path, part_table);
      check_signals(part, path);
    });
  }

  // In expressions of a part a name is one thing.
  void check_signals(const Item& part, const std::string& path) {
    const Item* signals = part.find("signals");
    const Item* parameters = part.find("parameters");
    if (!signals || !parameters) return;
    for (const Item& one : signals->items)
      if (parameters->find(one.key))
        findings_.add(one, join_path(join_path(path, "signals"), one.key),
                      "'" + one.key + "' is a parameter of the part, too; choose another name");
  }

  // An entry of the flat deck that others may refer to.
  void note(const Placed& placed) {
    const Item& all = flat_.items[placed.family];
    const Item& entry = all.items[placed.index];
    names_.add(all.key, entry.key);
    frames_.add(placed.family, placed.index, placed.prefix);
    if (takes_frame(all.key) && entry.find("frame")) framed_.push_back(placed);
  }

  // The mapping of a family in the flat deck, made where the deck itself has none.
  std::size_t family_index(const Item& like) {
    for (std::size_t i = 0; i < flat_.items.size(); ++i)
      if (flat_.items[i].key == like.key) return i;
    Item& made = flat_.items.emplace_back();
    made.kind = Item::Kind::mapping;
    made.key = like.key;
    made.place = like.place;
    return flat_.items.size() - 1;
  }

  // Names are checked as those of any entries.
  void place_all(const Item& instances, const Surroundings& around) {
    reader_.entries(instances, around.path, [&](const Item& instance, const std::string&) { place(instance, around); });
  }

  // Each round places all entries and instances whose nodes are there; a round without any ends it.
  void place_waiting() {
    const auto count = [&] { return framed_.size() + waiting_.size(); };
    // What waits for a node of a part that waits itself is placed a round later.
    for (std::size_t before = 0; count() != 0 && count() != before;) {
      before = count();
      for (const Placed& one : std::exchange(framed_, {})) place_framed(one);
      for (const Waiting& one : std::exchange(waiting_, {})) place(*one.instance, one.around);
    }
    for (const Placed& one : framed_) {
      const Item& family = flat_.items[one.family];
      report_frame(*family.items[one.index].find("frame"), join_path(family.key, family.items[one.index].key),
                   one.prefix);
    }
    for (const Waiting& one : waiting_)
      report_frame(*one.instance->find("frame"), join_path(one.around.path, one.instance->key), one.around.prefix);
  }

  // Of what is not placed.
  void report_frame(const Item& frame, const std::string& path, const std::string& prefix) {
    findings_.add(frame, join_path(path, "frame"), frames_.problem(frame.text, prefix, findings_));
  }

  // What is wrong goes to the findings. Nothing where the node is not there yet, or never will be.
  std::optional<Placement> pose_of_frame(const Item& frame, const std::string& path, const std::string& prefix,
                                         bool& waits) {
    Frames::Found found = frames_.find(frame.text, prefix);
    waits = !found.pose && !found.problem;
    if (found.problem && !found.problem->empty())
      findings_.add(frame, join_path(path, "frame"), std::move(*found.problem));
    return found.pose;
  }

  // An entry with a frame of its own becomes one of the flat deck, without the key.
  void place_framed(const Placed& placed) {
    const std::string& family = flat_.items[placed.family].key;
    Item& entry = flat_.items[placed.family].items[placed.index];
    const std::string path = join_path(family, entry.key);
    bool waits = false;
    const auto pose = pose_of_frame(*entry.find("frame"), path, placed.prefix, waits);
    if (waits) framed_.push_back(placed);
    if (!pose) return;
    std::erase_if(entry.items, [](const Item& one) { return one.key == "frame"; });
    if (const Table* table = table_of_entry(family, entry)) place_entry(entry, path, *table, *pose, findings_, quiet_);
  }

  // One instance, or its copies: the keys of a copy are the instance's with a number in the place of `i`.
  void place(const Item& instance, const Surroundings& around) {
    const std::string path = join_path(around.path, instance.key);
    Placement base = around.placement;
    if (!find_base(instance, around, base)) return;
    Item given = instance;
    substitute_values(given, around.values, report(path));
    const Item* repeat = given.find("repeat");
    if (!repeat) return place_copy(given, path, instance.key, base, around);
    static const Field number{.name = "repeat", .type = model::FieldType::integer, .min = 0, .max = most_copies};
    const auto count = reader_.plain.whole_number(*repeat, path + ".repeat", number);
    if (!count) return;
    const std::size_t before = findings_.size();
    for (int i = 0; i < static_cast<int>(*count) && findings_.size() == before; ++i) {
      Item copy = given;
      Item number_of_copy;
      number_of_copy.kind = Item::Kind::scalar;
      number_of_copy.text = std::to_string(i);
      substitute_values(copy, {{"i", number_of_copy}}, report(path));
      place_copy(copy, path, fmt::format("{}.{}", instance.key, i), base, around);
    }
  }

  // The pose of `frame: nodes.hub`. False where there is none.
  bool find_base(const Item& instance, const Surroundings& around, Placement& base) {
    const Item* frame = instance.kind == Item::Kind::mapping ? instance.find("frame") : nullptr;
    if (!frame) return true;
    bool waits = false;
    const auto pose = pose_of_frame(*frame, join_path(around.path, instance.key), around.prefix, waits);
    if (waits) waiting_.push_back({&instance, around});
    if (pose) base = *pose;
    return pose.has_value();
  }

  // One copy of a part, and what is in it. `given` has no parameters of what is around any more; `name` is that of the
  // copy.
  void place_copy(const Item& given, const std::string& path, const std::string& name, const Placement& base,
                  const Surroundings& around) {
    if (++copies_ > most_copies) {
      if (copies_ == most_copies + 1)
        findings_.add(given, path, fmt::format("is more than {} instances in all; place fewer", most_copies));
      return;
    }
    const std::size_t before = findings_.size();
    const auto keys = reader_.mapping(given, path, instance_table);
    const Item* part_key = given.find("part");
    // A finding at a place that has another one is not counted: all of a row of a table are at one place.
    if (!keys || findings_.size() > before || !part_key) return;
    const std::string part_name = keys->text("part", "");
    const Item* parts = root_.find("parts");
    const Item* part = parts ? parts->find(part_name) : nullptr;
    if (!part) {
      std::vector<std::string> known;
      if (parts)
        for (const Item& one : parts->items) known.push_back(one.key);
      return findings_.add(*part_key, path + ".part",
                           "there is no part '" + part_name + "'" + findings_.suggestion(part_name, known));
    }
    // What entries of this copy are placed in.
    Surroundings inside;
    inside.parts = around.parts;
    inside.parts.push_back(part_name);
    if (std::find(around.parts.begin(), around.parts.end(), part_name) != around.parts.end())
      return findings_.add(*part_key, path + ".part",
                           fmt::format("part '{}' contains itself: {}; remove one of these instances", part_name,
                                       fmt::join(inside.parts, " -> ")));
    Placement own;
    own.at = keys->vector3("at", math::Vec3::Zero());
    if (const Item* orientation = given.find("orientation"))
      own.turn = read_orientation(*orientation, path + ".orientation", reader_).value_or(own.turn);
    inside.prefix = around.prefix + name + ".";
    inside.path = join_path("instances", around.prefix + name);
    inside.placement = base * own;
    PartParameters parameters(*part, given, reader_);
    if (!parameters.read(path)) return;
    inside.values = std::move(parameters.values);
    // Vectors of the deck, where the part has nothing of the name.
    const Item* signals = part->find("signals");
    for (const auto& [name_of_list, value] : deck_.values)
      if (!signals || !signals->find(name_of_list)) inside.values.emplace(name_of_list, value);
    place_entries(*part, inside);
    if (const Item* inner = part->find("instances")) place_all(*inner, inside);
  }

  // Copies of the entries of a part: first values take the place of parameters, then the entry is placed. References are
  // renamed at the end, when all names are known.
  void place_entries(const Item& part, const Surroundings& inside) {
    for (const Key& key : part_table.keys) {
      const Item* family = has_entries(key) ? part.find(key.field.name) : nullptr;
      if (!family) continue;
      const std::size_t index = family_index(*family);
      for (const Item& entry : family->items) {
        Item made = entry;
        made.key = inside.prefix + entry.key;
        const std::string path = join_path(family->key, made.key);
        substitute_values(made, inside.values, report(path));
        const Table* table = table_of_entry(family->key, made);
        if (table && !(takes_frame(family->key) && made.find("frame")))
          place_entry(made, path, *table, inside.placement, findings_, quiet_);
        Item& all = flat_.items[index];
        all.kind = Item::Kind::mapping;
        all.items.push_back(std::move(made));
        placed_.push_back({index, all.items.size() - 1, inside.prefix});
        note(placed_.back());
      }
    }
  }
};

}  // namespace

bool has_parts(const Item& root) {
  if (root.find("parts") || root.find("instances")) return true;
  const auto has_frame = [](const Item& entry) { return entry.find("frame") != nullptr; };
  for (const char* family : framed_families)
    if (const Item* all = root.find(family); all && std::any_of(all->items.begin(), all->items.end(), has_frame))
      return true;
  const Item* parameters = root.find("parameters");
  return parameters && std::any_of(parameters->items.begin(), parameters->items.end(),
                                   [](const Item& one) { return one.kind == Item::Kind::sequence; });
}

Item expand_parts(const Item& root, Findings& findings) { return Expander(root, findings).write(); }

}  // namespace polhode::io
