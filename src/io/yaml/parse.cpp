// SPDX-License-Identifier: BSD-3-Clause
// YAML text to a tree with places, from the events of yaml-cpp's parser.
#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <unordered_map>

#include "document.hpp"
#include "polhode/io/version.hpp"

namespace polhode::io {
namespace {

constexpr std::size_t deepest = 64;             // levels; a deck needs about eight
constexpr std::size_t most_copied = 2'000'000;  // items that aliases may add: beyond this they multiply each other

// Where the parser is, in characters: its columns count bytes.
// yaml-cpp counts bytes, readers count characters: a place in a line with characters beyond ASCII is counted
// again.
class Places {
 public:
  explicit Places(const std::string& text) : text_(text) {
    const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    if (std::all_of(text.begin(), text.end(), is_ascii)) return;
    const bool has_mark = text.starts_with("\xEF\xBB\xBF");  // a byte order mark, which the parser skips
    line_starts_.push_back(has_mark ? 3 : 0);
    for (std::size_t at = 0; at < text.size(); ++at)
      if (text[at] == '\n') line_starts_.push_back(at + 1);
  }
  // Line and column from 1, columns in characters: continuation bytes of UTF-8 do not count.
  Place at(const YAML::Mark& mark) const {
    const Place place{mark.line + 1, mark.column + 1};
    const auto line = static_cast<std::size_t>(mark.line);
    if (line >= line_starts_.size()) return place;
    const std::size_t begin = line_starts_[line];
    const std::size_t end = std::min(begin + static_cast<std::size_t>(mark.column), text_.size());
    const auto inside = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };  // of a character
    const auto begin_at = text_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto end_at = text_.begin() + static_cast<std::ptrdiff_t>(end);
    return {place.line, place.column - static_cast<int>(std::count_if(begin_at, end_at, inside))};
  }

 private:
  const std::string& text_;
  std::vector<std::size_t> line_starts_;  // empty where the text is ASCII
};

// How much an alias adds.
struct Extent {
  std::size_t items = 1;
  std::size_t depth = 1;
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

// The keys of what stands at `<<`, a mapping or a list of them, where the mapping itself has none of that name. The
// first of a list counts.
void merge_keys(Item& mapping) {
  const auto is_merge = [](const Item& item) { return item.key == "<<"; };
  const auto first = std::find_if(mapping.items.begin(), mapping.items.end(), is_merge);
  if (first == mapping.items.end()) return;
  const Item merged = std::move(*first);
  mapping.items.erase(first);
  if (std::any_of(mapping.items.begin(), mapping.items.end(), is_merge))
    throw SyntaxError(merged.place, "'<<' stands here twice; give one list, <<: [*first, *second]");
  const auto add = [&](const Item& from) {
    if (from.kind != Item::Kind::mapping)
      throw SyntaxError(merged.place, "'<<' takes a mapping or a list of mappings, found " + describe(from));
    for (const Item& item : from.items)
      if (!mapping.find(item.key)) mapping.items.push_back(item);
  };
  if (merged.kind != Item::Kind::sequence) return add(merged);
  for (const Item& one : merged.items) add(one);
}

// Builds the tree: entries that are still open stand in a stack, and go to their parents when they are whole.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const Places& places) : places_(places) {}
  Item root;

  void OnDocumentStart(const YAML::Mark& mark) override {
    ++documents_;
    if (documents_ > 1) throw SyntaxError(places_.at(mark), "a second document begins here; a deck is one document");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(mark, anchor, Item{}); }
  // Tags decide what is text: 1 is a number, "1" is none.
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Item item;
    item.kind = Item::Kind::scalar;
    item.quoted = tag == "!" || tag.ends_with(":str");  // the parser tags a quoted scalar "!", a plain one "?"
    item.text = value;
    add(mark, anchor, std::move(item));
  }
  // Copies, since the tree has no references. Ten aliases of ten aliases multiply,
  // so the copies are counted, and the depth is that at the place of the alias.
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw SyntaxError(places_.at(mark), "an alias inside of what it stands for");
    const Extent size = extent(found->second);
    copied_ += size.items;
    if (copied_ > most_copied) throw SyntaxError(places_.at(mark), "the aliases expand to too many entries");
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
  // A list or mapping whose end has not come yet.
  struct Open {
    Item item;
    YAML::anchor_t anchor = 0;  // 0 without
    bool has_key = false;
    std::string key;  // of the value that comes next, in a mapping
    Place key_place;
  };
  const Places& places_;
  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, Item> anchors_;  // of what is closed
  std::size_t copied_ = 0;
  int documents_ = 0;

