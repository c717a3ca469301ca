# SPDX-License-Identifier: BSD-3-Clause
# HDF5, and whether the results file is written by polhode's own file driver (src/io/hdf5/file_driver.hpp). The driver is
# made for the interface of HDF5 1.10 and 1.12; later versions have other members in H5FD_class_t.
find_package(HDF5 1.10 REQUIRED COMPONENTS C)
option(POLHODE_ORDERED_HDF5 "Results that can be read wherever a run is killed, by a file driver for HDF5 1.10 and 1.12" ON)
if(POLHODE_ORDERED_HDF5 AND HDF5_VERSION VERSION_LESS 1.13)
  set(POLHODE_HDF5_DRIVER POLHODE_ORDERED_HDF5)
else()
  set(POLHODE_HDF5_DRIVER)
  message(STATUS "HDF5 ${HDF5_VERSION} with its plain file driver: a run that is killed while it writes may leave results "
                 "that cannot be read")
endif()
