// SPDX-License-Identifier: BSD-3-Clause
// From text to program: a descent over muParser's grammar, one function for each level of binding.
#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <numbers>

#include "expression_tree.hpp"
#include "jet.hpp"
#include "polhode/model/expression_names.hpp"
#include "polhode/model/problem.hpp"

namespace polhode::model {
namespace {

using Op = ExpressionTree::Op;
// Bounds on what a deck can ask for: far above what a person writes, far below what exhausts stack or time.
constexpr int any_number = 1000;
constexpr int deepest_nesting = 200;
constexpr std::size_t longest_text = 10000;

// With more than two arguments, an operation on two is repeated from the left.
struct Function {
  std::string_view name;
  int least;
  int most;
  Op op;
  ExpressionEvaluator::Smooth smooth{};
};
constexpr std::array functions{
    Function{"abs", 1, 1, Op::absolute},
    Function{"acos", 1, 1, Op::smooth, {jet::acos, std::acos}},
    Function{"acosh", 1, 1, Op::smooth, {jet::acosh, std::acosh}},
    Function{"asin", 1, 1, Op::smooth, {jet::asin, std::asin}},
    Function{"asinh", 1, 1, Op::smooth, {jet::asinh, std::asinh}},
    Function{"atan", 1, 1, Op::smooth, {jet::atan, std::atan}},
    Function{"atan2", 2, 2, Op::atan2},
    Function{"atanh", 1, 1, Op::smooth, {jet::atanh, std::atanh}},
    Function{"avg", 1, any_number, Op::add},
    Function{"cbrt", 1, 1, Op::smooth, {jet::cbrt, std::cbrt}},
    Function{"ceil", 1, 1, Op::ceil},
    Function{"cos", 1, 1, Op::smooth, {jet::cos, std::cos}},
    Function{"cosh", 1, 1, Op::smooth, {jet::cosh, std::cosh}},
    Function{"exp", 1, 1, Op::smooth, {jet::exp, std::exp}},
    Function{"floor", 1, 1, Op::floor},
    Function{"fmod", 2, 2, Op::fmod},
    Function{"hypot", 2, 2, Op::hypot},
    Function{"ln", 1, 1, Op::smooth, {jet::log, std::log}},
    Function{"log", 1, 1, Op::smooth, {jet::log, std::log}},
    Function{"log10", 1, 1, Op::smooth, {jet::log10, std::log10}},
    Function{"log2", 1, 1, Op::smooth, {jet::log2, std::log2}},
    Function{"max", 1, any_number, Op::maximum},
    Function{"min", 1, any_number, Op::minimum},
    Function{"pow", 2, 2, Op::power},
    Function{"rint", 1, 1, Op::rint},
    Function{"sign", 1, 1, Op::sign},
    Function{"sin", 1, 1, Op::smooth, {jet::sin, std::sin}},
    Function{"sinh", 1, 1, Op::smooth, {jet::sinh, std::sinh}},
    Function{"sqrt", 1, 1, Op::smooth, {jet::sqrt, std::sqrt}},
    Function{"sum", 1, any_number, Op::add},
    Function{"tan", 1, 1, Op::smooth, {jet::tan, std::tan}},
    Function{"tanh", 1, 1, Op::smooth, {jet::tanh, std::tanh}},
};

const Function* find_function(std::string_view name) {
  const auto found = std::find_if(functions.begin(), functions.end(), [&](const auto& f) { return f.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

// A binary operator and its sign.
struct Infix {
  std::string_view symbol;
  Op op;
};
// From loose to tight; of symbols that begin alike the longer stands first.
constexpr std::array<std::array<Infix, 6>, 5> infixes{{
    {{{"||", Op::logical_or}}},
    {{{"&&", Op::logical_and}}},
    {{{"<=", Op::less_equal},
      {">=", Op::greater_equal},
      {"==", Op::equal},
      {"!=", Op::not_equal},
      {"<", Op::less},
      {">", Op::greater}}},
    {{{"+", Op::add}, {"-", Op::subtract}}},
    {{{"*", Op::multiply}, {"/", Op::divide}}},
}};
// The level of comparisons, which do not chain: 0 < t < 1 would compare a truth value.
constexpr std::size_t comparisons = 2;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

std::string quoted(std::string_view text) {
  std::string result = "'";
  result += text;
  result += '\'';
  return result;
}

// Appended to messages about unknown names.
std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  return nearest.empty() ? "" : "; did you mean " + quoted(nearest) + "?";
}

// What an expression may use beside parameters, appended where no name is near; many variables are not told.
std::string known_variables(std::span<const std::string> variables, bool allow_time) {
  constexpr std::size_t few = 8;
  if (variables.empty() || variables.size() > few) return "";
  std::string list = allow_time ? "t" : "";
  for (const std::string& variable : variables) list += (list.empty() ? "" : ", ") + variable;
  return "; known here: " + list + " and the parameters of the deck";
}

}  // namespace

// Grammar, loose to tight: conditional ?:, ||, &&, comparisons, + -, * /, signs and !,
// ^ (right-associative), primaries. Errors are thrown with their place; after the first nothing later is
// certain.
class ExpressionParser {
 public:
  using Tree = ExpressionTree;
  // What a name stands for; the second argument is where it stands.
  using Meaning = std::function<Tree(std::string_view, std::size_t)>;

  // `variables` may have names of functions; with `any_name` any name may be one.
  ExpressionParser(std::string_view text, Meaning meaning, const VariableNames& variables, bool any_name = false)
      : text_(text), meaning_(std::move(meaning)), variables_(variables), any_name_(any_name) {}

  // Characters are counted from 1, as an editor counts them.
  [[noreturn]] static void fail(std::size_t at, const std::string& message) {
    throw ExpressionError(at, message + " (character " + std::to_string(at + 1) + " of the expression)");
  }

  Tree parse() {
    if (text_.size() > longest_text) fail(longest_text, "the expression is too long; a table may serve better");
    skip_space();
    if (at_ == text_.size()) fail(0, "the expression is empty");
    Tree tree = parse_conditional();
    if (at_ < text_.size()) fail(at_, unexpected("an operator"));
    return tree;
  }

  // Roots ascending, for the search for breakpoints.
  static Expression compile(const Tree& tree) {
    ExpressionProgram program;
    program.append(tree, true, 0);
    if (program.deepest > ExpressionEvaluator::deepest) {
      fail(0, "the expression is nested too deeply; split it into parameters");
    }
    Expression expression;
    std::sort(program.roots.begin(), program.roots.end());
    expression.program_ = std::move(program.nodes);
    expression.roots_ = std::move(program.roots);
    expression.scan_ = program.scan;
    expression.smooth_ = ExpressionEvaluator::is_smooth(expression.program_);
    if (!tree.varied) return expression;
    auto& variables = expression.variables_;
    tree.collect_variables(variables);
    std::sort(variables.begin(), variables.end());
    variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
    if (tree.timed) expression.timing_.push_back(compile(tree.timing()));
    if (const auto affine = tree.affine()) {
      for (const auto& [variable, slope] : affine->slopes) expression.slopes_.push_back(slope);
      const bool none = affine->offset.op == Tree::Op::number && affine->offset.number == 0;
      expression.offset_.push_back(none ? Expression{} : compile(affine->offset));
    }
    return expression;
  }

 private:
  // Counts levels, so that no text can exhaust the program's own stack.
  struct Level {
    explicit Level(ExpressionParser& parser) : parser_(parser) {
      if (++parser_.nesting_ > deepest_nesting) fail(parser_.at_, "the expression is nested too deeply");
    }
    ~Level() { --parser_.nesting_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ExpressionParser& parser_;
  };

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  // Takes a symbol and the space behind it, if it is next. Longer symbols are tried first (infixes).
  bool accept(std::string_view symbol) {
    if (text_.substr(at_, symbol.size()) != symbol) return false;
    at_ += symbol.size();
    skip_space();
    return true;
  }

  std::string_view word_at(std::size_t begin) const {
    std::size_t end = begin;
    const auto goes_on = [&] {
      if (end >= text_.size()) return false;
      if (begins_name(text_[end]) || is_digit(text_[end])) return true;
      // An output of several, and a name in an instance of a part: observer.0, blade_1.pitch
      return text_[end] == '.' && end + 1 < text_.size() && (begins_name(text_[end + 1]) || is_digit(text_[end + 1]));
    };
    while (goes_on()) ++end;
    return text_.substr(begin, end - begin);
  }

  // What stands here instead of `wanted`, and what to write where the intention is plain.
  std::string unexpected(const std::string& wanted) const {
    if (at_ == text_.size()) return "the expression ends where " + wanted + " is expected";
    const auto here = text_.substr(at_);
    if (here.starts_with("**")) return "'**' is no operator: a power is written '^'";
    if (here.front() == '*' && at_ > 0 && text_[at_ - 1] == '*') return "'**' is no operator: a power is written '^'";
    if (here.front() == '=') return "'=' does not stand here: equality is written '=='";
    if (here.front() == '&' || here.front() == '|') {
      return quoted(here.substr(0, 1)) + " is no operator: 'and' is written '&&', 'or' '||'";
    }
    if (here.front() == '%') return "'%' is no operator: a remainder is written fmod(a, b)";
    if (here.front() == ',') return "a comma stands only between the arguments of a function; decimals have a point";
    if (here.front() == ')') return "')' where " + wanted + " is expected";
    const auto word = word_at(at_);
    return quoted(word.empty() ? here.substr(0, 1) : word) + " where " + wanted + " is expected";
  }

  void expect_closing(std::size_t opened) {
    if (accept(")")) return;
    if (at_ == text_.size()) fail(opened, "'(' is not closed");
    fail(at_, unexpected("an operator or ')'"));
  }

  // `a ? b : c ? d : e` nests to the right. Both branches stay in the tree unless the condition is a
  // constant.
  Tree parse_conditional() {
    const Level level(*this);
    Tree condition = parse_infix(0);
    if (text_.substr(at_, 1) != "?") return condition;
    const std::size_t mark = at_;
    accept("?");
    Tree yes = parse_conditional();
    if (!accept(":")) {
      fail(at_ == text_.size() ? mark : at_,
           at_ == text_.size() ? "'?' without ':' (cond ? a : b)" : unexpected("':'"));
    }
    Tree no = parse_conditional();
    return Tree::make(Op::branch, {std::move(condition), std::move(yes), std::move(no)});
  }

  // Operators of one level bind from the left: a - b - c = (a - b) - c.
  Tree parse_infix(std::size_t binding) {
    if (binding == infixes.size()) return parse_sign();
    Tree left = parse_infix(binding + 1);
    for (int count = 1;; ++count) {
      const std::size_t mark = at_;
      const auto& symbols = infixes[binding];
      const auto found = std::find_if(symbols.begin(), symbols.end(), [&](const Infix& infix) {
        return !infix.symbol.empty() && accept(infix.symbol);
      });
      if (found == symbols.end()) return left;
      if (binding == comparisons && count > 1) {
        fail(mark, "comparisons do not chain: write a < b && b < c, or parentheses");
      }
      Tree right = parse_infix(binding + 1);
      left = Tree::make(found->op, {std::move(left), std::move(right)});
    }
  }

  // Signs bind looser than the power: -2^2 is -4.
  Tree parse_sign() {
    const Level level(*this);
    if (accept("-")) return Tree::make(Op::negate, {parse_sign()});
    if (accept("+")) return parse_sign();
    if (text_.substr(at_, 2) != "!=" && accept("!")) return Tree::make(Op::logical_not, {parse_sign()});
    Tree base = parse_primary();
    if (!accept("^")) return base;
    return Tree::make(Op::power, {std::move(base), parse_sign()});
  }

  // A name before a parenthesis is a call; "sin t" without one is a frequent slip and has its own message.
  // pi is known here, all other names by `meaning_`.
  Tree parse_primary() {
    const std::size_t begin = at_;
    if (accept("(")) {
      Tree inner = parse_conditional();
      expect_closing(begin);
      return inner;
    }
    const char first = begin < text_.size() ? text_[begin] : '\0';
    if (is_digit(first) || first == '.') return parse_number();
    if (!begins_name(first)) fail(begin, unexpected("a number, a name or '('"));
    const auto name = word_at(begin);
    at_ += name.size();
    skip_space();
    if (accept("(")) return parse_call(name, begin);
    if (any_name_) return meaning_(name, begin);
    if (variables_.contains(name)) return meaning_(name, begin);
    if (find_function(name)) fail(begin, quoted(name) + " is a function: write " + std::string(name) + "(...)");
    if (name == "pi") return {Op::number, std::numbers::pi, nullptr, {}};
    return meaning_(name, begin);
  }

  // std::from_chars reads decimals with a point in any locale, and no signs: those are operators.
  Tree parse_number() {
    Tree number;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number.number);
    if (error == std::errc::result_out_of_range) {
      fail(at_, "the number " + std::string(begin, end) + " is out of range");
    }
    if (error != std::errc()) fail(at_, unexpected("a number, a name or '('"));
    at_ += static_cast<std::size_t>(end - begin);
    skip_space();
    return number;
  }

  // Functions of any number of arguments are folded from the left, a sum over the count for avg.
  // `if` is no function here: both of its branches would be evaluated.
  Tree parse_call(std::string_view name, std::size_t begin) {
    const Function* const function = find_function(name);
    if (!function) {
      if (name == "if") fail(begin, "unknown function 'if'; use `a ? b : c`");
      std::vector<std::string> known;
      for (const auto& each : functions) known.emplace_back(each.name);
      fail(begin, "unknown function " + quoted(name) + suggestion(name, known));
    }
    std::vector<Tree> arguments;
    if (!accept(")")) {
      do arguments.push_back(parse_conditional());
      while (accept(","));
      expect_closing(begin + name.size());
    }
    const int count = static_cast<int>(arguments.size());
    if (count < function->least || count > function->most) {
      const bool one = function->least == 1;
      fail(begin, quoted(name) + " takes " + (function->most == any_number ? "at least " : "") +
                      std::to_string(function->least) + (one ? " argument" : " arguments") + ", not " +
                      std::to_string(count));
    }
    if (function->most == 1) return Tree::make(function->op, std::move(arguments), &function->smooth);
    Tree result = std::move(arguments.front());
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      result = Tree::make(function->op, {std::move(result), std::move(arguments[i])});
    }
    if (name != "avg") return result;
    return Tree::make(Op::divide, {std::move(result), {Op::number, static_cast<double>(count), nullptr, {}}});
  }

  std::string_view text_;
  Meaning meaning_;
  const VariableNames& variables_;
  bool any_name_;
  std::size_t at_ = 0;
  int nesting_ = 0;
};

// Of a name that is given twice the first one counts, as in a search.
VariableNames::VariableNames(std::vector<std::string> names) : list_(std::move(names)) {
  for (std::size_t i = 0; i < list_.size(); ++i) index_.emplace(list_[i], static_cast<int>(i));
}

// Without a copy of the name.
int VariableNames::index_of(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? -1 : found->second;
}

// Parses with a meaning for every name, so that wrong syntax is an error here, too.
std::vector<std::string> Expression::names_used(std::string_view text, const VariableNames& variables) {
  std::vector<std::string> names;
  const auto collect = [&](std::string_view name, std::size_t) -> ExpressionTree {
    if (name != "t" && std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    return ExpressionTree::time();
  };
  ExpressionParser(text, collect, variables).parse();
  return names;
}

// Parameters become numbers at once, and constants are folded with them.
Expression Expression::parse(std::string_view text, const std::map<std::string, double, std::less<>>& parameters,
                             bool allow_time, const VariableNames& variables) {
  const auto look_up = [&](std::string_view name, std::size_t at) -> ExpressionTree {
    if (const int variable = variables.index_of(name); variable >= 0) return ExpressionTree::variable(variable);
    if (name == "t") {
      if (allow_time) return ExpressionTree::time();
      ExpressionParser::fail(at, "the time 't' has no value here: only functions of time may use it");
    }
    if (const auto found = parameters.find(name); found != parameters.end()) {
      return {Op::number, found->second, nullptr, {}};
    }
    std::vector<std::string> known{"pi"};
    if (allow_time) known.emplace_back("t");
    known.insert(known.end(), variables.list().begin(), variables.list().end());
    for (const auto& [parameter, value] : parameters) known.push_back(parameter);
    for (const auto& function : functions) known.emplace_back(function.name);
    std::string hint = suggestion(name, known);
    if (hint.empty()) hint = known_variables(variables.list(), allow_time);
    ExpressionParser::fail(at, "unknown name " + quoted(name) + hint);
  };
  return ExpressionParser::compile(ExpressionParser(text, look_up, variables).parse());
}

// The parser says which words are names, and where they stand.
std::string with_new_names(std::string_view text, const NewName& new_name) {
  std::string result;
  std::size_t copied = 0;
  const auto rename = [&](std::string_view name, std::size_t at) {
    (result += text.substr(copied, at - copied)) += new_name(name);
    copied = at + name.size();
    return ExpressionTree::time();
  };
  try {
    const VariableNames none;
    ExpressionParser(text, rename, none, true).parse();
  } catch (const ExpressionError&) {
    return std::string(text);
  }
  return result += text.substr(copied);
}

bool Expression::is_reserved(std::string_view name) { return name == "t" || name == "pi" || find_function(name); }

}  // namespace polhode::model
