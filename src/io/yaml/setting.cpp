// SPDX-License-Identifier: BSD-3-Clause
// Changes of a deck by --set PATH=VALUE, and the changed deck as YAML text.
#include <yaml.h>

#include <algorithm>
#include <charconv>
#include <new>

#include "document.hpp"

namespace polhode::io {
namespace {

// The place (0, 0) says that an entry comes from the command line.
void forget_places(Item& item) {
  item.place = {};
  for (Item& inner : item.items) forget_places(inner);
}

Item parse_value(const std::string& setting, const std::string& text) {
  if (text.starts_with('=')) {  // an expression, which needs no quotes here
    Item item;
    item.kind = Item::Kind::scalar;
    item.quoted = true;
    item.text = text;
    return item;
  }
  try {
    Item item = parse_document(text);
    forget_places(item);
    return item;
  } catch (const SyntaxError& error) {
    throw SettingError("--set " + setting + ": the value: " + error.what());
  }
}

// The entry `key` of `parent`, made where it is missing.
Item& descend(Item& parent, const std::string& key, const std::string& path, const std::string& setting, Place place) {
  if (parent.kind == Item::Kind::nothing) parent.kind = Item::Kind::mapping;
  if (parent.kind == Item::Kind::mapping) {
    for (Item& item : parent.items)
      if (item.key == key) return item;
    Item made;
    made.key = key;
    made.place = place;
    return parent.items.emplace_back(std::move(made));
  }
  if (parent.kind == Item::Kind::sequence) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
    if (error == std::errc{} && end == key.data() + key.size() && index < parent.items.size())
      return parent.items[index];
    throw SettingError("--set " + setting + ": '" + path + "' is a list of " + std::to_string(parent.items.size()) +
                       ", counted from 0; it has no '" + key + "'");
  }
  throw SettingError("--set " + setting + ": '" + path + "' is " + describe(parent) + " and has no '" + key + "'");
}

// The entry of a path. What is missing on the way is made, at the place of its parent or without one. `setting` is for
// messages.
Item& entry_at(Item& root, const std::string& path, const std::string& setting, bool with_place) {
  Item* item = &root;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    if (end == begin) throw SettingError("--set " + setting + ": an empty name in the path '" + path + "'");
    item = &descend(*item, path.substr(begin, end - begin), path.substr(0, begin == 0 ? 0 : begin - 1), setting,
                    with_place ? item->place : Place{});
    begin = end + 1;
  }
  return *item;
}

// Writes by the events of libyaml: lists of scalars on one line, all else in blocks.
class Writer {
 public:
  std::string text;

  Writer() {
    if (!yaml_emitter_initialize(&emitter_)) throw std::bad_alloc();
    yaml_emitter_set_output(&emitter_, append, this);
    yaml_emitter_set_unicode(&emitter_, 1);
    yaml_emitter_set_width(&emitter_, -1);
  }
  ~Writer() { yaml_emitter_delete(&emitter_); }
  Writer(const Writer&) = delete;

  void write_document(const Item& root) {
    yaml_event_t e;
    put(yaml_stream_start_event_initialize(&e, YAML_UTF8_ENCODING), e);
    put(yaml_document_start_event_initialize(&e, nullptr, nullptr, nullptr, 1), e);
    write(root);
    put(yaml_document_end_event_initialize(&e, 1), e);
    put(yaml_stream_end_event_initialize(&e), e);
  }

 private:
  static int append(void* writer, unsigned char* bytes, std::size_t size) {
    static_cast<Writer*>(writer)->text.append(reinterpret_cast<const char*>(bytes), size);
    return 1;
  }
  void put(int made, yaml_event_t& event) {
    if (!made || !yaml_emitter_emit(&emitter_, &event)) throw std::bad_alloc();  // nothing else can fail
  }
  void scalar(const std::string& value, yaml_scalar_style_t style) {
    yaml_event_t e;
    put(yaml_scalar_event_initialize(&e, nullptr, nullptr, reinterpret_cast<const yaml_char_t*>(value.data()),
                                     static_cast<int>(value.size()), 1, 1, style),
        e);
  }
  void write(const Item& item) {
    yaml_event_t e;
    switch (item.kind) {
      case Item::Kind::nothing:
        return scalar("~", YAML_PLAIN_SCALAR_STYLE);
      case Item::Kind::scalar:
        return scalar(item.text, item.quoted ? YAML_DOUBLE_QUOTED_SCALAR_STYLE : YAML_PLAIN_SCALAR_STYLE);
      case Item::Kind::sequence: {
        const bool plain = std::all_of(item.items.begin(), item.items.end(),
                                       [](const Item& i) { return i.kind == Item::Kind::scalar; });
        put(yaml_sequence_start_event_initialize(&e, nullptr, nullptr, 1,
                                                 plain ? YAML_FLOW_SEQUENCE_STYLE : YAML_BLOCK_SEQUENCE_STYLE),
            e);
        for (const Item& inner : item.items) write(inner);
        return put(yaml_sequence_end_event_initialize(&e), e);
      }
      case Item::Kind::mapping:
        put(yaml_mapping_start_event_initialize(&e, nullptr, nullptr, 1, YAML_BLOCK_MAPPING_STYLE), e);
        for (const Item& inner : item.items) {
          scalar(inner.key, YAML_PLAIN_SCALAR_STYLE);
          write(inner);
        }
        return put(yaml_mapping_end_event_initialize(&e), e);
    }
  }

  yaml_emitter_t emitter_;
};

}  // namespace

void apply_setting(Item& root, const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0)
    throw SettingError("--set " + setting + ": expected PATH=VALUE, such as analysis.step=0.001");
  const std::string path = setting.substr(0, equals);
  Item& item = entry_at(root, path, setting, false);
  Item value = parse_value(setting, setting.substr(equals + 1));
  value.key = std::move(item.key);
  value.listed = item.listed;
  item = std::move(value);
}

const Item* find_entry(const Item& root, const std::string& path) {
  const Item* item = &root;
  for (std::size_t begin = 0; item && begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string_view key = std::string_view(path).substr(begin, end - begin);
    begin = end + 1;
    if (item->kind != Item::Kind::sequence) {
      item = item->find(key);
      continue;
    }
    std::size_t index = 0;
    const auto [stop, error] = std::from_chars(key.data(), key.data() + key.size(), index);
    const bool there = error == std::errc{} && stop == key.data() + key.size() && index < item->items.size();
    item = there ? &item->items[index] : nullptr;
  }
  return item;
}

void apply_value(Item& root, const std::string& path, const std::string& value) {
  Item& item = entry_at(root, path, path + "=" + value, true);
  item.kind = Item::Kind::scalar;
  item.quoted = false;
  item.text = value;
  item.items.clear();
}

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

std::string write_document(const Item& root) {
  Writer writer;
  writer.write_document(root);
  return std::move(writer.text);
}

}  // namespace polhode::io
