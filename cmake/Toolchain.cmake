# SPDX-License-Identifier: BSD-3-Clause
# Compiler flags shared by all targets, ccache where present.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without this sloppiness ccache refuses every file that uses a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess> "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

include(CheckCXXSourceRuns)
set(POLHODE_INSTRUCTION_SET "the compiler's default instruction set")
if(POLHODE_ARCH STREQUAL "auto")
  set(CMAKE_REQUIRED_FLAGS "-march=x86-64-v3")
  check_cxx_source_runs("int main(){return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") ? 0 : 1;}" POLHODE_HAS_V3)
  unset(CMAKE_REQUIRED_FLAGS)
  if(POLHODE_HAS_V3)
    add_compile_options(-march=x86-64-v3)
    set(POLHODE_INSTRUCTION_SET x86-64-v3)
  endif()
elseif(POLHODE_ARCH)
  add_compile_options(-march=${POLHODE_ARCH})
  set(POLHODE_INSTRUCTION_SET ${POLHODE_ARCH})
endif()

set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g")
add_compile_options(-fno-math-errno)
# g++ 12 takes Eigen's loops over four numbers at a time for accesses beyond the end of a three-vector, in branches that a
# three-vector never enters: -Warray-bounds has false alarms only, and the sanitize preset looks for the true ones. With
# precompiled headers it warns of the standard library's strings in the same way (-Wstringop-...).
add_library(polhode_warnings INTERFACE)
target_compile_options(polhode_warnings INTERFACE -Wall -Wextra -Wshadow $<$<CXX_COMPILER_ID:GNU>:-Wconversion>
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-sign-conversion>
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds> $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overread> $<$<BOOL:${POLHODE_WERROR}>:-Werror>)
if(POLHODE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
# Pointers that are null, misaligned or too near to an end are found where they are used, by the address sanitizer or the
# processor: to look for them at every access of Eigen's templates, too, would double the time of the build. -g1: lines
# of a stack, which is what reports name.
if(POLHODE_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=null,alignment,object-size
                      -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address,undefined)
endif()
