# The GL loader of the demo and the tests, generated into the build folder by Debian's python3-glad.
# The library itself has no loader: it takes the host's.
find_program(GLAD_COMMAND glad REQUIRED DOC "glad 2 (Debian package python3-glad)")
set(glad_dir ${CMAKE_BINARY_DIR}/glad)
add_custom_command(
    OUTPUT ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h
    COMMAND ${GLAD_COMMAND} --api gl:core=4.3 --extensions "" --reproducible --quiet
            --out-path ${glad_dir} c
    COMMENT "Generating the GL loader" VERBATIM)
add_library(glad STATIC ${glad_dir}/src/gl.c)
target_include_directories(glad SYSTEM PUBLIC ${glad_dir}/include)
