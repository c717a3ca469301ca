# SPDX-License-Identifier: BSD-3-Clause
# Eigen and the standard library are read once for all parts and once for the tests: in most files they would cost more
# than the file itself. -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds without, which finds includes that are missing.
set(POLHODE_PRECOMPILED <Eigen/Dense> <algorithm> <array> <cmath> <functional> <map> <memory> <numbers> <optional> <random>
                        <span> <string> <string_view> <variant> <vector>)
function(polhode_precompile name)
  # With a precompiled header of another target, g++ takes that one's inlining limits for those of the elements.
  if(name STREQUAL "polhode_math" OR name STREQUAL "polhode_elements")
    target_precompile_headers(${name} PRIVATE ${POLHODE_PRECOMPILED})
  else()
    target_precompile_headers(${name} REUSE_FROM polhode_math)
  endif()
endfunction()

# Parts in which no time is spent are not worth the optimizer's.
function(polhode_cold name level)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:${level}>)
endfunction()

# One static library a part; a part links only what stands to its left in docs/architecture.
function(polhode_part name)
  cmake_parse_arguments(ARG "" "" "USES;LINK;PRIVATE" ${ARGN})
  if(name STREQUAL "elements")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/elements/*.cpp)
    list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  else()
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
    list(FILTER sources EXCLUDE REGEX "/main\\.cpp$") # of the program, not of the library
  endif()
  add_library(polhode_${name} STATIC ${sources})
  add_library(polhode::${name} ALIAS polhode_${name})
  target_include_directories(polhode_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
                             PRIVATE ${PROJECT_SOURCE_DIR}/src)
  if(name STREQUAL "elements")
    target_include_directories(polhode_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  endif()
  list(TRANSFORM ARG_USES PREPEND polhode::)
  target_link_libraries(polhode_${name} PUBLIC ${ARG_USES} ${ARG_LINK} PRIVATE ${ARG_PRIVATE} $<BUILD_INTERFACE:polhode_warnings>)
  target_compile_features(polhode_${name} PUBLIC cxx_std_20) # programs that link the installed library need it, too
  polhode_precompile(polhode_${name})
endfunction()
