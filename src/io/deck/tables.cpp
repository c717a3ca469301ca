// SPDX-License-Identifier: BSD-3-Clause
// The tables of the keys that belong to no kind: the deck itself, nodes, sections, motion at the start.
#include "tables.hpp"

#include "polhode/model/model_settings.hpp"
#include "polhode/model/units.hpp"
#include "polhode/results/settings.hpp"

namespace polhode::io {
namespace {

using model::FieldType;
using model::Frame;

constexpr std::string_view freedoms[] = {"x", "y", "z", "rx", "ry", "rz"};
constexpr std::string_view dofs[] = {"translation"};
constexpr std::string_view shapes[] = {"rectangle", "circle", "tube", "I"};
constexpr std::string_view interpolations[] = {"linear", "cubic"};

// The order is that of the reference page; the deck may have any, but for `format`.
constexpr Key deck_keys[] = {
    {{"format", FieldType::text, "", "polhode-deck/1; the first key of a deck", true}},
    {{"title", FieldType::text, "", "one line, stored in the results"}},
    {{"description", FieldType::text, "", "free text, stored in the results"}},
    {{"parameters", FieldType::number, "",
      "named numbers, vectors and matrices for expressions; numbers may refer to each other in any order"},
     Form::parameters},
    {{"units", FieldType::text, "", "units of all numbers of the deck; default: SI"},
     Form::mapping,
     nullptr,
     0,
     &model::units_table},
    {{"include", FieldType::text, "", "files whose entries stand in the deck behind its own"},
     Form::includes,
     &include_table},
    {{"parts", FieldType::text, "", "parts of models that `instances` place, each with parameters of its own"},
     Form::named,
     &part_table},
    {{"instances", FieldType::text, "", "parts that are placed; names inside of them are `instance.name`"},
     Form::named,
     &instance_table},
    {{.name = "gravity",
      .type = FieldType::vector3,
      .unit = "m/s^2",
      .doc = "acceleration, inertial frame",
      .default_text = "[0, 0, 0]"}},
    {{.name = "size",
      .type = FieldType::number,
      .unit = "m",
      .doc = "length that tolerances are relative to; by default the diagonal of the box around nodes and joints, or "
             "what bodies, springs and motion show where these are all at one place",
      .min = 0,
      .min_exclusive = true}},
    {{"nodes", FieldType::text, "",
      "points with or without rotation, to which bodies, beams, joints and forces are attached", true},
     Form::named,
     &node_table},
    {{"initial_motion", FieldType::text, "", "rigid motion that nodes start with unless they give their own"},
     Form::mapping_or_list,
     &motion_table},
    {{"bodies", FieldType::text, "", "rigid masses on nodes"}, Form::kinds},
    {{"sections", FieldType::text, "", "cross-sections of beams"}, Form::named, &section_table},
    {{"beams", FieldType::text, "", "flexible beams between two nodes"}, Form::kinds},
    {{"joints", FieldType::text, "", "constraints between two nodes, or a node and the ground"}, Form::kinds},
    {{"forces", FieldType::text, "", "loads and force elements"}, Form::kinds},
    {{"signals", FieldType::text, "",
      "what sensors measure, expressions of it, and what filters and controllers make of it; functions of time may "
      "take "
      "them by name; a text is short for `{type: expression, value: ...}`"},
     Form::kinds},
    {{"events", FieldType::text, "",
      "what happens where an expression of signals crosses zero, or at a time: joints are locked or released, nodes "
      "are hit, the run ends"},
     Form::kinds},
    {{"constraints", FieldType::text, "", "how redundant constraints are treated"},
     Form::mapping,
     nullptr,
     0,
     &model::constraints_table},
    {{"initial", FieldType::text, "", "how exactly the start must meet the constraints"},
     Form::mapping,
     nullptr,
     0,
     &model::initial_table},
    {{"analysis", FieldType::text, "", "what to compute: one analysis, or a list that is done in turn", true},
     Form::analyses},
    {{"output", FieldType::text, "", "which states are stored, and which of their results"},
     Form::mapping,
     nullptr,
     0,
     &results::output_table},
    {{"responses", FieldType::text, "", "named numbers of a run, such as a peak"},
     Form::named,
     nullptr,
     0,
     &results::response_table},
};

constexpr std::string_view row_entries[] = {"nodes", "bodies", "sections", "beams", "joints", "forces", "instances"};
constexpr Key include_keys[] = {
    {{"file", FieldType::text, "",
      "YAML or a table (CSV), relative to the file that names it; in the folder of the deck or below", true}},
    {{.name = "rows",
      .type = FieldType::choice,
      .unit = "",
      .doc = "the file is a table, and its rows are these: first column `name`, the others keys or their components",
      .choices = row_entries}},
    {{"prefix", FieldType::text, "",
      "what names of the file begin with in the deck: letters, digits and '_', not first a digit"}},
};

// Entries of a part are those of the deck.
constexpr Key part_keys[] = {
    {{"parameters", FieldType::number, "",
      "named numbers, vectors and matrices with their defaults; expressions of the part may use the deck's, too"},
     Form::parameters},
    {{"nodes", FieldType::text, "", "in the frame of the part"}, Form::named, &node_table},
    {{"bodies", FieldType::text, "", "rigid masses on nodes"}, Form::kinds},
    {{"sections", FieldType::text, "", "cross-sections of beams"}, Form::named, &section_table},
    {{"beams", FieldType::text, "", "flexible beams between two nodes"}, Form::kinds},
    {{"joints", FieldType::text, "", "points and axes in the frame of the part"}, Form::kinds},
    {{"forces", FieldType::text, "", "points and components in the frame of the part"}, Form::kinds},
    {{"signals", FieldType::text, "", "of what is in the part; expressions of it name them as they are here"},
     Form::kinds},
    {{"events", FieldType::text, "", "components in the frame of the part"}, Form::kinds},
    {{"responses", FieldType::text, "", "of results of the part, in the frames of the results"},
     Form::named,
     nullptr,
     0,
     &results::response_table},
    {{"instances", FieldType::text, "", "other parts, placed in the frame of this one"}, Form::named, &instance_table},
};

constexpr Key instance_keys[] = {
    {{"part", FieldType::text, "", "its name in `parts`", true}},
    {{.name = "at",
      .type = FieldType::vector3,
      .unit = "m",
      .doc = "origin of the part's frame, in the frame around it",
      .default_text = "[0, 0, 0]"}},
    {{"orientation", FieldType::text, "", "of the part's frame against the frame around it; default: as that"},
     Form::mapping,
     &orientation_table},
    {{"frame", FieldType::text, "",
      "a node, `nodes.hub` or one inside of a beam, `nodes.mast.3`, in whose frame `at` and `orientation` are; "
      "default: the frame of the deck, or of the part that the instance stands in"}},
    {{"parameters", FieldType::number, "", "in the place of the part's defaults"}, Form::parameters},
    {{.name = "repeat",
      .type = FieldType::integer,
      .doc = "number of copies `name.0`, `name.1`, ...; expressions of the instance know the number of the copy as `i`",
      .min = 0}},
};

constexpr Key node_keys[] = {
    {{.name = "position",
      .type = FieldType::vector3,
      .unit = "m",
      .doc = "inertial frame, at the start",
      .required = true,
      .frame = Frame::point}},
    {{.name = "orientation",
      .type = FieldType::text,
      .doc = "orientation of the node's frame at the start; default: that of the inertial frame",
      .frame = Frame::orientation,
      .own_with = "dofs"},
     Form::mapping,
     &orientation_table},
    {{.name = "velocity",
      .type = FieldType::vector3,
      .unit = "m/s",
      .doc = "inertial frame, at the start; default: from initial_motion, else zero",
      .frame = Frame::direction}},
    {{"angular_velocity", FieldType::vector3, "rad/s",
      "components in the node's own frame, at the start; default: from initial_motion, else zero"}},
    {{.name = "fixed",
      .type = FieldType::choice,
      .unit = "",
      .doc = "directions removed from the unknowns: x y z in the inertial frame, rotations (two or all three) about "
             "the node's axes",
      .default_text = "false",
      .choices = freedoms,
      .frame = Frame::axes},
     Form::flag_or_choices},
    {{.name = "dofs",
      .type = FieldType::choice,
      .unit = "",
      .doc = "translation: a point without rotation; default: translation and rotation",
      .choices = dofs}},
    {{"frame", FieldType::text, "",
      "a node, `nodes.hub`, in whose frame position, orientation and velocity are; default: the frame of the deck, or "
      "of the part"}},
};

// Which of them go together is checked in nodes.cpp.
constexpr Key orientation_keys[] = {
    {{"quaternion", FieldType::number, "", "[w, x, y, z] of length 1"}, Form::numbers, nullptr, 4},
    {{"rotation_vector", FieldType::vector3, "rad", "axis times angle"}},
    {{"axis", FieldType::direction, "", "with angle or angle_deg"}},
    {{"angle", FieldType::number, "rad", "about axis"}},
    {{"matrix", FieldType::number, "", "rotation matrix, node's frame to inertial"}, Form::matrix3},
    {{"x_axis", FieldType::direction, "", "the node's x axis, with y_axis"}},
    {{"y_axis", FieldType::direction, "", "the node's y axis is the part of it that is normal to x_axis"}},
};

// Numbers above zero, the most frequent bound.
constexpr model::Field positive(std::string_view name, std::string_view unit, std::string_view doc,
                                bool required = true) {
  return {.name = name,
          .type = FieldType::number,
          .unit = unit,
          .doc = doc,
          .required = required,
          .min = 0,
          .min_exclusive = true};
}

// None is required by the table: a shape needs other keys than constants do (section_shapes.cpp).
constexpr Key section_keys[] = {
    {{"stiffness", FieldType::matrix6, "N, N m^2", "section constants, or a full matrix in the order N Qy Qz Mx My Mz"},
     Form::mapping_or_matrix6,
     &stiffness_table},
    {{"mass", FieldType::matrix6, "kg/m, kg m", "per length, or a full matrix in the same order of velocities"},
     Form::mapping_or_matrix6,
     &mass_table},
    {{.name = "damping",
      .type = FieldType::one_or_six,
      .unit = "s",
      .doc =
          "time constants tau of the strains (order N Qy Qz Mx My Mz): section force = C strain + D strain rate, D = "
          "sqrt(tau) C sqrt(tau), C the stiffness; or a ratio at two frequencies; or D itself (N s, N m s, N m^2 s)",
      .min = 0,
      .default_text = "0"},
     Form::value_or_either,
     &damping_table},
    {{.name = "mass_damping",
      .type = FieldType::number,
      .unit = "1/s",
      .doc = "alpha: a force of -alpha times mass times velocity, per length; of rigid motions, too",
      .min = 0,
      .default_text = "0"}},
    {{.name = "shape",
      .type = FieldType::choice,
      .unit = "",
      .doc = "instead of `stiffness` and `mass`: dimensions and material",
      .choices = shapes}},
    {positive("width", "m", "rectangle, flanges of an I: width along y", false)},
    {positive("height", "m", "rectangle, I: total height along z", false)},
    {positive("radius", "m", "circle, tube: radius", false)},
    {positive("inner_radius", "m", "tube: inner radius", false)},
    {positive("flange", "m", "thickness of the flanges of an I", false)},
    {positive("web", "m", "thickness of the web of an I", false)},
    {positive("E", "Pa", "Young's modulus", false)},
    {{.name = "nu",
      .type = FieldType::number,
      .unit = "",
      .doc = "Poisson's ratio",
      .min = -1,
      .max = 0.5,
      .min_exclusive = true}},
    {positive("density", "kg/m^3", "density of the material", false)},
    {{.name = "shear_factors",
      .type = FieldType::number,
      .unit = "",
      .doc = "[k_y, k_z] instead of those of the shape",
      .min = 0,
      .max = 1,
      .min_exclusive = true},
     Form::numbers,
     nullptr,
     2},
    {positive("torsion_constant", "m^4", "J instead of that of the shape", false)},
};

// In the order N Qy Qz Mx My Mz, in which sections.cpp puts them on the diagonal.
constexpr Key stiffness_keys[] = {
    {positive("EA", "N", "axial stiffness")},
    {positive("GAy", "N", "shear stiffness along y", false)},
    {positive("GAz", "N", "shear stiffness along z", false)},
    {positive("GJ", "N m^2", "torsional stiffness", false)},
    {positive("EIy", "N m^2", "bending stiffness about y", false)},
    {positive("EIz", "N m^2", "bending stiffness about z", false)},
};

constexpr Key mass_keys[] = {
    {positive("per_length", "kg/m", "mass per length")},
    {{.name = "inertia",
      .type = FieldType::vector3,
      .unit = "kg m",
      .doc = "[Jx, Jy, Jz] per length about the section's axes, x along the beam; cables have none",
      .min = 0}},
};

constexpr Key damping_keys[] = {
    {{.name = "ratio",
      .type = FieldType::number,
      .unit = "",
      .doc = "damping ratio at both frequencies, 1 = critical",
      .required = true,
      .min = 0,
      .max = 1}},
    {{.name = "frequencies",
      .type = FieldType::numbers,
      .unit = "Hz",
      .doc = "two, in any order; between them the ratio is lower, outside it is higher",
      .required = true,
      .min = 0,
      .min_exclusive = true,
      .size = 2}},
};

constexpr Key motion_keys[] = {
    {{.name = "velocity",
      .type = FieldType::vector3,
      .unit = "m/s",
      .doc = "inertial frame, of the point `about`",
      .default_text = "[0, 0, 0]"}},
    {{.name = "angular_velocity",
      .type = FieldType::vector3,
      .unit = "rad/s",
      .doc = "inertial frame",
      .default_text = "[0, 0, 0]"}},
    {{.name = "about",
      .type = FieldType::vector3,
      .unit = "m",
      .doc = "the point that has `velocity`",
      .default_text = "[0, 0, 0]"}},
    {{"nodes", FieldType::names, "", "nodes that have this motion; without nodes, bodies and beams: everything"}},
    {{"bodies", FieldType::names, "", "bodies that have this motion"}},
    {{"beams", FieldType::names, "", "beams that have this motion"}},
};

constexpr Key function_keys[] = {
    {{"table", FieldType::text, "", "samples; outside, the function has its end values"},
     Form::mapping,
     &samples_table},
    {{"file", FieldType::text, "", "a CSV file, relative to the deck, with `columns`"}},
    {{"columns", FieldType::names, "",
      "the two columns of the file, both by their heads or both by numbers from 1: time, value"}},
    {{.name = "interpolation",
      .type = FieldType::choice,
      .unit = "",
      .doc = "between the samples; cubic: a natural spline",
      .default_text = "linear",
      .choices = interpolations}},
};

constexpr Key samples_keys[] = {
    {{"time", FieldType::number, "s", "strictly ascending", true}, Form::numbers},
    {{"value", FieldType::number, "", "one value for each time", true}, Form::numbers},
};

}  // namespace

const Table deck_table{"deck", "The deck: a model and what to do with it.", deck_keys};
const Table include_table{"include", "A table, or a file whose names begin with a prefix in the deck.", include_keys};
const Table part_table{"part", "A part of a model: entries that instances place, in a frame of its own.", part_keys};
const Table instance_table{"instance", "A part in its place.", instance_keys};
const Foreign node_foreign[] = {
    {"rotation", "unknown key 'rotation'; the rotation of a node is its `orientation`"},
};
const Table node_table{"node", "A node: a point with a frame.", node_keys, node_foreign};
const Table orientation_table{"orientation", "An orientation, in one of five forms.", orientation_keys};
const Table section_table{"section", "A cross-section of beams.", section_keys};
const Table stiffness_table{"stiffness", "Stiffness of a section by its constants: all six, or EA alone for cables.",
                            stiffness_keys};
const Table mass_table{"mass", "Mass of a section by its constants.", mass_keys};
const Table damping_table{"damping",
                          "Damping of a section by a ratio: mass_damping and one time constant that give it at two "
                          "frequencies.",
                          damping_keys};
const Table motion_table{"initial_motion", "A rigid motion at the start of the run.", motion_keys};
const Table function_table{"function",
                           "A function of time by samples. Instead of this mapping it may be a number, or an "
                           "expression in t such as \"=sin(2*pi*t)\".",
                           function_keys};
const Table samples_table{"table", "Samples of a function of time.", samples_keys};

}  // namespace polhode::io
