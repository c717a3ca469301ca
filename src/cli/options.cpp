// SPDX-License-Identifier: BSD-3-Clause
// Options by CLI11.
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <cmath>

namespace polhode::cli {
namespace {

// Refuses zero, negative numbers, infinity and text.
const CLI::Validator& positive_seconds() {
  static const CLI::Validator validator(
      [](std::string& text) {
        double value = 0;
        const bool number = CLI::detail::lexical_cast(text, value);
        const bool good = number && value > 0 && std::isfinite(value);
        return good ? "" : '"' + text + "\" is no positive number of seconds";
      },
      "");
  return validator;
}

}  // namespace

Options::Handle Options::required(const OptionText& text, std::string& value) {
  return app_.add_option(text.name, value, text.doc)->required()->type_name(text.value);
}

Options::Handle Options::text(const OptionText& text, std::string& value) {
  return app_.add_option(text.name, value, text.doc)->type_name(text.value);
}

Options::Handle Options::choice(const OptionText& text, std::string& value, const std::vector<std::string>& choices) {
  return app_.add_option(text.name, value, text.doc)->check(CLI::IsMember(choices))->type_name(text.value);
}

Options::Handle Options::flag(const OptionText& text, bool& value) { return app_.add_flag(text.name, value, text.doc); }

Options::Handle Options::repeated(const OptionText& text, std::vector<std::string>& values) {
  return app_.add_option(text.name, values, text.doc)->type_name(text.value)->allow_extra_args(false);
}

Options::Handle Options::list(const OptionText& text, std::vector<std::string>& values) {
  return app_.add_option(text.name, values, text.doc)->type_name(text.value)->delimiter(',')->allow_extra_args(false);
}

// The delimiter would let a list swallow positional arguments; extra ones are therefore refused.
Options::Handle Options::required_seconds(const OptionText& text, std::vector<double>& values) {
  return app_.add_option(text.name, values, text.doc)
      ->required()
      ->check(positive_seconds())
      ->type_name(text.value)
      ->delimiter(',')
      ->allow_extra_args(false);
}

Options::Handle Options::seconds(const OptionText& text, double& value) {
  return app_.add_option(text.name, value, text.doc)->check(positive_seconds())->type_name(text.value);
}

Options::Handle Options::positive(const OptionText& text, double& value) {
  return app_.add_option(text.name, value, text.doc)->check(CLI::PositiveNumber)->type_name(text.value);
}

Options::Handle Options::count(const OptionText& text, int& value, int most) {
  return app_.add_option(text.name, value, text.doc)->check(CLI::Range(1, most))->type_name(text.value);
}

Options::Handle Options::integer(const OptionText& text, std::optional<long>& value) {
  return app_.add_option(text.name, value, text.doc)->type_name(text.value);
}

void Options::exclude(Handle a, Handle b) { a->excludes(b); }

}  // namespace polhode::cli
