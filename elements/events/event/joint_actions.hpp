// SPDX-License-Identifier: BSD-3-Clause
// What events, and analyses at their start, do to joints by their names.
//
//   lock       a joint that is apart is closed; its coordinates are held where they are, if it has any that can be
//   release    locks are undone, if something in the deck locks the joint; else the joint comes apart
//   separate   locks are undone, and the joint comes apart
//
// What `release` means does not depend on the moment, so that a lock that did not happen takes no machine apart.
#pragma once
#include <string>

#include "polhode/model/builder.hpp"

namespace polhode::elements {

enum class JointVerb { lock, release, separate };

// Adds what the verb does with the joint "joints.NAME" to `action`. What is wrong becomes a problem at the key.
void add_joint_action(JointVerb verb, const std::string& joint, const model::Entry& entry, std::string_view key,
                      model::Builder& builder, model::Action& action);

// A coupling acts on coordinates of joints: reports those that would be left behind by `actions`, which are all that
// happen at one time.
void check_couplings(const std::vector<model::Action>& actions, const model::Entry& entry, std::string_view key,
                     model::Builder& builder);

}  // namespace polhode::elements
