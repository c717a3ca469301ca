// SPDX-License-Identifier: BSD-3-Clause
// Files of datasets that are written once.
#include "io/hdf5/table_writer.hpp"

#include <cstring>

#include "io/files/part_file.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/io/version.hpp"

namespace polhode::io::hdf5 {

// With HDF5's own driver: the file is written once, and renamed when it is whole.
TableWriter::TableWriter(const std::string& file) {
  silence();
  file_ = Handle(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
}

// Attributes that every file of polhode begins with.
void TableWriter::head(const char* format, const std::string& title) {
  attribute("format", format);
  attribute("polhode_version", version);
  attribute("title", title);
  attribute("created", utc_now());
}

void TableWriter::attribute(const char* name, const std::string& text) { write_attribute(file_, name, text); }

void TableWriter::text(const std::string& path, const std::string& text, const std::string& description) {
  make_text(file_, path, text, description);
}

void TableWriter::texts(const std::string& path, const std::vector<std::string>& texts,
                        const std::string& description) {
  std::vector<const char*> data;
  for (const std::string& one : texts) data.push_back(one.c_str());
  const Handle type = make_text_type();
  describe(make_dataset(file_, path, {type, type, {texts.size()}, data.data()}), "1", description);
}

void TableWriter::numbers(const std::string& path, const std::vector<double>& values, const std::vector<hsize_t>& shape,
                          const std::string& units, const std::string& description) {
  describe(make_dataset(file_, path, {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, shape, values.data()}), units, description);
}

void TableWriter::counts(const std::string& path, const std::vector<std::int64_t>& values,
                         const std::string& description) {
  describe(make_dataset(file_, path, {H5T_STD_I64LE, H5T_NATIVE_INT64, {values.size()}, values.data()}), "1",
           description);
}

// HDF5 lists members by name unless it is asked to keep their order.
void TableWriter::ordered_group(const std::string& path) {
  const Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  checked(H5Pset_link_creation_order(properties, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  const Handle group(H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose);
}

// A full disk shows at the flush.
void TableWriter::close() {
  checked(H5Fflush(file_, H5F_SCOPE_GLOBAL));
  file_.reset();
}

void write_whole(const std::string& file, const std::function<void(TableWriter&)>& write) {
  const auto refuse = [&](const std::string& reason) { throw ResultsError(file + ": cannot be written: " + reason); };
  PartFile part(file);
  if (const int number = part.problem()) refuse(std::strerror(number));
  try {
    TableWriter out(part.temporary());
    part.made();
    write(out);
    out.close();
  } catch (const Error& error) {
    refuse(error.what());
  }
  if (const int number = part.put_in_place()) refuse(std::strerror(number));
}

}  // namespace polhode::io::hdf5
