// SPDX-License-Identifier: BSD-3-Clause
// Numbers and texts of files, with a look at their form before they are read.
#include "io/hdf5/checked_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace polhode::io::hdf5 {
namespace {

// Numbers that need not be stored: a dataset that was made and never written is filled while it is read.
constexpr std::size_t free_numbers = 1 << 22;
// Numbers in a row of a history without rows; names of columns are made of them.
constexpr std::size_t widest_empty_row = 1 << 26;
// A deflated block has at most a thousandth of its size.
constexpr std::size_t largest_compression = 1100;
constexpr std::size_t longest_attribute = 1 << 20;  // bytes

bool multiply(std::size_t& product, std::size_t factor) { return !__builtin_mul_overflow(product, factor, &product); }

Form::Kind kind_of(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
    case H5T_FLOAT:
      return Form::Kind::numbers;
    case H5T_STRING:
      return Form::Kind::texts;
    default:
      return Form::Kind::other;
  }
}

// A null space has neither a value nor an axis.
void set_shape(hid_t space, const std::string& path, Form& form) {
  const H5S_class_t extent = H5Sget_simple_extent_type(space);
  if (extent != H5S_SCALAR && extent != H5S_SIMPLE) refuse_content(fmt::format("{:?} has no extent", path));
  std::array<hsize_t, H5S_MAX_RANK> shape{};
  std::array<hsize_t, H5S_MAX_RANK> limit{};
  const auto rank = static_cast<std::size_t>(checked(H5Sget_simple_extent_dims(space, shape.data(), limit.data())));
  form.shape.assign(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(rank));
  // Histories grow along time; fixed data have their size.
  form.grows = rank > 0 && limit[0] == H5S_UNLIMITED;
  for (std::size_t axis = 1; axis < rank; ++axis) form.width *= form.shape[axis];
}

// Products that overflow are found with empty axes counted as one.
void check_shape(const Form& form, const std::string& path) {
  const auto fail = [&] {
    refuse_content(fmt::format("{:?} has the shape [{}], which no file can hold", path, fmt::join(form.shape, ", ")));
  };
  std::size_t width = 1;
  for (std::size_t axis = 1; axis < form.shape.size(); ++axis)
    if (form.shape[axis] > std::numeric_limits<int>::max() ||
        !multiply(width, std::max<std::size_t>(form.shape[axis], 1)))
      fail();
  std::size_t bytes = width;
  if (!multiply(bytes, sizeof(double)) || !multiply(bytes, std::max<std::size_t>(form.rows(), 1))) fail();
  if (form.rows() == 0 && width > widest_empty_row) fail();
}

// Data in external files, or put together out of datasets of other files. Gives the number of filters.
int check_storage(hid_t dataset, const std::string& path) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  if (H5Pget_layout(properties) == H5D_VIRTUAL || checked(H5Pget_external_count(properties)) > 0)
    refuse_other_file(path, "a dataset whose numbers are");
  return static_cast<int>(checked(H5Pget_nfilters(properties)));
}

// What is declared is compared with what is stored.
void check_size(hid_t dataset, hid_t type, int filters, const Form& form, const std::string& path) {
  const std::size_t item = H5Tget_size(type);
  if (item == 0) refuse_content(fmt::format("{:?} has items without size", path));
  std::size_t stored = H5Dget_storage_size(dataset);
  if (filters > 0 && !multiply(stored, largest_compression)) stored = std::numeric_limits<std::size_t>::max();
  std::size_t count = form.rows();
  std::size_t bytes = item;
  if (!multiply(count, form.width) || !multiply(bytes, count)) bytes = count = std::numeric_limits<std::size_t>::max();
  const std::size_t free_bytes = free_numbers * sizeof(double);
  const bool too_many = count > stored / item && count - stored / item > free_numbers;
  const bool too_long = bytes > stored && bytes - stored > free_bytes;
  if (too_many || too_long)
    refuse_content(fmt::format("{:?} declares {} items of {} bytes, and the file stores {} bytes of them", path, count,
                               item, H5Dget_storage_size(dataset)));
}

// In memory as it is stored: sets of characters are not converted.
Handle text_type_as(hid_t stored) {
  Handle type = make_text_type();
  checked(H5Tset_cset(type, H5Tget_cset(stored)));
  return type;
}

bool is_variable(hid_t type) { return checked(H5Tis_variable_str(type)) > 0; }

