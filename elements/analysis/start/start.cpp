// SPDX-License-Identifier: BSD-3-Clause
// Joints that an analysis locks and releases at its start.
#include "elements/analysis/start/start.hpp"

#include "elements/events/event/joint_actions.hpp"
#include "polhode/model/builder.hpp"

namespace polhode::elements {
namespace {

constexpr std::array fields{
    model::Field{.name = "released", .type = model::FieldType::names, .doc = "joints.NAME: as an event releases them"},
    model::Field{.name = "locked", .type = model::FieldType::names, .doc = "joints.NAME: as an event locks them"}};

// Released first: a joint may be locked in the place of another one.
void build(const model::Entry& entry, model::Builder& builder) {
  model::Event start;
  start.entry = builder.index_of(entry);
  const auto add = [&](JointVerb verb, std::string_view key, const char* what) {
    if (!entry.has(key) || entry.names(key).empty()) return;
    model::Action& action = start.actions.emplace_back();
    for (const std::string& joint : entry.names(key)) {
      add_joint_action(verb, joint, entry, key, builder, action);
      start.what += (start.what.empty() ? "" : ", ") + std::string(what) + joint;
    }
  };
  add(JointVerb::release, "released", "releases ");
  add(JointVerb::lock, "locked", "locks ");
  check_couplings(start.actions, entry, "released", builder);
  builder.add_start(std::move(start));
}

std::vector<std::unique_ptr<model::BatchBase>> no_samples(std::mt19937&) { return {}; }

}  // namespace

const model::KindInfo start_info{
    "start", model::Family::analysis, "joints that an analysis locks and releases", fields, {}, build, no_samples};

}  // namespace polhode::elements
