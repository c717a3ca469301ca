// SPDX-License-Identifier: BSD-3-Clause
// Drift and spread of momenta, and of the energy that a method keeps.
#include "invariant_summary.hpp"

#include <algorithm>
#include <cmath>

#include "polhode/model/text.hpp"

namespace polhode::cli {

using model::format;

namespace {

template <class Text>
std::string list_of(const std::array<double, 3>& values, std::size_t size, const Text& text_of) {
  std::string text = size > 1 ? "[" : "";
  for (std::size_t i = 0; i < size; ++i) text += (i ? ", " : "") + text_of(values[i]);
  return text + (size > 1 ? "]" : "");
}

}  // namespace

InvariantSummary::InvariantSummary(const results::Layout& layout) {
  const auto find = [&](const std::string& name) {
    return std::find_if(layout.states.begin(), layout.states.end(),
                        [&](const results::Channel& c) { return c.path == "/invariants/" + name; });
  };
  for (const std::string& name :
       {std::string("linear_momentum"), std::string("angular_momentum"), std::string("energy")}) {
    const auto plain = find(name);
    const auto discrete = find("discrete_" + name);
    const bool has_discrete = discrete != layout.states.end();
    const auto channel = has_discrete ? discrete : plain;
    if (channel == layout.states.end() || (name == "energy" && !has_discrete)) continue;  // the balance tells it
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    all_.push_back(
        {words, channel->units, channel->offset, channel->shape.empty() ? 1u : 3u, has_discrete && name == "energy"});
  }
}

void InvariantSummary::add(std::span<const double> row) {
  const bool at_start = rows_++ == 0;
  for (Quantity& q : all_) {
    if ((at_start && q.of_steps) || std::isnan(row[q.offset])) continue;
    const bool first = q.count++ == 0;
    for (std::size_t i = 0; i < q.size; ++i) {
      const double value = row[q.offset + i];
      if (first) q.first[i] = q.least[i] = q.most[i] = value;
      q.last[i] = value;
      q.least[i] = std::min(q.least[i], value);
      q.most[i] = std::max(q.most[i], value);
    }
  }
}

std::vector<std::string> InvariantSummary::lines() const {
  std::vector<std::string> lines;
  for (const Quantity& q : all_) {
    if (q.count < 2) continue;
    std::array<double, 3> drift{};
    std::array<double, 3> spread{};
    for (std::size_t i = 0; i < q.size; ++i) {
      drift[i] = q.last[i] - q.first[i];
      spread[i] = q.most[i] - q.least[i];
    }
    const auto value = [](double v) { return format("%.9g", v); };
    const auto change = [](double v) { return format("%+.3g", v); };
    const auto size = [](double v) { return format("%.3g", v); };
    lines.push_back(q.name + " " + list_of(q.first, q.size, value) + " " + q.units +
                    (q.of_steps ? " in the first step" : " at the start") + ", drift " +
                    list_of(drift, q.size, change) + ", spread " + list_of(spread, q.size, size));
  }
  return lines;
}

}  // namespace polhode::cli
