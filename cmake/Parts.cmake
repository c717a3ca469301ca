# SPDX-License-Identifier: BSD-3-Clause
# Eigen and the standard library are read once for all parts and once for the tests: in most files they would cost more
# than the file itself. -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds without, which finds includes that are missing.
set(POLHODE_PRECOMPILED <Eigen/Dense> <algorithm> <array> <cmath> <functional> <map> <memory> <numbers> <optional> <random>
                        <span> <string> <string_view> <variant> <vector>)
# g++ takes the optimization level and the inlining limits from the precompiled header, whatever the source is compiled
# with: one for the hot parts, one for the elements with their limits, one for the parts in which little time is spent.
set(POLHODE_COLD_PARTS analyses io run bindings studies cli)
function(polhode_precompile name)
  if(name IN_LIST POLHODE_COLD_PARTS)
    target_compile_options(polhode_${name} PRIVATE $<$<CONFIG:Release>:-O2>)
    set(owner analyses)
  elseif(name STREQUAL "elements")
    set(owner elements)
  else()
    set(owner math)
  endif()
  if(name STREQUAL owner)
    target_precompile_headers(polhode_${name} PRIVATE ${POLHODE_PRECOMPILED})
  else()
    target_precompile_headers(polhode_${name} REUSE_FROM polhode_${owner})
  endif()
endfunction()

# The sources of a folder are compiled as one: most of the time goes into templates of Eigen and of the standard library,
# which they then share. -DPOLHODE_UNITY=OFF compiles each by itself, for those who change them often.
# Tests of elements are one for each family: a test is shorter than what it includes.
function(polhode_unite target)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH folder)
    if(path MATCHES "/elements/.*_test\\.cpp$")
      cmake_path(GET folder PARENT_PATH folder)
    endif()
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE group)
    string(REPLACE "/" "_" group ${group})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${POLHODE_UNITY} UNITY_BUILD_MODE GROUP)
endfunction()

# Elements whose kernels are not worth their compilation in one piece (see the limits in CMakeLists.txt): without the
# limits these compile in half of the time, and are about as fast.
set(POLHODE_PLAIN_ELEMENTS "/elements/(joints/(motion|coupling|cylindrical)|forces/bushing|beams/director)/")
function(polhode_plain_elements)
  add_library(polhode_plain_elements OBJECT ${ARGN})
  target_include_directories(polhode_plain_elements PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(polhode_plain_elements PRIVATE polhode::model polhode_warnings)
  target_compile_options(polhode_plain_elements PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-aggressive-loop-optimizations>)
  polhode_precompile(plain_elements)
  polhode_unite(polhode_plain_elements)
  target_sources(polhode_elements PRIVATE $<TARGET_OBJECTS:polhode_plain_elements>)
endfunction()

# One static library a part; a part links only what stands to its left in docs/architecture.
function(polhode_part name)
  cmake_parse_arguments(ARG "" "" "USES;LINK;PRIVATE" ${ARGN})
  if(name STREQUAL "elements")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/elements/*.cpp)
    list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
    set(plain_elements ${sources})
    list(FILTER plain_elements INCLUDE REGEX ${POLHODE_PLAIN_ELEMENTS})
    list(FILTER sources EXCLUDE REGEX ${POLHODE_PLAIN_ELEMENTS})
  else()
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
    list(FILTER sources EXCLUDE REGEX "/(main|python/module)\\.cpp$") # of programs and modules, not of the library
  endif()
  add_library(polhode_${name} STATIC ${sources})
  add_library(polhode::${name} ALIAS polhode_${name})
  target_include_directories(polhode_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
                             PRIVATE ${PROJECT_SOURCE_DIR}/src)
  if(name STREQUAL "elements")
    target_include_directories(polhode_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
    polhode_plain_elements(${plain_elements})
  endif()
  list(TRANSFORM ARG_USES PREPEND polhode::)
  target_link_libraries(polhode_${name} PUBLIC ${ARG_USES} ${ARG_LINK} PRIVATE ${ARG_PRIVATE} $<BUILD_INTERFACE:polhode_warnings>)
  target_compile_features(polhode_${name} PUBLIC cxx_std_20) # programs that link the installed library need it, too
  polhode_precompile(${name})
  polhode_unite(polhode_${name})
endfunction()
