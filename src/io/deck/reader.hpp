// SPDX-License-Identifier: BSD-3-Clause
// Reading values and mappings by their tables: types, bounds, references, expressions; what is wrong goes to the
// findings.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/yaml/findings.hpp"
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

// Names that values may refer to; filled before anything that refers to them is read.
// A list for suggestions, a map for look-ups.
struct Names {
  std::vector<std::string> list;
  std::unordered_map<std::string, const Item*> by_name;
  void add(const Item& item);
  bool contains(const std::string& name) const { return by_name.contains(name); }
};

// One for each deck: findings, parameters, names, and a function for each sort of value.
// Functions return nothing where a value is wrong, which they have reported; callers go on without it,
// so that all problems of a deck are found at once.
class Reader {
 public:
  Reader(Findings& found, std::string folder) : findings(found), folder_(std::move(folder)) {}

  Findings& findings;
  Names nodes;
  Names sections;
  Names bodies;
  Names beams;
  Names joints;
  std::unordered_map<std::string, int> inner_nodes;  // how many each beam has, known once the beams are read
  bool has_joints = false;
  double begin_time = 0;  // s, of the analysis that is read
  double end_time = 0;    // s, of all analyses: functions of time must be finite up to it

  // The named numbers of the deck; expressions see them from here on.
  void read_parameters(const Item& item);

  // Reads `item` by the keys of `table`: plain values are converted, unknown,
  // doubled and missing keys are reported. Empty only where `item` is no mapping at all.
  std::optional<Mapping> mapping(const Item& item, const std::string& path, const Table& table);

  // Calls `read` for each entry of a mapping from names; checks the names.
  using ReadEntry = std::function<void(const Item&, const std::string& path)>;
  void entries(const Item& item, const std::string& path, const ReadEntry& read);
  // Calls `read` for a mapping, or for each mapping of a list of them.
  void one_or_list(const Item& item, const std::string& path, const ReadEntry& read);

  // Empty where there is an error. `scale` turns degrees into radians; `place` is the table's name.
  std::optional<model::Value> value(const Item& item, const std::string& path, const model::Field& field,
                                    std::string_view place, double scale = 1);
  // A list of `size` numbers, or of any number of them where `size` is 0.
  std::optional<std::vector<double>> numbers(const Item& item, const std::string& path, const model::Field& field,
                                             int size, double scale = 1);
  // `size` rows of as many numbers.
  std::optional<math::MatrixX> matrix(const Item& item, const std::string& path, const model::Field& field, int size);
  // A list of names, none of them twice.
  std::optional<std::vector<std::string>> names(const Item& item, const std::string& path);
  std::optional<std::vector<std::string>> choices(const Item& item, const std::string& path, const model::Field& field);

 private:
  // Of the deck: files that it names are relative to it.
  std::string folder_;
  std::map<std::string, double, std::less<>> parameters_;
  // Those with an error of their own, whose users are silent.
  std::set<std::string, std::less<>> faulty_parameters_;

  void problem(const Item& item, const std::string& path, std::string message);
  void unknown_key(const Item& item, const std::string& path, const Table& table);
  bool is_faulty(const std::string& expression) const;
  std::optional<double> number(const Item& item, const std::string& path, const model::Field& field, double scale);
  // The value of "=..." without time.
  std::optional<double> expression(const Item& item, const std::string& path);
  std::optional<std::string> text(const Item& item, const std::string& path, std::string_view what = "a name");
  std::optional<std::string> choice(const Item& item, const std::string& path, const model::Field& field);
  bool check_node(const Item& item, const std::string& path, const std::string& name, bool inner);
  std::optional<std::string> reference(const Item& item, const std::string& path, const Names& known,
                                       std::string_view what);
  std::optional<std::vector<std::string>> section_list(const Item& item, const std::string& path);
  std::optional<math::MatrixX> points(const Item& item, const std::string& path, const model::Field& field);
  std::optional<std::vector<std::string>> node_pair(const Item& item, const std::string& path);
  std::optional<math::MatrixX> symmetric(const Item& item, const std::string& path, const model::Field& field,
                                         int size);
  std::optional<math::MatrixX> inertia(const Item& item, const std::string& path, const model::Field& field);
  std::optional<math::MatrixX> diagonal(const Item& item, const std::string& path, const model::Field& field, int size);
  std::optional<model::Weights> weights(const Item& item, const std::string& path, const model::Field& field);
  std::optional<math::MatrixX> vector_pair(const Item& item, const std::string& path, const model::Field& field);

  // functions.cpp
  std::optional<model::TimeFunction> function(const Item& item, const std::string& path, const model::Field& field,
                                              double scale);
  std::optional<model::TimeFunction> sampled(const Item& item, const std::string& path, const model::Field& field,
                                             double scale);
  bool read_columns(const Mapping& source, std::vector<double>& time, std::vector<double>& value);
  bool check_finite(const Item& item, const std::string& path, const model::TimeFunction& function);
};

}  // namespace polhode::io
