#include "program_cache.h"

#include "context.h"
#include "gl_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SEGSORT_BLOB_MAGIC 0x6c676273u /* where bytes are swapped it is another number */
#define SEGSORT_BLOB_VERSION 1u
#define SEGSORT_BLOB_BYTES_MAX ((size_t)64 << 20) /* more is no program */
#define SEGSORT_FORMATS_MAX 1024

/* Before GL's binary. It has no gaps, so that all bytes of an entry are checked. */
typedef struct segsort_blob {
    uint32_t magic, version;
    uint32_t format, byte_count; /* of the binary */
    uint64_t checksum;           /* of all, with 0 here */
    char key[SEGSORT_CACHE_KEY_BYTES];
} segsort_blob;

/* ---------------------------------------------------------------------------------------------- */
/* Two hashes of 64 bits, in the manner of FNV-1a over words: multiplying takes differences up, the
 * shift takes them down again. They tell programs apart, they don't guard against forgery. */

static void segsort_hash_word(uint64_t hash[2], uint64_t word)
{
    hash[0] = (hash[0] ^ word) * 0x100000001b3u;
    hash[0] ^= hash[0] >> 32;
    hash[1] = (hash[1] + word) * 0x9e3779b97f4a7c15u;
    hash[1] ^= hash[1] >> 29;
}

/* The size goes first, so that "ab", "c" is not "a", "bc". */
static void segsort_hash_bytes(uint64_t hash[2], const void *data, size_t size)
{
    const unsigned char *bytes = data;
    segsort_hash_word(hash, size);
    while (size > 0) {
        uint64_t word = 0;
        size_t part = size < sizeof word ? size : sizeof word;
        memcpy(&word, bytes, part);
        segsort_hash_word(hash, word);
        bytes += part;
        size -= part;
    }
}

static void segsort_hash_begin(uint64_t hash[2])
{
    hash[0] = 0xcbf29ce484222325u;
    hash[1] = 0x84222325cbf29ce4u;
}

/* ---------------------------------------------------------------------------------------------- */
/* What GL has */

/* Tells another driver by any of these; false: GL does not say. */
static bool segsort_hash_driver(const segsort_gl *gl, uint64_t hash[2])
{
    static const uint32_t names[] = {SEGSORT_GL_VENDOR, SEGSORT_GL_RENDERER, SEGSORT_GL_VERSION,
                                     SEGSORT_GL_SHADING_LANGUAGE_VERSION};
    segsort_hash_begin(hash);
    segsort_hash_word(hash, GL_SEGSORT_VERSION);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *text = (const char *)gl->GetString(names[i]);
        if (!text)
            return false;
        segsort_hash_bytes(hash, text, strlen(text));
    }
    return true;
}

static gl_segsort_result segsort_ask_formats(gl_segsort_context *context)
{
    const segsort_gl *gl = &context->gl;
    segsort_program_cache *cache = &context->cache;
    int32_t count = 0;
    gl->GetIntegerv(SEGSORT_GL_NUM_PROGRAM_BINARY_FORMATS, &count);
    if (count <= 0 || count > SEGSORT_FORMATS_MAX || !segsort_hash_driver(gl, cache->driver))
        return GL_SEGSORT_SUCCESS;
    size_t bytes = (size_t)count * sizeof *cache->formats;
    cache->formats = segsort_context_allocate(context, bytes);
    if (!cache->formats)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                            "out of memory for %" PRId32 " formats of program binaries", count);
    memset(cache->formats, 0, bytes);
    gl->GetIntegerv(SEGSORT_GL_PROGRAM_BINARY_FORMATS, (int32_t *)cache->formats);
    cache->format_count = (uint32_t)count;
    return GL_SEGSORT_SUCCESS;
}

gl_segsort_result segsort_program_cache_open(gl_segsort_context *context, bool *open)
{
    segsort_program_cache *cache = &context->cache;
    *open = false;
    if (!cache->host.load)
        return GL_SEGSORT_SUCCESS;
    if (!cache->asked) {
        gl_segsort_result result = segsort_ask_formats(context);
        if (result == GL_SEGSORT_SUCCESS)
            result = segsort_gl_errors_check(&context->gl, "asking for formats of program binaries",
                                             &context->error);
        if (result != GL_SEGSORT_SUCCESS) {
            segsort_program_cache_release(context);
            return result;
        }
        cache->asked = true;
        if (cache->format_count == 0)
            segsort_context_log(context, GL_SEGSORT_LOG_INFO,
                                "no programs are kept: the driver has no program binaries");
    }
    *open = cache->format_count > 0;
    return GL_SEGSORT_SUCCESS;
}

