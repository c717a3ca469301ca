// SPDX-License-Identifier: BSD-3-Clause
// The nearest known name: what a message proposes where a name is misspelt.
#include "polhode/model/problem.hpp"

#include <algorithm>
#include <numeric>

namespace polhode::model {
namespace {

// ASCII alone, whatever the locale.
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Letters to insert, remove, replace or swap with their neighbor; capitals count as their small letters.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

constexpr std::size_t no_distance = static_cast<std::size_t>(-1);

// The largest edit distance that a slip of the fingers makes: a third of the name, or 1; one more where the first
// half of the name is right ("energies" for "energy").
std::size_t near_distance(std::string_view name, std::string_view candidate) {
  const std::size_t third = std::max<std::size_t>(1, name.size() / 3);
  const std::size_t half = (name.size() + 1) / 2;
  const bool same_begin = half > 2 && name.substr(0, half) == candidate.substr(0, half);
  return third + (same_begin ? 1 : 0);
}

// The end of a name with dots that has as many words as `like`; "" of names that have no more than it.
std::string_view end_like(std::string_view candidate, std::string_view like) {
  auto more = std::count(candidate.begin(), candidate.end(), '.') - std::count(like.begin(), like.end(), '.');
  if (more <= 0) return "";
  for (; more > 0; --more) candidate.remove_prefix(candidate.find('.') + 1);
  return candidate;
}

// The first of equally near names, by what `part_of` takes of each. Names without a letter in common are no proposal.
template <class Part>
std::string nearest_by(std::string_view name, const std::vector<std::string>& known, const Part& part_of) {
  std::size_t least = no_distance;
  std::string nearest;
  for (const std::string& whole : known) {
    const std::string_view candidate = part_of(whole);
    const std::size_t longer = std::max(name.size(), candidate.size());
    const std::size_t distance = edit_distance(name, candidate);
    const bool nothing_in_common = distance >= longer;
    if (distance < least && distance <= near_distance(name, candidate) && !nothing_in_common) {
      least = distance;
      nearest = whole;
    }
  }
  return nearest;
}

}  // namespace

// Names of instances begin with the instance, which a part does not write, and a deck may forget.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  std::string nearest = nearest_by(name, known, [](std::string_view whole) { return whole; });
  if (!nearest.empty()) return nearest;
  return nearest_by(name, known, [&](std::string_view whole) { return end_like(whole, name); });
}

}  // namespace polhode::model
