// SPDX-License-Identifier: BSD-3-Clause
// Events: names to joints and nodes, and what is to happen there.
#include "elements/events/event/event.hpp"

#include <algorithm>
#include <array>

#include "elements/joints/rows/held_coordinate.hpp"
#include "elements/signals/blocks/near.hpp"
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
    Field{.name = "lock", .type = FieldType::text, .doc = "joints.NAME: its coordinates are held at their values"},
    Field{.name = "release", .type = FieldType::text, .doc = "joints.NAME: a lock is undone"},
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
          .doc = "what happens, all at once",
          .required = true,
          .members = actions}};

// The locks of the joint that the key names; nothing and a problem if there are none.
std::vector<int> locks_of(const model::Entry& entry, std::string_view key, model::Builder& builder) {
  if (!entry.has(key)) return {};
  const std::string& text = entry.text(key);
  const auto dot = text.find('.');
  const std::string joint = dot == std::string::npos ? "" : text.substr(dot + 1);
  const auto& entries = builder.model().entries;
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const model::Entry& other) {
    return other.family == model::Family::joint && other.name == joint;
  });
  if (!text.starts_with("joints.") || found == entries.end()) {
    const std::string near = model::nearest_name(joint, signals::names_of_joints(builder));
    builder.problem(entry, key,
                    "names no joint of the deck: '" + text + "'; " +
                        (near.empty() ? "write joints.NAME" : "did you mean 'joints." + near + "'?"));
    return {};
  }
  if (found->has("rotation") || found->has("translation")) {
    builder.problem(entry, key, "is a driven joint, whose drive holds the coordinate already");
    return {};
  }
  std::vector<int> locks = builder.lock(joint, entry);
  if (locks.empty())
    builder.problem(entry, key, "is no joint that can be locked; revolute, prismatic and cylindrical joints can");
  return locks;
}

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

// The log and the results have the same text of what happens.
void build(const model::Entry& entry, model::Builder& builder) {
  Event event;
  event.entry = builder.index_of(entry);
  event.when = entry.function("when");
  if (entry.has("direction")) {
    const auto* found = std::find(std::begin(directions), std::end(directions), entry.text("direction"));
    event.direction = static_cast<Event::Direction>(found - std::begin(directions));
  }
  event.lock = locks_of(entry, "do.lock", builder);
  event.release = locks_of(entry, "do.release", builder);
  event.impulse = components(entry, "do.impulse", builder);
  event.moment = components(entry, "do.moment", builder);
  event.set = signal_of(entry, "do.set", builder);
  if (entry.has("do.value")) event.values.push_back(entry.function("do.value"));
  if (entry.has("do.set") != entry.has("do.value"))
    builder.problem(entry, "do", "`set` belongs to a `value`, and a `value` to `set`");
  event.end = entry.flag("do.end", false);
  // A node alone, or an impulse on nothing, would do nothing
  const bool hits = !event.impulse.empty() || !event.moment.empty();
  if (entry.has("do.node")) event.node = builder.node(entry.text("do.node"));
  if (hits != entry.has("do.node"))
    builder.problem(entry, "do", "`impulse` or `moment` belong to a `node`, and a `node` to one of them");
  if (!event.lock.empty()) add_text(event.what, "locks " + entry.text("do.lock"));
  if (!event.release.empty()) add_text(event.what, "releases " + entry.text("do.release"));
  if (hits && entry.has("do.node")) add_text(event.what, "hits nodes." + entry.text("do.node"));
  if (!event.set.empty()) add_text(event.what, "sets " + entry.text("do.set"));
  if (event.end) add_text(event.what, "ends the run");
  const bool acts = std::any_of(std::begin(actions), std::end(actions), [&](const Field& action) {
    return action.name != "end" && entry.has("do." + std::string(action.name));
  });
  if (!acts && !event.end)
    builder.problem(entry, "do",
                    "does nothing; give `lock`, `release`, `node` with `impulse` or `moment`, `set` with `value`, or "
                    "`end: true`");
  // With `resolve` the choice of dropped equations is made anew on the way, and would undo locks
  const bool holds = !event.lock.empty() || !event.release.empty();
  if (holds && builder.model().resolve_redundant)
    builder.problem(
        entry, "do",
        "locks and `constraints: {redundant: resolve}` do not go together: which equations hold would be the "
        "choice of both; leave redundant constraints out of the deck");
  builder.add_event(std::move(event));
}

}  // namespace

const model::KindInfo event_info{"event",
                                 model::Family::event,
                                 "something that happens where a function of signals crosses zero",
                                 fields,
                                 {},
                                 build,
                                 model::samples<HeldCoordinate<AxisAngle>, HeldCoordinate<AxisDisplacement>>,
                                 true};

}  // namespace polhode::elements
