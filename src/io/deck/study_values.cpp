// SPDX-License-Identifier: BSD-3-Clause
// What a study varies: lists and ranges of values, and how they are put together.
#include <algorithm>
#include <cmath>

#include "read_settings.hpp"
#include "study_reader.hpp"

namespace polhode::io {
namespace {

// A list: numbers (expressions too), or texts such as names of methods.
void read_list(const Item& item, const std::string& path, Axis& axis, Reader& reader) {
  if (item.items.empty())
    return reader.findings.add(item, path, "the list of values is empty, so there is no case; give one value or more");
  // As YAML decides it: quoted digits are text.
  const auto is_number = [](const Item& one) {
    return one.kind == Item::Kind::scalar &&
           (one.text.starts_with('=') || (!one.quoted && one.text.find_first_of("0123456789") != std::string::npos &&
                                          one.text.find_first_not_of("0123456789+-.eE") == std::string::npos));
  };
  const auto numbers = std::count_if(item.items.begin(), item.items.end(), is_number);
  if (numbers > 0 && numbers < static_cast<std::ptrdiff_t>(item.items.size()))
    return reader.findings.add(item, path, "numbers and texts in one list; give one sort of them");
  if (numbers > 0) {
    const model::Field any{"", model::FieldType::number, "", ""};
    axis.numbers = reader.plain.numbers(item, path, any, 0).value_or(axis.numbers);
    return;
  }
  for (std::size_t i = 0; i < item.items.size(); ++i) {
    const Item& one = item.items[i];
    // A vector as a value would change its components together.
    if (one.kind != Item::Kind::scalar)
      reader.findings.add(one, join_path(path, std::to_string(i)),
                          "expected a number or a text, found " + describe(one) +
                              "; components of vectors are varied one by one, as in nodes.tip.position.2");
    axis.texts.push_back(one.text);
  }
}

// linspace and logspace have both ends among their values. These are made when they are asked for: there may be as many
// as a study has cases. Samples take the ends as bounds.
void read_range(const Item& item, const std::string& path, Axis& axis, Reader& reader) {
  const std::size_t before = reader.findings.size();
  const auto given = reader.mapping(item, path, range_table);
  if (!given || reader.findings.size() > before) return;
  if (item.items.size() != 1)
    return reader.findings.add(item, path, "give a list of values, or exactly one of linspace, logspace");
  const Key& key = range_table.keys[given->has("linspace") ? 0 : 1];
  const std::string key_path = path + "." + std::string(key.field.name);
  const auto three = reader.plain.numbers(item.items[0], key_path, key.field, 3);
  if (!three) return;
  const double first = (*three)[0];
  const double last = (*three)[1];
  const double count = (*three)[2];
  if (count > most_cases)
    return reader.findings.add(item.items[0], key_path,
                               "makes " + rounded_text(count) + " cases, and a study has at most " +
                                   rounded_text(most_cases) + "; take fewer values");
  if (count != std::floor(count) || count < 2)
    return reader.findings.add(item.items[0], key_path,
                               "the number of values must be whole and 2 or more, is " + number_text(count) +
                                   "; a single value is a list, [" + number_text(first) + "]");
  if (first == last)
    return reader.findings.add(
        item.items[0], key_path,
        "both ends are " + number_text(first) + "; a single value is a list, [" + number_text(first) + "]");
  // Lists stay lists under sampling: items are chosen, not interpolated.
  axis.range = true;
  axis.logarithmic = given->has("logspace");
  axis.count = static_cast<std::size_t>(count);
  axis.numbers = {first, last};
}

}  // namespace

std::size_t Axis::size() const {
  if (range) return count;
  return texts.empty() ? numbers.size() : texts.size();
}

// The last is not computed, as powers of a ratio would miss it by round-off.
double Axis::number(std::size_t i) const {
  if (!range) return numbers[i];
  const double first = numbers.front();
  const double last = numbers.back();
  if (i + 1 == count) return last;
  const double s = static_cast<double>(i) / static_cast<double>(count - 1);
  return logarithmic ? first * std::pow(last / first, s) : first + s * (last - first);
}

// In the order of the deck's writer: the last axis runs fastest in a grid.
void read_vary(const Item& item, Study& study, Reader& reader) {
  if (item.kind != Item::Kind::mapping || item.items.empty())
    return reader.findings.add(item, "vary",
                               item.items.empty() && item.kind != Item::Kind::scalar
                                   ? "nothing is varied, so there is no case; name at least one path of the deck"
                                   : "expected paths of the deck, each with its values; found " + describe(item));
  for (const Item& entry : item.items) {
    const std::string path = "vary." + entry.key;
    const bool twice =
        std::any_of(study.axes.begin(), study.axes.end(), [&](const Axis& other) { return other.path == entry.key; });
    if (twice) {
      reader.findings.add(entry, path, "'" + entry.key + "' stands here twice; remove one");
      continue;
    }
    Axis axis;
    axis.path = entry.key;
    if (entry.kind == Item::Kind::sequence)
      read_list(entry, path, axis, reader);
    else if (entry.kind == Item::Kind::mapping)
      read_range(entry, path, axis, reader);
    else
      reader.findings.add(entry, path,
                          "expected a list of values, {linspace: [first, last, number]} or {logspace: [...]}; found " +
                              describe(entry));
    study.axes.push_back(std::move(axis));
  }
}

// A word for grid and zip; a mapping with a number of samples for the two samplings.
void read_sampling(const Item& item, Study& study, Reader& reader) {
  Sampling& sampling = study.sampling;
  if (item.kind == Item::Kind::mapping) {
    const std::size_t before = reader.findings.size();
    const auto given = reader.mapping(item, "sampling", sampling_table);
    if (!given || reader.findings.size() > before) return;
    if (item.items.size() != 1)
      return reader.findings.add(item, "sampling", "give exactly one of latin_hypercube, sobol");
    sampling.kind = given->has("sobol") ? Sampling::Kind::sobol : Sampling::Kind::latin_hypercube;
    read_settings(item.items[0], "sampling." + item.items[0].key, samples_of_study_table, &sampling, reader);
    return;
  }
  for (const Key& key : study_table.keys)
    if (key.form == Form::value_or_mapping)
      if (const auto choice = reader.value(item, "sampling", key.field, study_table.name))
        sampling.kind = std::get<std::string>(*choice) == "zip" ? Sampling::Kind::zip : Sampling::Kind::grid;
}

}  // namespace polhode::io
