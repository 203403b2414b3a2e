# Runs the viewer on every file of assimp's invalid models: each has to end with exit code 0, or
# with 1 and one sentence that names the file.
#
#   cmake -DVIEWER=... -DFOLDER=... -DMODELS=... -P run_invalid.cmake
cmake_minimum_required(VERSION 3.22)
file(GLOB models ${MODELS}/invalid/* ${MODELS}/OFF/invalid.off)
if(NOT models)
    message("SKIPPED: no models in ${MODELS} (Debian package assimp-testmodels)")
    return()
endif()
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
foreach(model IN LISTS models)
    execute_process(COMMAND ${VIEWER} --headless --size 64x64 --mesh ${model}
                    WORKING_DIRECTORY ${FOLDER}
                    RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err TIMEOUT 60)
    string(STRIP "${err}" err)
    message("${code} ${err}")
    get_filename_component(name ${model} NAME)
    if(code STREQUAL "0")
        continue()
    elseif(NOT code STREQUAL "1")
        message(FATAL_ERROR "${model}: exit code ${code}")
    elseif(err MATCHES "\n")
        message(FATAL_ERROR "${model}: more than one line of errors")
    elseif(NOT err MATCHES "${name}")
        message(FATAL_ERROR "${model}: the error doesn't name it")
    endif()
endforeach()
