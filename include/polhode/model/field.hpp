// SPDX-License-Identifier: BSD-3-Clause
// One input of a kind, declared once: the deck reader, the JSON schema, the reference page and the echo all walk the
// same list.
#pragma once
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "polhode/math/types.hpp"
#include "polhode/model/function.hpp"

namespace polhode::model {

// What a value may be, with the C++ type under which Entry has it. The reader checks all that is said here, and reports
// the place in the deck and what it found.
enum class FieldType {
  flag,        // bool
  integer,     // double with a whole value
  number,      // double; also "=expression"
  text,        // std::string
  choice,      // std::string out of Field::choices
  node,        // std::string: the name of a node (ground not allowed)
  node_pair,   // std::vector<std::string> of two: names of nodes, at most one of them `ground`, and not twice the same
  section,     // std::string: the name of a section
  vector3,     // VectorX(3)
  direction,   // VectorX(3) of length > 0, stored as given
  inertia,     // MatrixX(3, 3): three principal values or a symmetric 3x3 matrix
  matrix6,     // MatrixX(6, 6), symmetric
  diagonal6,   // MatrixX(6, 6), symmetric: six diagonal values or a 6x6 matrix; bounds are those of the six values
  point_pair,  // MatrixX(3, 2): a point on a and a point on b
  axes,        // MatrixX(3, 2): two directions of length > 0, stored as given
  numbers,     // VectorX: a list of Field::size numbers
  function,    // TimeFunction
  law,         // Expression of the Field::variables and t
  numbers_or_law,     // VectorX as of numbers, or Expression as of a law that is no mere number
  group,              // a mapping of the fields in Field::members; the entry has them under "name.member"
  weights,            // Weights: coordinates of joints, each with a number
  one_or_six,         // VectorX(6): six numbers, or one for all
  points,             // MatrixX(n, 3), one point a row
  rows,               // MatrixX, a list of rows of the same length
  functions,          // std::vector<TimeFunction>: a list of functions of time
  sections,           // std::vector<std::string>: names of sections, each as often as wanted
  beam,               // std::string: the name of a beam
  names,              // std::vector<std::string>: a list of names, none of them twice
  choices,            // std::vector<std::string>: a list out of Field::choices, none of them twice
  choice_or_integer,  // std::string out of Field::choices, or double with a whole value
};

// Of coordinates, as the deck names them ("A", or "A.rotation" where the joint A has several).
using Weights = std::map<std::string, double>;

// One value as read; std::monostate where none is given.
using Value = std::variant<std::monostate, bool, double, std::string, std::vector<std::string>, math::VectorX,
                           math::MatrixX, TimeFunction, Weights, std::vector<TimeFunction>, Expression>;

// How a value follows a part of the deck that is placed elsewhere, moved and turned.
enum class Frame {
  own,          // not at all: a scalar, or components in a frame that goes along
  point,        // coordinates of points in the frame of the part: moved and turned
  direction,    // components in the frame of the part: turned
  orientation,  // a mapping of an orientation in the frame of the part: turned; the identity where it is missing
  axes,         // names of inertial axes, which cannot be turned
};

// What one input is called, what it may be, and what it means. Objects of it are constants of a kind's source; the
// strings that they refer to are literals.
struct Field {
  std::string_view name{};
  FieldType type{};
  // SI, "" where none
  std::string_view unit = "";
  // One line for reference and schema
  std::string_view doc = "";
  bool required = false;
  // Bounds of a number, or of each component; inclusive unless said otherwise
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  // Value > min, not >= min; and the same of max
  bool min_exclusive = false;
  bool max_exclusive = false;
  // The default as a deck would write it; "": none
  std::string_view default_text = "";
  // Of FieldType::choice, FieldType::choices and FieldType::choice_or_integer
  std::span<const std::string_view> choices{};
  // Of FieldType::group
  std::span<const Field> members{};
  // Of FieldType::group: or a list of such groups, which the entry has under "name.0.member", "name.1.member"
  bool or_list = false;
  // Of FieldType::numbers: how many; 0: any number of them
  int size = 0;
  // Of FieldType::function: none for a function of time, or one letter. Of laws: the names beside t.
  std::span<const std::string_view> variables{};
  // Of FieldType::function and FieldType::functions: of time and signals
  bool signals = false;
  // Of values that are inertial in a deck without parts
  Frame frame = Frame::own;
  // A key beside it that, given and not false, makes `frame` one of its own
  std::string_view own_with = "";
};

// What a kind gives as results: `rows` x `columns` numbers an element and stored state.
struct Output {
  // Of the dataset
  std::string_view name;
  std::string_view unit;
  // "inertial", "body", "section" or ""
  std::string_view frame;
  std::string_view doc;
  // Numbers an element
  int size;
  // True: one row an element, [T, e, size]; false: the entry has one element, [T, size]
  bool per_element = false;
};

// The lists of the deck that hold elements, signals and events, in the order in which they are built; behind them what
// analyses do to joints at their start.
enum class Family { body, beam, joint, force, signal, event, analysis };
// "bodies", "beams", "joints", "forces", "signals", "events", "analysis".
std::string_view deck_key(Family family);

struct KindInfo;

// One entry of the deck, as read: the values of its kind's fields, defaults not filled in.
class Entry {
 public:
  std::string name;
  Family family{};
  const KindInfo* kind = nullptr;
  std::map<std::string, Value, std::less<>> values;

  // Accessors. The key must be a field of the kind, the type of the field that of the accessor, and the value present:
  // the reader has checked required fields, types and bounds; ask `has` for optional ones, or pass `otherwise`.
  // Places in the deck, for messages.
  // "joints.pivot"; "analysis" of a deck with one analysis, whose entry has no name.
  std::string path() const;
  // "joints.pivot.axis".
  std::string path(std::string_view key) const;
  // True if the deck gives the key; members of groups as "group.member".
  bool has(std::string_view key) const;
  // True if the deck gives a law under the key.
  bool has_law(std::string_view key) const;
  // With `otherwise` the key may be missing, without it it must be there.
  bool flag(std::string_view key, bool otherwise) const;
  double number(std::string_view key) const;
  double number(std::string_view key, double otherwise) const;
  // References are valid as long as the entry.
  const std::string& text(std::string_view key) const;
  const std::vector<std::string>& names(std::string_view key) const;
  // In SI units, in the frame that the field's documentation names; the deck's directions are not normalized.
  math::Vec3 vector3(std::string_view key) const;
  math::Vec3 vector3(std::string_view key, const math::Vec3& otherwise) const;
  math::Mat3 matrix3(std::string_view key) const;
  const math::MatrixX& matrix(std::string_view key) const;
  const math::VectorX& vector(std::string_view key) const;
  // The reader has compiled it; functions of another variable than time are TimeFunctions, too.
  const TimeFunction& function(std::string_view key) const;
  const std::vector<TimeFunction>& functions(std::string_view key) const;
  // Of the field's variables, in their order, and t.
  const Expression& law(std::string_view key) const;
  const Weights& weights(std::string_view key) const;
};

}  // namespace polhode::model
