// SPDX-License-Identifier: BSD-3-Clause
// Handles and attributes of HDF5.
#include "hdf5.hpp"

#include <fmt/format.h>

#include "io/hdf5/file_driver.hpp"
#include "polhode/io/version.hpp"

namespace polhode::io {

std::string hdf5_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  H5get_libversion(&major, &minor, &release);
  std::string text = fmt::format("{}.{}.{}", major, minor, release);
  if (!file_driver_loss().empty()) text += fmt::format(" ({})", file_driver_loss());
  return text;
}

}  // namespace polhode::io

namespace polhode::io::hdf5 {
namespace {

// Called by HDF5 for each entry of its stack of errors.
herr_t take_reason(unsigned, const H5E_error2_t* error, void* reason) {
  *static_cast<std::string*>(reason) = error->desc;
  return 1;  // the first one of an upward walk is the innermost
}

}  // namespace

void refuse_content(const std::string& what) {
  throw ContentError(what + "; the file is damaged, or was not written by polhode");
}

void refuse_other_file(const std::string& path, const char* what) {
  throw ContentError(
      fmt::format("{:?} is {} in another file; polhode reads one file alone, copy the data into it", path, what));
}

// Errors are exceptions here; HDF5 would print them, too.
void silence() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

// HDF5's stack of reasons goes from the call to its cause; the cause is what a user understands.
hid_t checked(hid_t id) {
  if (id >= 0) return id;
  std::string reason = "HDF5 gives no reason";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, &reason);
  throw Error(reason);
}

// Texts of variable length may be replaced by longer ones.
Handle make_text_type(std::size_t length) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  checked(H5Tset_size(type, length));
  if (length != H5T_VARIABLE) checked(H5Tset_strpad(type, H5T_STR_NULLPAD));
  checked(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

// A scalar has a space of its own kind, not one of rank 0.
Handle make_space(const std::vector<hsize_t>& shape) {
  if (shape.empty()) return Handle(H5Screate(H5S_SCALAR), H5Sclose);
  return Handle(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
}

// Sizes by trial: structure of ten thousand datasets fits, and a run of hours keeps its memory.
void limit_cache(hid_t file_access_properties) {
  H5AC_cache_config_t config{};
  config.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  checked(H5Pget_mdc_config(file_access_properties, &config));
  constexpr int megabyte = 1024 * 1024;
  checked(H5set_free_list_limits(megabyte, megabyte / 16, megabyte, megabyte / 16, megabyte, megabyte / 16));
  config.set_initial_size = true;
  config.initial_size = megabyte;
  config.min_size = megabyte;
  config.max_size = 2 * megabyte;
  checked(H5Pset_mdc_config(file_access_properties, &config));
}

// Without them a missing group is an error. Made once, as all that every dataset or attribute needs: a tenth of the time
// that a new file takes.
hid_t link_properties() {
  static const hid_t made = [] {
    Handle properties(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    checked(H5Pset_create_intermediate_group(properties, 1));
    return properties.release();
  }();
  return made;
}

// An attribute that is there is written over: it has the same type.
void write_attribute(hid_t object, const char* name, const std::string& text) {
  static const hid_t type = make_text_type().release();
  static const hid_t space = make_space({}).release();
  const bool known = checked(H5Aexists(object, name)) > 0;
  const Handle attribute(
      known ? H5Aopen(object, name, H5P_DEFAULT) : H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  const char* data = text.c_str();
  checked(H5Awrite(attribute, type, &data));
}

// Texts of any length are converted through a buffer, which HDF5 makes for each call and clears: 1 MB by default,
// most of the time that a short run takes. This one stays in HDF5's lists of freed memory.
void write_values(hid_t dataset, hid_t type, const void* values) {
  constexpr std::size_t buffer = 32 * 1024;
  static const hid_t properties = [] {
    Handle made(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
    checked(H5Pset_buffer(made, buffer, nullptr, nullptr));
    return made.release();
  }();
  checked(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, properties, values));
}

}  // namespace polhode::io::hdf5
