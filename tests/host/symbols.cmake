# What a built library shows of itself, and what it asks for.
#
#   cmake -DLIBRARY=file -DKIND=static|shared -DPLUGIN=folder of the public headers -DNM=nm -DOBJDUMP=objdump
#         -P symbols.cmake
#
# static  defines gl_segsort_ and segsort_ symbols only; shared exports exactly the functions that the headers declare.
# both    refer to nothing but a few functions of the C library: no GL function (they come through the host's loader),
#         nothing that prints or ends the program; and hold no mutable variable.
cmake_policy(VERSION 3.22)

set(allowed_functions
    free malloc memcmp memcpy memmove memset qsort snprintf sscanf strchr strcmp strlen strncmp strstr vsnprintf)
# The compiler's and the linker's own.
set(allowed_others _GLOBAL_OFFSET_TABLE_ __stack_chk_fail __cxa_finalize __gmon_start__
    _ITM_deregisterTMCloneTable _ITM_registerTMCloneTable)

function(run out)
    execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text RESULT_VARIABLE result ERROR_VARIABLE error)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${ARGN}: ${error}")
    endif()
    string(REPLACE ";" "" text "${text}")
    string(REPLACE "[" "" text "${text}")
    string(REPLACE "]" "" text "${text}")
    string(REPLACE "\n" ";" text "${text}")
    set(${out} "${text}" PARENT_SCOPE)
endfunction()

set(failures 0)
macro(fail)
    message("${ARGN}")
    math(EXPR failures "${failures} + 1")
endmacro()

if(KIND STREQUAL "shared")
    set(dynamic -D)
    set(own "^gl_segsort_")
else()
    set(dynamic "")
    set(own "^(gl_)?segsort_")
endif()

# --- what it defines -------------------------------------------------------------------------------
run(lines ${NM} ${dynamic} -g --defined-only ${LIBRARY})
set(defined "")
foreach(line IN LISTS lines)
    if(line MATCHES " [A-Za-z] ([^ ]+)$")
        set(symbol ${CMAKE_MATCH_1})
        list(APPEND defined ${symbol})
        if(NOT symbol MATCHES "${own}")
            fail("${LIBRARY} defines ${symbol}")
        endif()
    endif()
endforeach()

file(READ ${PLUGIN}/gl_segsort.h header)
file(READ ${PLUGIN}/gl_segsort_keys.h keys_header)
string(REGEX MATCHALL "GL_SEGSORT_API [^;(]*gl_segsort_[a-z_]+\\(" declarations "${header}${keys_header}")
set(declared "")
foreach(declaration IN LISTS declarations)
    string(REGEX REPLACE ".*[ *](gl_segsort_[a-z_]+)\\(" "\\1" name "${declaration}")
    list(APPEND declared ${name})
    if(NOT name IN_LIST defined)
        fail("${LIBRARY} does not define ${name}")
    endif()
endforeach()
if(declared STREQUAL "")
    fail("${PLUGIN} declares no function")
endif()
foreach(name IN LISTS defined)
    if(name MATCHES "^gl_segsort_" AND NOT name IN_LIST declared)
        fail("${LIBRARY} defines ${name}, which no header declares")
    endif()
endforeach()

# --- what it asks for ------------------------------------------------------------------------------
run(lines ${NM} ${dynamic} -u ${LIBRARY})
foreach(line IN LISTS lines)
    if(NOT line MATCHES "^ *[Uwv] ([^ @]+)")
        continue()
    endif()
    set(symbol ${CMAKE_MATCH_1})
    # glibc's names for other standards and for checked variants.
    string(REGEX REPLACE "^__(isoc99_|isoc23_)?([a-z]+)(_chk)?$" "\\2" plain ${symbol})
    if(NOT plain IN_LIST allowed_functions AND NOT symbol IN_LIST allowed_others AND NOT symbol IN_LIST defined)
        fail("${LIBRARY} refers to ${symbol}")
    endif()
endforeach()

# --- what it holds ---------------------------------------------------------------------------------
# Tables of pointers lie in .data.rel.ro, which is read-only once the program has started.
run(lines ${OBJDUMP} -t ${LIBRARY})
foreach(line IN LISTS lines)
    if(line MATCHES "^[0-9a-f]+ ([lgu! ]......) (\\.data|\\.bss|\\.tbss|\\.tdata|\\*COM\\*)(\\.[^ \t]*)?\t[0-9a-f]+ +([^ ].*)$")
        set(section "${CMAKE_MATCH_2}${CMAKE_MATCH_3}")
        set(symbol "${CMAKE_MATCH_4}")
        # Those of the linker and of the start-up code in a shared library.
        if(NOT CMAKE_MATCH_1 MATCHES "d" AND NOT section MATCHES "^\\.data\\.rel\\.ro" AND
           NOT symbol MATCHES "completed|__dso_handle|__TMC_END__|_edata|_end|__bss_start|DYNAMIC|GLOBAL_OFFSET_TABLE" AND
           NOT symbol MATCHES "^\\.(data|bss|hidden \\.)")
            fail("${LIBRARY} holds the mutable ${symbol} in ${section}")
        endif()
    endif()
endforeach()

if(failures GREATER 0)
    message(FATAL_ERROR "${LIBRARY}: ${failures} violations")
endif()
list(LENGTH defined count)
message("${LIBRARY}: ${count} symbols, nothing else")
