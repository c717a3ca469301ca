// SPDX-License-Identifier: BSD-3-Clause
// Datasets that are written whole.
#include "io/hdf5/datasets.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <ctime>

namespace polhode::io::hdf5 {

// Compact datasets keep no times of their own: nothing but the value changes when it is replaced.
Handle make_dataset(hid_t file, const std::string& path, const Content& content, Place place) {
  const Handle space = make_space(content.shape);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (place == Place::compact) {
    checked(H5Pset_layout(properties, H5D_COMPACT));
    checked(H5Pset_obj_track_times(properties, false));
  }
  Handle dataset(H5Dcreate2(file, path.c_str(), content.stored, space, link_properties(), properties, H5P_DEFAULT),
                 H5Dclose);
  if (content.values) write_values(dataset, content.given, content.values);
  return dataset;
}

// Readers show both without knowing polhode.
void describe(hid_t dataset, const std::string& units, const std::string& description) {
  write_attribute(dataset, "units", units);
  write_attribute(dataset, "description", description);
}

void describe(hid_t file, const std::string& path, const std::string& units, const std::string& description) {
  describe(Handle(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose), units, description);
}

void make_text(hid_t file, const std::string& path, const std::string& text, const std::string& description) {
  const Handle type = make_text_type();
  const char* data = text.c_str();
  describe(make_dataset(file, path, {type, type, {}, &data}, Place::compact), "", description);
}

// The text itself lies in a heap; the header then points to the new one.
void replace_text(hid_t file, const std::string& path, const std::string& text) {
  const Handle dataset(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  const char* data = text.c_str();
  write_values(dataset, make_text_type(), &data);
}

namespace {

// Texts of a fixed length, padded with zeros: written at once, where each text of any length costs a place in a heap.
std::vector<char> padded(const std::vector<std::string>& texts, std::size_t length) {
  std::vector<char> bytes(texts.size() * length, 0);
  for (std::size_t i = 0; i < texts.size(); ++i)
    std::copy(texts[i].begin(), texts[i].end(), bytes.begin() + static_cast<std::ptrdiff_t>(i * length));
  return bytes;
}

}  // namespace

// Not where a few long ones would make all of them long.
std::size_t padded_length(const std::vector<std::string>& texts) {
  constexpr std::size_t many = 256;
  constexpr std::size_t cost = 24;  // bytes that a text of any length takes beside itself, about
  std::size_t bytes = cost * texts.size();
  std::size_t longest = 1;
  for (const std::string& text : texts) {
    bytes += text.size();
    longest = std::max(longest, text.size());
  }
  return texts.size() > many && texts.size() * longest <= bytes ? longest : 0;
}

// Names go first: a list of names has neither indices nor numbers.
void make_static(hid_t file, const results::StaticData& data) {
  std::vector<const char*> texts;
  for (const std::string& name : data.names) texts.push_back(name.c_str());
  const Handle any_length = make_text_type();
  hid_t text = any_length;
  Content content{H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {data.shape.begin(), data.shape.end()}, data.numbers.data()};
  if (content.shape.empty()) content.shape = {std::max({data.names.size(), data.indices.size(), data.numbers.size()})};
  const std::size_t length = padded_length(data.names);
  const Handle fixed_length = make_text_type(std::max<std::size_t>(length, 1));
  std::vector<char> bytes;
  if (length > 0) {
    text = fixed_length;
    bytes = padded(data.names, length);
  }
  if (!data.names.empty())
    content = {text, text, content.shape, bytes.empty() ? static_cast<const void*>(texts.data()) : bytes.data()};
  else if (!data.indices.empty() || data.integer)
    content = {H5T_STD_I32LE, H5T_NATIVE_INT, content.shape, data.indices.data()};
  const bool number = data.names.empty() && data.units.empty();
  describe(make_dataset(file, data.path, content), number ? "1" : data.units, data.description);
}

// ISO 8601, whole seconds.
std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

}  // namespace polhode::io::hdf5
