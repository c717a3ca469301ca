// SPDX-License-Identifier: BSD-3-Clause
// Parts and their instances become entries of a flat deck, before anything is read.
#pragma once
#include "io/yaml/document.hpp"
#include "io/yaml/findings.hpp"

namespace polhode::io {

// True of a deck with parts, instances, entries with a frame of their own, or vectors among its parameters.
bool has_parts(const Item& root);

// The flat tree: entries of instances stand behind those of the deck, named `instance.entry`, with the place that they
// have in their part. What is wrong with parts and instances goes to the findings; values that are wrong are left for
// the reader of the flat tree.
Item expand_parts(const Item& root, Findings& findings);

}  // namespace polhode::io
