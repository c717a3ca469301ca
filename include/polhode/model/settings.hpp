// SPDX-License-Identifier: BSD-3-Clause
// Settings declared once: a table beside a struct binds each key of the deck to a member, with type, unit, bounds,
// choices and one line of documentation. Reader, JSON schema, reference page and echo walk such tables.
//
//   struct Options {
//     enum class Control { load, arc_length } control = Control::load;
//     double tolerance = 1e-9;
//     std::optional<double> largest;  // a key without a default
//   };
//   template <>
//   struct model::Choices<Options::Control> {
//     static constexpr std::array<std::pair<Options::Control, std::string_view>, 2> all{
//         {{Options::Control::load, "load"}, {Options::Control::arc_length, "arc_length"}}};
//   };
//   constexpr model::Setting keys[] = {
//       model::setting<&Options::control>({.name = "control", .doc = "what grows"}),
//       model::setting<&Options::tolerance>({.name = "tolerance", .doc = "of the increments", .min = 0}),
//       model::setting<&Options::largest>({.name = "largest", .unit = "s", .doc = "step", .min = 0}),
//   };
//   const model::SettingsTable table{"options", "What is done.", keys};
#pragma once
#include <array>
#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "polhode/model/field.hpp"
#include "polhode/model/problem.hpp"
#include "polhode/model/text.hpp"

namespace polhode::model {

// The names of an enum in the deck; specialized by the enum's owner as in the example above.
template <class E>
struct Choices;

struct SettingsTable;

// One key, bound to a member of a settings struct. The `void*` arguments are pointers to that struct: to the very type
// that declares the member (not to one derived from it).
// Plain pointers to functions, so that tables are constants of the program, made when it is compiled.
struct Setting {
  // What is not given follows from the member: type, choices, size, and default_text (see `text_of_default`).
  Field field;
  // Writes a value of the type that the reader makes of `field` (see FieldType) to the member.
  void (*assign)(void* settings, const Value& value) = nullptr;
  // The member as a value; monostate where an optional member is empty.
  Value (*read)(const void* settings) = nullptr;
  // The member of a default-constructed struct.
  Value (*otherwise)() = nullptr;

  // Of a group: the table of the struct that the member is.
  const SettingsTable* members = nullptr;
  // That struct; an empty optional member is made.
  void* (*nested)(void* settings) = nullptr;
  // The same, nullptr where an optional member is empty.
  const void* (*find)(const void* settings) = nullptr;
  // A plain value, or the mapping of `members`.
  bool or_value = false;
};

// One of several forms of a mapping, each with keys of its own: a method, a type of analysis.
struct Alternative {
  std::string_view name;
  // One line
  std::string_view doc;
  // Its own keys; nullptr: none
  const SettingsTable* table = nullptr;
};

// The forms, and the key that names one of them ("method: lie_alpha").
struct Alternatives {
  // Its name, doc, and default_text or required; type and choices follow.
  Field key;
  // All forms, in the order of the reference page.
  std::span<const Alternative> (*all)() = nullptr;
  // Takes the alternative of this name, which is one of `all`: sets it in the settings, and returns the struct of
  // Alternative::table with its defaults (nullptr where it has no table).
  void* (*choose)(void* settings, std::string_view name) = nullptr;
  // Name of the chosen one.
  std::string_view (*name_of)(const void* settings) = nullptr;
  // The struct of the chosen one; nullptr where it has no table.
  const void* (*find)(const void* settings) = nullptr;
};

// What of a mapping stands in the deck, for SettingsTable::complete.
// It has keys, not values: what is not there keeps the default in the settings.
struct Given {
  // Of the mapping: "analysis.0.step"
  std::string path;
  // Those that stand there, without _deg; their values may be wrong
  std::span<const std::string_view> keys;
  // Where the analysis that is read begins, s
  double begin_time = 0;
  // s, of all analyses of the deck; 0 where it is not known
  double end_time = 0;
  // The deck has joints
  bool has_joints = false;
  // The mappings inside have been read without problems; if not, they may hold defaults where values were wrong
  bool inner_right = true;

