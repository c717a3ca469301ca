// SPDX-License-Identifier: BSD-3-Clause
// The keys of a static analysis, and how they are read.
#include "model_reader.hpp"

namespace polhode::io {
namespace {

using model::FieldType;

constexpr std::string_view static_type[] = {"static"};
constexpr std::string_view controls[] = {"load", "arc_length"};

constexpr model::Field fraction(std::string_view name, std::string_view doc, std::string_view otherwise) {
  return {.name = name,
          .type = FieldType::number,
          .unit = "",
          .doc = doc,
          .min = 0,
          .max = 1,
          .min_exclusive = true,
          .default_text = otherwise};
}

constexpr model::Field count(std::string_view name, std::string_view doc, double most, std::string_view otherwise) {
  return {.name = name,
          .type = FieldType::integer,
          .unit = "",
          .doc = doc,
          .min = 1,
          .max = most,
          .default_text = otherwise};
}

constexpr Key static_keys[] = {
    {{.name = "type",
      .type = FieldType::choice,
      .unit = "",
      .doc = "what is done",
      .required = true,
      .choices = static_type}},
    {{.name = "control",
      .type = FieldType::choice,
      .unit = "",
      .doc = "load: the load factor grows from 0 to 1; arc_length: the path of equilibria is followed, through limit "
             "points too, until the load factor reaches 1",
      .default_text = "load",
      .choices = controls}},
    {{"rotation", FieldType::text, "", "equilibrium in a frame that turns steadily, with its centrifugal loads"},
     Form::mapping,
     &rotation_table},
    {fraction("first_step", "of the load factor; the program chooses those after it", "1")},
    {fraction("largest_step", "of the load factor", "1")},
    {count("max_steps", "load steps after which the analysis has failed", 1e6, "1000")},
    {count("max_iterations", "linear solves after which a load step has failed", 1000, "15")},
    {fraction("tolerance", "of the last increment relative to the size of the model (rotations: to 1 rad)", "1.0e-9")},
};

constexpr Key rotation_keys[] = {
    {{"axis", FieldType::direction, "", "inertial frame", true}},
    {{"speed", FieldType::number, "rad/s", "about the axis", true}},
    {{.name = "about",
      .type = FieldType::vector3,
      .unit = "m",
      .doc = "a point of the axis, inertial frame",
      .default_text = "[0, 0, 0]"}},
};

}  // namespace

const Table static_table{
    "static",
    "Equilibrium under loads that grow in steps chosen by the program, at the time where the analysis before ended.",
    static_keys};
const Table rotation_table{"rotation", "A frame that turns steadily.", rotation_keys};

std::optional<analyses::Rotation> read_rotation(const Mapping& given, Reader& reader) {
  const Item* item = given.find("rotation");
  if (!item) return std::nullopt;
  const auto rotation = reader.mapping(*item, given.path + ".rotation", rotation_table);
  if (!rotation) return std::nullopt;
  return analyses::Rotation{rotation->vector3("axis", math::Vec3::UnitZ()).normalized(), rotation->number("speed", 0),
                            rotation->vector3("about", math::Vec3::Zero())};
}

analyses::StaticSettings read_static(const Mapping& given, Reader& reader) {
  analyses::StaticSettings settings;
  if (given.text("control", "load") == "arc_length") settings.control = analyses::StaticSettings::Control::arc_length;
  settings.rotation = read_rotation(given, reader);
  settings.first_step = given.number("first_step", settings.first_step);
  settings.largest_step = given.number("largest_step", settings.largest_step);
  settings.max_steps = static_cast<int>(given.number("max_steps", settings.max_steps));
  settings.max_iterations = static_cast<int>(given.number("max_iterations", settings.max_iterations));
  settings.tolerance = given.number("tolerance", settings.tolerance);
  return settings;
}

}  // namespace polhode::io
