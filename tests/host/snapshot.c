#include "snapshot.h"

#include <glad/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STORAGE_SLOTS 8 /* GL 4.3 has at least that many */
#define UNIFORM_SLOTS 8
#define FEEDBACK_SLOTS 4
#define TEXTURE_UNITS 4
#define IMAGE_UNITS 8
#define ATTRIBUTES 4

static void add(struct snapshot *snapshot, const char *name, int index, int64_t value)
{
    if (snapshot->count == SNAPSHOT_MAX) {
        fprintf(stderr, "snapshot: no room for %s\n", name);
        abort();
    }
    struct snapshot_entry *entry = &snapshot->entries[snapshot->count++];
    if (index < 0)
        snprintf(entry->name, sizeof entry->name, "%s", name);
    else
        snprintf(entry->name, sizeof entry->name, "%s[%d]", name, index);
    entry->value = value;
}

struct query {
    const char *name;
    GLenum parameter;
    int count; /* of numbers that it gives */
};

#define ONE(parameter)                                                                             \
    {                                                                                              \
#parameter, parameter, 1                                                                   \
    }
#define MANY(parameter, count)                                                                     \
    {                                                                                              \
#parameter, parameter, count                                                               \
    }

static const struct query integers[] = {ONE(GL_CURRENT_PROGRAM),
                                        ONE(GL_PROGRAM_PIPELINE_BINDING),
                                        ONE(GL_SHADER_STORAGE_BUFFER_BINDING),
                                        ONE(GL_UNIFORM_BUFFER_BINDING),
                                        ONE(GL_DISPATCH_INDIRECT_BUFFER_BINDING),
                                        ONE(GL_DRAW_INDIRECT_BUFFER_BINDING),
                                        ONE(GL_COPY_READ_BUFFER_BINDING),
                                        ONE(GL_COPY_WRITE_BUFFER_BINDING),
                                        ONE(GL_ARRAY_BUFFER_BINDING),
                                        ONE(GL_TEXTURE_BUFFER), /* names its own generic binding */
                                        ONE(GL_ELEMENT_ARRAY_BUFFER_BINDING),
                                        ONE(GL_PIXEL_PACK_BUFFER_BINDING),
                                        ONE(GL_PIXEL_UNPACK_BUFFER_BINDING),
                                        ONE(GL_ATOMIC_COUNTER_BUFFER_BINDING),
                                        ONE(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING),
                                        ONE(GL_TRANSFORM_FEEDBACK_BINDING),
                                        ONE(GL_TRANSFORM_FEEDBACK_ACTIVE),
                                        ONE(GL_TRANSFORM_FEEDBACK_PAUSED),
                                        ONE(GL_VERTEX_ARRAY_BINDING),
                                        ONE(GL_DRAW_FRAMEBUFFER_BINDING),
                                        ONE(GL_READ_FRAMEBUFFER_BINDING),
                                        ONE(GL_RENDERBUFFER_BINDING),
                                        ONE(GL_READ_BUFFER),
                                        ONE(GL_DRAW_BUFFER0),
                                        ONE(GL_ACTIVE_TEXTURE),
                                        MANY(GL_VIEWPORT, 4),
                                        MANY(GL_SCISSOR_BOX, 4),
                                        MANY(GL_COLOR_WRITEMASK, 4),
                                        ONE(GL_BLEND_SRC_RGB),
                                        ONE(GL_BLEND_DST_RGB),
                                        ONE(GL_BLEND_SRC_ALPHA),
                                        ONE(GL_BLEND_DST_ALPHA),
                                        ONE(GL_BLEND_EQUATION_RGB),
                                        ONE(GL_BLEND_EQUATION_ALPHA),
                                        ONE(GL_LOGIC_OP_MODE),
                                        ONE(GL_DEPTH_FUNC),
                                        ONE(GL_DEPTH_WRITEMASK),
                                        ONE(GL_STENCIL_FUNC),
                                        ONE(GL_STENCIL_REF),
                                        ONE(GL_STENCIL_VALUE_MASK),
                                        ONE(GL_STENCIL_WRITEMASK),
                                        ONE(GL_STENCIL_FAIL),
                                        ONE(GL_STENCIL_PASS_DEPTH_FAIL),
                                        ONE(GL_STENCIL_PASS_DEPTH_PASS),
                                        ONE(GL_STENCIL_CLEAR_VALUE),
                                        ONE(GL_CULL_FACE_MODE),
                                        ONE(GL_FRONT_FACE),
                                        ONE(GL_PROVOKING_VERTEX),
                                        ONE(GL_PRIMITIVE_RESTART_INDEX),
                                        ONE(GL_PATCH_VERTICES),
                                        ONE(GL_UNPACK_ALIGNMENT),
                                        ONE(GL_UNPACK_ROW_LENGTH),
                                        ONE(GL_UNPACK_SKIP_ROWS),
                                        ONE(GL_PACK_ALIGNMENT),
                                        ONE(GL_PACK_ROW_LENGTH),
                                        ONE(GL_PACK_SKIP_PIXELS),
                                        ONE(GL_DEBUG_GROUP_STACK_DEPTH)};