  void check_depth(const YAML::Mark& mark, std::size_t more) const {
    if (open_.size() + more > deepest)
      throw SyntaxError(places_.at(mark), fmt::format("nested more than {} levels deep", deepest));
  }
  void open(const YAML::Mark& mark, YAML::anchor_t anchor, Item::Kind kind) {
    check_depth(mark, 1);
    // YAML allows lists as keys; a deck has names. Whether this is one shows at its end: the parser takes a list that is
    // not closed for a key, too.
    Open next;
    next.anchor = anchor;
    next.item.kind = kind;
    next.item.place = places_.at(mark);
    open_.push_back(std::move(next));
  }
  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    if (done.item.kind == Item::Kind::mapping) merge_keys(done.item);
    // Only what is whole can be named: an alias inside of its own anchor has no end.
    if (done.anchor != 0) anchors_[done.anchor] = done.item;
    attach(std::move(done.item));
  }
  void add(const YAML::Mark& mark, YAML::anchor_t anchor, Item item) {
    item.place = places_.at(mark);
    if (anchor != 0) anchors_[anchor] = item;
    attach(std::move(item));
  }
  // To the open entry above: an element of a list, a key, or the value of the key before.
  // Values of mappings stand at the place of their key, where messages point.
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
      if (item.kind == Item::Kind::nothing) throw SyntaxError(item.place, "a key must be a name");
      if (item.kind != Item::Kind::scalar)
        throw SyntaxError(item.place, "a key must be a name, not a list or a mapping");
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
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F))
    return 0;
  for (std::size_t i = 1; i < length; ++i)
    if (byte(at + i) < 0x80 || byte(at + i) > 0xBF) return 0;
  return length;
}

// YAML knows no other control characters than tab and line breaks.
bool is_control(char c) {
  const bool below_space = static_cast<unsigned char>(c) < 0x20;
  return c == 0x7F || (below_space && c != '\t' && c != '\n' && c != '\r');
}

// YAML forbids tabs as indentation, and what a parser reports of them helps nobody. `line` counts from 1.
bool is_indented_by_tab(const std::string& text, int line) {
  std::size_t begin = 0;
  for (int i = 1; i < line && begin != std::string::npos; ++i) begin = text.find('\n', begin + (i > 1 ? 1 : 0));
  if (begin == std::string::npos || line < 1) return false;
  // The blanks that the line begins with.
  const std::size_t first = line == 1 ? 0 : begin + 1;
  const std::size_t end = std::min(text.find_first_not_of(" \t", first), text.size());
  return text.substr(first, end - first).find('\t') != std::string::npos;
}

// What the parser reports, in the words of a deck's author.
std::string remedy_for(const YAML::Exception& error) {
  static const std::pair<std::string_view, std::string_view> remedies[] = {
      {YAML::ErrorMsg::END_OF_MAP_FLOW, "a '}' or a comma is missing"},
      {YAML::ErrorMsg::END_OF_SEQ_FLOW, "a ']' or a comma is missing"},
      {YAML::ErrorMsg::END_OF_MAP, "expected the next 'key: value' here; look at the indentation and at quotes"},
      {YAML::ErrorMsg::END_OF_SEQ, "expected the next '- value' here; look at its indentation"},
      {YAML::ErrorMsg::FLOW_END, "this closing bracket does not belong to an opening one of its kind"},
      {YAML::ErrorMsg::BLOCK_ENTRY, "a '- ' where no list can begin; put it on a line of its own"},
      {YAML::ErrorMsg::EOF_IN_SCALAR, "a quote is not closed"},
      {YAML::ErrorMsg::MAP_VALUE, "a ':' where no key can be; put quotes around a text that has ': ' in it"},
      {YAML::ErrorMsg::UNKNOWN_TOKEN, "no value begins with this character; put quotes around the text"},
  };
  for (const auto& [said, remedy] : remedies)
    if (error.msg.starts_with(said)) return std::string(remedy);
  return error.msg;
}

// The name that stands at a place after its '*'.
std::string alias_at(const std::string& text, const YAML::Mark& mark) {
  const auto begin = static_cast<std::size_t>(mark.pos) + 1;
  if (begin >= text.size()) return "";
  return text.substr(begin, text.find_first_of(" \t\r\n,]}", begin) - begin);
}

// Unknown anchors and tabs have messages of their own; a tab is often reported one line late.
[[noreturn]] void refuse(const std::string& text, Place place, const YAML::Exception& error) {
  if (error.msg.starts_with(YAML::ErrorMsg::UNKNOWN_ANCHOR))
    throw SyntaxError(place, fmt::format("there is no anchor '&{}' before this alias", alias_at(text, error.mark)));
  for (const int line : {place.line, place.line - 1})
    if (is_indented_by_tab(text, line))
      throw SyntaxError({line, 1}, "a tab indents this line; YAML takes spaces alone");
  throw SyntaxError(place, "this is not YAML: " + remedy_for(error));
}

}  // namespace

// Before the parser, which reports neither with a place.
void check_characters(const std::string& text) {
  Place place{1, 1};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    if (length == 0) throw SyntaxError(place, "this is not UTF-8 text; save the file in that encoding");
    if (is_control(text[at]))
      throw SyntaxError(place, fmt::format("a control character (code {}), which YAML does not allow; remove it",
                                           static_cast<int>(text[at])));
    // Of characters, as editors count them.
    ++place.column;
    if (text[at] == '\n') place = {place.line + 1, 1};
    at += length;
  }
}

Item parse_document(const std::string& text) {
  check_characters(text);
  const Places places(text);
  TreeBuilder builder(places);
  // At the end of a text, after a line break, the parser takes an open quote for a closed one; a comment there helps.
  std::istringstream stream(text.ends_with('\n') ? text + "#" : text);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) continue;
  } catch (const YAML::Exception& error) {
    refuse(text, places.at(error.mark), error);
  }
  return std::move(builder.root);
}

std::string yaml_version() { return POLHODE_YAML_CPP_VERSION; }

}  // namespace polhode::io
