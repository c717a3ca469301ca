// SPDX-License-Identifier: BSD-3-Clause
// Reading results: the list of datasets, their attributes and their values.
#include "polhode/io/hdf5/results_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "hdf5.hpp"
#include "polhode/io/deck/deck.hpp"

namespace polhode::io {
namespace {

// Called by HDF5 for each object below the root.
herr_t collect_dataset(hid_t root, const char* name, const H5O_info_t* info, void* paths) {
  (void)root;
  if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(paths)->push_back('/' + std::string(name));
  return 0;
}

// Called for each link below the root, through hard links only; the first one that leads to another file ends it.
herr_t find_link_elsewhere(hid_t root, const char* name, const H5L_info_t* info, void* path) {
  (void)root;
  // Behind hard and soft links come those of files, and those of programs.
  if (info->type == H5L_TYPE_HARD || info->type == H5L_TYPE_SOFT) return 0;
  *static_cast<std::string*>(path) = '/' + std::string(name);
  return 1;
}

// Thrown where a file would have other files read in its name.
[[noreturn]] void refuse(const std::string& file, const std::string& path, const char* what) {
  throw FileError(fmt::format("{}: {:?} is {} in another file; polhode reads one file alone, copy the data into it",
                              file, path, what));
}

// Results that somebody sends must not put a file of this computer into a table.
void check_links(hid_t root, const std::string& file) {
  std::string path;
  if (hdf5::checked(H5Lvisit(root, H5_INDEX_NAME, H5_ITER_INC, find_link_elsewhere, &path)) > 0)
    refuse(file, path, "a link to something");
}

// Data in external files, or put together out of datasets of other files.
void check_storage(hid_t dataset, const std::string& path, const std::string& file) {
  const hdf5::Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  if (H5Pget_layout(properties) == H5D_VIRTUAL || hdf5::checked(H5Pget_external_count(properties)) > 0)
    refuse(file, path, "a dataset whose numbers are");
}

// Shape, units, frame and kind of a dataset; only histories have an axis without limit.
Dataset dataset_at(hid_t file, const std::string& path, const std::string& name) {
  Dataset result;
  result.path = path;
  const hdf5::Handle dataset(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  check_storage(dataset, path, name);
  const hdf5::Handle space(H5Dget_space(dataset), H5Sclose);
  const hdf5::Handle type(H5Dget_type(dataset), H5Tclose);
  std::array<hsize_t, H5S_MAX_RANK> shape{};
  std::array<hsize_t, H5S_MAX_RANK> limit{};
  const auto rank =
      static_cast<std::size_t>(hdf5::checked(H5Sget_simple_extent_dims(space, shape.data(), limit.data())));
  result.shape.assign(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(rank));
  // Histories grow along time; fixed data have their size.
  result.history = rank > 0 && limit[0] == H5S_UNLIMITED;
  result.text = H5Tget_class(type) == H5T_STRING;
  result.units = hdf5::read_attribute(dataset, "units");
  result.frame = hdf5::read_attribute(dataset, "frame");
  result.description = hdf5::read_attribute(dataset, "description");
  return result;
}

}  // namespace

// The list of datasets is read once; a file that a run still writes may grow after that.
struct ResultsReader::Impl {
  std::string path;
  hdf5::Handle file;
  std::vector<Dataset> datasets;
};

// Of three formats all are read; what a file of another program holds is not guessed.
ResultsReader::ResultsReader(const std::string& file) : impl_(std::make_unique<Impl>()) {
  hdf5::silence();
  impl_->path = file;
  if (!is_hdf5_file(file)) throw FileError(file + ": is no results file (HDF5)");
  try {
    impl_->file = hdf5::Handle(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (const std::string format = attribute("format");
        format != "polhode-results/1" && format != "polhode-convergence/1" && format != "polhode-study-table/1")
      throw FileError(
          file +
          ": is HDF5, but its format is none of polhode-results/1, polhode-convergence/1, polhode-study-table/1");
    check_links(impl_->file, file);
    std::vector<std::string> paths;
    hdf5::checked(H5Ovisit2(impl_->file, H5_INDEX_NAME, H5_ITER_INC, collect_dataset, &paths, H5O_INFO_BASIC));
    std::sort(paths.begin(), paths.end());
    for (const std::string& path : paths) impl_->datasets.push_back(dataset_at(impl_->file, path, file));
  } catch (const hdf5::Error& error) {
    throw FileError(file + ": cannot be read: " + error.what());
  }
}

ResultsReader::~ResultsReader() = default;

const std::string& ResultsReader::file() const { return impl_->path; }

std::string ResultsReader::attribute(const std::string& name) const {
  return hdf5::read_attribute(impl_->file, name.c_str());
}

const std::vector<Dataset>& ResultsReader::datasets() const { return impl_->datasets; }

// Few hundred datasets: a search from the front is fast enough.
bool ResultsReader::has(const std::string& path) const {
  return std::any_of(datasets().begin(), datasets().end(),
                     [&](const Dataset& dataset) { return dataset.path == path; });
}

// Unknown paths are errors of the caller's request, so they are thrown with the file's name.
const Dataset& ResultsReader::dataset(const std::string& path) const {
  for (const Dataset& dataset : datasets())
    if (dataset.path == path) return dataset;
  throw FileError(impl_->path + ": holds no " + path);
}

// A scalar has no axis of rows.
std::vector<double> ResultsReader::numbers(const std::string& path) const {
  const Dataset& known = dataset(path);
  return numbers(path, 0, known.shape.empty() ? 1 : known.shape[0]);
}

// HDF5 converts integers on the way. A scalar counts as one row.
std::vector<double> ResultsReader::numbers(const std::string& path, std::size_t first_row, std::size_t rows) const {
  const Dataset& known = dataset(path);
  if (known.text) throw FileError(impl_->path + ": " + path + " holds text, not numbers");
  std::vector<hsize_t> start(known.shape.size(), 0);
  std::vector<hsize_t> count(known.shape.begin(), known.shape.end());
  if (!count.empty()) {
    start[0] = first_row;
    count[0] = rows;
  }
  std::size_t size = 1;
  for (const hsize_t n : count) size *= n;
  std::vector<double> values(size);
  if (size == 0) return values;
  try {
    const hdf5::Handle data(H5Dopen2(impl_->file, path.c_str(), H5P_DEFAULT), H5Dclose);
    const hdf5::Handle space(H5Dget_space(data), H5Sclose);
    // Rows in memory follow each other, whatever lies between them in the file.
    const hdf5::Handle memory = hdf5::make_space(count);
    if (!count.empty())
      hdf5::checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
    hdf5::checked(H5Dread(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()));
  } catch (const hdf5::Error& error) {
    throw FileError(impl_->path + ": " + path + " cannot be read: " + error.what());
  }
  return values;
}

// HDF5 allocates each text, and wants it back.
std::vector<std::string> ResultsReader::texts(const std::string& path) const {
  const Dataset& known = dataset(path);
  if (!known.text) throw FileError(impl_->path + ": " + path + " holds numbers, not text");
  std::size_t size = 1;
  for (const std::size_t n : known.shape) size *= n;
  std::vector<char*> data(size, nullptr);
  std::vector<std::string> result;
  try {
    const hdf5::Handle source(H5Dopen2(impl_->file, path.c_str(), H5P_DEFAULT), H5Dclose);
    hdf5::checked(H5Dread(source, hdf5::make_text_type(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()));
  } catch (const hdf5::Error& error) {
    throw FileError(impl_->path + ": " + path + " cannot be read: " + error.what());
  }
  for (char* text : data) {
    result.emplace_back(text ? text : "");
    H5free_memory(text);
  }
  return result;
}

std::string ResultsReader::text(const std::string& path) const { return texts(path).at(0); }

// The signature that HDF5 puts at the begin of each file.
bool is_hdf5_file(const std::string& file) {
  constexpr std::array<char, 8> signature = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::array<char, 8> first{};
  if (stream) stream.read(first.data(), first.size());
  if (errno != 0) throw FileError(file + ": cannot be read: " + std::strerror(errno));
  return first == signature;
}

}  // namespace polhode::io
