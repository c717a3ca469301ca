// SPDX-License-Identifier: BSD-3-Clause
// A file of a few datasets that are written once, each with its unit and description.
#pragma once
#include <cstdint>
#include <ctime>

#include "hdf5.hpp"

namespace polhode::io::hdf5 {

class Writer {
 public:
  explicit Writer(const std::string& path) {
    silence();
    file_ = Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  }
  void attribute(const char* name, const std::string& text) { write_attribute(file_, name, text); }
  void text(const std::string& path, const std::string& text, const std::string& description) {
    make_text(file_, path, text);
    describe(Handle(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose), "", description);
  }
  void texts(const std::string& path, const std::vector<std::string>& texts, const std::string& description) {
    std::vector<const char*> data;
    for (const std::string& one : texts) data.push_back(one.c_str());
    const Handle type = make_text_type();
    describe(make(path, type, type, {texts.size()}, data.data()), "1", description);
  }
  void numbers(const std::string& path, const std::vector<double>& values, const std::vector<hsize_t>& shape,
               const std::string& units, const std::string& description) {
    describe(make(path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, shape, values.data()), units, description);
  }
  void counts(const std::string& path, const std::vector<std::int64_t>& values, const std::string& description) {
    describe(make(path, H5T_STD_I64LE, H5T_NATIVE_INT64, {values.size()}, values.data()), "1", description);
  }
  void ordered_group(const std::string& path) {  // whose members are listed in the order in which they were made
    const Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    checked(H5Pset_link_creation_order(properties, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    const Handle group(H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose);
  }
  void close() {  // as a destructor cannot tell that it failed
    checked(H5Fflush(file_, H5F_SCOPE_GLOBAL));
    file_.reset();
  }

 private:
  Handle make(const std::string& path, hid_t stored, hid_t given, const std::vector<hsize_t>& shape,
              const void* values) {
    const Handle space = make_space(shape);
    const Handle links = make_link_properties();
    Handle dataset(H5Dcreate2(file_, path.c_str(), stored, space, links, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    checked(H5Dwrite(dataset, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    return dataset;
  }
  static void describe(const Handle& dataset, const std::string& units, const std::string& description) {
    write_attribute(dataset, "units", units);
    write_attribute(dataset, "description", description);
  }

  Handle file_;
};

inline std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace polhode::io::hdf5
