# SPDX-License-Identifier: BSD-3-Clause
# The Python module (target polhode_python): PYTHONPATH is the folder `python` of the build. A shared library holds
# position-independent code alone, so that the parts have to be built so: in a folder of its own, since the program is
# built without.
if(POLHODE_BINDINGS)
  find_program(POLHODE_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
  find_program(POLHODE_PYTHON python3)
  set(PYTHON_EXECUTABLE ${POLHODE_PYTHON})
  find_package(pybind11 2.10 REQUIRED)
  pybind11_add_module(polhode_python MODULE NO_EXTRAS ${PROJECT_SOURCE_DIR}/src/bindings/python/module.cpp)
  target_link_libraries(polhode_python PRIVATE polhode::bindings polhode_warnings)
  set_target_properties(polhode_python PROPERTIES OUTPUT_NAME _polhode LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python)
  add_custom_command(TARGET polhode_python POST_BUILD COMMAND ${CMAKE_COMMAND} -E copy_directory
                     ${PROJECT_SOURCE_DIR}/src/bindings/python/polhode ${PROJECT_BINARY_DIR}/python/polhode)
endif()
