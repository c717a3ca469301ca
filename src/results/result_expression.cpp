// SPDX-License-Identifier: BSD-3-Clause
// Names of results become variables of the expression.
#include "polhode/results/result_expression.hpp"

#include <algorithm>
#include <cctype>

namespace polhode::results {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Words of an expression, one after the other.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}
  bool at_end() const { return at_ == text_.size(); }
  // A number, a name with what follows it by dots and in brackets, or another character.
  std::string_view take() {
    const std::size_t begin = at_;
    if (is_digit(text_[at_]) || text_[at_] == '.')
      pass_number();
    else if (is_word(text_[at_]))
      pass_name();
    else
      ++at_;
    return text_.substr(begin, at_ - begin);
  }

 private:
  char next(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  // An exponent belongs to it only where digits follow: in "2*e" it is a name.
  void pass_number() {
    while (is_digit(next()) || next() == '.') ++at_;
    if (next() != 'e' && next() != 'E') return;
    const std::size_t sign = next(1) == '+' || next(1) == '-' ? 1 : 0;
    if (!is_digit(next(1 + sign))) return;
    at_ += 1 + sign;
    while (is_digit(next())) ++at_;
  }
  // Dots stand between words, brackets behind them; a dot that nothing follows is left to the parser, which reports it.
  void pass_name() {
    while (is_word(next())) ++at_;
    for (;;) {
      if (next() == '.' && is_word(next(1))) {
        ++at_;
        while (is_word(next())) ++at_;
      } else if (const std::size_t close = text_.find(']', at_); next() == '[' && close != std::string_view::npos) {
        at_ = close + 1;
      } else {
        return;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// A name that the parser takes for that of a variable, of the same length, so that faults keep their places; other than
// those that are taken.
template <class IsTaken>
std::string variable_of(std::string_view name, const IsTaken& is_taken) {
  std::string variable(name);
  for (char& c : variable)
    if (!is_word(c)) c = '_';
  for (char last = 'A'; is_taken(variable) && last <= 'Z'; ++last) variable.back() = last;
  return variable;
}

}  // namespace

// Names are replaced before the text is parsed, since dots and brackets mean other things in an expression.
// Of each only what it is called matters here: the layout of the results is not known when a deck is read.
ResultExpression read_result_expression(std::string_view text,
                                        const std::map<std::string, double, std::less<>>& parameters) {
  ResultExpression result;
  std::vector<std::string> variables;
  std::string parsed;
  for (Scanner scanner(text); !scanner.at_end();) {
    const std::string_view word = scanner.take();
    const bool is_name = is_word(word.front()) && !is_digit(word.front()) && word.find_first_of(".[") != word.npos;
    if (!is_name) {
      parsed += word;
      continue;
    }
    const auto known = std::find(result.names.begin(), result.names.end(), word);
    const auto number = static_cast<std::size_t>(known - result.names.begin());
    if (known == result.names.end()) {
      result.names.emplace_back(word);
      variables.push_back(variable_of(word, [&](const std::string& name) {
        return parameters.contains(name) || std::find(variables.begin(), variables.end(), name) != variables.end();
      }));
    }
    parsed += variables[number];
  }
  result.expression = model::Expression::parse(parsed, parameters, true, variables);
  return result;
}

}  // namespace polhode::results
