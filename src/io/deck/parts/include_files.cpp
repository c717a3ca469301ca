// SPDX-License-Identifier: BSD-3-Clause
// Reading included files: in the deck's folder unless others are allowed, none inside of itself.
#include "include_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "../model_reader.hpp"
#include "io/files/read_whole.hpp"
#include "table_entries.hpp"

namespace polhode::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 1000;

bool is_include(const Item& item) { return item.key == "include"; }

// Entries of this key stand together, whichever file they come from.
bool holds_entries(const std::string& key) {
  return std::any_of(deck_table.keys.begin(), deck_table.keys.end(), [&](const Key& one) {
    return one.field.name == key &&
           (one.form == Form::named || one.form == Form::kinds || one.form == Form::parameters);
  });
}

void set_file(Item& item, int file) {
  item.place.file = file;
  for (Item& inner : item.items) set_file(inner, file);
}

// `file` keys name tables beside the file that they stand in; those of the deck are relative to the deck.
void move_files(Item& item, const std::string& folder) {
  if (item.key == "file" && item.kind == Item::Kind::scalar && !item.text.starts_with('/'))
    item.text = folder + item.text;
  for (Item& inner : item.items) move_files(inner, folder);
}

// What is in both goes together where it is entries; else it stands twice, which the reader of the deck reports.
void merge(Item& root, Item& file) {
  for (Item& one : file.items) {
    if (one.key == "format") continue;
    const auto own =
        std::find_if(root.items.begin(), root.items.end(), [&](const Item& i) { return i.key == one.key; });
    const auto may_join = [](const Item& item) {
      return item.kind == Item::Kind::mapping || item.kind == Item::Kind::nothing;
    };
    if (own == root.items.end() || !holds_entries(one.key) || !may_join(*own) || !may_join(one)) {
      root.items.push_back(std::move(one));
      continue;
    }
    if (!one.items.empty()) own->kind = Item::Kind::mapping;
    for (Item& entry : one.items) own->items.push_back(std::move(entry));
  }
}

class Includer {
 public:
  Includer(DeckSource::Impl& deck, Includes allowed)
      : deck_(deck), allowed_(allowed), folder_(folder_of(deck.file)), reader_(findings_, folder_) {}

  void run() {
    base_ = canonical(folder_.empty() ? "." : folder_);
    if (const auto list = take_include(deck_.root))
      include_all(deck_.root, *list, folder_, {{deck_.file, canonical(deck_.file)}});
    findings_.set_files(deck_.included);
    if (!findings_.empty()) throw DeckError(findings_.text(deck_.file));
  }

 private:
  // An entry of the list.
  struct Request {
    std::string name;    // of the file, as it stands there
    std::string prefix;  // of its names, or ""
    std::string rows;    // what the rows of a table are; "": the file is YAML
  };
  // A file that is being read, for those that include themselves.
  struct Open {
    std::string name;
    fs::path path;
  };

  DeckSource::Impl& deck_;
  const Includes allowed_;
  const std::string folder_;  // of the deck
  fs::path base_;             // the same, without links
  Findings findings_;
  Reader reader_;

  // Absolute and without links; without a slash at its end, which would be one more part of the path.
  static fs::path canonical(const std::string& file) {
    std::error_code none;
    const fs::path path = fs::weakly_canonical(fs::absolute(file, none), none);
    return path.has_filename() ? path : path.parent_path();
  }

  std::optional<Item> take_include(Item& root) {
    const auto at = std::find_if(root.items.begin(), root.items.end(), is_include);
    if (at == root.items.end()) return std::nullopt;
    Item list = std::move(*at);
    root.items.erase(at);
    if (const auto second = std::find_if(root.items.begin(), root.items.end(), is_include); second != root.items.end())
      findings_.add(*second, "include", "'include' stands here twice; give one list of files");
    deck_.changed = true;
    return list;
  }

  void include_all(Item& root, const Item& list, const std::string& folder, const std::vector<Open>& open) {
    if (list.kind == Item::Kind::nothing) return;
    if (list.kind != Item::Kind::sequence)
      return findings_.add(list, "include", "expected a list of files, such as [legs.yaml], found " + describe(list));
    for (std::size_t i = 0; i < list.items.size(); ++i)
      include_one(root, list.items[i], fmt::format("include.{}", i), folder, open);
  }

