// SPDX-License-Identifier: BSD-3-Clause
// Restart points, written.
#include "io/hdf5/restart_points.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "io/hdf5/datasets.hpp"
#include "io/hdf5/restart_head.hpp"

namespace polhode::io {
namespace {

constexpr std::uint64_t mark_of_head = 0x706f6c686f646501u;

double word_of(std::uint64_t number) { return std::bit_cast<double>(number); }
std::uint64_t number_of(double word) { return std::bit_cast<std::uint64_t>(word); }

}  // namespace

std::array<double, words_of_head> words_of(const RestartHead& head, std::span<const double> body) {
  std::array<double, words_of_head> words{word_of(mark_of_head),
                                          word_of(static_cast<std::uint64_t>(body.size())),
                                          word_of(static_cast<std::uint64_t>(head.number)),
                                          word_of(static_cast<std::uint64_t>(head.analysis)),
                                          word_of(static_cast<std::uint64_t>(head.step)),
                                          head.time,
                                          word_of(head.any_duration ? 1 : 0),
                                          word_of(head.states),
                                          word_of(head.steps),
                                          0};
  words.back() = word_of(check_sum(body, check_sum(std::span(words).first(words_of_head - 1))));
  return words;
}

std::optional<CheckedHead> head_at(std::span<const double> words, std::uint64_t most) {
  if (words.size() < words_of_head || number_of(words[0]) != mark_of_head) return std::nullopt;
  CheckedHead found;
  found.words = number_of(words[1]);
  if (most < words_of_head || found.words > most - words_of_head) return std::nullopt;
  found.head.number = static_cast<long>(number_of(words[2]));
  found.head.analysis = static_cast<int>(number_of(words[3]));
  found.head.step = static_cast<long>(number_of(words[4]));
  found.head.time = words[5];
  found.head.any_duration = number_of(words[6]) == 1;
  found.head.states = number_of(words[7]);
  found.head.steps = number_of(words[8]);
  return found;
}

bool is_whole(std::span<const double> words, const CheckedHead& head) {
  const std::uint64_t sum =
      check_sum(words.subspan(words_of_head, head.words), check_sum(words.first(words_of_head - 1)));
  return sum == number_of(words[words_of_head - 1]);
}

hsize_t words_of_block(double expected_words) {
  constexpr double page = 512;
  constexpr double most = 256 * page;
  return static_cast<hsize_t>(std::clamp(page * std::ceil(1.1 * expected_words / page), page, most));
}

long place_of(const RestartHead& head, bool keeps_all) {
  constexpr long of_begins = -1;
  if (head.step == 0) return of_begins - head.analysis;
  if (keeps_all) return head.number;
  constexpr unsigned long in_turn = 4;
  const auto number = static_cast<unsigned long>(head.number);
  const int level = std::countr_zero(number);
  return static_cast<long>(in_turn * static_cast<unsigned long>(level) + (number >> (level + 1)) % in_turn);
}

RestartPointsWriter::RestartPointsWriter(hid_t file, const RestartInfo& info)
    : block_words_(words_of_block(info.expected_words)), keeps_all_(info.keeps_all) {
  const hsize_t none = 0;
  const hsize_t no_limit = H5S_UNLIMITED;
  const hdf5::Handle space(H5Screate_simple(1, &none, &no_limit), H5Sclose);
  const hdf5::Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  hdf5::checked(H5Pset_chunk(properties, 1, &block_words_));
  hdf5::checked(H5Pset_obj_track_times(properties, false));
  dataset_ = hdf5::Handle(
      H5Dcreate2(file, restart_path, H5T_IEEE_F64LE, space, hdf5::link_properties(), properties, H5P_DEFAULT),
      H5Dclose);
  hdf5::describe(dataset_, "1", "restart points, for `polhode run --restart` of the same version");
  hdf5::write_attribute(dataset_, "format", restart_format);
  hdf5::write_attribute(dataset_, "kept", !info.enabled ? "none" : info.keeps_all ? "all" : "last");
  hdf5::write_attribute(dataset_, "deck_file", info.deck_file);
  hdf5::write_attribute(dataset_, "tables", info.tables);
}

void RestartPointsWriter::keep(const RestartHead& head, const std::vector<double>& body) {
  const auto first = words_of(head, body);
  const long place = place_of(head, keeps_all_);
  const auto in_place = [place](const Waiting& one) { return one.place == place; };
  const auto older = keeps_all_ ? waiting_.end() : std::find_if(waiting_.begin(), waiting_.end(), in_place);
  if (older != waiting_.end()) {
    waiting_words_ -= older->words.size();
    waiting_.erase(older);
  }
  Waiting& point = waiting_.emplace_back(Waiting{place, {first.begin(), first.end()}});
  point.words.insert(point.words.end(), body.begin(), body.end());
  waiting_words_ += point.words.size();
}

// In the place of the older point where that is large enough.
RestartPointsWriter::Blocks RestartPointsWriter::blocks_for(long place, std::vector<double>& words) {
  const hsize_t count = (words.size() + block_words_ - 1) / block_words_;
  words.resize(static_cast<std::size_t>(count * block_words_), 0.0);
  Blocks& blocks = places_[place];
  if (blocks.count >= count) return {blocks.first, count};
  blocks = {blocks_, count};
  return blocks;
}

void RestartPointsWriter::write_block(hsize_t block, const double* words) {
  if (block >= blocks_) {
    blocks_ = block + 1;
    ++new_blocks_;
    const hsize_t size = blocks_ * block_words_;
    hdf5::checked(H5Dset_extent(dataset_, &size));
  }
  const hsize_t start = block * block_words_;
  hdf5::checked(
      H5Dwrite_chunk(dataset_, H5P_DEFAULT, 0, &start, static_cast<std::size_t>(block_words_) * sizeof(double), words));
}

}  // namespace polhode::io
