/* Layer 1: which bytes of the buffers of a call may meet, and the sort that finds those that do.
 * Pure C, no GL. */
#include "desc_setup.h"
#include "generate.h"
#include "numbers.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------- */
/* Spans */

enum { SPANS_MAX = 24 };

static bool may_not_meet(const segsort_span *a, const segsort_span *b)
{
    return (a->output || b->output) && a->buffer == b->buffer && a->first < b->end &&
           b->first < a->end;
}

static void write_owner(char text[24], uint32_t set)
{
    text[0] = '\0';
    if (set != SEGSORT_NO_SET)
        snprintf(text, 24, "set %u's ", set);
}

static void write_sentence(char text[300], const segsort_span *a, const segsort_span *b)
{
    char owner_a[24], owner_b[24];
    write_owner(owner_a, a->set);
    write_owner(owner_b, b->set);
    snprintf(text, 300,
             "%s%s (bytes %" PRIu64 "..%" PRIu64 ") and %s%s (bytes %" PRIu64 "..%" PRIu64
             ") of buffer %u reach into each other",
             owner_a, a->name, a->first, a->end - 1, owner_b, b->name, b->first, b->end - 1,
             a->buffer);
}

/* Whether the sentence is of two spans that may not meet, and do. */
static bool sentence_is_right(const segsort_span *spans, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < count; j++) {
            char text[300];
            if (i == j || !may_not_meet(&spans[i], &spans[j]))
                continue;
            write_sentence(text, &spans[i], &spans[j]);
            if (strcmp(text, error.text) == 0)
                return true;
        }
    return false;
}

static bool any_meet(const segsort_span *spans, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (may_not_meet(&spans[i], &spans[j]))
                return true;
    return false;
}

static gl_segsort_result check_spans(const segsort_span *spans, uint32_t count)
{
    uint32_t numbers[SPANS_MAX];
    error = (segsort_error){0};
    return segsort_spans_check(spans, numbers, count, &error);
}

static segsort_span random_span(uint64_t *state, uint32_t room, uint32_t longest, uint32_t outputs)
{
    static const char *const names[] = {"keys", "values", "output_keys", "the scratch"};
    uint64_t first = generate_below(state, room), length = 1 + generate_below(state, longest);
    uint32_t set = generate_below(state, 5);
    return (segsort_span){.buffer = 7 + generate_below(state, 3),
                          .first = 4 * first,
                          .end = 4 * (first + length),
                          .name = names[generate_below(state, 4)],
                          .set = set == 4 ? SEGSORT_NO_SET : set,
                          .output = generate_below(state, 100) < outputs};
}

/* From crowded to sparse, so that both answers are common. */
static void spans_as_an_oracle_has_them(void)
{
    unsigned answers[2] = {0, 0};
    uint64_t state = 3;
    for (uint32_t round = 0; round < 60000; round++) {
        segsort_span spans[SPANS_MAX];
        uint32_t count = generate_below(&state, SPANS_MAX + 1);
        uint32_t room = 1 + generate_below(&state, 200), longest = 1 + generate_below(&state, 12);
        uint32_t outputs = round % 4 * 20;
        for (uint32_t i = 0; i < count; i++)
            spans[i] = random_span(&state, room, longest, outputs);
        bool meet = any_meet(spans, count);
        gl_segsort_result result = check_spans(spans, count);
        answers[meet]++;
        if (!CHECK(result == (meet ? GL_SEGSORT_ERROR_OVERLAP : GL_SEGSORT_SUCCESS),
                   "round %u, %u spans: %s", round, count, gl_segsort_result_string(result)))
            break;
        if (!CHECK(!meet || sentence_is_right(spans, count), "round %u: '%s'", round, error.text))
            break;
    }
    CHECK(answers[0] > 10000 && answers[1] > 10000, "%u apart, %u meet", answers[0], answers[1]);
}

/* Few spans, all orders and contacts: outputs and inputs that touch, nest, start or end alike. */
static void three_spans_in_every_way(void)
{
    enum { PLACES = 10 };
    uint64_t firsts[PLACES], ends[PLACES];
    int places = 0;
    for (uint64_t first = 0; first < 4; first++)
        for (uint64_t end = first + 1; end <= 4; end++, places++) {
            firsts[places] = first;
            ends[places] = end;
        }
    for (int c = 0; c < PLACES * PLACES * PLACES * 8; c++) {
        segsort_span spans[3];
        int rest = c / 8;
        for (int i = 0; i < 3; i++, rest /= PLACES)
            spans[i] = (segsort_span){.buffer = 1,
                                      .first = firsts[rest % PLACES],
                                      .end = ends[rest % PLACES],
                                      .name = "keys",
                                      .set = (uint32_t)i,
                                      .output = (c >> i & 1) != 0};
        bool meet = any_meet(spans, 3);
        if (!CHECK(check_spans(spans, 3) == (meet ? GL_SEGSORT_ERROR_OVERLAP : GL_SEGSORT_SUCCESS),
                   "case %d: %s", c, error.text))
            break;
    }
}

static void no_spans(void)
{
    CHECK(segsort_spans_check(NULL, NULL, 0, &error) == GL_SEGSORT_SUCCESS, "nothing meets");
}