  // Whether the deck gives the key; its full path, for messages.
  bool has(std::string_view key) const;
  // "analysis.0.step.max".
  std::string path_of(std::string_view key) const;
};

// A mapping: keys in the order of the reference page. With `alternatives`, the mapping holds also the key that chooses,
// and the keys of what is chosen.
struct SettingsTable {
  // Of its section in the reference page
  std::string_view name;
  // A sentence or two
  std::string_view doc;
  std::span<const Setting> settings;
  // nullptr: a plain mapping
  const Alternatives* alternatives = nullptr;
  // Called once the keys are read, if each value by itself is right (of the mappings inside: Given::inner_right): adds what is wrong between several keys to the
  // problems, and brings the settings to their normal form (directions of length 1, times sorted).
  // Made of a function of the struct by `completed_by`; nullptr: nothing to do.
  void (*complete)(void* settings, const Given& given, Problems& problems) = nullptr;
};

namespace settings_detail {

// Struct and type of a pointer to a member.
template <class M>
struct MemberTraits;
template <class S, class T>
struct MemberTraits<T S::*> {
  using Struct = S;
  using Type = T;
};

// The type without the optional.
template <class T>
struct Bare {
  using Type = T;
  static constexpr bool optional = false;
};
template <class T>
struct Bare<std::optional<T>> {
  using Type = T;
  static constexpr bool optional = true;
};

// N of an array of N numbers, 0 for all else.
template <class T>
struct ArraySize : std::integral_constant<int, 0> {};
template <std::size_t N>
struct ArraySize<std::array<double, N>> : std::integral_constant<int, static_cast<int>(N)> {};

template <class T>
inline constexpr bool is_list = std::is_same_v<T, std::vector<double>> || ArraySize<T>::value > 0;

// Names of an enum, in the order of Choices<E>::all.
template <class E>
inline constexpr auto names_of_choices = [] {
  std::array<std::string_view, Choices<E>::all.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = Choices<E>::all[i].second;
  return names;
}();

// A member as a value: numbers become double, lists and vectors VectorX, so that a Value has few forms. An enum outside
// its list of choices becomes monostate.
template <class T>
Value to_value(const T& member) {
  if constexpr (std::is_enum_v<T>) {
    for (const auto& [value, name] : Choices<T>::all)
      if (value == member) return std::string(name);
    return {};
  } else if constexpr (std::is_same_v<T, bool>) {
    return member;
  } else if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(member);
  } else if constexpr (is_list<T>) {
    return math::VectorX(Eigen::Map<const math::VectorX>(member.data(), static_cast<Eigen::Index>(member.size())));
  } else if constexpr (std::is_same_v<T, math::Vec3>) {
    return math::VectorX(member);
  } else {
    return member;
  }
}

// Writes a value to a member. Throws std::bad_variant_access where the value is of another type than the member asks
// for; the reader sees to it that it never is.
template <class T>
void from_value(const Value& value, T& member) {
  if constexpr (std::is_enum_v<T>) {
    for (const auto& [choice, name] : Choices<T>::all)
      if (name == std::get<std::string>(value)) member = choice;
  } else if constexpr (std::is_same_v<T, bool>) {
    member = std::get<bool>(value);
  } else if constexpr (std::is_arithmetic_v<T>) {
    member = static_cast<T>(std::get<double>(value));
  } else if constexpr (std::is_same_v<T, std::vector<double>>) {
    const auto& list = std::get<math::VectorX>(value);
    member.assign(list.begin(), list.end());
  } else if constexpr (is_list<T>) {
    const auto& list = std::get<math::VectorX>(value);
    for (std::size_t i = 0; i < member.size(); ++i) member[i] = list[static_cast<Eigen::Index>(i)];
  } else if constexpr (std::is_same_v<T, math::Vec3>) {
    member = std::get<math::VectorX>(value);
  } else {
    member = std::get<T>(value);
  }
}

// The type of the field where the member alone says it; what the field says where one type of member has several forms.
// `said` is the type in the field, which counts where a string or a Vec3 may be several things.
template <class T>
constexpr FieldType type_of(FieldType said, bool has_choices) {
  if constexpr (std::is_enum_v<T>) return FieldType::choice;
  if constexpr (std::is_same_v<T, bool>) return FieldType::flag;
  if constexpr (std::is_integral_v<T>) return FieldType::integer;
  if constexpr (std::is_floating_point_v<T>) return FieldType::number;
  if constexpr (is_list<T>) return FieldType::numbers;
  if constexpr (std::is_same_v<T, math::Vec3>)
    return said == FieldType::direction ? FieldType::direction : FieldType::vector3;
  if constexpr (std::is_same_v<T, std::vector<std::string>>) return has_choices ? FieldType::choices : FieldType::names;
  if constexpr (std::is_same_v<T, std::string>) {
    if (has_choices) return FieldType::choice;
    return said == FieldType::flag ? FieldType::text : said;
  }
  return said;
}

// The member itself, or what its optional holds.
template <auto Member>
void assign(void* settings, const Value& value) {
  using Traits = MemberTraits<decltype(Member)>;
  auto& member = static_cast<typename Traits::Struct*>(settings)->*Member;
  if constexpr (Bare<typename Traits::Type>::optional)
    from_value(value, member.emplace());
  else
    from_value(value, member);
}

// The member as a value, monostate where an optional one is empty.
template <auto Member>
Value read(const void* settings) {
  using Traits = MemberTraits<decltype(Member)>;
  const auto& member = static_cast<const typename Traits::Struct*>(settings)->*Member;
  if constexpr (Bare<typename Traits::Type>::optional)
    return member ? to_value(*member) : Value{};
  else
    return to_value(member);
}

// Of a default-constructed struct: defaults stand in the struct alone, never beside it.
template <auto Member>
Value otherwise() {
  const typename MemberTraits<decltype(Member)>::Struct settings{};
  return read<Member>(&settings);
}

// For groups: the struct that a member is, made where an optional one is empty; and the same without making it.
template <auto Member>
void* nested(void* settings) {
  using Traits = MemberTraits<decltype(Member)>;
  auto& member = static_cast<typename Traits::Struct*>(settings)->*Member;
  if constexpr (Bare<typename Traits::Type>::optional)
    return member ? &*member : &member.emplace();
  else
    return &member;
}

template <auto Member>
const void* find(const void* settings) {
  using Traits = MemberTraits<decltype(Member)>;
  const auto& member = static_cast<const typename Traits::Struct*>(settings)->*Member;
  if constexpr (Bare<typename Traits::Type>::optional)
    return member ? &*member : nullptr;
  else
    return &member;
}

// The struct that a function of `complete` takes.
template <class F>
struct StructOf;
template <class S>
struct StructOf<void (*)(S&, const Given&, Problems&)> {
  using Type = S;
};

}  // namespace settings_detail

