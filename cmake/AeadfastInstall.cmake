# SPDX-License-Identifier: MIT
# The archive, the header, the license; what find_package(aeadfast) reads; what pkg-config reads.
# Everything installed may be moved: paths inside are relative to where the files are.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/aeadfast")
install(
    TARGETS aeadfast
    EXPORT aeadfastTargets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    INCLUDES
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES include/aeadfast.h include/aeadfast.hpp DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/licenses/aeadfast")

install(
    EXPORT aeadfastTargets
    NAMESPACE aeadfast::
    DESTINATION "${config_dir}")
configure_package_config_file(
    cmake/aeadfastConfig.cmake.in "${PROJECT_BINARY_DIR}/aeadfastConfig.cmake"
    INSTALL_DESTINATION "${config_dir}"
    NO_SET_AND_CHECK_MACRO)
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/aeadfastConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/aeadfastConfig.cmake"
              "${PROJECT_BINARY_DIR}/aeadfastConfigVersion.cmake" DESTINATION "${config_dir}")

set(pc_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
    set(pc_libdir "${CMAKE_INSTALL_LIBDIR}")
else()
    file(RELATIVE_PATH up "/${pc_dir}" "/")
    string(REGEX REPLACE "/$" "" up "${up}")
    set(pc_prefix "\${pcfiledir}/${up}")
    set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
    set(pc_includedir "${CMAKE_INSTALL_INCLUDEDIR}")
else()
    set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
set(pc_define "")
if(AEADFAST_PREFIX)
    set(pc_define " -DAEADFAST_PREFIX=${AEADFAST_PREFIX}")
endif()
configure_file(cmake/aeadfast.pc.in "${PROJECT_BINARY_DIR}/aeadfast.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/aeadfast.pc" DESTINATION "${pc_dir}")
