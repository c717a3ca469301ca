// SPDX-License-Identifier: BSD-3-Clause
// Reading results: the list of datasets, their attributes and their values.
#include "polhode/io/hdf5/results_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "io/hdf5/checked_data.hpp"
#include "io/hdf5/contents.hpp"
#include "io/hdf5/named_parts.hpp"
#include "io/hdf5/restart_head.hpp"
#include "io/hdf5/shared_histories.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results.hpp"

namespace polhode::io {
namespace {

constexpr std::array<std::string_view, 4> formats = {first_results_format, results_format, "polhode-convergence/1",
                                                     "polhode-study-table/1"};

// Shape, units, frame and kind of a dataset.
Dataset dataset_of(hid_t dataset, const std::string& path, const hdf5::Form& form) {
  Dataset result;
  result.path = path;
  result.shape = form.shape;
  result.history = form.grows;
  result.text = form.kind == hdf5::Form::Kind::texts;
  result.number = form.kind == hdf5::Form::Kind::numbers;
  result.units = hdf5::read_text_attribute(dataset, "units", path);
  result.frame = hdf5::read_text_attribute(dataset, "frame", path);
  result.description = hdf5::read_text_attribute(dataset, "description", path);
  return result;
}

}  // namespace

// The list of datasets is read once; a file that a run still writes may grow after that.
struct ResultsReader::Impl {
  // Errors of HDF5 become those of the file; what they say of its contents names a path already.
  template <class Action>
  auto guarded(const std::string& place, const Action& action) const {
    try {
      return action();
    } catch (const hdf5::ContentError& error) {
      throw FileError(path + ": " + error.what());
    } catch (const hdf5::Error& error) {
      throw FileError(path + ": " + place + "cannot be read: " + error.what());
    }
  }

  void open() {
    file = hdf5::Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    const std::string format = hdf5::read_text_attribute(file, "format", "/");
    if (std::find(formats.begin(), formats.end(), format) == formats.end())
      throw FileError(fmt::format("{}: is HDF5, but its format is none of {}", path, fmt::join(formats, ", ")));
    const bool has_parts = format == results_format;
    for (const std::string& found : hdf5::paths_of_datasets(file)) {
      if (found == restart_path) has_restart_points = true;
      if (found == restart_path) continue;
      const hdf5::Handle dataset = dataset_at(found);
      if (has_parts && hdf5::is_window(dataset, found)) continue;
      forms.emplace(found, hdf5::form_of(dataset, found));
      datasets.push_back(dataset_of(dataset, found, forms.at(found)));
    }
    if (has_parts) find_parts();
    for (std::size_t i = 0; i < datasets.size(); ++i) places.emplace(datasets[i].path, i);
  }

  // Parts by name are made of the shared histories, whatever windows the file has.
  void find_parts() {
    const hdf5::TableReader tables{
        [this](const std::string& table) { return hdf5::read_texts(dataset_at(table), form_at(table), table); },
        [this](const std::string& table) {
          const hdf5::Form& form = form_at(table);
          return hdf5::read_numbers(dataset_at(table), form, table, {0, form.rows()});
        },
        [this](const std::string& dataset, const char* name) {
          return hdf5::read_text_attribute(dataset_at(dataset), name, dataset);
        }};
    for (const Dataset& dataset : datasets) shared.add(dataset, tables);
    std::vector<Dataset> parts;
    for (Dataset& dataset : datasets) {
      dataset.has_listed_parts = shared.is_small(dataset.path);
      if (!dataset.has_listed_parts) continue;
      for (const NamedPart& part : shared.parts(dataset.path))
        if (!forms.contains(part.path)) parts.push_back(shared.find(part.path)->dataset);
    }
    datasets.insert(datasets.end(), parts.begin(), parts.end());
    std::sort(datasets.begin(), datasets.end(), [](const Dataset& a, const Dataset& b) { return a.path < b.path; });
  }

  const hdf5::Form& form_at(const std::string& at) const {
    const auto found = forms.find(at);
    if (found == forms.end()) hdf5::refuse_content(fmt::format("{:?} is named by another dataset, and not there", at));
    return found->second;
  }

  hdf5::Handle dataset_at(const std::string& at) const {
    return hdf5::Handle(H5Dopen2(file, at.c_str(), H5P_DEFAULT), H5Dclose);
  }

