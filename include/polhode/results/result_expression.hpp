// SPDX-License-Identifier: BSD-3-Clause
// Expressions of results: "signals.lag - 2*joints.hinge.coordinates".
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/model/expression.hpp"

namespace polhode::results {

// Over the results `names`, in this order, parameters, and the time t in s.
struct ResultExpression {
  std::vector<std::string> names;
  model::Expression expression;
};

// Reads `text`, without the leading '='. What has a dot or an index is the name of a result; each stands once in `names`,
// and whether there is such a result is not looked at. Throws model::ExpressionError, with a position in `text`.
ResultExpression read_result_expression(std::string_view text,
                                        const std::map<std::string, double, std::less<>>& parameters);

}  // namespace polhode::results
