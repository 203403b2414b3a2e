# The public headers alone, and before and after the headers of the loaders that hosts use, as C99 and as C++11. Each is a test
# of its own; the ones whose loader isn't installed show up as disabled.
set(companion_glad "glad/gl.h")
set(companion_glew "GL/glew.h")
set(companion_epoxy "epoxy/gl.h")
set(companion_system "GL/gl.h;GL/glext.h")
set(companion_egl "EGL/egl.h")

find_program(GL_SEGSORT_CXX NAMES $ENV{CXX} g++ clang++ c++ DOC "C++ compiler that checks the public header")
set(compiler_c ${CMAKE_C_COMPILER} -std=c99 -x c)
set(compiler_cxx ${GL_SEGSORT_CXX} -std=c++11 -x c++)
set(desc_c "= {0}")
set(desc_cxx "= {}") # g++ takes {0} for a list with members missing

# Writes a source that includes the lists before and after around the header, and adds the test that compiles it.
function(gl_segsort_header_test name language before after)
    set(text "")
    foreach(header IN LISTS before)
        string(APPEND text "#include <${header}>\n")
    endforeach()
    string(APPEND text "#include \"gl_segsort_keys.h\"\n#include \"gl_segsort.h\"\n")
    foreach(header IN LISTS after)
        string(APPEND text "#include <${header}>\n")
    endforeach()
    string(APPEND text "int main(void)\n{\n"
           "    gl_segsort_context_desc context_desc ${desc_${language}};\n"
           "    gl_segsort_plan_desc plan_desc ${desc_${language}};\n"
           "    gl_segsort_sort_desc sort_desc ${desc_${language}};\n"
           "    gl_segsort_depth_keys_desc depth_desc ${desc_${language}};\n"
           "    gl_segsort_morton_keys_desc morton_desc ${desc_${language}};\n"
           "    gl_segsort_gather_desc gather_desc ${desc_${language}};\n"
           "    gather_desc.index_base = GL_SEGSORT_INDEX_IN_VIEW;\n"
           "    plan_desc.scratch = gather_desc.records;\n"
           "    sort_desc.barriers_after = GL_SEGSORT_BARRIER_INDEX | GL_SEGSORT_BARRIER_STORAGE;\n"
           "    plan_desc.segment_count = GL_SEGSORT_VERSION;\n")
    if("EGL/egl.h" IN_LIST before OR "EGL/egl.h" IN_LIST after)
        # A loader passes without a cast.
        string(APPEND text "    context_desc.get_proc_address = eglGetProcAddress;\n")
    endif()
    string(APPEND text "    return context_desc.label || plan_desc.segments || sort_desc.keys.buffer ||\n"
           "           depth_desc.keys.buffer || morton_desc.positions.buffer;\n}\n")
    set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${name}.${language})
    file(CONFIGURE OUTPUT ${source} CONTENT "${text}" @ONLY)
    add_test(NAME host-header-${name}-${language}
        COMMAND ${compiler_${language}} -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror ${ARGN}
                -I${PROJECT_SOURCE_DIR}/plugin -isystem ${PROJECT_BINARY_DIR}/glad/include ${source})
endfunction()

foreach(language c cxx)
    if(language STREQUAL "cxx" AND NOT GL_SEGSORT_CXX)
        message(STATUS "gl_segsort.h is not tested as C++: there is no C++ compiler")
        continue()
    endif()
    gl_segsort_header_test(alone ${language} "" "")
    gl_segsort_header_test(shared ${language} "" "" -DGL_SEGSORT_SHARED)
    gl_segsort_header_test(twice ${language} "gl_segsort.h" "gl_segsort_keys.h")
    foreach(companion glad glew epoxy system egl)
        gl_segsort_header_test(after-${companion} ${language} "${companion_${companion}}" "")
        gl_segsort_header_test(before-${companion} ${language} "" "${companion_${companion}}")
        list(GET companion_${companion} 0 header)
        find_path(GL_SEGSORT_HEADER_${companion} ${header})
        mark_as_advanced(GL_SEGSORT_HEADER_${companion})
        if(NOT companion STREQUAL "glad" AND NOT GL_SEGSORT_HEADER_${companion})
            message(STATUS "gl_segsort.h is not tested next to ${header}: it is not installed")
            set_tests_properties(host-header-after-${companion}-${language} host-header-before-${companion}-${language}
                                 PROPERTIES DISABLED TRUE)
        endif()
    endforeach()
endforeach()

add_test(NAME host-header-macros
    COMMAND ${CMAKE_COMMAND} -DCOMPILER=${CMAKE_C_COMPILER} -DPLUGIN=${PROJECT_SOURCE_DIR}/plugin
            -DWORK=${CMAKE_CURRENT_BINARY_DIR}/headers -P ${CMAKE_CURRENT_SOURCE_DIR}/macros.cmake)
