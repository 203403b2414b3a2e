# A host test loads EGL at run time (and this library, where it is built shared) and nothing else of a window system or of GL.
#
#   cmake -DEXECUTABLE=file -DREADELF=readelf -P needed.cmake
cmake_policy(VERSION 3.22)
execute_process(COMMAND ${READELF} -d ${EXECUTABLE} OUTPUT_VARIABLE output RESULT_VARIABLE result)
string(REGEX REPLACE "[][]" "" output "${output}") # CMake's lists would take brackets for quotes
string(REGEX MATCHALL "Shared library: [^ \n]+" lines "${output}")
if(NOT result EQUAL 0 OR NOT lines)
    message(FATAL_ERROR "${READELF} says nothing of ${EXECUTABLE}")
endif()
foreach(line IN LISTS lines)
    string(REGEX REPLACE "Shared library: " "" library "${line}")
    if(NOT library MATCHES "^(libEGL|libgl_segsort|libc|libm|libpthread|ld-linux)[-.a-z0-9_]*\\.so")
        message(SEND_ERROR "${EXECUTABLE} needs ${library}")
    endif()
    message("needs ${library}")
endforeach()
