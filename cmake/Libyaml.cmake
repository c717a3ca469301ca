# SPDX-License-Identifier: BSD-3-Clause
# libyaml, a parser and emitter of YAML by events (MIT).
find_path(LIBYAML_INCLUDE_DIR yaml.h REQUIRED)
find_library(LIBYAML_LIBRARY yaml REQUIRED)
add_library(Libyaml::yaml INTERFACE IMPORTED)
target_include_directories(Libyaml::yaml SYSTEM INTERFACE ${LIBYAML_INCLUDE_DIR})
target_link_libraries(Libyaml::yaml INTERFACE ${LIBYAML_LIBRARY})
