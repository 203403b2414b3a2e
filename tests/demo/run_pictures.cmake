# Draws a mesh in both orders and compares the pictures.
#
#   cmake -DVIEWER=... -DCOMPARE=... -DFOLDER=... [-DMESH=file] [-DDATA_DIRS=folders]
#         [-DHOW=coherent] [-DKEYS=63] -P run_pictures.cmake
cmake_minimum_required(VERSION 3.22)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
if(MESH)
    if(NOT EXISTS ${MESH})
        message("SKIPPED: ${MESH} isn't there (Debian package assimp-testmodels)")
        return()
    endif()
    set(arguments --mesh ${MESH})
endif()
if(KEYS)
    list(APPEND arguments --keys ${KEYS})
endif()
if(DATA_DIRS)
    set(ENV{XDG_DATA_DIRS} ${DATA_DIRS})
endif()
execute_process(COMMAND ${VIEWER} --headless --size 640x400 ${arguments} WORKING_DIRECTORY ${FOLDER}
                RESULT_VARIABLE code TIMEOUT 120)
if(NOT code STREQUAL "0")
    message(FATAL_ERROR "exit code ${code}")
endif()
execute_process(COMMAND ${COMPARE} before.png after.png ${HOW} WORKING_DIRECTORY ${FOLDER}
                RESULT_VARIABLE code)
if(NOT code STREQUAL "0")
    message(FATAL_ERROR "the pictures are not as they should be")
endif()
