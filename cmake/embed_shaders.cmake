# Turns GLSL files into one C file that holds them as arrays, with CMake alone.
#
#   gl_segsort_embed_shaders(OUTPUT file.c HEADER sources.h PREFIX name ROOT folder
#                            SHADERS a.comp ... INCLUDED shared/b.glsl ...)
#
# `#include "x"` is resolved against ROOT, each file at most once in a shader; `#line` directives keep the lines
# and number the files, in the order of <prefix>_source_files, so that a compile error can be traced to its file.
# Run as a script (cmake -P) the same file does the work at build time, whenever a GLSL file has changed.

function(gl_segsort_embed_shaders)
    cmake_parse_arguments(arg "" "OUTPUT;HEADER;PREFIX;ROOT" "SHADERS;INCLUDED" ${ARGN})
    set(depends ${arg_SHADERS} ${arg_INCLUDED})
    list(TRANSFORM depends PREPEND ${arg_ROOT}/)
    string(REPLACE ";" "," shaders "${arg_SHADERS}")
    string(REPLACE ";" "," included "${arg_INCLUDED}")
    add_custom_command(
        OUTPUT ${arg_OUTPUT}
        COMMAND ${CMAKE_COMMAND} -DOUTPUT=${arg_OUTPUT} -DHEADER=${arg_HEADER} -DPREFIX=${arg_PREFIX}
                -DROOT=${arg_ROOT} -DSHADERS=${shaders} -DINCLUDED=${included}
                -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
        DEPENDS ${depends} ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
        COMMENT "Embedding shaders for ${arg_PREFIX}" VERBATIM)
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    return()
endif()

cmake_policy(VERSION 3.22)

# Characters that CMake's lists treat specially are swapped for control characters while text is handled.
string(ASCII 1 semicolon)
string(ASCII 2 opening)
string(ASCII 3 closing)
function(read_text file out)
    file(READ ${file} text)
    if(text MATCHES "[^\t\n -~]")
        message(FATAL_ERROR "${file}: only ASCII is allowed in shaders")
    endif()
    string(REPLACE ";" ${semicolon} text "${text}")
    string(REPLACE "[" ${opening} text "${text}")
    string(REPLACE "]" ${closing} text "${text}")
    set(${out} "${text}" PARENT_SCOPE)
endfunction()

function(count_lines text out)
    string(REGEX MATCHALL "\n" newlines "${text}")
    list(LENGTH newlines count)
    set(${out} ${count} PARENT_SCOPE)
endfunction()

# Appends the text of ROOT/name with its includes to the global property FLAT.
function(flatten name)
    get_property(seen GLOBAL PROPERTY SEEN)
    if(name IN_LIST seen)
        return()
    endif()
    set_property(GLOBAL APPEND PROPERTY SEEN ${name})
    list(FIND files ${name} number)
    if(number EQUAL -1)
        message(FATAL_ERROR "${name} is included but not listed in CMakeLists.txt")
    endif()
    read_text(${ROOT}/${name} rest)
    set(line 1)
    set_property(GLOBAL APPEND_STRING PROPERTY FLAT "#line 1 ${number}\n")
    while(rest MATCHES "(^|\n)(#include \"([^\"]+)\"[^\n]*\n)")
        set(directive "${CMAKE_MATCH_2}")
        set(target "${CMAKE_MATCH_3}")
        string(FIND "${rest}" "${directive}" at)
        string(SUBSTRING "${rest}" 0 ${at} before)
        string(LENGTH "${directive}" length)
        math(EXPR after "${at} + ${length}")
        string(SUBSTRING "${rest}" ${after} -1 rest)
        count_lines("${before}" passed)
        math(EXPR line "${line} + ${passed} + 1")
        set_property(GLOBAL APPEND_STRING PROPERTY FLAT "${before}")
        flatten(${target})
        set_property(GLOBAL APPEND_STRING PROPERTY FLAT "#line ${line} ${number}\n")
    endwhile()
    set_property(GLOBAL APPEND_STRING PROPERTY FLAT "${rest}")
endfunction()

string(REPLACE "," ";" SHADERS "${SHADERS}")
string(REPLACE "," ";" INCLUDED "${INCLUDED}")
set(files ${SHADERS} ${INCLUDED})
set(arrays "")
set(table "")
foreach(shader IN LISTS SHADERS)
    set_property(GLOBAL PROPERTY SEEN "")
    set_property(GLOBAL PROPERTY FLAT "")
    flatten(${shader})
    get_property(flat GLOBAL PROPERTY FLAT)
    string(REPLACE ${semicolon} ";" flat "${flat}")
    string(REPLACE ${opening} "[" flat "${flat}")
    string(REPLACE ${closing} "]" flat "${flat}")
    # The preamble has #version and comes from the program that compiles the shader.
    string(REGEX REPLACE "(^|\n)#version[^\n]*" "\\1" flat "${flat}")
    file(WRITE ${OUTPUT}.txt "${flat}")
    file(READ ${OUTPUT}.txt hex HEX)
    file(REMOVE ${OUTPUT}.txt)
    string(REGEX REPLACE "(................................)" "\\1\n    " hex "${hex}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
    string(MAKE_C_IDENTIFIER ${shader} id)
    string(APPEND arrays "static const char ${PREFIX}_${id}[] = {\n    ${hex}0x00};\n\n")
    string(APPEND table "    {\"${shader}\", ${PREFIX}_${id}},\n")
endforeach()
set(names "")
foreach(name IN LISTS files)
    string(APPEND names "    \"${name}\",\n")
endforeach()
list(LENGTH SHADERS shader_count)
list(LENGTH files file_count)
file(WRITE ${OUTPUT}
"/* Generated from the GLSL files; see cmake/embed_shaders.cmake. */
#include \"${HEADER}\"

${arrays}const struct ${PREFIX}_source ${PREFIX}_sources[] = {
${table}};
const unsigned ${PREFIX}_source_count = ${shader_count};

const char *const ${PREFIX}_source_files[] = {
${names}};
const unsigned ${PREFIX}_source_file_count = ${file_count};
")
