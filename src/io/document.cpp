// SPDX-License-Identifier: BSD-3-Clause
// YAML text to a tree with places, from the events of yaml-cpp's parser.
#include "document.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <unordered_map>

namespace polhode::io {
namespace {

constexpr int deepest = 64;                     // levels; a deck needs about eight
constexpr std::size_t most_copied = 2'000'000;  // items that aliases may add: beyond this they multiply each other

Place place_of(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1}; }

struct Extent {
  std::size_t items = 1;
  int depth = 1;
};

Extent extent(const Item& item) {
  Extent all;
  for (const Item& inner : item.items) {
    const Extent one = extent(inner);
    all.items += one.items;
    all.depth = std::max(all.depth, one.depth + 1);
  }
  return all;
}

class TreeBuilder : public YAML::EventHandler {
 public:
  Item root;

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) throw SyntaxError(place_of(mark), "a second document begins here; a deck is one document");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(mark, anchor, Item{}); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Item item;
    item.kind = Item::Kind::scalar;
    item.text = value;
    item.quoted = tag == "!" || tag.ends_with(":str");  // yaml-cpp tags a quoted scalar "!", a plain one "?"
    add(mark, anchor, std::move(item));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw SyntaxError(place_of(mark), "an alias inside of what it stands for");
    const Extent size = extent(found->second);
    copied_ += size.items;
    if (copied_ > most_copied) throw SyntaxError(place_of(mark), "the aliases expand to too many entries");
    check_depth(mark, size.depth);
    add(mark, 0, found->second);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, anchor, Item::Kind::sequence);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, anchor, Item::Kind::mapping);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Item item;
    YAML::anchor_t anchor;
    bool has_key = false;
    std::string key;  // of the value that comes next, in a mapping
    Place key_place;
  };
  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, Item> anchors_;
  std::size_t copied_ = 0;
  int documents_ = 0;

  void check_depth(const YAML::Mark& mark, int more) const {
    if (static_cast<int>(open_.size()) + more > deepest)
      throw SyntaxError(place_of(mark), "nested more than " + std::to_string(deepest) + " levels deep");
  }
  void open(const YAML::Mark& mark, YAML::anchor_t anchor, Item::Kind kind) {
    check_depth(mark, 1);
    if (!open_.empty() && open_.back().item.kind == Item::Kind::mapping && !open_.back().has_key)
      throw SyntaxError(place_of(mark), "a key must be a name, not a list or a mapping");
    Open next{{}, anchor, false, {}, {}};
    next.item.kind = kind;
    next.item.place = place_of(mark);
    open_.push_back(std::move(next));
  }
  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    if (done.anchor != 0) anchors_[done.anchor] = done.item;
    attach(std::move(done.item));
  }
  void add(const YAML::Mark& mark, YAML::anchor_t anchor, Item item) {
    item.place = place_of(mark);
    if (anchor != 0) anchors_[anchor] = item;
    attach(std::move(item));
  }
  void attach(Item item) {
    if (open_.empty()) {
      root = std::move(item);
      return;
    }
    Open& parent = open_.back();
    if (parent.item.kind == Item::Kind::sequence) {
      item.listed = true;
      item.key.clear();
      parent.item.items.push_back(std::move(item));
    } else if (!parent.has_key) {
      if (item.kind != Item::Kind::scalar) throw SyntaxError(item.place, "a key must be a name");
      parent.key = std::move(item.text);
      parent.key_place = item.place;
      parent.has_key = true;
    } else {
      item.listed = false;
      item.key = std::move(parent.key);
      item.place = parent.key_place;
      parent.has_key = false;
      parent.item.items.push_back(std::move(item));
    }
  }
};

// Length of the UTF-8 character that begins at `at`; 0 if none does (RFC 3629: shortest forms, no surrogates).
std::size_t character_length(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(at), second = byte(at + 1);
  if (first < 0x80) return first != 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F))
    return 0;
  for (std::size_t i = 1; i < length; ++i)
    if (byte(at + i) < 0x80 || byte(at + i) > 0xBF) return 0;
  return length;
}

void check_encoding(const std::string& text) {
  Place place{1, 1};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    if (length == 0) throw SyntaxError(place, "this is not UTF-8 text; save the file in that encoding");
    text[at] == '\n' ? (++place.line, place.column = 1) : ++place.column;
    at += length;
  }
}

// YAML forbids tabs as indentation, and what a parser says of them helps nobody.
bool is_indented_by_tab(const std::string& text, int line) {
  std::istringstream lines(text);
  std::string one;
  for (int i = 0; i < line; ++i) std::getline(lines, one);
  return one.substr(0, one.find_first_not_of(" \t")).find('\t') != std::string::npos;
}

}  // namespace

const Item* Item::find(std::string_view name) const {
  if (kind != Kind::mapping) return nullptr;
  for (const Item& item : items)
    if (item.key == name) return &item;
  return nullptr;
}

Item parse_document(const std::string& text) {
  check_encoding(text);
  TreeBuilder builder;
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    const Place place = place_of(error.mark);
    for (const int line : {place.line, place.line - 1})
      if (is_indented_by_tab(text, line))
        throw SyntaxError({line, 1}, "a tab indents this line; YAML takes spaces alone");
    throw SyntaxError(place, "this is not YAML: " + error.msg);
  }
  return std::move(builder.root);
}

std::string join_path(std::string_view path, std::string_view key) {
  std::string joined(path);
  if (!joined.empty()) joined += '.';
  return joined += key;
}

std::string describe(const Item& item) {
  switch (item.kind) {
    case Item::Kind::nothing:
      return "nothing";
    case Item::Kind::scalar: {
      const std::string text = item.text.substr(0, 40);
      return (item.quoted ? "text '" : "'") + text + (item.text.size() > 40 ? "...'" : "'");
    }
    case Item::Kind::sequence:
      return "a list of " + std::to_string(item.items.size());
    case Item::Kind::mapping:
      return "a mapping";
  }
  return "";
}

}  // namespace polhode::io
