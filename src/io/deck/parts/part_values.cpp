// SPDX-License-Identifier: BSD-3-Clause
// Replacing names in the text of expressions.
#include "part_values.hpp"

#include <charconv>

#include "../model_reader.hpp"
#include "polhode/model/expression.hpp"

namespace polhode::io {
namespace {

// As the reader takes it: also without quotes.
bool is_expression(const Item& item) { return item.kind == Item::Kind::scalar && item.text.starts_with('='); }

// The characters of names, as the parser of expressions has them.
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// What a value is inside of a longer expression: in brackets, unless it is another name.
std::string inner_text(const Item& value) {
  if (value.text.starts_with('=') && is_identifier(std::string_view(value.text).substr(1))) return value.text.substr(1);
  return "(" + (value.text.starts_with('=') ? value.text.substr(1) : value.text) + ")";
}

// Follows [k] from `at` on; `value` becomes the component. False where the list has no such index.
bool take_index(const std::string& text, std::size_t& at, const Item*& value) {
  const std::size_t end = text.find(']', at);
  if (end == std::string::npos) return false;
  std::size_t index = 0;
  const char* begin = text.data() + at + 1;
  const auto [stop, error] = std::from_chars(begin, text.data() + end, index);
  if (error != std::errc{} || stop != text.data() + end || index >= value->items.size()) return false;
  value = &value->items[index];
  at = end + 1;
  return true;
}

// Copies the text of an expression with values in the place of names.
class Substitution {
 public:
  Substitution(const Item& item, const PartValues& values, const ReportValue& report)
      : item_(item), text_(item.text), values_(values), report_(report) {}

  // The new text of the expression; where something is wrong, the old one.
  std::string write() {
    while (at_ < text_.size()) {
      if (begins_name(text_[at_]))
        name();
      else if (is_digit(text_[at_]) || text_[at_] == '.')
        number();
      else
        result_ += text_[at_++];
    }
    return failed_ ? text_ : std::move(result_);
  }

 private:
  const Item& item_;
  const std::string& text_;
  const PartValues& values_;
  const ReportValue& report_;
  std::size_t at_ = 0;
  std::string result_;
  bool failed_ = false;

  void fail(const std::string& message) {
    failed_ = true;
    report_(item_, "in '" + text_ + "': " + message);
  }
  // The e of 1e5 is no name.
  void number() {
    while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) result_ += text_[at_++];
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) result_ += text_[at_++];
  }

  // Names of signals may have a dot.
  void name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (begins_name(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    const std::string name = text_.substr(begin, at_ - begin);
    const auto found = values_.find(name);
    if (found == values_.end()) {
      result_ += name;
      return;
    }
    const Item* value = &found->second;
    while (value->kind == Item::Kind::sequence && at_ < text_.size() && text_[at_] == '[')
      if (!take_index(text_, at_, value)) return fail("'" + name + "' is " + describe(*value) + ", counted from 0");
    if (value->kind == Item::Kind::sequence)
      return fail("'" + name + "' is " + describe(*value) + "; name a component, " + name + "[0]");
    result_ += inner_text(*value);
  }
};

}  // namespace

// The entry keeps its key and place.
void substitute_values(Item& item, const PartValues& values, const ReportValue& report) {
  for (Item& inner : item.items) substitute_values(inner, values, report);
  if (!is_expression(item) || values.empty()) return;
  const auto whole = values.find(std::string_view(item.text).substr(1));
  if (whole == values.end()) {
    item.text = Substitution(item, values, report).write();
    return;
  }
  item.kind = whole->second.kind;
  item.text = whole->second.text;
  item.quoted = whole->second.quoted;
  item.items = whole->second.items;
  for (Item& inner : item.items) inner.place = item.place;
}

std::vector<std::string> names_in(const Item& item) {
  std::vector<std::string> names;
  for (const Item& inner : item.items)
    for (std::string& name : names_in(inner)) names.push_back(std::move(name));
  if (!is_expression(item)) return names;
  // Names and numbers, whose exponents are no names, are the words of an expression.
  const auto is_of_word = [](char c) { return begins_name(c) || is_digit(c) || c == '.'; };
  for (std::size_t at = 1; at < item.text.size(); ++at) {
    const std::size_t begin = at;
    while (at < item.text.size() && is_of_word(item.text[at])) ++at;
    if (at > begin && begins_name(item.text[begin])) names.push_back(item.text.substr(begin, at - begin));
  }
  return names;
}

}  // namespace polhode::io
