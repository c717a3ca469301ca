// SPDX-License-Identifier: BSD-3-Clause
// Joints that are locked, released and taken apart.
#include "elements/events/event/joint_actions.hpp"

#include <algorithm>

#include "elements/signals/blocks/near.hpp"

namespace polhode::elements {
namespace {

using model::Action;
using model::Entry;

// The joint that is named, or nullptr and a problem.
const Entry* joint_of(const std::string& text, const Entry& entry, std::string_view key, model::Builder& builder) {
  const auto dot = text.find('.');
  const std::string name = dot == std::string::npos ? "" : text.substr(dot + 1);
  const auto& entries = builder.model().entries;
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& other) {
    return other.family == model::Family::joint && other.name == name;
  });
  if (text.starts_with("joints.") && found != entries.end()) return &*found;
  const std::string near = model::nearest_name(name, signals::names_of(model::Family::joint, builder));
  builder.problem(entry, key,
                  "names no joint of the deck: '" + text + "'; " +
                      (near.empty() ? "write joints.NAME" : "did you mean 'joints." + near + "'?"));
  return nullptr;
}

// The drive of a coordinate holds it already.
bool is_driven(const Entry& joint) { return joint.has("rotation") || joint.has("translation"); }

// Whether some entry of the deck does so with the joint, by one of these keys: at the end of a key of `do`, or a list
// of an analysis.
bool is_named(const Entry& joint, const model::Builder& builder, std::string_view event_key,
              std::string_view analysis_key) {
  const std::string path = joint.path();
  for (const Entry& entry : builder.model().entries)
    for (const auto& [key, value] : entry.values) {
      if (entry.family == model::Family::event && key.starts_with("do.") && key.ends_with(event_key))
        if (const auto* text = std::get_if<std::string>(&value); text && *text == path) return true;
      if (entry.family == model::Family::analysis && key == analysis_key)
        if (const auto* names = std::get_if<std::vector<std::string>>(&value))
          if (std::find(names->begin(), names->end(), path) != names->end()) return true;
    }
  return false;
}

bool has_locks(const Entry& joint, model::Builder& builder) {
  return builder.coordinate(joint.name, 0) && !is_driven(joint) && is_named(joint, builder, ".lock", "locked");
}

// `release` of a joint that nothing locks, or `separate`.
bool may_come_apart(const Entry& joint, model::Builder& builder) {
  return is_named(joint, builder, ".separate", "") ||
         (!has_locks(joint, builder) && is_named(joint, builder, ".release", "released"));
}

void add_lock(const Entry& joint, const Entry& entry, std::string_view key, model::Builder& builder, Action& action) {
  const bool closes = may_come_apart(joint, builder);
  if (closes) action.close.push_back(builder.index_of(joint));
  if (is_driven(joint)) {
    if (!closes) builder.problem(entry, key, "is a driven joint, whose drive holds the coordinate already");
    return;
  }
  const std::vector<int> locks = builder.lock(joint.name, entry);
  if (locks.empty() && !closes)
    builder.problem(entry, key,
                    "is no joint that can be locked: it has no coordinate; those with `coordinates` in their results "
                    "can, and any that `release` has taken apart");
  action.lock.insert(action.lock.end(), locks.begin(), locks.end());
}

void add_release(const Entry& joint, const Entry& entry, model::Builder& builder, Action& action) {
  const std::vector<int> locks = builder.lock(joint.name, entry);
  action.release.insert(action.release.end(), locks.begin(), locks.end());
}

void take_apart(const Entry& joint, model::Builder& builder, Action& action) {
  action.open.push_back(builder.index_of(joint));
  builder.may_come_apart(builder.index_of(joint));
}

// "A" of "A.rotation", where no joint has the whole name.
std::string joint_of_weight(const std::string& text, const model::Builder& builder) {
  const auto names = signals::names_of(model::Family::joint, builder);
  if (std::find(names.begin(), names.end(), text) != names.end()) return text;
  return text.substr(0, text.rfind('.'));
}

}  // namespace

void add_joint_action(JointVerb verb, const std::string& text, const Entry& entry, std::string_view key,
                      model::Builder& builder, Action& action) {
  const Entry* joint = joint_of(text, entry, key, builder);
  if (!joint) return;
  switch (verb) {
    case JointVerb::lock:
      return add_lock(*joint, entry, key, builder, action);
    case JointVerb::release:
      if (has_locks(*joint, builder)) return add_release(*joint, entry, builder, action);
      return take_apart(*joint, builder, action);
    case JointVerb::separate:
      if (has_locks(*joint, builder)) add_release(*joint, entry, builder, action);
      return take_apart(*joint, builder, action);
  }
}

void check_couplings(const std::vector<Action>& actions, const Entry& entry, std::string_view key,
                     model::Builder& builder) {
  const auto& entries = builder.model().entries;
  const auto opens = [&](const std::string& joint) {
    return std::any_of(actions.begin(), actions.end(), [&](const Action& action) {
      return std::any_of(action.open.begin(), action.open.end(),
                         [&](int one) { return entries[static_cast<std::size_t>(one)].name == joint; });
    });
  };
  for (const Entry& coupling : entries) {
    if (coupling.family != model::Family::joint || coupling.kind->name != "coupling" || opens(coupling.name)) continue;
    for (const auto& [text, weight] : coupling.weights("joints")) {
      const std::string joint = joint_of_weight(text, builder);
      if (opens(joint))
        builder.problem(entry, key,
                        "takes joints." + joint + " apart, which " + coupling.path() +
                            " couples; release the coupling at the same time, or before it");
    }
  }
}

}  // namespace polhode::elements
