// SPDX-License-Identifier: BSD-3-Clause
// Restart points, read: by a child, whose findings go through a pipe as words.
#include "polhode/io/hdf5/restart_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "io/hdf5/checked_data.hpp"
#include "io/hdf5/restart_head.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "polhode/io/read_apart.hpp"
#include "polhode/io/version.hpp"
#include "polhode/math/archive.hpp"

namespace polhode::io {
namespace {

std::string text_of(const std::vector<double>& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(double)};
}

std::vector<double> words_of(const std::string& text) {
  std::vector<double> words(text.size() / sizeof(double));
  if (!words.empty()) std::memcpy(words.data(), text.data(), words.size() * sizeof(double));
  return words;
}

// The dataset of points, of a file that has been opened by a ResultsReader before.
class PointsReader {
 public:
  explicit PointsReader(const std::string& file)
      : file_(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose),
        dataset_(H5Dopen2(file_, restart_path, H5P_DEFAULT), H5Dclose),
        form_(hdf5::form_of(dataset_, restart_path)) {
    if (form_.shape.size() != 1) hdf5::refuse_content("the restart points are no list of numbers");
    const hdf5::Handle properties(H5Dget_create_plist(dataset_), H5Pclose);
    if (H5Pget_layout(properties) == H5D_CHUNKED) hdf5::checked(H5Pget_chunk(properties, 1, &block_words_));
  }
  std::string attribute(const char* name) const { return hdf5::read_text_attribute(dataset_, name, restart_path); }
  std::uint64_t size() const { return form_.rows(); }
  std::uint64_t block_words() const { return block_words_; }
  std::vector<double> words(std::uint64_t first, std::uint64_t count) const {
    return hdf5::read_numbers(dataset_, form_, restart_path, {first, count});
  }

 private:
  hdf5::Handle file_;
  hdf5::Handle dataset_;
  hdf5::Form form_;
  hsize_t block_words_ = words_of_head;
};

// Errors of HDF5 as those of the file.
template <class Action>
auto reading(const std::string& file, const Action& action) {
  try {
    return action();
  } catch (const hdf5::Error& error) {
    throw FileError(file + ": " + error.what());
  }
}

std::size_t rows_of(const ResultsReader& reader, const char* path) {
  if (!reader.has(path)) return 0;
  const Dataset& dataset = reader.dataset(path);
  return dataset.shape.empty() ? 0 : dataset.shape[0];
}

// A run from the begin is what always works.
constexpr const char* run_the_deck = "run the deck from the begin";

void check_version(const ResultsReader& reader, const std::string& file) {
  const std::string format = reader.attribute("format");
  if (format != results_format)
    throw FileError(fmt::format("{}: is a file of {}, and no results ({}) with restart points; {}", file, format,
                                results_format, run_the_deck));
  const std::string other = reader.attribute("polhode_version");
  if (other != version)
    throw FileError(
        fmt::format("{}: was written by polhode {}, and restart points are read by the same version alone, which this "
                    "one ({}) is not; "
                    "go on with polhode {}, or {}",
                    file, other, version, other, run_the_deck));
}

// What the file says of itself, and the points in it.
struct FoundPoints {
  std::string deck_text;
  RestartInfo info;
  std::vector<RestartHead> points;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> places;

  void archive(math::Archive& a) {
    a(deck_text, info.enabled, info.keeps_all, info.deck_file, info.tables, places);
    points.resize(places.size());
    for (RestartHead& head : points)
      a(head.number, head.analysis, head.step, head.time, head.any_duration, head.states, head.steps);
  }
};

// Blocks that begin with a head, whose point is whole, and whose rows are in the file.
void find_points(const PointsReader& reader, std::uint64_t states, std::uint64_t steps, FoundPoints& found) {
  for (std::uint64_t at = 0; at + words_of_head <= reader.size(); at += reader.block_words()) {
    const auto head = head_at(reader.words(at, words_of_head), reader.size() - at);
    if (!head || head->head.states > states || head->head.steps > steps) continue;
    if (!is_whole(reader.words(at, words_of_head + head->words), *head)) continue;
    found.points.push_back(head->head);
    found.places.emplace_back(at + words_of_head, head->words);
  }
}

// A file that is damaged or cut is named with what would work.
ResultsReader open_results(const std::string& file) {
  try {
    return ResultsReader(file);
  } catch (const FileError& error) {
    throw FileError(fmt::format("{}; {}", error.what(), run_the_deck));
  }
}

FoundPoints find_all(const std::string& file) {
  const ResultsReader results = open_results(file);
  check_version(results, file);
  FoundPoints found;
  found.deck_text = results.text("/deck");
  if (!results.has_restart_points()) return found;
  reading(file, [&] {
    const PointsReader reader(file);
    const std::string kept = reader.attribute("kept");
    if (reader.attribute("format") != restart_format || kept == "none") return;
    found.info.enabled = true;
    found.info.keeps_all = kept == "all";
    found.info.deck_file = reader.attribute("deck_file");
    found.info.tables = reader.attribute("tables");
    find_points(reader, rows_of(results, "/time"), rows_of(results, "/solver/time"), found);
  });
  return found;
}

}  // namespace

