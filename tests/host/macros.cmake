# The public headers add no macro but their own to a program that includes it.
#
#   cmake -DCOMPILER=cc -DPLUGIN=folder -DWORK=folder -P macros.cmake
cmake_policy(VERSION 3.22)

function(list_macros text out)
    file(WRITE ${WORK}/macros.c "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n${text}\n")
    execute_process(COMMAND ${COMPILER} -std=c99 -I${PLUGIN} -dM -E ${WORK}/macros.c
                    OUTPUT_VARIABLE output RESULT_VARIABLE result ERROR_VARIABLE error)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${error}")
    endif()
    string(REGEX MATCHALL "#define [A-Za-z0-9_]+" macros "${output}")
    set(${out} "${macros}" PARENT_SCOPE)
endfunction()

list_macros("" without)
list_macros("#include \"gl_segsort_keys.h\"" with)
list(REMOVE_ITEM with ${without})
list(LENGTH with count)
foreach(macro IN LISTS with)
    if(NOT macro MATCHES "^#define GL_SEGSORT_")
        message(SEND_ERROR "a public header has ${macro}")
    endif()
endforeach()
if(count LESS 5)
    message(FATAL_ERROR "only ${count} macros were found, the test sees nothing")
endif()
message("${count} macros, all GL_SEGSORT_")