  // Its entries go to `root`; what is wrong with the file to the findings.
  void include_one(Item& root, const Item& item, const std::string& path, const std::string& folder,
                   const std::vector<Open>& open) {
    const std::optional<Request> asked = request_of(item, path);
    if (!asked) return;
    const std::string file = asked->name.starts_with('/') ? asked->name : folder + asked->name;
    if (!may_read(item, path, asked->name, file, open)) return;
    WholeText whole = read_whole(file);
    if (whole.error != 0)
      return findings_.add(item, path,
                           fmt::format("cannot read '{}': {}; names of files are relative to the file that includes "
                                       "them",
                                       asked->name, std::strerror(whole.error)));
    if (!whole.refusal.empty()) return findings_.add(item, path, fmt::format("'{}' {}", asked->name, whole.refusal));
    auto tree = asked->rows.empty() ? parse(file, whole.text) : parse_table(file, whole.text, asked->rows);
    if (!tree) return;
    const auto list = take_include(*tree);
    if (const std::string own = folder_of(file); own != folder_) move_files(*tree, folder_from_deck(own));
    std::vector<Open> inner = open;
    inner.push_back({file, canonical(file)});
    if (list) include_all(*tree, *list, folder_of(file), inner);
    if (!asked->prefix.empty()) prefix_names(*tree, asked->prefix, findings_);
    merge(root, *tree);
  }

  std::optional<Request> request_of(const Item& item, const std::string& path) {
    if (item.kind == Item::Kind::scalar) {
      if (!item.text.ends_with(".csv")) return Request{item.text, "", ""};
      findings_.add(item, path,
                    fmt::format("'{}' is a table: say what its rows are, such as {{file: {}, rows: nodes}}", item.text,
                                item.text));
      return std::nullopt;
    }
    const std::size_t before = findings_.size();
    const auto given = reader_.mapping(item, path, include_table);
    if (!given || findings_.size() > before) return std::nullopt;
    Request asked{given->text("file", ""), given->text("prefix", ""), given->text("rows", "")};
    if (given->has("prefix") && !is_identifier(asked.prefix)) {
      findings_.add(*given->find("prefix"), path + ".prefix",
                    fmt::format("'{}' cannot begin names: letters, digits and '_', not first a digit", asked.prefix));
      return std::nullopt;
    }
    return asked;
  }

  bool may_read(const Item& item, const std::string& path, const std::string& name, const std::string& file,
                const std::vector<Open>& open) {
    const fs::path target = canonical(file);
    const fs::path from_base = target.lexically_relative(base_);
    if (allowed_ == Includes::inside && (from_base.empty() || *from_base.begin() == "..")) {
      findings_.add(item, path,
                    fmt::format("'{}' is outside of the deck's folder; put it there, or allow such files by "
                                "--allow-outside",
                                name));
      return false;
    }
    const auto again = std::find_if(open.begin(), open.end(), [&](const Open& one) { return one.path == target; });
    if (again != open.end()) {
      std::vector<std::string> trail;
      for (auto one = again; one != open.end(); ++one) trail.push_back(one->name);
      findings_.add(item, path,
                    fmt::format("{} includes itself: {} -> {}; take this entry from the list", file,
                                fmt::join(trail, " -> "), file));
      return false;
    }
    if (deck_.included.size() < most_files) return true;
    // Files that include two others each grow without end.
    if (findings_.empty())
      findings_.add(item, path, fmt::format("is more than {} files; put entries together in fewer", most_files));
    return false;
  }

  // The tree of a file, noted among the included ones.
  std::optional<Item> parse(const std::string& file, const std::string& text) {
    deck_.included.push_back(file);
    const int index = static_cast<int>(deck_.included.size());
    Item tree;
    try {
      tree = parse_document(text);
    } catch (const SyntaxError& error) {
      findings_.add(Place{error.place.line, error.place.column, index}, "include", error.what());
      return std::nullopt;
    }
    set_file(tree, index);
    tree.place = {1, 1, index};
    if (tree.kind != Item::Kind::mapping) {
      findings_.add(tree, "include",
                    "expected a mapping of entries, such as `nodes` or `parts`, found " + describe(tree));
      return std::nullopt;
    }
    // A file without it is no deck of its own.
    if (tree.find("format")) check_format(tree, deck_format, "file", findings_);
    return tree;
  }

  // The same of a table.
  std::optional<Item> parse_table(const std::string& file, const std::string& text, const std::string& entries) {
    deck_.included.push_back(file);
    const std::size_t before = findings_.size();
    Item tree = table_entries(text, file, entries, static_cast<int>(deck_.included.size()), findings_);
    return findings_.size() > before ? std::nullopt : std::optional(std::move(tree));
  }

  // Of a folder below that of the deck; others are absolute.
  std::string folder_from_deck(const std::string& folder) const {
    if (folder.starts_with(folder_)) return folder.substr(folder_.size());
    return fs::absolute(folder).lexically_normal().string();
  }
};

}  // namespace

void include_files(DeckSource::Impl& deck, Includes allowed) {
  if (deck.root.find("include")) Includer(deck, allowed).run();
}

}  // namespace polhode::io
