# Sorts a mesh by 30-bit and by 63-bit codes and compares what the reports say about triangles that
# share a code: some do by 30 bits, both reports count the same ones, and 63 bits leave fewer.
#
#   cmake -DVIEWER=... -DFOLDER=... [-DARCHIVE=file.tar.gz -DMEMBER=path] [-DLEFT=n] -P run_keys.cmake
#
# The mesh is a MEMBER of an ARCHIVE (the test is skipped without it), or else one made here. LEFT is
# how many may share a 63-bit code.
cmake_minimum_required(VERSION 3.22)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})

# A grid of size x size vertices in steps of 1, and a triangle so far off that a 1024th of the box
# takes in dozens of the grid's.
function(write_dense_mesh path size far)
    math(EXPR last "${size} - 1")
    math(EXPR vertices "${size} * ${size} + 3")
    math(EXPR triangles "2 * ${last} * ${last} + 1")
    set(text "OFF\n${vertices} ${triangles} 0\n")
    foreach(y RANGE ${last})
        foreach(x RANGE ${last})
            string(APPEND text "${x} ${y} 0\n")
        endforeach()
    endforeach()
    math(EXPR end "${far} + 1")
    string(APPEND text "${far} ${far} ${far}\n${end} ${far} ${far}\n${far} ${end} ${far}\n")
    math(EXPR cells "${last} - 1")
    foreach(y RANGE ${cells})
        foreach(x RANGE ${cells})
            math(EXPR a "${y} * ${size} + ${x}")
            math(EXPR b "${a} + 1")
            math(EXPR c "${a} + ${size}")
            math(EXPR d "${c} + 1")
            string(APPEND text "3 ${a} ${b} ${c}\n3 ${b} ${d} ${c}\n")
        endforeach()
    endforeach()
    math(EXPR a "${vertices} - 3")
    math(EXPR b "${vertices} - 2")
    math(EXPR c "${vertices} - 1")
    file(WRITE ${path} "${text}3 ${a} ${b} ${c}\n")
endfunction()

if(ARCHIVE)
    if(NOT EXISTS ${ARCHIVE})
        message("SKIPPED: ${ARCHIVE} isn't there (Debian package libcgal-demo)")
        return()
    endif()
    execute_process(COMMAND ${CMAKE_COMMAND} -E tar xf ${ARCHIVE} -- ${MEMBER}
                    WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE code)
    set(mesh ${FOLDER}/${MEMBER})
    if(NOT code EQUAL 0 OR NOT EXISTS ${mesh})
        message(FATAL_ERROR "${ARCHIVE} doesn't hold ${MEMBER}")
    endif()
else()
    set(mesh ${FOLDER}/dense.off)
    write_dense_mesh(${mesh} 64 10000)
endif()

# Gives the two counts of the report; without --keys 63 the second is empty.
function(run_viewer keys out_short out_long)
    execute_process(COMMAND ${VIEWER} --headless --size 320x200 --mesh ${mesh} --keys ${keys}
                            --screenshot keys${keys}.png
                    WORKING_DIRECTORY ${FOLDER}
                    RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err TIMEOUT 120)
    message("${out}${err}")
    if(NOT code STREQUAL "0")
        message(FATAL_ERROR "--keys ${keys}: exit code ${code}")
    endif()
    if(NOT out MATCHES "\n([0-9,]+) triangles share their 30-bit code with another of their \
segment(; 63-bit codes leave ([0-9,]+))?\n")
        message(FATAL_ERROR "--keys ${keys}: no word about shared codes")
    endif()
    string(REPLACE "," "" short "${CMAKE_MATCH_1}")
    string(REPLACE "," "" long "${CMAKE_MATCH_3}")
    set(${out_short} "${short}" PARENT_SCOPE)
    set(${out_long} "${long}" PARENT_SCOPE)
endfunction()

run_viewer(30 short30 long30)
run_viewer(63 short63 long63)
if(NOT long30 STREQUAL "")
    message(FATAL_ERROR "--keys 30 speaks of 63-bit codes")
elseif(NOT short30 STREQUAL short63)
    message(FATAL_ERROR "30-bit codes shared: ${short30} by one report, ${short63} by the other")
elseif(short30 EQUAL 0)
    message(FATAL_ERROR "no triangles share a 30-bit code")
elseif(NOT long63 LESS short63)
    message(FATAL_ERROR "63-bit codes leave ${long63} of ${short63}")
elseif(DEFINED LEFT AND long63 GREATER LEFT)
    message(FATAL_ERROR "63-bit codes leave ${long63}, not ${LEFT}")
endif()
