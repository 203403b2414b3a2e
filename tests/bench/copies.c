#include "copies.h"

#include "program.h"

#define STREAMS                                                                                    \
    "#version 430\n"                                                                               \
    "layout(local_size_x = 256) in;\n"                                                             \
    "layout(std430, binding = 0) readonly buffer Keys { uvec4 keys[]; };\n"                        \
    "layout(std430, binding = 1) readonly buffer Values { uvec4 values[]; };\n"                    \
    "layout(std430, binding = 2) writeonly buffer OutputKeys { uvec4 output_keys[]; };\n"          \
    "layout(std430, binding = 3) writeonly buffer OutputValues { uvec4 output_values[]; };\n"

static const char simple_source[] =
    STREAMS "void main()\n"
            "{\n"
            "    uint i = gl_GlobalInvocationID.x + gl_NumWorkGroups.x * 256u * gl_WorkGroupID.y;\n"
            "    if (i < uint(keys.length()))\n"
            "        output_keys[i] = keys[i];\n"
            "    if (i < uint(values.length()))\n"
            "        output_values[i] = values[i];\n"
            "}\n";

/* Large GL buffers are many pages, and address translation is what a copy of them waits for: few
 * pages at a time. Streams of less than 256 MiB are parted evenly. */
static const char walk_source[] = STREAMS
    "const uint MEBIBYTE = 65536u;\n"
    "uint chunk(uint count) { return min(MEBIBYTE, (count + 255u) / 256u); }\n"
    "void main()\n"
    "{\n"
    "    uint count = uint(keys.length()), part = chunk(count);\n"
    "    for (uint begin = gl_WorkGroupID.x * part; begin < count; begin += 256u * part)\n"
    "        for (uint i = gl_LocalInvocationID.x; i < part && begin + i < count; i += 256u)\n"
    "            output_keys[begin + i] = keys[begin + i];\n"
    "    count = uint(values.length());\n"
    "    part = chunk(count);\n"
    "    for (uint begin = gl_WorkGroupID.x * part; begin < count; begin += 256u * part)\n"
    "        for (uint i = gl_LocalInvocationID.x; i < part && begin + i < count; i += 256u)\n"
    "            output_values[begin + i] = values[begin + i];\n"
    "}\n";

bool copies_create(struct copies *copies)
{
    copies->programs[COPY_SIMPLE] = program_create("the copy", simple_source);
    copies->programs[COPY_WALK] = program_create("the walking copy", walk_source);
    return copies->programs[COPY_SIMPLE] && copies->programs[COPY_WALK];
}

void copies_run(const struct copies *copies, enum copy_kind kind, const struct buffers *buffers)
{
    GLuint groups = (GLuint)((buffers->rows * buffers->key_words / 4 + 255) / 256);
    buffers_bind(buffers);
    if (kind == COPY_WALK)
        program_run(copies->programs[kind], 256, 1);
    else
        program_run_all(copies->programs[kind], groups);
}

void copies_destroy(struct copies *copies)
{
    for (int i = 0; i < COPY_KINDS; i++)
        glDeleteProgram(copies->programs[i]);
}