RestartSource::RestartSource(const std::string& file) : file_(file) {
  if (!is_hdf5_file(file))
    throw FileError(file + ": is no results file (HDF5), whose restart points a run could go on from; " + run_the_deck);
  const std::vector<double> words = words_of(read_apart(file, [&] {
    FoundPoints found = find_all(file);
    math::Archive a;
    found.archive(a);
    return text_of(a.words());
  }));
  FoundPoints found;
  math::Archive a(words);
  found.archive(a);
  if (!a.is_at_end()) throw FileError(file + ": the process that read it has said too little");
  if (!found.info.enabled)
    throw FileError(fmt::format(
        "{}: holds no restart points; {}, with `output: {{restart: n}}` to have one each n steps", file, run_the_deck));
  deck_text_ = std::move(found.deck_text);
  info_ = std::move(found.info);
  std::vector<std::size_t> order(found.points.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a_, std::size_t b_) { return found.points[a_].number < found.points[b_].number; });
  for (const std::size_t i : order) {
    points_.push_back(found.points[i]);
    places_.push_back(found.places[i]);
  }
}

std::vector<double> RestartSource::body_of(const RestartHead& point) const {
  const auto found = std::find_if(points_.begin(), points_.end(),
                                  [&](const RestartHead& head) { return head.number == point.number; });
  if (found == points_.end()) throw FileError(file_ + ": holds no such restart point");
  const auto [first, count] = places_[static_cast<std::size_t>(found - points_.begin())];
  return words_of(read_apart(file_, [&, first = first, count = count] {
    return reading(file_, [&] {
      hdf5::silence();
      return text_of(PointsReader(file_).words(first, count));
    });
  }));
}

void RestartSource::copy_states(const results::Layout& layout, std::uint64_t count, const TakeRow& take) const {
  copy_rows(layout.states, layout.state_size, count, take);
}

void RestartSource::copy_steps(const results::Layout& layout, std::uint64_t count, const TakeRow& take) const {
  copy_rows(layout.steps, layout.step_size, count, take);
}

// Some megabytes at a time, in the form of rows.
void RestartSource::copy_rows(const std::vector<results::Channel>& channels, std::size_t row_size, std::uint64_t count,
                              const TakeRow& take) const {
  constexpr std::uint64_t numbers_at_a_time = 8 * 1024 * 1024;
  const std::uint64_t at_a_time = std::max<std::uint64_t>(1, numbers_at_a_time / std::max<std::size_t>(row_size, 1));
  for (std::uint64_t first = 0; first < count; first += at_a_time) {
    const std::uint64_t rows = std::min(at_a_time, count - first);
    const std::vector<double> block = words_of(read_apart(file_, [&] {
      const ResultsReader reader(file_);
      std::vector<double> all(rows * row_size);
      for (const results::Channel& channel : channels) {
        const std::size_t size = results::numbers_of(channel.shape);
        if (size == 0) continue;
        const std::vector<double> numbers = reader.numbers(channel.path, first, rows);
        if (numbers.size() != rows * size)
          throw FileError(
              fmt::format("{}: {} has not the shape that the deck gives it; {}", file_, channel.path, run_the_deck));
        for (std::uint64_t row = 0; row < rows; ++row)
          std::copy_n(numbers.data() + row * size, size, all.data() + row * row_size + channel.offset);
      }
      return text_of(all);
    }));
    for (std::uint64_t row = 0; row < rows; ++row) take({block.data() + row * row_size, row_size});
  }
}

results::StaticData RestartSource::data_like(const results::StaticData& form) const {
  const std::vector<double> words = words_of(read_apart(file_, [&] {
    const ResultsReader reader(file_);
    math::Archive a;
    std::vector<std::string> names;
    std::vector<double> numbers;
    if (reader.dataset(form.path).text)
      names = reader.texts(form.path);
    else
      numbers = reader.numbers(form.path);
    a(names, numbers);
    return text_of(a.words());
  }));
  results::StaticData data = form;
  std::vector<double> numbers;
  math::Archive a(words);
  a(data.names, numbers);
  if (!data.integer)
    data.numbers = std::move(numbers);
  else
    for (const double number : numbers) data.indices.push_back(static_cast<int>(number));
  return data;
}

}  // namespace polhode::io
