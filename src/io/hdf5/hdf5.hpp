// SPDX-License-Identifier: BSD-3-Clause
// The few calls of HDF5's C interface that polhode needs, with handles that close themselves and errors that are
// exceptions.
#pragma once
#include <hdf5.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace polhode::io::hdf5 {

// A call failed; the message is HDF5's own innermost reason.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What a file holds has not the form that it must have; the message names the path inside of the file.
struct ContentError : Error {
  using Error::Error;
};

// Throws ContentError: `what`, and where that may come from.
[[noreturn]] void refuse_content(const std::string& what);
// The same for a link or a dataset ("a link to something") that leads out of the file.
[[noreturn]] void refuse_other_file(const std::string& path, const char* what);

void silence();  // HDF5 prints its error stack on stderr unless this turns it off

// The id (or status) itself, or an Error where it is negative.
hid_t checked(hid_t id);

class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close) : id_(checked(id)), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { reset(); }
  void reset() {
    if (id_ >= 0) close_(std::exchange(id_, H5I_INVALID_HID));
  }
  // From here on nobody closes it but HDF5's own end.
  hid_t release() { return std::exchange(id_, H5I_INVALID_HID); }
  operator hid_t() const { return id_; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

// Limits HDF5's caches of structure and of freed memory to a few megabytes, so that long runs do not grow.
void limit_cache(hid_t file_access_properties);

// UTF-8, of any length or of so many bytes.
Handle make_text_type(std::size_t length = H5T_VARIABLE);
// {} = scalar
Handle make_space(const std::vector<hsize_t>& shape);
// Makes the groups on the way.
hid_t link_properties();

void write_attribute(hid_t object, const char* name, const std::string& text);

// Writes the whole dataset from values of a type in memory. Unlike a plain H5Dwrite() it clears no megabyte to convert
// a text.
void write_values(hid_t dataset, hid_t type, const void* values);

}  // namespace polhode::io::hdf5
