// SPDX-License-Identifier: BSD-3-Clause
// HDF5's own file driver, for versions of HDF5 that the ordered one is not made for.
#ifndef POLHODE_ORDERED_HDF5
#include "file_driver.hpp"
#include "hdf5.hpp"

namespace polhode::io {

void set_file_driver(hid_t file_access_properties) { hdf5::checked(H5Pset_fapl_sec2(file_access_properties)); }

int file_driver_error(hid_t) { return 0; }

void stop_file_driver(hid_t, int) {}

std::string_view file_driver_loss() {
  return "plain file driver: a run that is killed while it writes may leave results that cannot be read";
}

}  // namespace polhode::io
#endif
