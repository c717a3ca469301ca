# SPDX-License-Identifier: BSD-3-Clause
# Read by CTest before it runs: one test a suite of a test program, since 3700 starts of a program take longer than most
# of what they test. `program` and `label` are set by the file that includes this one.
if(NOT EXISTS "${program}")
  add_test("${program}_NOT_BUILT" "${program}_NOT_BUILT")
  return()
endif()
execute_process(COMMAND "${program}" --gtest_list_tests OUTPUT_VARIABLE list RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${program} does not list its tests: ${failed}")
endif()
# Suites stand at the begin of a line, with a dot at their end; their tests are indented.
string(REGEX MATCHALL "(^|\n)[A-Za-z][^ \n]*\\." suites "${list}")
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "[\n.]" "" suite "${suite}")
  add_test("${suite}" "${program}" "--gtest_filter=${suite}.*")
  set_tests_properties("${suite}" PROPERTIES LABELS "${label}")
endforeach()
