// SPDX-License-Identifier: BSD-3-Clause
// The reference page of the deck, walked from the tables that the reader uses.
#include <set>

#include "io/deck/tables.hpp"
#include "polhode/io/deck/study.hpp"

namespace polhode::io {
namespace {

using model::Field;
using model::FieldType;

std::string law_text(const Field& field) { return "expression in `t, " + list_text(field.variables) + "`"; }

// How a value of the type is written, for a person.
std::string type_text(const Field& field) {
  switch (field.type) {
    case FieldType::flag:
      return "true or false";
    case FieldType::integer:
      return "whole number";
    case FieldType::number:
      return "number";
    case FieldType::text:
      return "text";
    case FieldType::choice:
      return "one of `" + list_text(field.choices) + "`";
    case FieldType::choice_or_integer:
      return "one of `" + list_text(field.choices) + "`, or a whole number";
    case FieldType::node:
      return "name of a node";
    case FieldType::node_pair:
      return "`[a, b]`, names of nodes or `ground`";
    case FieldType::section:
      return "name of a section";
    case FieldType::vector3:
      return "`[x, y, z]`";
    case FieldType::direction:
      return "`[x, y, z]`, of any length above zero";
    case FieldType::inertia:
      return "three principal values, or a symmetric 3x3 matrix";
    case FieldType::matrix6:
      return "symmetric 6x6 matrix";
    case FieldType::diagonal6:
      return "six diagonal values, or a symmetric 6x6 matrix";
    case FieldType::point_pair:
      return "two points, `[[x, y, z], [x, y, z]]`";
    case FieldType::axes:
      return "two directions, `[[x, y, z], [x, y, z]]`, of any length above zero";
    case FieldType::numbers:
      return field.size > 0 ? "list of " + std::to_string(field.size) + " numbers" : "list of numbers";
    case FieldType::names:
      return "list of names";
    case FieldType::choices:
      return "list out of `" + list_text(field.choices) + "`";
    case FieldType::one_or_six:
      return "one number, or a list of six";
    case FieldType::points:
      return "list of points `[x, y, z]`";
    case FieldType::sections:
      return "list of names of sections";
    case FieldType::beam:
      return "name of a beam";
    case FieldType::function:
      if (!field.variables.empty()) return "number, or expression in `" + list_text(field.variables) + "`";
      return field.signals ? "[function of time](#function) and [signals](#signals)" : "[function of time](#function)";
    case FieldType::functions:
      return "list of [functions of time](#function) and [signals](#signals)";
    case FieldType::rows:
      return "list of rows of numbers";
    case FieldType::law:
      return "number, or " + law_text(field);
    case FieldType::numbers_or_law:
      return "list of numbers; or " + law_text(field);
    case FieldType::weights:
      return "names of joints (or `joint.coordinate`), each with a number";
    case FieldType::group:
      break;
  }
  return "";
}

// A cell of a table: a bar in the text would end it.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) (result += c == '|' ? "\\" : "") += c;
  return result;
}

// Tables are sections of the page under their names.
std::string link(const Table& table) { return "[" + std::string(table.name) + "](#" + std::string(table.name) + ")"; }

// The form of a key: its type, or the table of its mapping.
std::string form_text(const Key& key) {
  switch (key.form) {
    case Form::value:
      return type_text(key.field);
    case Form::numbers:
      return "list of " + (key.size > 0 ? std::to_string(key.size) + " numbers" : std::string("numbers"));
    case Form::matrix3:
      return "3x3 matrix";
    case Form::flag_or_choices:
      return "true, false, or a list out of `" + list_text(key.field.choices) + "`";
    case Form::mapping:
      return link(*table_of(key));
    case Form::value_or_mapping:
      return type_text(key.field) + ", or " + link(*table_of(key));
    case Form::mapping_or_list:
      return link(*table_of(key)) + ", or a list of them";
    case Form::mapping_or_matrix6:
      return link(*table_of(key)) + ", or a symmetric 6x6 matrix";
    case Form::value_or_either:
      return link(*table_of(key)) + ", a symmetric 6x6 matrix, " + type_text(key.field);
    case Form::named:
      return "names, each with " + link(*table_of(key));
    case Form::parameters:
      return "names, each with a number, a vector or a matrix";
    case Form::includes:
      return "list of names of files and " + link(*table_of(key));
    case Form::analyses:
      return "one of [analysis](#analysis), or a list of them";
    case Form::variations:
      return "paths, each with a list of values or a " + link(*table_of(key));
    case Form::kinds:
      return "names, each with one of [" + std::string(key.field.name) + "](#" + std::string(key.field.name) + ")";
  }
  return "";
}

// Depth first: each table is written where it is first mentioned, once. Long texts are appended in place;
// the page has thousands of cells.
class ReferenceWriter {
 public:
  std::string write() {
    text_ =
        "# The deck, key by key\n\n"
        "Generated from the tables that the reader uses. Any number may be an expression, `\"=2*pi*f\"`; a key of unit "
        "rad may be\ngiven in degrees under its name with `_deg`.\n";
    section(deck_table, "deck");
    section(function_table, function_table.name);
    return text_;
  }

