# Traces a program that sorts, looks at the GL calls, and replays them to the same bytes.
#
#   cmake -DPROGRAM=traced -DWRAPPER=egltrace.so -DAPITRACE=apitrace -DEGLRETRACE=eglretrace -DWORK=folder -P trace.cmake
cmake_policy(VERSION 3.22)

set(trace ${WORK}/sort.trace)
file(MAKE_DIRECTORY ${WORK})
file(REMOVE ${trace})
execute_process(COMMAND ${CMAKE_COMMAND} -E env LD_PRELOAD=${WRAPPER} TRACE_FILE=${trace} ${PROGRAM} ${WORK}/expected.rgb
                RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0 OR NOT output MATCHES "passes: ([0-9]+)")
    message(FATAL_ERROR "the traced program fails: ${output}")
endif()
set(pass_count ${CMAKE_MATCH_1})

execute_process(COMMAND ${APITRACE} dump --color=never ${trace} OUTPUT_VARIABLE dump RESULT_VARIABLE result)
string(REGEX MATCHALL "\n[0-9]+ e?gl[A-Za-z0-9_]+\\([^\n]*" lines "${dump}")

# --- the calls of one sort ---------------------------------------------------------------------------
# Nothing that asks, waits, reads, allocates or compiles.
set(allowed eglGetCurrentContext glBindBuffer glBindBufferRange glBindBufferBase glMemoryBarrier glPushDebugGroup
    glPopDebugGroup glUseProgram glProgramUniform4ui glDispatchCompute)
set(inside FALSE)
set(dispatches 0)
set(last_draw "")
foreach(line IN LISTS lines)
    if(NOT line MATCHES "([0-9]+) (e?gl[A-Za-z0-9_]+)\\(")
        continue()
    endif()
    set(number ${CMAKE_MATCH_1})
    set(function ${CMAKE_MATCH_2})
    if(function MATCHES "^gl(MapBuffer|MapNamed|BufferStorage)")
        message(SEND_ERROR "${function} is called")
    elseif(function STREQUAL "glDrawArrays")
        set(last_draw ${number})
    endif()
    if(line MATCHES "the sort begins")
        set(inside TRUE)
    elseif(line MATCHES "the sort has ended")
        set(inside FALSE)
    elseif(inside)
        if(NOT function IN_LIST allowed)
            message(SEND_ERROR "a sort calls ${function}")
        elseif(function STREQUAL "glDispatchCompute")
            math(EXPR dispatches "${dispatches} + 1")
        endif()
    endif()
endforeach()
if(NOT dispatches EQUAL pass_count OR last_draw STREQUAL "")
    message(FATAL_ERROR "${dispatches} dispatches for ${pass_count} passes")
endif()

# --- the replay --------------------------------------------------------------------------------------
execute_process(COMMAND ${CMAKE_COMMAND} -E env WAFFLE_PLATFORM=surfaceless_egl
                        ${EGLRETRACE} --headless -S ${last_draw} -s - --snapshot-format=PNM ${trace}
                RESULT_VARIABLE result OUTPUT_FILE ${WORK}/replayed.pnm ERROR_VARIABLE error)
if(error MATCHES "waffle_[a-z_]+ failed")
    message("the replay is skipped, eglretrace finds no display: ${error}")
    return()
endif()
# A PNM file ends with the pixels as they are.
file(READ ${WORK}/expected.rgb expected HEX)
file(READ ${WORK}/replayed.pnm replayed HEX)
string(LENGTH "${expected}" expected_length)
string(LENGTH "${replayed}" replayed_length)
math(EXPR header_length "${replayed_length} - ${expected_length}")
set(pixels "")
if(header_length GREATER 0)
    string(SUBSTRING "${replayed}" ${header_length} -1 pixels)
endif()
if(NOT result EQUAL 0 OR NOT pixels STREQUAL expected)
    message(FATAL_ERROR "the replay draws something else: ${error}")
endif()
message("${dispatches} dispatches, and the replay draws the same bytes")