void segsort_program_cache_release(gl_segsort_context *context)
{
    segsort_program_cache *cache = &context->cache;
    segsort_context_release(context, cache->formats);
    *cache = (segsort_program_cache){.host = cache->host};
}

void segsort_program_cache_key(const gl_segsort_context *context, const char *const *texts,
                               uint32_t count, char key[SEGSORT_CACHE_KEY_BYTES])
{
    uint64_t hash[2] = {context->cache.driver[0], context->cache.driver[1]};
    for (uint32_t i = 0; i < count; i++)
        segsort_hash_bytes(hash, texts[i], strlen(texts[i]));
    memset(key, 0, SEGSORT_CACHE_KEY_BYTES);
    snprintf(key, SEGSORT_CACHE_KEY_BYTES, "gl_segsort-%016" PRIx64 "%016" PRIx64, hash[0],
             hash[1]);
}

/* ---------------------------------------------------------------------------------------------- */
/* Entries */

static uint64_t segsort_blob_checksum(const segsort_blob *blob, const void *binary)
{
    uint64_t hash[2];
    segsort_blob head = *blob;
    head.checksum = 0;
    segsort_hash_begin(hash);
    segsort_hash_bytes(hash, &head, sizeof head);
    segsort_hash_bytes(hash, binary, blob->byte_count);
    return hash[0] ^ hash[1];
}

/* Why an entry is not what was stored under the key; NULL: it is. */
static const char *segsort_blob_problem(const unsigned char *entry, size_t size, const char *key,
                                        segsort_blob *blob)
{
    if (size <= sizeof *blob)
        return "it is too short";
    memcpy(blob, entry, sizeof *blob);
    if (blob->magic != SEGSORT_BLOB_MAGIC || blob->version != SEGSORT_BLOB_VERSION)
        return "it is in another format";
    if (blob->byte_count != size - sizeof *blob)
        return "it has another size";
    if (blob->checksum != segsort_blob_checksum(blob, entry + sizeof *blob))
        return "its checksum is wrong";
    if (memcmp(blob->key, key, sizeof blob->key) != 0)
        return "it is another program's";
    return NULL;
}

static bool segsort_format_known(const segsort_program_cache *cache, uint32_t format)
{
    for (uint32_t i = 0; i < cache->format_count; i++)
        if (cache->formats[i] == format)
            return true;
    return false;
}

/* What GL has against a binary is no failure of the call; memory and contexts that are gone are. */
static gl_segsort_result segsort_forgive(gl_segsort_context *context, const char *doing,
                                         bool *raised)
{
    segsort_error error;
    gl_segsort_result result = segsort_gl_errors_check(&context->gl, doing, &error);
    *raised = result != GL_SEGSORT_SUCCESS;
    if (result == GL_SEGSORT_SUCCESS || result == GL_SEGSORT_ERROR_GL)
        return GL_SEGSORT_SUCCESS;
    context->error = error;
    return result;
}