// Texts of fixed length end at their first zero, if there is one.
std::vector<std::string> cut(const std::vector<char>& bytes, std::size_t length) {
  std::vector<std::string> texts;
  for (std::size_t begin = 0; begin + length <= bytes.size(); begin += length)
    texts.emplace_back(bytes.data() + begin, strnlen(bytes.data() + begin, length));
  return texts;
}

// HDF5 allocates each text of any length, and wants it back.
std::vector<std::string> take(const std::vector<char*>& data) {
  std::vector<std::string> texts;
  for (char* text : data) {
    texts.emplace_back(text ? text : "");
    H5free_memory(text);
  }
  return texts;
}

std::size_t count_of(const Form& form) { return form.rows() * form.width; }

}  // namespace

Form form_of(hid_t dataset, const std::string& path) {
  Form form;
  const int filters = check_storage(dataset, path);
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const Handle type(H5Dget_type(dataset), H5Tclose);
  form.kind = kind_of(type);
  set_shape(space, path, form);
  check_shape(form, path);
  check_size(dataset, type, filters, form, path);
  return form;
}

std::string read_text_attribute(hid_t object, const char* name, const std::string& path) {
  if (checked(H5Aexists(object, name)) == 0) return "";
  const auto refuse = [&](const std::string& what) {
    refuse_content(fmt::format("{:?}: the attribute {} is {}, not one text", path, name, what));
  };
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Handle type(H5Aget_type(attribute), H5Tclose);
  const Handle space(H5Aget_space(attribute), H5Sclose);
  if (H5Tget_class(type) != H5T_STRING) refuse("no text");
  const auto count = checked(H5Sget_simple_extent_npoints(space));
  if (count != 1) refuse(fmt::format("a list of {}", count));
  if (is_variable(type)) {
    std::vector<char*> data(1, nullptr);
    checked(H5Aread(attribute, text_type_as(type), data.data()));
    return take(data).front();
  }
  const std::size_t length = H5Tget_size(type);
  if (length == 0 || length > longest_attribute) refuse(fmt::format("of {} bytes", length));
  std::vector<char> bytes(length);
  checked(H5Aread(attribute, type, bytes.data()));
  return cut(bytes, length).front();
}

std::vector<double> read_numbers(hid_t dataset, const Form& form, const std::string& path, Places rows,
                                 const Places* items) {
  if (form.kind != Form::Kind::numbers)
    refuse_content(
        fmt::format("{:?} holds {}", path, form.kind == Form::Kind::texts ? "text, not numbers" : "no numbers"));
  if (rows.first > form.rows() || rows.count > form.rows() - rows.first)
    refuse_content(fmt::format("{:?} has {} rows; {} are expected", path, form.rows(), rows.first + rows.count));
  std::vector<hsize_t> start(form.shape.size(), 0);
  std::vector<hsize_t> count(form.shape.begin(), form.shape.end());
  std::size_t width = form.width;
  if (!count.empty()) {
    start[0] = rows.first;
    count[0] = rows.count;
  }
  if (items) {
    width = width / count.at(1) * items->count;
    start[1] = items->first;
    count[1] = items->count;
  }
  std::vector<double> values(rows.count * width);
  if (values.empty()) return values;
  const Handle space(H5Dget_space(dataset), H5Sclose);
  // Rows in memory follow each other, whatever lies between them in the file.
  const Handle memory = make_space(count);
  if (!count.empty()) checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
  checked(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()));
  return values;
}

std::vector<std::string> read_texts(hid_t dataset, const Form& form, const std::string& path) {
  if (form.kind != Form::Kind::texts)
    refuse_content(
        fmt::format("{:?} holds {}", path, form.kind == Form::Kind::numbers ? "numbers, not text" : "no text"));
  const std::size_t count = count_of(form);
  if (count == 0) return {};
  const Handle space(H5Dget_space(dataset), H5Sclose);
  if (checked(H5Sget_simple_extent_npoints(space)) != static_cast<hid_t>(count))
    refuse_content(fmt::format("{:?} has changed while it was read", path));
  const Handle type(H5Dget_type(dataset), H5Tclose);
  if (is_variable(type)) {
    std::vector<char*> data(count, nullptr);
    checked(H5Dread(dataset, text_type_as(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()));
    return take(data);
  }
  const std::size_t length = H5Tget_size(type);
  std::vector<char> bytes(count * length);
  checked(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()));
  return cut(bytes, length);
}

}  // namespace polhode::io::hdf5
