// SPDX-License-Identifier: BSD-3-Clause
// Reading mappings by their tables: keys, and one value by its field; what is wrong goes to the findings.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "io/yaml/findings.hpp"
#include "matrices.hpp"
#include "names.hpp"
#include "plain_values.hpp"
#include "references.hpp"
#include "tables.hpp"

namespace polhode::io {

// A mapping of the deck, its plain values converted. A value with an error is missing here and already reported.
struct Mapping {
  const Item* item = nullptr;
  std::string path{};
  std::map<std::string, model::Value, std::less<>> values{};
  std::size_t findings_before = 0;  // how many findings there were before this mapping was read

  // The entry of the key, also where it stands as KEY_deg; nullptr if absent.
  const Item* find(std::string_view key) const;
  bool has(std::string_view key) const { return find(key) != nullptr; }
  template <class T>
  const T* value(std::string_view key) const {
    const auto found = values.find(key);
    return found == values.end() ? nullptr : std::get_if<T>(&found->second);
  }
  double number(std::string_view key, double otherwise) const;
  std::string text(std::string_view key, std::string_view otherwise) const;
  math::Vec3 vector3(std::string_view key, const math::Vec3& otherwise) const;
};

// Of the parts of a deck that were read before, what checks of later ones need.
struct DeckFacts {
  bool has_joints = false;
  double begin_time = 0;  // s, of the analysis that is read
  double end_time = 0;    // s, of all analyses: functions of time must be finite up to it
  bool end_is_known = false;  // all analyses are sound: end_time is that of the run
};

// One for each deck: reads mappings and values, and holds what reading them needs.
// Functions return nothing where a value is wrong, which they have reported; callers go on without it,
// so that all problems of a deck are found at once.
class Reader {
 public:
  // `folder` is that of the deck: files that it names are relative to it.
  Reader(Findings& found, std::string folder);
  Reader(const Reader&) = delete;  // the parts refer to each other
  Reader& operator=(const Reader&) = delete;

  Findings& findings;
  const std::string folder;
  DeckNames names;
  DeckFacts facts;
  // Files that were read beside the deck.
  std::vector<std::string> tables;
  Parameters parameters;
  // Values of a known type.
  PlainReader plain;
  MatrixReader matrices;
  ReferenceReader references;

  // Reads `item` by the keys of `table`: plain values are converted, unknown,
  // doubled and missing keys are reported. Empty only where `item` is no mapping at all.
  std::optional<Mapping> mapping(const Item& item, const std::string& path, const Table& table);

  // Calls `read` for each entry of a mapping from names; checks the names.
  using ReadEntry = std::function<void(const Item&, const std::string& path)>;
  void entries(const Item& item, const std::string& path, const ReadEntry& read);
  // Calls `read` for a mapping, or for each mapping of a list of them.
  void one_or_list(const Item& item, const std::string& path, const ReadEntry& read);

  // A value by the type of its field, empty where there is an error. `scale` turns degrees into radians; `place` is the
  // table's name.
  std::optional<model::Value> value(const Item& item, const std::string& path, const model::Field& field,
                                    std::string_view place, double scale = 1);

 private:
  void unknown_key(const Item& item, const std::string& path, const Table& table);
};

}  // namespace polhode::io
