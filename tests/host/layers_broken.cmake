# Breaks each rule of layers.cmake in a copy of the sources, and expects that rule to notice.
#
#   cmake -DROOT=repository -DCOPY=folder -P layers_broken.cmake
cmake_policy(VERSION 3.22)

function(expect rule file line)
    file(REMOVE_RECURSE ${COPY})
    file(COPY ${ROOT}/plugin ${ROOT}/glsl DESTINATION ${COPY})
    file(APPEND ${COPY}/${file} "${line}\n")
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${COPY} -P ${CMAKE_CURRENT_LIST_DIR}/layers.cmake
                    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(result EQUAL 0 OR NOT "${output}" MATCHES "${rule}: ")
        message(SEND_ERROR "'${line}' in ${file} goes unnoticed by the rule '${rule}': ${output}")
    endif()
endfunction()

expect(headers plugin/api.c "#include <GL/gl.h>")
expect(headers plugin/gl_table.h "#include \"glad/gl.h\"")
expect(calls plugin/dispatch.c "void segsort_f(void) { glFinish(); }")
expect(pure plugin/plan.c "#include \"gl_table.h\"")
expect(pure plugin/desc.h "#include \"context.h\"")
expect(table plugin/api.c "void segsort_f(const segsort_gl *gl) { gl->UseProgram(0); }")
expect(table plugin/api.c "int segsort_f(void) { return SEGSORT_GL_BUFFER; }")
expect(quiet plugin/plan.c "void segsort_f(void) { printf(\"x\"); }")
expect(quiet plugin/plan.c "void segsort_f(void) { abort(); }")
expect(quiet plugin/plan.c "void *segsort_f(void) { return (stderr); }")
expect(statics plugin/plan.c "static int f(void) { return 0; }")
expect(waits plugin/gl_table.h "X(void, Finish, (void))")
expect(waits plugin/dispatch.c "void segsort_f(const segsort_gl *gl) { gl->ClientWaitSync(0, 0, 0); }")
expect(waits plugin/api.c "void segsort_f(void) { segsort_gl_buffer_read(0, 0, 0, 0, 0); }")
expect(keys glsl/shared/network.glsl "#if SEGSORT_DESCENDING")
expect(portable glsl/bitonic_step.comp "#extension GL_KHR_shader_subgroup_ballot : require")
string(REPEAT "\n" 700 many_lines)
expect(length plugin/error.c "${many_lines}")
expect(length plugin/gl_segsort.h "${many_lines}")

# What only looks like it.
file(REMOVE_RECURSE ${COPY})
file(COPY ${ROOT}/plugin ${ROOT}/glsl DESTINATION ${COPY})
file(APPEND ${COPY}/plugin/plan.c
     "/* glFinish() and printf() and abort() */\nconst char *segsort_t = \"glFinish() printf()\";\n// stderr \n")
execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${COPY} -P ${CMAKE_CURRENT_LIST_DIR}/layers.cmake
                RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
    message(SEND_ERROR "comments and strings are taken for code: ${output}")
endif()
file(REMOVE_RECURSE ${COPY})