  std::string path;
  hdf5::Handle file;
  bool has_restart_points = false;
  std::vector<Dataset> datasets;
  // By path, in `datasets`
  std::unordered_map<std::string, std::size_t> places;
  // By path: what is stored is looked at once
  std::unordered_map<std::string, hdf5::Form> forms;
  hdf5::SharedHistories shared;
  // Parts that are not listed and have been asked for
  mutable std::map<std::string, Dataset> parts_of_large_groups;
};

// Of some formats all are read; what a file of another program holds is not guessed.
ResultsReader::ResultsReader(const std::string& file) : impl_(std::make_unique<Impl>()) {
  hdf5::silence();
  impl_->path = file;
  if (!is_hdf5_file(file))
    throw FileError(file + ": is no results file (HDF5): it does not begin with the signature of one; it is damaged, " +
                    "or something else");
  impl_->guarded("", [&] { impl_->open(); });
}

ResultsReader::~ResultsReader() = default;

const std::string& ResultsReader::file() const { return impl_->path; }

std::string ResultsReader::attribute(const std::string& name) const {
  return impl_->guarded("", [&] { return hdf5::read_text_attribute(impl_->file, name.c_str(), "/"); });
}

const std::vector<Dataset>& ResultsReader::datasets() const { return impl_->datasets; }

bool ResultsReader::has(const std::string& path) const {
  return impl_->places.contains(path) || impl_->shared.find(path).has_value();
}

// Unknown paths are errors of the caller's request, so they are thrown with the file's name.
const Dataset& ResultsReader::dataset(const std::string& path) const {
  const auto place = impl_->places.find(path);
  if (place != impl_->places.end()) return impl_->datasets[place->second];
  std::optional<hdf5::FoundPart> part = impl_->shared.find(path);
  if (!part) throw FileError(impl_->path + ": holds no " + path);
  return impl_->parts_of_large_groups.try_emplace(path, std::move(part->dataset)).first->second;
}

bool ResultsReader::has_restart_points() const { return impl_->has_restart_points; }

std::vector<NamedPart> ResultsReader::parts(const std::string& path) const { return impl_->shared.parts(path); }

// A scalar has no axis of rows.
std::vector<double> ResultsReader::numbers(const std::string& path) const {
  const Dataset& known = dataset(path);
  return numbers(path, 0, known.shape.empty() ? 1 : known.shape[0]);
}

std::vector<double> ResultsReader::numbers(const std::string& path, std::size_t first_row, std::size_t rows) const {
  const Dataset& known = dataset(path);
  return impl_->guarded(known.path + ' ', [&] {
    const std::optional<hdf5::FoundPart> part = known.is_part ? impl_->shared.find(path) : std::nullopt;
    const std::string& source = part ? *part->source : path;
    return hdf5::read_numbers(impl_->dataset_at(source), impl_->forms.at(source), path, {first_row, rows},
                              part ? &part->places : nullptr);
  });
}

std::vector<std::string> ResultsReader::texts(const std::string& path) const {
  const Dataset& known = dataset(path);
  return impl_->guarded(known.path + ' ',
                        [&] { return hdf5::read_texts(impl_->dataset_at(path), impl_->forms.at(path), path); });
}

std::string ResultsReader::text(const std::string& path) const {
  const std::vector<std::string> all = texts(path);
  if (all.size() != 1) throw FileError(fmt::format("{}: {:?} holds {} texts, not one", file(), path, all.size()));
  return all.front();
}

namespace {

// The first bytes of a file, as many as it has of `size`; none of a pipe, which would wait for somebody to write.
std::string first_bytes(const std::string& file, std::size_t size) {
  std::error_code unknown;
  if (std::filesystem::is_fifo(file, unknown)) return {};
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string first(size, '\0');
  if (stream) stream.read(first.data(), static_cast<std::streamsize>(size));
  if (errno != 0) throw FileError(file + ": cannot be read: " + std::strerror(errno));
  first.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  return first;
}

}  // namespace

// The signature that HDF5 puts at the begin of each file.
bool is_hdf5_file(const std::string& file) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  return first_bytes(file, signature.size()) == signature;
}

bool looks_like_results(const std::string& file) {
  if (file.ends_with(".h5") || file.ends_with(".hdf5")) return true;
  return first_bytes(file, 4096).find('\0') != std::string::npos;
}

}  // namespace polhode::io
