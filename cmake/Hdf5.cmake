# SPDX-License-Identifier: BSD-3-Clause
# HDF5, and whether the results file is written by polhode's own file driver (src/io/hdf5/file_driver.hpp). The driver is
# made for the interface of HDF5 1.10 and 1.12; later versions have other members in H5FD_class_t.
find_package(HDF5 1.10 REQUIRED COMPONENTS C)

# HDF5's archive in the place of its shared library, where that links by itself: Debian's shared one needs thirty other
# libraries (curl, OpenSSL, Kerberos, LDAP) for files on servers, which take 8 ms to load at each start.
# Shared libraries (POLHODE_BINDINGS) cannot hold the archive, whose code is not position-independent.
option(POLHODE_STATIC_HDF5 "Link HDF5 statically where its archive needs no more than libz and libsz" ON)
if(POLHODE_STATIC_HDF5 AND NOT POLHODE_BINDINGS)
  find_library(POLHODE_HDF5_ARCHIVE NAMES libhdf5_serial.a libhdf5.a HINTS ${HDF5_LIBRARY_DIRS} PATH_SUFFIXES hdf5/serial)
  mark_as_advanced(POLHODE_HDF5_ARCHIVE)
endif()
if(POLHODE_STATIC_HDF5 AND NOT POLHODE_BINDINGS AND POLHODE_HDF5_ARCHIVE)
  include(CheckCSourceCompiles)
  set(hdf5_archive_libraries sz z m ${CMAKE_DL_LIBS})
  set(CMAKE_REQUIRED_INCLUDES ${HDF5_INCLUDE_DIRS})
  set(CMAKE_REQUIRED_LIBRARIES ${POLHODE_HDF5_ARCHIVE} ${hdf5_archive_libraries})
  check_c_source_compiles("#include <hdf5.h>
int main(void) { return H5Fcreate(\"\", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT) < 0; }" POLHODE_HDF5_ARCHIVE_LINKS)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(POLHODE_HDF5_ARCHIVE_LINKS)
    set_target_properties(hdf5::hdf5 PROPERTIES IMPORTED_LOCATION "${POLHODE_HDF5_ARCHIVE}"
                                                INTERFACE_LINK_LIBRARIES "${hdf5_archive_libraries}")
  endif()
endif()

option(POLHODE_ORDERED_HDF5 "Results that can be read wherever a run is killed, by a file driver for HDF5 1.10 and 1.12" ON)
if(POLHODE_ORDERED_HDF5 AND HDF5_VERSION VERSION_LESS 1.13)
  set(POLHODE_HDF5_DRIVER POLHODE_ORDERED_HDF5)
else()
  set(POLHODE_HDF5_DRIVER)
  message(STATUS "HDF5 ${HDF5_VERSION} with its plain file driver: a run that is killed while it writes may leave results "
                 "that cannot be read")
endif()
