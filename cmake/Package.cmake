# SPDX-License-Identifier: BSD-3-Clause
# A Debian package of the program, its documentation and its decks: `scripts/package` makes and tries it. The library is not in it.
include(GNUInstallDirs)
set(doc ${CMAKE_INSTALL_DATAROOTDIR}/doc/polhode)
install(FILES README.md CHANGELOG.md DESTINATION ${doc} COMPONENT program)
install(FILES LICENSE DESTINATION ${doc} RENAME copyright COMPONENT program)
install(DIRECTORY docs/ DESTINATION ${doc}/docs COMPONENT program)
install(DIRECTORY inputs/examples inputs/benchmarks inputs/studies DESTINATION ${doc}/inputs COMPONENT program)
# Pictures need h5py and matplotlib, which the package only suggests.
install(DIRECTORY scripts/pictures scripts/viewer DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/polhode/scripts COMPONENT program PATTERN __pycache__ EXCLUDE)
install(PROGRAMS scripts/python scripts/plot scripts/animate scripts/campbell scripts/view scripts/report
        DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/polhode/scripts COMPONENT program)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "polhode developers <polhode@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "Describes a mechanism of rigid bodies, beams and joints in a YAML deck and computes its motion,
equilibria, vibration modes and linear models. Results are HDF5 files; decks to begin with are in ${CMAKE_INSTALL_PREFIX}/${doc}/inputs.")
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME polhode)
set(CPACK_DEBIAN_PROGRAM_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # dpkg-shlibdeps finds which packages have the shared libraries
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "python3, python3-h5py, python3-matplotlib, python3-yaml, python3-pil, libjs-three")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
