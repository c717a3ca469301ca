// SPDX-License-Identifier: BSD-3-Clause
// YAML text to a tree with places, from the events of libyaml's parser.
#include "document.hpp"

#include <yaml.h>

#include <algorithm>
#include <new>
#include <sstream>
#include <unordered_map>

#include "polhode/io/version.hpp"

namespace polhode::io {
namespace {

constexpr int deepest = 64;                     // levels; a deck needs about eight
constexpr std::size_t most_copied = 2'000'000;  // items that aliases may add: beyond this they multiply each other

Place place_of(const yaml_mark_t& mark) { return {static_cast<int>(mark.line) + 1, static_cast<int>(mark.column) + 1}; }

std::string text_of(const yaml_char_t* text) { return text ? reinterpret_cast<const char*>(text) : ""; }

struct Event : yaml_event_t {  // as the parser gives it, freed at the end
  Event() : yaml_event_t{} {}
  ~Event() { yaml_event_delete(this); }
  Event(const Event&) = delete;
};

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

class TreeBuilder {
 public:
  Item root;

  void take(const yaml_event_t& event) {
    const Place place = place_of(event.start_mark);
    switch (event.type) {
      case YAML_DOCUMENT_START_EVENT:
        if (++documents_ > 1) throw SyntaxError(place, "a second document begins here; a deck is one document");
        break;
      case YAML_SCALAR_EVENT:
        add(place, text_of(event.data.scalar.anchor), scalar(event));
        break;
      case YAML_ALIAS_EVENT:
        add_alias(place, text_of(event.data.alias.anchor));
        break;
      case YAML_SEQUENCE_START_EVENT:
        open(place, text_of(event.data.sequence_start.anchor), Item::Kind::sequence);
        break;
      case YAML_MAPPING_START_EVENT:
        open(place, text_of(event.data.mapping_start.anchor), Item::Kind::mapping);
        break;
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        close();
        break;
      default:
        break;
    }
  }

 private:
  struct Open {
    Item item;
    std::string anchor;  // "" without
    bool has_key = false;
    std::string key;  // of the value that comes next, in a mapping
    Place key_place;
  };
  std::vector<Open> open_;
  std::unordered_map<std::string, Item> anchors_;  // of what is closed
  std::size_t copied_ = 0;
  int documents_ = 0;

  static Item scalar(const yaml_event_t& event) {
    const auto& given = event.data.scalar;
    const bool plain = given.style == YAML_PLAIN_SCALAR_STYLE && !given.tag;
    std::string text(reinterpret_cast<const char*>(given.value), given.length);
    Item item;
    if (plain && (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL")) return item;
    item.kind = Item::Kind::scalar;
    item.quoted = !plain && (given.style != YAML_PLAIN_SCALAR_STYLE || text_of(given.tag) == "!" ||
                             text_of(given.tag).ends_with(":str"));
    item.text = std::move(text);
    return item;
  }
  void check_depth(Place place, int more) const {
    if (static_cast<int>(open_.size()) + more > deepest)
      throw SyntaxError(place, "nested more than " + std::to_string(deepest) + " levels deep");
  }
  void open(Place place, std::string anchor, Item::Kind kind) {
    check_depth(place, 1);
    if (!open_.empty() && open_.back().item.kind == Item::Kind::mapping && !open_.back().has_key)
      throw SyntaxError(place, "a key must be a name, not a list or a mapping");
    anchors_.erase(anchor);
    Open next{{}, std::move(anchor), false, {}, {}};
    next.item.kind = kind;
    next.item.place = place;
    open_.push_back(std::move(next));
  }
  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    if (!done.anchor.empty()) anchors_[done.anchor] = done.item;
    attach(std::move(done.item));
  }
  void add(Place place, const std::string& anchor, Item item) {
    item.place = place;
    if (!anchor.empty()) anchors_[anchor] = item;
    attach(std::move(item));
  }
  void add_alias(Place place, const std::string& anchor) {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      const bool inside = std::any_of(open_.begin(), open_.end(), [&](const Open& o) { return o.anchor == anchor; });
      throw SyntaxError(place, inside ? "an alias inside of what it stands for"
                                      : "there is no anchor '&" + anchor + "' before this alias");
    }
    const Extent size = extent(found->second);
    copied_ += size.items;
    if (copied_ > most_copied) throw SyntaxError(place, "the aliases expand to too many entries");
    check_depth(place, size.depth);
    add(place, "", found->second);
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
  const unsigned first = byte(at);
  const unsigned second = byte(at + 1);
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
    if (text[at] == '\n') {
      ++place.line;
      place.column = 1;
    } else {
      ++place.column;
    }
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

// The parser's complaint, at its place.
[[noreturn]] void refuse(const std::string& text, const yaml_parser_t& parser) {
  if (parser.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
  Place place = place_of(parser.problem_mark);
  if (parser.error == YAML_READER_ERROR) {  // a character that YAML does not know: told by its offset
    const std::string before = text.substr(0, parser.problem_offset);
    const std::size_t line = before.rfind('\n') + 1;
    place = {static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
             static_cast<int>(before.size() - line) + 1};
  }
  for (const int line : {place.line, place.line - 1})
    if (is_indented_by_tab(text, line))
      throw SyntaxError({line, 1}, "a tab indents this line; YAML takes spaces alone");
  throw SyntaxError(place,
                    std::string("this is not YAML: ") + (parser.problem ? parser.problem : "no reason is known"));
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
  struct Parser : yaml_parser_t {
    Parser() {
      if (!yaml_parser_initialize(this)) throw std::bad_alloc();
    }
    ~Parser() { yaml_parser_delete(this); }
  } parser;
  // It skips a byte order mark; other encodings than UTF-8 have been refused.
  yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  TreeBuilder builder;
  for (bool ended = false; !ended;) {
    Event event;
    if (!yaml_parser_parse(&parser, &event)) refuse(text, parser);
    builder.take(event);
    ended = event.type == YAML_STREAM_END_EVENT;
  }
  return std::move(builder.root);
}

std::string yaml_version() { return yaml_get_version_string(); }

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