static const struct query floats[] = {MANY(GL_COLOR_CLEAR_VALUE, 4),
                                      MANY(GL_BLEND_COLOR, 4),
                                      MANY(GL_DEPTH_RANGE, 2),
                                      ONE(GL_DEPTH_CLEAR_VALUE),
                                      ONE(GL_LINE_WIDTH),
                                      ONE(GL_POINT_SIZE),
                                      ONE(GL_POINT_FADE_THRESHOLD_SIZE),
                                      ONE(GL_POLYGON_OFFSET_FACTOR),
                                      ONE(GL_POLYGON_OFFSET_UNITS),
                                      ONE(GL_SAMPLE_COVERAGE_VALUE)};

static const struct query enables[] = {ONE(GL_BLEND),
                                       ONE(GL_COLOR_LOGIC_OP),
                                       ONE(GL_CULL_FACE),
                                       ONE(GL_DEPTH_CLAMP),
                                       ONE(GL_DEPTH_TEST),
                                       ONE(GL_DITHER),
                                       ONE(GL_FRAMEBUFFER_SRGB),
                                       ONE(GL_MULTISAMPLE),
                                       ONE(GL_POLYGON_OFFSET_FILL),
                                       ONE(GL_PRIMITIVE_RESTART),
                                       ONE(GL_PRIMITIVE_RESTART_FIXED_INDEX),
                                       ONE(GL_PROGRAM_POINT_SIZE),
                                       ONE(GL_RASTERIZER_DISCARD),
                                       ONE(GL_SAMPLE_ALPHA_TO_COVERAGE),
                                       ONE(GL_SAMPLE_MASK),
                                       ONE(GL_SCISSOR_TEST),
                                       ONE(GL_STENCIL_TEST),
                                       ONE(GL_TEXTURE_CUBE_MAP_SEAMLESS),
                                       ONE(GL_DEBUG_OUTPUT),
                                       ONE(GL_DEBUG_OUTPUT_SYNCHRONOUS)};

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static void add_plain_state(struct snapshot *snapshot)
{
    for (size_t i = 0; i < LENGTH(integers); i++) {
        GLint64 values[4] = {0};
        glGetInteger64v(integers[i].parameter, values);
        for (int n = 0; n < integers[i].count; n++)
            add(snapshot, integers[i].name, integers[i].count > 1 ? n : -1, values[n]);
    }
    for (size_t i = 0; i < LENGTH(floats); i++) {
        GLfloat values[4] = {0};
        glGetFloatv(floats[i].parameter, values);
        for (int n = 0; n < floats[i].count; n++) {
            int32_t bits;
            memcpy(&bits, &values[n], sizeof bits);
            add(snapshot, floats[i].name, floats[i].count > 1 ? n : -1, bits);
        }
    }
    for (size_t i = 0; i < LENGTH(enables); i++)
        add(snapshot, enables[i].name, -1, glIsEnabled(enables[i].parameter));
}

struct indexed {
    const char *binding_name, *start_name, *size_name;
    GLenum binding, start, size;
    int slots;
};

#define INDEXED(prefix, slots)                                                                     \
    {                                                                                              \
#prefix "_BINDING", #prefix "_START", #prefix "_SIZE", prefix##_BINDING, prefix##_START,   \
            prefix##_SIZE, slots                                                                   \
    }

static const struct indexed indexed_buffers[] = {
    INDEXED(GL_SHADER_STORAGE_BUFFER, STORAGE_SLOTS), INDEXED(GL_UNIFORM_BUFFER, UNIFORM_SLOTS),
    INDEXED(GL_ATOMIC_COUNTER_BUFFER, 1), INDEXED(GL_TRANSFORM_FEEDBACK_BUFFER, FEEDBACK_SLOTS)};

static void add_indexed_buffers(struct snapshot *snapshot)
{
    for (size_t i = 0; i < LENGTH(indexed_buffers); i++) {
        const struct indexed *target = &indexed_buffers[i];
        for (int slot = 0; slot < target->slots; slot++) {
            GLint buffer = 0;
            GLint64 start = 0, size = 0;
            glGetIntegeri_v(target->binding, (GLuint)slot, &buffer);
            glGetInteger64i_v(target->start, (GLuint)slot, &start);
            glGetInteger64i_v(target->size, (GLuint)slot, &size);
            add(snapshot, target->binding_name, slot, buffer);
            add(snapshot, target->start_name, slot, start);
            add(snapshot, target->size_name, slot, size);
        }
    }
}

