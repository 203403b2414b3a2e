/* What the tests of descriptions share: limits, and a check for a result and its sentence. */
#ifndef DESC_SETUP_H
#define DESC_SETUP_H

#include "check.h"
#include "desc.h"

static const segsort_limits limits = {.work_groups = {65535, 65535, 65535},
                                      .shared_bytes = 32768,
                                      .storage_bytes = 1u << 27,
                                      .storage_alignment = 256,
                                      .uniform_alignment = 256,
                                      .barrier_bits = 0x3fef};

static segsort_error error;

static inline gl_segsort_allocator default_allocator(void)
{
    const gl_segsort_context_desc desc = {0};
    return segsort_desc_allocator(&desc);
}

/* Checks fields, then segments; layouts has room for one a set. */
static inline gl_segsort_result check_layouts(const gl_segsort_plan_desc *desc,
                                              segsort_layout *layouts)
{
    gl_segsort_allocator allocator = default_allocator();
    error = (segsort_error){0};
    gl_segsort_result result = segsort_desc_check_fields(desc, &error);
    if (result != GL_SEGSORT_SUCCESS)
        return result;
    return segsort_desc_check_plan(desc, &limits, &allocator, layouts, &error);
}

#define CHECK_RESULT(call, expected, ...)                                                          \
    do {                                                                                           \
        gl_segsort_result result_ = (call);                                                        \
        CHECK(result_ == (expected), "%s: %s", gl_segsort_result_string(result_), error.text);     \
        const char *const words_[] = {__VA_ARGS__};                                                \
        for (size_t w_ = 0; w_ < sizeof words_ / sizeof words_[0]; w_++)                           \
            CHECK(strstr(error.text, words_[w_]), "no '%s' in '%s'", words_[w_], error.text);      \
    } while (0)

#endif