// SettingsTable::complete of a function `void (Options&, const Given&, Problems&)`.
template <auto Complete>
void completed_by(void* settings, const Given& given, Problems& problems) {
  using Struct = typename settings_detail::StructOf<decltype(Complete)>::Type;
  Complete(*static_cast<Struct*>(settings), given, problems);
}

// A key of a plain value. The member is a double, int, long, bool, string, Vec3, array<double, N>, vector<double>,
// vector<string>, an enum with Choices, or a std::optional of one of these (for a key without a default). The field may
// omit what the member says: type (but direction of a Vec3, and node, beam, section of a string), choices, size.
template <auto Member>
constexpr Setting setting(Field field) {
  using Type = typename settings_detail::Bare<typename settings_detail::MemberTraits<decltype(Member)>::Type>::Type;
  if constexpr (std::is_enum_v<Type>) field.choices = settings_detail::names_of_choices<Type>;
  field.type = settings_detail::type_of<Type>(field.type, !field.choices.empty());
  if constexpr (settings_detail::ArraySize<Type>::value > 0) field.size = settings_detail::ArraySize<Type>::value;
  return {.field = field,
          .assign = settings_detail::assign<Member>,
          .read = settings_detail::read<Member>,
          .otherwise = settings_detail::otherwise<Member>};
}

// A key of a mapping by `members`, the table of the struct that the member is (or holds, as a std::optional).
// A group has no default of its own: its members have.
template <auto Member>
constexpr Setting group(Field field, const SettingsTable& members) {
  field.type = FieldType::group;
  return {.field = field,
          .members = &members,
          .nested = settings_detail::nested<Member>,
          .find = settings_detail::find<Member>};
}

// A key of a plain value, written to `Member`, or of a mapping by `members`, written to `Group`, a std::optional
// struct.
template <auto Member, auto Group>
constexpr Setting setting_or_group(Field field, const SettingsTable& members) {
  Setting made = setting<Member>(field);
  made.members = &members;
  made.nested = settings_detail::nested<Group>;
  made.find = settings_detail::find<Group>;
  made.or_value = true;
  return made;
}

// A value as a deck would write it: "1.0e-6", "[0, 0, 1]", "false", "[a, b]"; "" for monostate and an empty list.
std::string text_of(const Value& value);

// The default of a key as a deck would write it: Field::default_text, or else what a default-constructed struct holds;
// "" for groups, required keys and empty optional members.
std::string text_of_default(const Setting& setting);

}  // namespace polhode::model
