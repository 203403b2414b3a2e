# The rules of docs/design.md that can be read off the text of plugin/ and glsl/.
#
#   cmake -DROOT=repository -P layers.cmake
cmake_policy(VERSION 3.22)

set(failures 0)
macro(fail rule)
    message("${rule}: ${ARGN}")
    math(EXPR failures "${failures} + 1")
endmacro()

# A file's text without comments and without what stands between quotes, except in #include. Brackets and semicolons become
# spaces and line ends: CMake's lists would stumble over them.
function(read_code file out)
    file(READ ${file} rest)
    string(REPLACE ";" " \n" rest "${rest}")
    string(REPLACE "[" " " rest "${rest}")
    string(REPLACE "]" " " rest "${rest}")
    set(code "")
    string(FIND "${rest}" "/*" at)
    while(NOT at EQUAL -1)
        string(SUBSTRING "${rest}" 0 ${at} before)
        string(APPEND code "${before} ")
        string(SUBSTRING "${rest}" ${at} -1 rest)
        string(FIND "${rest}" "*/" end)
        math(EXPR end "${end} + 2")
        string(SUBSTRING "${rest}" ${end} -1 rest)
        string(FIND "${rest}" "/*" at)
    endwhile()
    string(APPEND code "${rest}")
    string(REGEX REPLACE "//[^\n]*" "" code "${code}")
    string(REGEX REPLACE "#( *)include \"([^\"\n]*)\"" "#\\1include <\\2>" code "${code}")
    string(REGEX REPLACE "\"([^\"\\\n]|\\\\.)*\"" "\"\"" code "${code}")
    set(${out} "\n${code}" PARENT_SCOPE)
endfunction()

# The files that a text includes.
function(list_includes code out)
    string(REGEX MATCHALL "\n *# *include *<[^>\n]*>" lines "${code}")
    set(names "")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE ".*<([^>]*)>" "\\1" name "${line}")
        list(APPEND names ${name})
    endforeach()
    set(${out} "${names}" PARENT_SCOPE)
endfunction()

set(standard_headers inttypes.h limits.h stdarg.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h)
set(pure_headers desc.h error.h gl_segsort.h gl_segsort_keys.h kernels.h layout.h numbers.h plan.h plan_build.h plan_splits.h
    self_test_answers.h steps.h tuning.h tuning_table.h)
set(pure_files desc desc_keys desc_spans desc_views error kernels numbers plan plan_listed plan_morton plan_packs plan_passes
    plan_splits plan_table plan_twice self_test_answers steps tuning)
set(gl_files gl_table gl_state gl_buffer pipeline program_cache plan_objects bind timer dispatch dispatch_depth context self_test)

