// SPDX-License-Identifier: BSD-3-Clause
// Handles, texts and attributes of HDF5.
#include "hdf5.hpp"

#include "polhode/io/version.hpp"

namespace polhode::io {

std::string hdf5_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  H5get_libversion(&major, &minor, &release);
  return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(release);
}

}  // namespace polhode::io

namespace polhode::io::hdf5 {
namespace {

herr_t take_reason(unsigned, const H5E_error2_t* error, void* reason) {
  *static_cast<std::string*>(reason) = error->desc;
  return 1;  // the first one of an upward walk is the innermost
}

}  // namespace

void silence() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

hid_t checked(hid_t id) {
  if (id >= 0) return id;
  std::string reason = "HDF5 gives no reason";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, &reason);
  throw Error(reason);
}

Handle make_text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  checked(H5Tset_size(type, H5T_VARIABLE));
  checked(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

Handle make_space(const std::vector<hsize_t>& shape) {
  if (shape.empty()) return Handle(H5Screate(H5S_SCALAR), H5Sclose);
  return Handle(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
}

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

Handle make_link_properties() {
  Handle properties(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  checked(H5Pset_create_intermediate_group(properties, 1));
  return properties;
}

void write_attribute(hid_t object, const char* name, const std::string& text) {
  const Handle type = make_text_type();
  const Handle space = make_space({});
  const bool known = checked(H5Aexists(object, name)) > 0;
  const Handle attribute(
      known ? H5Aopen(object, name, H5P_DEFAULT) : H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  const char* data = text.c_str();
  checked(H5Awrite(attribute, type, &data));
}

std::string read_attribute(hid_t object, const char* name) {
  if (checked(H5Aexists(object, name)) == 0) return "";
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Handle stored(H5Aget_type(attribute), H5Tclose);
  if (H5Tget_class(stored) != H5T_STRING || H5Tis_variable_str(stored) <= 0) return "";
  char* data = nullptr;
  checked(H5Aread(attribute, make_text_type(), &data));
  std::string text = data ? data : "";
  H5free_memory(data);
  return text;
}

void make_text(hid_t file, const std::string& path, const std::string& text) {
  const Handle type = make_text_type();
  const Handle space = make_space({});
  const Handle links = make_link_properties();
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  checked(H5Pset_layout(properties, H5D_COMPACT));
  checked(H5Pset_obj_track_times(properties, false));
  const Handle dataset(H5Dcreate2(file, path.c_str(), type, space, links, properties, H5P_DEFAULT), H5Dclose);
  const char* data = text.c_str();
  checked(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &data));
}

void replace_text(hid_t file, const std::string& path, const std::string& text) {
  const Handle type = make_text_type();
  const Handle dataset(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  const char* data = text.c_str();
  checked(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &data));
}

}  // namespace polhode::io::hdf5
