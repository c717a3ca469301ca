# SPDX-License-Identifier: BSD-3-Clause
# KLU of SuiteSparse (LGPL) and what it needs; CAMD (BSD) for the order of blocks; none of SuiteSparse's GPL parts.
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse REQUIRED)
file(STRINGS ${KLU_INCLUDE_DIR}/klu.h klu_numbers REGEX "#define KLU_(MAIN|SUB|SUBSUB)_VERSION")
string(REGEX MATCHALL "[0-9]+" klu_numbers "${klu_numbers}")
list(JOIN klu_numbers "." KLU_VERSION)
set(klu_libraries)
foreach(name klu btf amd camd colamd suitesparseconfig)
  find_library(KLU_${name}_LIBRARY ${name} REQUIRED)
  list(APPEND klu_libraries ${KLU_${name}_LIBRARY})
endforeach()
add_library(Klu::klu INTERFACE IMPORTED)
target_include_directories(Klu::klu SYSTEM INTERFACE ${KLU_INCLUDE_DIR})
target_link_libraries(Klu::klu INTERFACE ${klu_libraries})