file(GLOB plugin_files ${ROOT}/plugin/*.c ${ROOT}/plugin/*.h)
file(GLOB glsl_files ${ROOT}/glsl/*.comp ${ROOT}/glsl/shared/*)
list(LENGTH plugin_files plugin_count)
list(LENGTH glsl_files glsl_count)
if(plugin_count LESS 10 OR glsl_count LESS 5)
    message(FATAL_ERROR "${ROOT} is not the repository: ${plugin_count} and ${glsl_count} files")
endif()

foreach(file IN LISTS plugin_files)
    cmake_path(GET file FILENAME name)
    cmake_path(GET file STEM stem)
    read_code(${file} code)

    # No header but the project's own and standard C's: so none of GL, of a loader or of a window system.
    list_includes("${code}" includes)
    foreach(include IN LISTS includes)
        if(NOT include IN_LIST standard_headers AND NOT EXISTS ${ROOT}/plugin/${include} AND
           NOT EXISTS ${ROOT}/glsl/shared/${include})
            fail(headers "${name} includes ${include}")
        endif()
        if(stem IN_LIST pure_files AND NOT include IN_LIST standard_headers AND NOT include IN_LIST pure_headers)
            fail(pure "${name} includes ${include}")
        endif()
    endforeach()

    # All GL calls go through the table, and only some layers have it.
    if(code MATCHES "[^A-Za-z0-9_>.](w?gl[A-Z][A-Za-z0-9]*) *\\(")
        fail(calls "${name} calls ${CMAKE_MATCH_1}")
    endif()
    if(NOT stem IN_LIST gl_files AND code MATCHES "gl(->|\\.)[A-Z][A-Za-z0-9_]*|SEGSORT_GL_[A-Z_]+|[<]gl_(table|state|buffer).h")
        fail(table "${name} has ${CMAKE_MATCH_0}")
    endif()

    # Nothing waits for the GPU or reads back but the known-answer test, which is never part of a call that records.
    if(NOT stem MATCHES "^(self_test|gl_buffer)$" AND code MATCHES "(->|\\.)(FenceSync|ClientWaitSync|GetBufferSubData)")
        fail(waits "${name} calls gl${CMAKE_MATCH_2}")
    endif()
    if(NOT stem MATCHES "^(self_test|gl_buffer)$" AND code MATCHES "segsort_gl_buffer_read")
        fail(waits "${name} reads a buffer")
    endif()

    # The library never prints and never ends the program.
    if(code MATCHES "[^A-Za-z0-9_](v?f?printf|f?puts|putchar|putc|fputc|fwrite|perror|abort|exit|_Exit|quick_exit|assert|raise|signal) *\\(")
        fail(quiet "${name} calls ${CMAKE_MATCH_1}")
    endif()
    if(code MATCHES "[^A-Za-z0-9_](stdout|stderr|stdin|errno)[^A-Za-z0-9_]")
        fail(quiet "${name} uses ${CMAKE_MATCH_1}")
    endif()

    # The two-file form puts all statics into one file.
    string(REGEX MATCHALL "\nstatic [^\n(=]*[ *][A-Za-z0-9_]+\\(" functions "${code}")
    foreach(function IN LISTS functions)
        string(REGEX REPLACE ".*[ *]([A-Za-z0-9_]+)\\($" "\\1" function "${function}")
        if(NOT function MATCHES "^segsort_")
            fail(statics "${name} has a static ${function}")
        endif()
    endforeach()
endforeach()

# What isn't in the table can't be called: nothing else that waits, reads back or maps, and no callback of the host's replaced.
read_code(${ROOT}/plugin/gl_table.h code)
if(NOT code MATCHES "DispatchCompute")
    fail(table "gl_table.h has no DispatchCompute")
endif()
if(code MATCHES "[ ,](Finish|Flush|WaitSync|ReadPixels|MapBuffer|MapBufferRange|BeginQuery|DebugMessageCallback|DebugMessageControl),")
    fail(waits "gl_table.h has gl${CMAKE_MATCH_1}")
endif()

foreach(file IN LISTS glsl_files)
    cmake_path(GET file FILENAME name)
    read_code(${file} code)
    if(NOT name STREQUAL "keys.glsl" AND code MATCHES "SEGSORT_DESCENDING|SEGSORT_ASCENDING")
        fail(keys "${name} knows ${CMAKE_MATCH_0}")
    endif()
    if(name MATCHES "\\.comp$" AND code MATCHES "# *extension")
        fail(portable "${name} wants an extension")
    endif()
endforeach()

foreach(file IN LISTS plugin_files glsl_files)
    cmake_path(GET file FILENAME name)
    file(READ ${file} text)
    string(REGEX MATCHALL "\n" lines "${text}")
    list(LENGTH lines count)
    # The header is mostly documentation.
    set(count_max 620)
    if(name STREQUAL "gl_segsort.h")
        set(count_max 700)
    endif()
    if(count GREATER count_max)
        fail(length "${name} has ${count} lines")
    endif()
endforeach()

if(failures GREATER 0)
    message(FATAL_ERROR "${failures} violations")
endif()
message("${plugin_count} files of plugin and ${glsl_count} of glsl keep to the rules")
