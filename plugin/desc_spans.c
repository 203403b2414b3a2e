#include "desc.h"

#include "numbers.h"

#include <inttypes.h>
#include <stdio.h>

uint32_t segsort_spans_add(segsort_span *spans, uint32_t count,
                           const segsort_use uses[SEGSORT_USES_MAX], uint32_t set)
{
    for (int i = 0; i < SEGSORT_USES_MAX; i++) {
        const segsort_use *use = &uses[i];
        if (use->row_bytes == 0 || use->in_place)
            continue;
        spans[count++] = (segsort_span){.buffer = use->view.buffer,
                                        .first = segsort_use_first(use),
                                        .end = segsort_use_end(use),
                                        .name = use->name,
                                        .set = set,
                                        .output = use->output};
    }
    return count;
}

static int segsort_compare_spans(const void *things, uint32_t a, uint32_t b)
{
    const segsort_span *left = (const segsort_span *)things + a;
    const segsort_span *right = (const segsort_span *)things + b;
    if (left->buffer != right->buffer)
        return left->buffer < right->buffer ? -1 : 1;
    if (left->first != right->first)
        return left->first < right->first ? -1 : 1;
    return a < b ? -1 : a > b;
}

static gl_segsort_result segsort_fail_spans(const segsort_span *a, const segsort_span *b,
                                            segsort_error *error)
{
    char owners[2][24] = {"", ""};
    const segsort_span *const both[] = {a, b};
    for (int i = 0; i < 2; i++)
        if (both[i]->set != SEGSORT_NO_SET)
            snprintf(owners[i], sizeof owners[i], "set %" PRIu32 "'s ", both[i]->set);
    return segsort_fail(error, GL_SEGSORT_ERROR_OVERLAP,
                        "%s%s (bytes %" PRIu64 "..%" PRIu64 ") and %s%s (bytes %" PRIu64
                        "..%" PRIu64 ") of buffer %" PRIu32 " reach into each other",
                        owners[0], a->name, a->first, a->end - 1, owners[1], b->name, b->first,
                        b->end - 1, a->buffer);
}

/* Of the spans of a buffer that start before a given one, it is enough to know which output reaches
 * farthest, and which of all. */
gl_segsort_result segsort_spans_check(const segsort_span *spans, uint32_t *numbers, uint32_t count,
                                      segsort_error *error)
{
    const segsort_span *farthest = NULL, *farthest_output = NULL;
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = i;
    segsort_numbers_sort(numbers, count, segsort_compare_spans, spans);
    for (uint32_t i = 0; i < count; i++) {
        const segsort_span *span = &spans[numbers[i]];
        if (farthest && farthest->buffer != span->buffer)
            farthest = farthest_output = NULL;
        if (farthest_output && span->first < farthest_output->end)
            return segsort_fail_spans(farthest_output, span, error);
        if (span->output && farthest && span->first < farthest->end)
            return segsort_fail_spans(farthest, span, error);
        if (!farthest || span->end > farthest->end)
            farthest = span;
        if (span->output && (!farthest_output || span->end > farthest_output->end))
            farthest_output = span;
    }
    return GL_SEGSORT_SUCCESS;
}
