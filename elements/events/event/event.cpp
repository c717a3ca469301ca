// SPDX-License-Identifier: BSD-3-Clause
// Events: names to joints and nodes, and what is to happen there.
#include "elements/events/event/event.hpp"

#include <algorithm>
#include <array>

#include "elements/events/event/joint_actions.hpp"
#include "elements/joints/rows/held_coordinate.hpp"
#include "elements/joints/rows/held_rotation.hpp"
#include "elements/signals/mode/mode.hpp"
#include "polhode/model/builder.hpp"

namespace polhode::elements {
namespace {

using model::Event;
using model::Field;
using model::FieldType;

// In the order of Event::Direction.
constexpr std::string_view directions[] = {"up", "down", "both"};

// Keys of `do`, of which several may stand together: what they do happens at one time.
constexpr std::array actions{
    Field{.name = "lock",
          .type = FieldType::text,
          .doc = "joints.NAME: its coordinates are held at their values; a joint that is apart is closed first"},
    Field{.name = "release",
          .type = FieldType::text,
          .doc = "joints.NAME: its lock is undone, or, where nothing in the deck locks it, the joint comes apart"},
    Field{.name = "separate",
          .type = FieldType::text,
          .doc = "joints.NAME: the joint comes apart, and its lock is undone"},
    Field{.name = "node", .type = FieldType::node, .doc = "the node that is hit"},
    Field{.name = "impulse",
          .type = FieldType::functions,
          .unit = "N s",
          .doc = "on the node, three inertial components",
          .signals = true,
          .frame = model::Frame::direction},
    Field{.name = "moment",
          .type = FieldType::functions,
          .unit = "N m s",
          .doc = "impulsive moment on the node, three inertial components",
          .signals = true,
          .frame = model::Frame::direction},
    Field{.name = "set", .type = FieldType::text, .doc = "signals.NAME, of type `mode`: gets `value`"},
    Field{.name = "value", .type = FieldType::function, .doc = "of signals as they are at the event", .signals = true},
    Field{.name = "end", .type = FieldType::flag, .doc = "the run ends here, completed", .default_text = "false"}};

constexpr std::array fields{
    Field{.name = "when",
          .type = FieldType::function,
          .doc = "an expression of signals, parameters and t, at whose zeros the event happens; a number is a time, s",
          .required = true,
          .signals = true},
    Field{.name = "direction",
          .type = FieldType::choice,
          .doc = "of the crossing: up, from below zero to above it; down; or both",
          .default_text = "both",
          .choices = directions},
    Field{.name = "do",
          .type = FieldType::group,
          .doc = "what happens, all at once; of a list one after the other at the same time",
          .required = true,
          .members = actions,
          .or_list = true}};

// The signal that the key names, which has to be one that holds what it is given; nothing and a problem if it is not.
std::vector<std::size_t> signal_of(const model::Entry& entry, std::string_view key, model::Builder& builder) {
  if (!entry.has(key)) return {};
  const std::string& text = entry.text(key);
  for (std::size_t i = 0; i < builder.signals_.size(); ++i) {
    const model::Entry& signal = builder.model().entries[static_cast<std::size_t>(builder.signals_[i].entry)];
    if (signal.path() == text && signal.kind == &mode_info) return {i};
  }
  builder.problem(entry, key,
                  "'" + text +
                      "' is no signal of `type: mode`, and nothing else can be set; write signals.NAME, and take "
                      "that signal in the expressions that are to switch");
  return {};
}

// Of a vector; none where the key is not given.
std::vector<model::TimeFunction> components(const model::Entry& entry, std::string_view key, model::Builder& builder) {
  if (!entry.has(key)) return {};
  if (entry.functions(key).size() != 3) builder.problem(entry, key, "needs three components: x, y, z");
  return entry.functions(key);
}

// A list of what an event does, for people.
void add_text(std::string& all, const std::string& text) { all += (all.empty() ? "" : ", ") + text; }

// What happens to joints.
void add_joints(const model::Entry& entry, const std::string& place, model::Builder& builder, Event& event) {
  constexpr struct {
    std::string_view key;
    JointVerb verb;
    const char* what;
  } verbs[] = {{"lock", JointVerb::lock, "locks "},
               {"release", JointVerb::release, "releases "},
               {"separate", JointVerb::separate, "separates "}};
  for (const auto& [name, verb, what] : verbs) {
    const std::string key = place + std::string(name);
    if (!entry.has(key)) continue;
    add_joint_action(verb, entry.text(key), entry, key, builder, event.actions.back());
    add_text(event.what, what + entry.text(key));
  }
}

// The mapping under `place`, "do." or "do.1.": what happens at once.
void add_action(const model::Entry& entry, const std::string& place, model::Builder& builder, Event& event) {
  const auto has = [&](const char* key) { return entry.has(place + key); };
  const std::string here = place.substr(0, place.size() - 1);
  event.actions.emplace_back();
  add_joints(entry, place, builder, event);
  model::Action& action = event.actions.back();
  action.impulse = components(entry, place + "impulse", builder);
  action.moment = components(entry, place + "moment", builder);
  action.set = signal_of(entry, place + "set", builder);
  if (has("value")) action.values.push_back(entry.function(place + "value"));
  if (has("set") != has("value")) builder.problem(entry, here, "`set` belongs to a `value`, and a `value` to `set`");
  // A node alone, or an impulse on nothing, would do nothing
  const bool hits = has("impulse") || has("moment");
  if (has("node")) action.node = builder.node(entry.text(place + "node"));
  if (hits != has("node"))
    builder.problem(entry, here, "`impulse` or `moment` belong to a `node`, and a `node` to one of them");
  if (hits && has("node")) add_text(event.what, "hits nodes." + entry.text(place + "node"));
  if (!action.set.empty()) add_text(event.what, "sets " + entry.text(place + "set"));
  const bool ends = entry.flag(place + "end", false);
  if (ends) add_text(event.what, "ends the run");
  event.end = event.end || ends;
  const bool acts = std::any_of(std::begin(actions), std::end(actions), [&](const Field& one) {
    return one.name != "end" && entry.has(place + std::string(one.name));
  });
  if (!acts && !ends)
    builder.problem(entry, here,
                    "does nothing; give `lock`, `release`, `separate`, `node` with `impulse` or `moment`, `set` with "
                    "`value`, or `end: true`");
}

// Whether `do` is a list with this number.
bool has_number(const model::Entry& entry, int number) {
  const std::string place = "do." + std::to_string(number) + ".";
  return std::any_of(entry.values.begin(), entry.values.end(),
                     [&](const auto& value) { return value.first.starts_with(place); });
}

// The log and the results have the same text of what happens.
void build(const model::Entry& entry, model::Builder& builder) {
  Event event;
  event.entry = builder.index_of(entry);
  event.when = entry.function("when");
  if (event.when.is_constant() && event.when(0).value <= 0)
    builder.problem(entry, "when",
                    "is no time behind the start, t = 0; what holds from the start on is `locked` or `released` by the "
                    "analysis, or a value of the deck");
  if (entry.has("direction")) {
    const auto* found = std::find(std::begin(directions), std::end(directions), entry.text("direction"));
    event.direction = static_cast<Event::Direction>(found - std::begin(directions));
  }
  if (!has_number(entry, 0)) add_action(entry, "do.", builder, event);
  for (int i = 0; has_number(entry, i); ++i) add_action(entry, "do." + std::to_string(i) + ".", builder, event);
  check_couplings(event.actions, entry, "do", builder);
  builder.add_event(std::move(event));
}

}  // namespace

const model::KindInfo event_info{
    "event",
    model::Family::event,
    "something that happens where a function of signals crosses zero",
    fields,
    {},
    build,
    model::samples<HeldCoordinate<AxisAngle>, HeldCoordinate<AxisDisplacement>, HeldRotation>,
    true};

}  // namespace polhode::elements
