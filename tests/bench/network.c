#include "network.h"

#include "program.h"

#include <stdio.h>

#define WIDTH_MAX 2048u

/* WIDTH is a power of two, no less than the longest segment. Rows past a segment's end hold the
 * greatest key and place, and stay behind. Equal keys are told apart by their places, so that the
 * sort is stable. */
static const char body[] =
    "layout(local_size_x = THREADS) in;\n"
    "struct Segment { uint keys, values, output_keys, output_values, count; };\n"
    "layout(std430, binding = 0) readonly buffer Keys { uint keys[]; };\n"
    "layout(std430, binding = 1) readonly buffer Values { uint values[]; };\n"
    "layout(std430, binding = 2) writeonly buffer OutputKeys { uint output_keys[]; };\n"
    "layout(std430, binding = 3) writeonly buffer OutputValues { uint output_values[]; };\n"
    "layout(std430, binding = 4) readonly buffer Segments { Segment segments[]; };\n"
    "shared uint row_keys[WIDTH], row_places[WIDTH];\n"
    "void exchange(uint low, uint high)\n"
    "{\n"
    "    uint a = row_keys[low], b = row_keys[high];\n"
    "    uint p = row_places[low], q = row_places[high];\n"
    "    if (b < a || (b == a && q < p)) {\n"
    "        row_keys[low] = b;\n"
    "        row_keys[high] = a;\n"
    "        row_places[low] = q;\n"
    "        row_places[high] = p;\n"
    "    }\n"
    "}\n"
    "void sort_rows(uint lane)\n"
    "{\n"
    "    for (uint k = 2u; k <= WIDTH; k *= 2u) {\n"
    "        for (uint j = k / 2u; j > 0u; j /= 2u) {\n"
    "            uint low = lane / j * 2u * j + lane % j;\n"
    "            uint high = j == k / 2u ? low ^ (k - 1u) : low + j;\n"
    "            exchange(low, high);\n"
    "            memoryBarrierShared();\n"
    "            barrier();\n"
    "        }\n"
    "    }\n"
    "}\n"
    "void main()\n"
    "{\n"
    "    uint number = gl_WorkGroupID.x + gl_NumWorkGroups.x * gl_WorkGroupID.y;\n"
    "    if (number >= uint(segments.length()))\n"
    "        return;\n"
    "    Segment s = segments[number];\n"
    "    uint lane = gl_LocalInvocationID.x;\n"
    "    for (uint i = lane; i < WIDTH; i += WIDTH / 2u) {\n"
    "        row_keys[i] = i < s.count ? keys[s.keys + i] : 0xffffffffu;\n"
    "        row_places[i] = i;\n"
    "    }\n"
    "    memoryBarrierShared();\n"
    "    barrier();\n"
    "    sort_rows(lane);\n"
    "    for (uint i = lane; i < s.count; i += WIDTH / 2u) {\n"
    "        output_keys[s.output_keys + i] = row_keys[i];\n"
    "        output_values[s.output_values + i] = values[s.values + row_places[i]];\n"
    "    }\n"
    "}\n";

bool network_fits(const struct inputs *inputs, const struct inputs_data *data)
{
    GLint invocations = 0;
    glGetIntegerv(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, &invocations);
    return inputs->key_type == GL_SEGSORT_KEY_U32 && inputs->direction == GL_SEGSORT_ASCENDING &&
           data->longest <= 2 * (uint32_t)invocations && data->longest <= WIDTH_MAX;
}

bool network_create(const struct inputs_data *data, struct network *network)
{
    char source[sizeof body + 64];
    uint32_t width = 2;
    while (width < data->longest)
        width *= 2;
    snprintf(source, sizeof source, "#version 430\n#define WIDTH %uu\n#define THREADS %u\n%s",
             width, width / 2, body);
    network->segments = (GLuint)data->count;
    network->program = program_create("the plain network", source);
    return network->program != 0;
}

void network_run(const struct network *network, const struct buffers *buffers)
{
    buffers_bind(buffers);
    program_run_all(network->program, network->segments);
}

void network_destroy(struct network *network)
{
    glDeleteProgram(network->program);
    network->program = 0;
}
