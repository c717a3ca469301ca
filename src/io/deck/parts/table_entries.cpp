// SPDX-License-Identifier: BSD-3-Clause
// Rows of a table as a tree: heads are paths, cells are values.
#include "table_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "io/csv/csv.hpp"

namespace polhode::io {
namespace {

// A key of an entry, and the component of its list where it is one.
struct Column {
  std::string key;
  int component = -1;
};

// "position.x" and "position.0" are the same component.
std::optional<Column> column_of(const std::string& head, const std::string& entries) {
  const std::string letters = "xyz";
  if (entries == "nodes" && head.size() == 1 && letters.find(head[0]) != std::string::npos)
    return Column{"position", static_cast<int>(letters.find(head[0]))};
  const std::size_t dot = head.rfind('.');
  if (dot == std::string::npos) return head.empty() ? std::nullopt : std::optional(Column{head, -1});
  const std::string last = head.substr(dot + 1);
  if (dot == 0 || last.size() != 1 || head.find('.') != dot) return std::nullopt;
  if (letters.find(last[0]) != std::string::npos)
    return Column{head.substr(0, dot), static_cast<int>(letters.find(last[0]))};
  if (last[0] >= '0' && last[0] <= '9') return Column{head.substr(0, dot), last[0] - '0'};
  return std::nullopt;
}

class TableEntries {
 public:
  TableEntries(const std::string& name, const std::string& key, int file, Findings& findings)
      : name_(name), key_(key), file_(file), findings_(findings) {}

  Item read(const std::string& text) {
    Item root = mapping({1, 1, file_});
    std::istringstream stream(text);
    const CsvDelimiter delimiter = find_delimiter(stream, name_);
    if (!delimiter.problem.empty()) {
      add(1, delimiter.problem);
      return root;
    }
    delimiter_ = delimiter.character;
    stream.clear();
    stream.seekg(0);
    CsvReader reader(stream, delimiter_);
    std::vector<std::string> cells;
    if (!reader.next(cells)) {
      add(1, "the table is empty; its first row has heads, the first of them `name`");
      return root;
    }
    if (!check_cells(cells, reader.line()) || !take_heads(cells, reader.line())) return root;
    Item entries = mapping({reader.line(), 1, file_});
    entries.key = key_;
    while (reader.next(cells) && check_cells(cells, reader.line()))
      if (std::optional<Item> entry = entry_of(cells, reader.line())) entries.items.push_back(std::move(*entry));
    root.items.push_back(std::move(entries));
    return root;
  }

 private:
  const std::string& name_;
  const std::string& key_;
  const int file_;
  Findings& findings_;
  char delimiter_ = ',';
  std::vector<std::string> heads_;
  std::vector<Column> columns_;

  void add(int line, const std::string& message) { findings_.add(Place{line, 1, file_}, key_, message); }

  // Cells are parts of the deck's text, which results keep.
  bool check_cells(const std::vector<std::string>& cells, int line) {
    try {
      for (const std::string& cell : cells) check_characters(cell);
    } catch (const SyntaxError& error) {
      add(line, error.what());
      return false;
    }
    return true;
  }

  static Item mapping(const Place& place) {
    Item item;
    item.kind = Item::Kind::mapping;
    item.place = place;
    return item;
  }

  bool take_heads(const std::vector<std::string>& heads, int line) {
    if (heads.front() != "name") {
      add(line, fmt::format("the head of the first column is 'name', the others are keys of {}, such as {}; found '{}'",
                            key_, key_ == "nodes" ? "x, y, z" : "from, to", heads.front()));
      return false;
    }
    heads_ = heads;
    for (std::size_t i = 1; i < heads.size(); ++i) {
      const std::optional<Column> column = column_of(heads[i], key_);
      if (!column) {
        add(line,
            fmt::format("column {}: '{}' is neither a key nor a component of one, such as position.x or inertia.0",
                        i + 1, heads[i]));
        return false;
      }
      columns_.push_back(*column);
    }
    return true;
  }

  // Numbers of tables may have decimal commas. Most cells are numbers, which need no parser.
  std::optional<Item> value_of(const std::string& cell, const Place& place) {
    Item value;
    const std::optional<double> number = csv_number(cell, delimiter_);
    if (number || cell.starts_with('=')) {
      const bool has_comma = number && cell.find(',') != std::string::npos;
      value.kind = Item::Kind::scalar;
      value.text = has_comma ? fmt::format("{}", *number) : cell;
    } else {
      try {
        value = parse_document(cell);
      } catch (const SyntaxError& error) {
        add(place.line, fmt::format("cell '{}': {}", cell, error.what()));
        return std::nullopt;
      }
    }
    set_place(value, place);
    return value;
  }

  static void set_place(Item& item, const Place& place) {
    item.place = place;
    for (Item& inner : item.items) set_place(inner, place);
  }

  std::optional<Item> entry_of(const std::vector<std::string>& cells, int line) {
    const Place place{line, 1, file_};
    if (cells.size() > heads_.size()) {
      add(line, fmt::format("{} cells under {} heads", cells.size(), heads_.size()));
      return std::nullopt;
    }
    if (cells.front().empty()) {
      add(line, "a row without a name");
      return std::nullopt;
    }
    Item entry = mapping(place);
    entry.key = cells.front();
    for (std::size_t i = 1; i < cells.size(); ++i) {
      if (cells[i].empty()) continue;
      std::optional<Item> value = value_of(cells[i], place);
      if (!value) return std::nullopt;
      if (!put(entry, columns_[i - 1], std::move(*value), heads_[i], line)) return std::nullopt;
    }
    return entry;
  }

  // Components come in the order of their list.
  bool put(Item& entry, const Column& column, Item value, const std::string& head, int line) {
    auto at =
        std::find_if(entry.items.begin(), entry.items.end(), [&](const Item& one) { return one.key == column.key; });
    if (column.component < 0) {
      value.key = column.key;
      entry.items.push_back(std::move(value));
      return true;
    }
    if (at == entry.items.end()) {
      Item list;
      list.kind = Item::Kind::sequence;
      list.key = column.key;
      list.place = entry.place;
      at = entry.items.insert(at, std::move(list));
    }
    if (at->kind != Item::Kind::sequence || static_cast<int>(at->items.size()) != column.component) {
      add(line,
          fmt::format("'{}' has no value before this one: components of a list stand in order, none empty", head));
      return false;
    }
    value.listed = true;
    at->items.push_back(std::move(value));
    return true;
  }
};

}  // namespace

Item table_entries(const std::string& text, const std::string& name, const std::string& key, int file,
                   Findings& findings) {
  return TableEntries(name, key, file, findings).read(text);
}

}  // namespace polhode::io