/* Errors of earlier calls are looked for first, or they would be taken for GL's answer. */
static gl_segsort_result segsort_try_binary(gl_segsort_context *context, const segsort_blob *blob,
                                            const void *binary, uint32_t program, bool *loaded)
{
    const segsort_gl *gl = &context->gl;
    int32_t linked = 0;
    bool raised;
    if (!segsort_format_known(&context->cache, blob->format))
        return GL_SEGSORT_SUCCESS;
    gl_segsort_result result = segsort_gl_errors_check(gl, "making programs", &context->error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    gl->ProgramBinary(program, blob->format, binary, (int32_t)blob->byte_count);
    gl->GetProgramiv(program, SEGSORT_GL_LINK_STATUS, &linked);
    result = segsort_forgive(context, "loading a program's binary", &raised);
    *loaded = linked && !raised;
    return result;
}

static gl_segsort_result segsort_use_entry(gl_segsort_context *context, const char *key,
                                           const char *label, const unsigned char *entry,
                                           size_t size, uint32_t program, bool *loaded)
{
    segsort_blob blob;
    const char *problem = segsort_blob_problem(entry, size, key, &blob);
    if (problem) {
        segsort_context_log(context, GL_SEGSORT_LOG_WARNING,
                            "the program cache's entry of %s is not used: %s", label, problem);
        return GL_SEGSORT_SUCCESS;
    }
    gl_segsort_result result =
        segsort_try_binary(context, &blob, entry + sizeof blob, program, loaded);
    if (result == GL_SEGSORT_SUCCESS)
        segsort_context_log(context, GL_SEGSORT_LOG_INFO,
                            *loaded ? "loaded %s" : "GL refuses what the program cache has of %s",
                            label);
    return result;
}

gl_segsort_result segsort_program_cache_load(gl_segsort_context *context, const char *key,
                                             const char *label, uint32_t program, bool *loaded)
{
    const gl_segsort_program_cache *host = &context->cache.host;
    *loaded = false;
    size_t size = host->load(key, NULL, 0, host->user);
    if (size == 0)
        return GL_SEGSORT_SUCCESS;
    if (size > SEGSORT_BLOB_BYTES_MAX) {
        segsort_context_log(context, GL_SEGSORT_LOG_WARNING,
                            "the program cache's entry of %s is not used: it is too large", label);
        return GL_SEGSORT_SUCCESS;
    }
    unsigned char *entry = segsort_context_allocate(context, size);
    if (!entry)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                            "out of memory for a program's binary of %zu bytes", size);
    memset(entry, 0, size);
    gl_segsort_result result = GL_SEGSORT_SUCCESS;
    if (host->load(key, entry, size, host->user) == size)
        result = segsort_use_entry(context, key, label, entry, size, program, loaded);
    else
        segsort_context_log(context, GL_SEGSORT_LOG_WARNING,
                            "the program cache's entry of %s is not used: its size changes", label);
    segsort_context_release(context, entry);
    return result;
}

/* ---------------------------------------------------------------------------------------------- */

/* Writes the entry and gives its size; 0: GL has no binary. */
static size_t segsort_write_entry(const segsort_gl *gl, const char *key, uint32_t program,
                                  unsigned char *entry, int32_t capacity)
{
    segsort_blob blob = {.magic = SEGSORT_BLOB_MAGIC, .version = SEGSORT_BLOB_VERSION};
    int32_t length = 0;
    gl->GetProgramBinary(program, capacity, &length, &blob.format, entry + sizeof blob);
    if (length <= 0 || length > capacity)
        return 0;
    blob.byte_count = (uint32_t)length;
    memcpy(blob.key, key, sizeof blob.key);
    blob.checksum = segsort_blob_checksum(&blob, entry + sizeof blob);
    memcpy(entry, &blob, sizeof blob);
    return sizeof blob + (size_t)length;
}

gl_segsort_result segsort_program_cache_store(gl_segsort_context *context, const char *key,
                                              uint32_t program)
{
    const segsort_gl *gl = &context->gl;
    const gl_segsort_program_cache *host = &context->cache.host;
    int32_t length = 0;
    bool raised;
    gl_segsort_result result = segsort_gl_errors_check(gl, "making programs", &context->error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    gl->GetProgramiv(program, SEGSORT_GL_PROGRAM_BINARY_LENGTH, &length);
    if (length <= 0 || (size_t)length > SEGSORT_BLOB_BYTES_MAX - sizeof(segsort_blob))
        return segsort_forgive(context, "asking for a program's binary", &raised);
    unsigned char *entry = segsort_context_allocate(context, sizeof(segsort_blob) + (size_t)length);
    if (!entry)
        return segsort_fail(&context->error, GL_SEGSORT_ERROR_OUT_OF_MEMORY,
                            "out of memory for a program's binary of %" PRId32 " bytes", length);
    size_t size = segsort_write_entry(gl, key, program, entry, length);
    result = segsort_forgive(context, "reading a program's binary", &raised);
    if (result == GL_SEGSORT_SUCCESS && !raised && size > 0)
        host->store(key, entry, size, host->user);
    segsort_context_release(context, entry);
    return result;
}