/* Near the end of what an offset may be. */
static void spans_far_out(void)
{
    const uint64_t far = INT64_MAX / 2;
    segsort_span spans[] = {{1, far, far + 40, "keys", 0, true},
                            {1, far + 40, far + far, "values", 1, true}};
    CHECK_RESULT(check_spans(spans, 2), GL_SEGSORT_SUCCESS, "");
    spans[1].first--;
    CHECK_RESULT(check_spans(spans, 2), GL_SEGSORT_ERROR_OVERLAP, "set 0's keys", "set 1's values",
                 "4611686018427387903..4611686018427387942");
}

/* ---------------------------------------------------------------------------------------------- */
/* What a set's uses take */

/* In bytes, with the set's number; what is not used or in place is left out. */
static void spans_of_uses(void)
{
    segsort_use uses[SEGSORT_USES_MAX] = {
        {.name = "keys",
         .view = {5, 1000, 99},
         .extent = {.first_row = 3, .end_row = 10},
         .row_bytes = 8},
        {.name = "values",
         .view = {6, 4, 99},
         .extent = {.first_row = 0, .end_row = 1ull << 32},
         .row_bytes = 12},
        {.name = "output_keys",
         .view = {5, 0, 99},
         .extent = {.first_row = 0xffffffff, .end_row = 1ull << 32},
         .row_bytes = 8,
         .output = true},
        {.name = "output_values",
         .view = {7, 0, 99},
         .extent = {.first_row = 0, .end_row = 1},
         .row_bytes = 4,
         .output = true}};
    const uint64_t firsts[] = {1024, 4, 0xffffffffull * 8, 0};
    const uint64_t ends[] = {1080, 4 + 12 * (1ull << 32), 8ull << 32, 4};
    for (unsigned skipped = 0; skipped < 1u << 4; skipped++)
        for (int in_place = 0; in_place < 2; in_place++) {
            segsort_span spans[SEGSORT_USES_MAX + 2] = {{.buffer = 77}};
            segsort_use some[SEGSORT_USES_MAX];
            memcpy(some, uses, sizeof some);
            for (int i = 0; i < 4; i++) {
                bool skip = (skipped >> i & 1) != 0;
                some[i].row_bytes = skip && !in_place ? 0 : uses[i].row_bytes;
                some[i].in_place = skip && in_place;
            }
            uint32_t count = segsort_spans_add(spans, 1, some, 9), next = 1;
            CHECK(spans[0].buffer == 77, "a span before the first was written");
            for (int i = 0; i < 4; i++) {
                const segsort_span *span = &spans[next];
                if ((skipped >> i & 1) != 0)
                    continue;
                CHECK(next++ < count && span->buffer == uses[i].view.buffer &&
                          span->first == firsts[i] && span->end == ends[i] && span->set == 9 &&
                          span->output == uses[i].output && strcmp(span->name, uses[i].name) == 0,
                      "skipped 0x%x: %s is bytes %" PRIu64 "..%" PRIu64, skipped, uses[i].name,
                      span->first, span->end);
            }
            CHECK(count == next, "skipped 0x%x: %u spans", skipped, count - 1);
        }
}

/* ---------------------------------------------------------------------------------------------- */
/* Sorting numbers */

static uint32_t *sort_keys;

static int compare_keys(const void *things, uint32_t a, uint32_t b)
{
    const uint32_t *keys = things;
    if (keys[a] != keys[b])
        return keys[a] < keys[b] ? -1 : 1;
    return a < b ? -1 : a > b;
}

static int compare_for_qsort(const void *a, const void *b)
{
    return compare_keys(sort_keys, *(const uint32_t *)a, *(const uint32_t *)b);
}

static void check_sorted(uint32_t count, uint32_t distinct, int order, uint64_t *state)
{
    sort_keys = malloc((count + 1) * sizeof *sort_keys);
    uint32_t *numbers = malloc((count + 1) * sizeof *numbers);
    uint32_t *expected = malloc((count + 1) * sizeof *expected);
    for (uint32_t i = 0; i < count; i++) {
        sort_keys[i] = order == 0   ? generate_below(state, distinct)
                       : order == 1 ? i / distinct
                                    : (count - i) / distinct;
        numbers[i] = expected[i] = i;
    }
    numbers[count] = 0xabcdabcd;
    if (count > 0)
        qsort(expected, count, sizeof *expected, compare_for_qsort);
    segsort_numbers_sort(numbers, count, compare_keys, sort_keys);
    CHECK(memcmp(numbers, expected, count * sizeof *numbers) == 0, "%u numbers, %u keys, order %d",
          count, distinct, order);
    CHECK(numbers[count] == 0xabcdabcd, "%u numbers: written behind the last", count);
    free(sort_keys);
    free(numbers);
    free(expected);
}

static void numbers_as_qsort_has_them(void)
{
    uint64_t state = 11;
    for (uint32_t count = 0; count <= 130; count++)
        for (uint32_t distinct = 1; distinct <= 200; distinct += 33)
            for (int order = 0; order < 3; order++)
                check_sorted(count, distinct, order, &state);
    const uint32_t more[] = {1023, 1024, 1025, 100000};
    for (size_t i = 0; i < 4; i++)
        for (int order = 0; order < 3; order++)
            check_sorted(more[i], more[i] / 3, order, &state);
}

CHECK_MAIN(CHECK_TEST(spans_as_an_oracle_has_them), CHECK_TEST(three_spans_in_every_way),
           CHECK_TEST(no_spans), CHECK_TEST(spans_far_out), CHECK_TEST(spans_of_uses),
           CHECK_TEST(numbers_as_qsort_has_them))