  std::string write_study() {
    text_ = "# The study, key by key\n\nGenerated from the tables that the reader uses.\n";
    section(study_table, "study");
    return text_;
  }

 private:
  // The page so far.
  std::string text_;
  // Titles of sections: a table that several keys have is written once.
  std::set<std::string> written_;

  // A heading, the table, then all tables that it leads to.
  void section(const Table& table, std::string_view title) {
    if (!written_.insert(std::string(title)).second) return;
    ((text_ += "\n## ") += title) += "\n\n";
    (text_ += table.doc) += "\n";
    keys(table);
    for (const Key& key : table.keys) {
      // What else a part holds is a section of the deck.
      if (&table == &part_table && key.table != &instance_table) continue;
      if (const Table* inner = table_of(key)) section(*inner, inner->name);
      if (key.form == Form::kinds) kinds(key.field.name);
      if (key.form == Form::analyses) analyses();
    }
  }

  // Types below one heading, and the tables that they share after all of them.
  void analyses() {
    text_ += "\n## analysis\n";
    for (const Table* type : analysis_tables()) {
      ((text_ += "\n### ") += type->name) += "\n\n";
      (text_ += type->doc) += "\n";
      keys(*type);
    }
    for (const Table* type : analysis_tables())
      for (const Key& key : type->keys)
        if (const Table* inner = table_of(key)) section(*inner, inner->name);
  }

  // Inputs, groups and results of each kind of a family.
  void kinds(std::string_view family) {
    ((text_ += "\n## ") += family) += "\n";
    for (const model::KindInfo* kind : family_of(family).kinds) {
      ((text_ += "\n### ") += kind->name) += "\n\n";
      (text_ += kind->doc) += "\n";
      keys(table_of(*kind));
      groups(table_of(*kind));
      // What the kind gives stands below what it takes.
      if (!kind->outputs.empty())
        text_ += "\n| result | size | unit | frame | meaning |\n| --- | --- | --- | --- | --- |\n";
      for (const model::Output& output : kind->outputs)
        text_ += "| `" + std::string(output.name) + "` | " + std::to_string(output.size) +
                 (output.per_element ? " an element" : "") + " | " + std::string(output.unit) + " | " +
                 std::string(output.frame) + " | " + cell(output.doc) + " |\n";
    }
  }

  // The mappings inside the inputs of a kind.
  void groups(const Table& table) {
    for (const Key& key : table.keys) {
      if (!key.table) continue;
      ((text_ += "\n#### ") += key.table->name) += "\n\n";
      (text_ += key.table->doc) += "\n";
      keys(*key.table);
      groups(*key.table);
    }
  }

  // A row for each key: form with bounds, unit, default or "required", meaning.
  void keys(const Table& table) {
    text_ += "\n| key | value | unit | default | meaning |\n| --- | --- | --- | --- | --- |\n";
    for (const Key& key : table.keys) {
      const Field& field = key.field;
      std::string otherwise = field.required ? "required" : "";
      if (!field.default_text.empty()) otherwise = "`" + std::string(field.default_text) + "`";
      // Bounds stand beside the type, as in "number in [0, 1]".
      const std::string bounds = interval(field);
      text_ += "| `" + std::string(field.name) + "` | " + form_text(key) + (bounds.empty() ? "" : " in " + bounds) +
               " | " + std::string(field.unit) + " | " + otherwise + " | " + cell(field.doc) + " |\n";
    }
  }
};

}  // namespace

std::string deck_reference() { return ReferenceWriter().write(); }

std::string study_reference() { return ReferenceWriter().write_study(); }

}  // namespace polhode::io
