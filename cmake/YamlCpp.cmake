# SPDX-License-Identifier: BSD-3-Clause
# yaml-cpp, a parser by events and an emitter of YAML (MIT). Its target has a namespace from 0.8 on.
find_package(yaml-cpp 0.7 REQUIRED)
add_library(YamlCpp::yaml_cpp INTERFACE IMPORTED)
if(TARGET yaml-cpp::yaml-cpp)
  target_link_libraries(YamlCpp::yaml_cpp INTERFACE yaml-cpp::yaml-cpp)
else()
  target_link_libraries(YamlCpp::yaml_cpp INTERFACE yaml-cpp)
endif()
