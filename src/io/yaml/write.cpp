// SPDX-License-Identifier: BSD-3-Clause
// A tree as YAML text, by yaml-cpp's emitter.
#include <yaml-cpp/emitter.h>

#include <algorithm>

#include "document.hpp"

namespace polhode::io {
namespace {

// Lists of scalars stand on one line, all else in blocks. What was quoted is quoted again, so that it stays text.
void write(const Item& item, YAML::Emitter& out) {
  switch (item.kind) {
    case Item::Kind::nothing:
      out << YAML::Null;
      return;
    case Item::Kind::scalar:
      if (item.quoted) out << YAML::DoubleQuoted;
      out << item.text;
      return;
    case Item::Kind::sequence: {
      const auto is_scalar = [](const Item& inner) { return inner.kind == Item::Kind::scalar; };
      const bool plain = std::all_of(item.items.begin(), item.items.end(), is_scalar);
      // Vectors and matrices stay readable.
      out << (plain ? YAML::Flow : YAML::Block) << YAML::BeginSeq;
      for (const Item& inner : item.items) write(inner, out);
      out << YAML::EndSeq;
      return;
    }
    case Item::Kind::mapping:
      out << YAML::Block << YAML::BeginMap;
      for (const Item& inner : item.items) {
        out << YAML::Key << inner.key << YAML::Value;
        write(inner, out);
      }
      out << YAML::EndMap;
      return;
  }
}

}  // namespace

// For identities of studies: equal trees give equal texts.
std::string flow_text(const Item& item) {
  switch (item.kind) {
    case Item::Kind::nothing:
      return "~";
    case Item::Kind::scalar:
      return item.quoted ? "'" + item.text + "'" : item.text;
    case Item::Kind::sequence:
    case Item::Kind::mapping:
      break;
  }
  const bool list = item.kind == Item::Kind::sequence;
  std::string text;
  for (const Item& inner : item.items)
    text += (text.empty() ? "" : ", ") + (list ? "" : inner.key + ": ") + flow_text(inner);
  return (list ? "[" : "{") + text + (list ? "]" : "}");
}

// Comments and spelling of numbers in the file are lost; values are not.
std::string write_document(const Item& root) {
  YAML::Emitter out;
  write(root, out);
  return std::string(out.c_str(), out.size()) + "\n";
}

}  // namespace polhode::io
