#include "buffers.h"

#include <stdlib.h>
#include <string.h>

#define GRAIN 1024 /* rows, so that copies move whole work groups */

static GLuint make_buffer(size_t bytes, size_t filled, const void *data)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)bytes, NULL, GL_STATIC_COPY);
    if (filled)
        glBufferSubData(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)filled, data);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    return buffer;
}

bool buffers_create(const struct inputs_data *data, struct buffers *buffers)
{
    size_t rows = (data->rows + GRAIN - 1) / GRAIN * GRAIN, words = data->key_words;
    size_t list = data->count * sizeof *data->segments;
    memset(buffers, 0, sizeof *buffers);
    while (glGetError() != GL_NO_ERROR) {
    }
    buffers->rows = rows;
    buffers->key_words = words;
    buffers->keys = make_buffer(rows * words * 4, data->rows * words * 4, data->keys);
    buffers->values = make_buffer(rows * 4, data->rows * 4, data->values);
    buffers->output_keys = make_buffer(rows * words * 4, 0, NULL);
    buffers->output_values = make_buffer(rows * 4, 0, NULL);
    buffers->segments = make_buffer(list, list, data->segments);
    return glGetError() == GL_NO_ERROR;
}

void buffers_destroy(struct buffers *buffers)
{
    const GLuint names[] = {buffers->keys, buffers->values, buffers->output_keys,
                            buffers->output_values, buffers->segments};
    glDeleteBuffers(5, names);
    memset(buffers, 0, sizeof *buffers);
}

/* By way of another buffer: drivers move a buffer that is read back into host memory, and leave it
 * there. */
static void read_back(GLuint buffer, size_t bytes, void *data)
{
    GLuint staging;
    glGenBuffers(1, &staging);
    glBindBuffer(GL_COPY_READ_BUFFER, buffer);
    glBindBuffer(GL_COPY_WRITE_BUFFER, staging);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)bytes, NULL, GL_STREAM_READ);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, (GLsizeiptr)bytes);
    glGetBufferSubData(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)bytes, data);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    glDeleteBuffers(1, &staging);
}

/* The output keys, and behind them the output values; NULL: out of memory. */
static uint32_t *read_outputs(const struct buffers *buffers, const struct inputs_data *data)
{
    size_t key_bytes = data->rows * data->key_words * 4;
    uint32_t *outputs = malloc(key_bytes + data->rows * 4);
    if (!outputs)
        return NULL;
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    read_back(buffers->output_keys, key_bytes, outputs);
    read_back(buffers->output_values, data->rows * 4, outputs + data->rows * data->key_words);
    return outputs;
}

bool buffers_sorted(const struct buffers *buffers, const struct inputs *inputs,
                    const struct inputs_data *data)
{
    uint32_t *outputs = read_outputs(buffers, data);
    bool sorted =
        outputs && inputs_sorted(inputs, data, outputs, outputs + data->rows * data->key_words);
    free(outputs);
    return sorted;
}

bool buffers_copied(const struct buffers *buffers, const struct inputs_data *data)
{
    uint32_t *outputs = read_outputs(buffers, data);
    size_t words = data->rows * data->key_words;
    bool copied = outputs && memcmp(outputs, data->keys, words * 4) == 0 &&
                  memcmp(outputs + words, data->values, data->rows * 4) == 0;
    free(outputs);
    return copied;
}

void buffers_forget(const struct buffers *buffers)
{
    const GLuint outputs[] = {buffers->output_keys, buffers->output_values};
    const size_t bytes[] = {buffers->rows * buffers->key_words * 4, buffers->rows * 4};
    const GLuint none = 0xffffffff;
    for (int i = 0; i < 2; i++) {
        glBindBuffer(GL_COPY_WRITE_BUFFER, outputs[i]);
        glClearBufferSubData(GL_COPY_WRITE_BUFFER, GL_R32UI, 0, (GLsizeiptr)bytes[i],
                             GL_RED_INTEGER, GL_UNSIGNED_INT, &none);
    }
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

void buffers_bind(const struct buffers *buffers)
{
    const GLuint names[] = {buffers->keys, buffers->values, buffers->output_keys,
                            buffers->output_values, buffers->segments};
    for (GLuint i = 0; i < 5; i++)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, names[i]);
}
