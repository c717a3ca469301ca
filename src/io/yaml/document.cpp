// SPDX-License-Identifier: BSD-3-Clause
// Entries of a document: finding one, its path, and what it is called in messages.
#include "document.hpp"

#include <fmt/format.h>

namespace polhode::io {

// The first of its name; the reader reports the second.
const Item* Item::find(std::string_view name) const {
  if (kind != Kind::mapping) return nullptr;
  for (const Item& item : items)
    if (item.key == name) return &item;
  return nullptr;
}

std::string join_path(std::string_view path, std::string_view key) {
  std::string joined(path);
  if (!joined.empty()) joined += '.';
  return joined += key;
}

// Long texts are cut, so that a message stays one line.
std::string describe(const Item& item) {
  switch (item.kind) {
    case Item::Kind::nothing:
      return "nothing";
    case Item::Kind::scalar: {
      const std::string text = item.text.substr(0, 40);
      return fmt::format("{}'{}{}'", item.quoted ? "text " : "", text, item.text.size() > 40 ? "..." : "");
    }
    case Item::Kind::sequence:
      return fmt::format("a list of {}", item.items.size());
    case Item::Kind::mapping:
      return "a mapping";
  }
  return "";
}

}  // namespace polhode::io