static void add_textures(struct snapshot *snapshot)
{
    static const struct query bindings[] = {
        ONE(GL_TEXTURE_BINDING_1D),       ONE(GL_TEXTURE_BINDING_2D),
        ONE(GL_TEXTURE_BINDING_2D_ARRAY), ONE(GL_TEXTURE_BINDING_BUFFER),
        ONE(GL_TEXTURE_BINDING_CUBE_MAP), ONE(GL_SAMPLER_BINDING)};
    GLint active;
    glGetIntegerv(GL_ACTIVE_TEXTURE, &active);
    for (int unit = 0; unit < TEXTURE_UNITS; unit++) {
        glActiveTexture((GLenum)(GL_TEXTURE0 + unit));
        for (size_t i = 0; i < LENGTH(bindings); i++) {
            GLint name = 0;
            glGetIntegerv(bindings[i].parameter, &name);
            add(snapshot, bindings[i].name, unit, name);
        }
    }
    glActiveTexture((GLenum)active);
    for (int unit = 0; unit < IMAGE_UNITS; unit++) {
        GLint name = 0, level = 0;
        glGetIntegeri_v(GL_IMAGE_BINDING_NAME, (GLuint)unit, &name);
        glGetIntegeri_v(GL_IMAGE_BINDING_LEVEL, (GLuint)unit, &level);
        add(snapshot, "GL_IMAGE_BINDING_NAME", unit, name);
        add(snapshot, "GL_IMAGE_BINDING_LEVEL", unit, level);
    }
}

static void add_vertex_array(struct snapshot *snapshot)
{
    for (int i = 0; i < ATTRIBUTES; i++) {
        static const struct query parameters[] = {
            ONE(GL_VERTEX_ATTRIB_ARRAY_ENABLED), ONE(GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING),
            ONE(GL_VERTEX_ATTRIB_ARRAY_SIZE), ONE(GL_VERTEX_ATTRIB_ARRAY_STRIDE),
            ONE(GL_VERTEX_ATTRIB_ARRAY_DIVISOR)};
        for (size_t n = 0; n < LENGTH(parameters); n++) {
            GLint value = 0;
            glGetVertexAttribiv((GLuint)i, parameters[n].parameter, &value);
            add(snapshot, parameters[n].name, i, value);
        }
    }
}

static void add_queries(struct snapshot *snapshot)
{
    static const struct query targets[] = {ONE(GL_TIME_ELAPSED), ONE(GL_SAMPLES_PASSED),
                                           ONE(GL_ANY_SAMPLES_PASSED), ONE(GL_PRIMITIVES_GENERATED),
                                           ONE(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN)};
    for (size_t i = 0; i < LENGTH(targets); i++) {
        GLint query = 0;
        glGetQueryiv(targets[i].parameter, GL_CURRENT_QUERY, &query);
        add(snapshot, targets[i].name, -1, query);
    }
}

void snapshot_take(struct snapshot *snapshot)
{
    snapshot->count = 0;
    add_plain_state(snapshot);
    add_indexed_buffers(snapshot);
    add_textures(snapshot);
    /* Without a vertex array a core profile has no attributes to ask for. */
    if (snapshot_value(snapshot, "GL_VERTEX_ARRAY_BINDING") != 0)
        add_vertex_array(snapshot);
    add_queries(snapshot);
}

bool snapshot_equal(const struct snapshot *before, const struct snapshot *after, const char *doing)
{
    bool equal = before->count == after->count;
    if (!equal)
        fprintf(stderr, "%s: the vertex array binding changed\n", doing);
    for (size_t i = 0; equal && i < before->count; i++)
        if (before->entries[i].value != after->entries[i].value) {
            for (; i < before->count; i++)
                if (before->entries[i].value != after->entries[i].value)
                    fprintf(stderr, "%s: %s was %lld, is %lld\n", doing, before->entries[i].name,
                            (long long)before->entries[i].value,
                            (long long)after->entries[i].value);
            equal = false;
        }
    return equal;
}

int64_t snapshot_value(const struct snapshot *snapshot, const char *name)
{
    for (size_t i = 0; i < snapshot->count; i++)
        if (strcmp(snapshot->entries[i].name, name) == 0)
            return snapshot->entries[i].value;
    fprintf(stderr, "snapshot: there is no %s\n", name);
    return -1;
}
