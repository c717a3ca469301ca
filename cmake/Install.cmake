# SPDX-License-Identifier: BSD-3-Clause
# What `cmake --install` puts in place: the program, and for programs of others (component `development`) the libraries
# with their headers, and a package for find_package(polhode): targets polhode::run, polhode::studies and the parts below.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(polhode_package ${CMAKE_INSTALL_LIBDIR}/cmake/polhode)
set(polhode_libraries)
foreach(part math model elements assembly integrators results analyses io run bindings studies)
  set_target_properties(polhode_${part} PROPERTIES EXPORT_NAME ${part})
  list(APPEND polhode_libraries polhode_${part})
endforeach()
# Eigen's types have another alignment with another instruction set: programs that use the headers are compiled alike.
get_directory_property(polhode_options COMPILE_OPTIONS)
list(FILTER polhode_options INCLUDE REGEX "^-march=")
target_compile_options(polhode_math INTERFACE $<INSTALL_INTERFACE:${polhode_options}>)
target_compile_definitions(polhode_math INTERFACE $<INSTALL_INTERFACE:EIGEN_DONT_PARALLELIZE>)

install(TARGETS polhode RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(TARGETS ${polhode_libraries} EXPORT polhode ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(FILES include/polhode.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(DIRECTORY include/polhode DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT polhode NAMESPACE polhode:: FILE polhodeTargets.cmake DESTINATION ${polhode_package} COMPONENT development)
configure_package_config_file(cmake/polhodeConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/polhodeConfig.cmake
                              INSTALL_DESTINATION ${polhode_package})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/polhodeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/polhodeConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/polhodeConfigVersion.cmake
              cmake/Klu.cmake cmake/YamlCpp.cmake cmake/Sundials.cmake
        DESTINATION ${polhode_package} COMPONENT development)
