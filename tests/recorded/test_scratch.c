/* The host's own scratch: measured, checked, bound where it lies, and left to the host. */
#include "check.h"
#include "recorded_batch.h"

#define STORAGE GL_SEGSORT_BARRIER_STORAGE
#define RESTORE GL_SEGSORT_STATE_RESTORE
#define DIRTY GL_SEGSORT_STATE_LEAVE_DIRTY
#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static gl_segsort_context *context;
static gl_segsort_plan *plan;
static struct recorded_batch batch;
static uint64_t scratch_bytes; /* that the plan needs */

static const struct recorded_set one_set[] = {{3, {5000, 12, 300}}};
static const struct recorded_set more_sets[] = {
    {2, {5000, 300}}, {1, {0}}, {2, {12, 3}}, {3, {300000, 4097, 600}}};

/* Bytes from an aligned one on that a section may start at, and 0. */
static const uint64_t offsets[] = {0, 4, 144, 252, 256, 1000004};

static gl_segsort_plan_desc odd_digits(int algorithm)
{
    return (gl_segsort_plan_desc){.algorithm = (gl_segsort_algorithm)algorithm, .end_bit = 24};
}

static void measure(void)
{
    CHECK(gl_segsort_plan_scratch_size(context, &batch.desc, &scratch_bytes) == GL_SEGSORT_SUCCESS,
          "%s", gl_segsort_last_error(context));
}

/* In a buffer that ends where the scratch does. */
static void begin(gl_segsort_state_policy policy, const gl_segsort_plan_desc *like,
                  const struct recorded_set *sets, uint32_t count, uint64_t offset)
{
    recorded_begin();
    recorded_batch_make(&batch, like, sets, count, 0);
    context = recorded_context(policy);
    measure();
    batch.desc.scratch = (gl_segsort_view){
        recorded_output_buffer(offset + scratch_bytes, "host-scratch"), offset, scratch_bytes / 4};
    fake_gl_clear_trace();
    CHECK(gl_segsort_plan_create(context, &batch.desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
}

static void end(gl_segsort_state_policy policy)
{
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(policy);
}

static void sort(const char *case_name)
{
    fake_gl_clear_trace();
    fake_gl.barriers = 0;
    CHECK(gl_segsort_sort_batch(plan, batch.sorts, batch.set_count) == GL_SEGSORT_SUCCESS, "%s: %s",
          case_name, gl_segsort_last_error(context));
    CHECK(fake_gl.raised_count == 0 && fake_gl.dispatch_count > 3, "%s: %s", case_name,
          fake_gl.raised);
    const char *problem = recorded_batch_problem(&batch, plan);
    CHECK(!problem, "%s: %s", case_name, problem);
}

/* parts: comma-separated. */
static void expect_fails(const gl_segsort_sort_desc *sorts, bool pure, gl_segsort_result expected,
                         const char *parts)
{
    char list[200];
    fake_gl_clear_trace();
    gl_segsort_result result = gl_segsort_sort_batch(plan, sorts, batch.set_count);
    const char *sentence = gl_segsort_last_error(context);
    CHECK(result == expected, "'%s': %s, '%s'", parts, gl_segsort_result_string(result), sentence);
    snprintf(list, sizeof list, "%s", parts);
    for (char *part = strtok(list, ","); part; part = strtok(NULL, ","))
        CHECK(strstr(sentence, part), "'%s' is not in '%s'", part, sentence);
    CHECK(fake_gl.dispatch_count == 0 && fake_gl.calls_of[FAKE_GL_MemoryBarrier] == 0,
          "'%s': something was recorded", parts);
    if (pure)
        CHECK(fake_gl.trace_count == fake_gl.calls_of[FAKE_GL_GetGraphicsResetStatus],
              "'%s': %zu GL calls", parts, fake_gl.trace_count);
    const char *problem = recorded_state_problem();
    CHECK(!problem, "'%s': %s", parts, problem);
}

/* ---------------------------------------------------------------------------------------------- */
/* Its size */

/* What it says is what a plan makes of its own, without a GL call and without a trace of memory. */
static void size_is_what_a_plan_makes(void)
{
    for (int i = 0; i < 16 * RECORDED_ALGORITHMS; i++) {
        gl_segsort_plan_desc like = odd_digits(i / 16);
        gl_segsort_plan_description description;
        like.key_type = (gl_segsort_key_type)(i % 4);
        like.value_type = (gl_segsort_value_type)(i / 4 % 4);
        recorded_begin();
        recorded_batch_make(&batch, &like, more_sets, COUNT_OF(more_sets), 0);
        context = recorded_context(RESTORE);
        fake_gl_clear_trace();
        size_t memory = recorded.memory_live;
        /* It asks for a size: whatever else the description says of the scratch is nothing to it. */
        batch.desc.scratch = (gl_segsort_view){0, 3, 1};
        measure();
        CHECK(fake_gl.trace_count == fake_gl.calls_of[FAKE_GL_GetGraphicsResetStatus],
              "%zu GL calls", fake_gl.trace_count);
        CHECK(recorded.memory_live == memory, "memory leaks");
        batch.desc.scratch = (gl_segsort_view){0};
        gl_segsort_plan_create(context, &batch.desc, &plan);
        gl_segsort_plan_describe(plan, &description);
        CHECK(description.scratch_bytes == scratch_bytes && scratch_bytes > 0, "%u bytes, not %u",
              (unsigned)scratch_bytes, (unsigned)description.scratch_bytes);
        const struct fake_gl_buffer *scratch = NULL;
        for (size_t b = 0; b < fake_gl.buffer_count; b++)
            if (strcmp(fake_gl.buffers[b].label, "mesh-scratch") == 0)
                scratch = &fake_gl.buffers[b];
        CHECK(scratch && scratch->size == scratch_bytes, "the buffer has another size");
        end(RESTORE);
    }
}

static void size_of_nothing(void)
{
    static const struct recorded_set local[] = {{3, {4096, 12, 0}}, {0, {0}}, {1, {600}}};
    recorded_begin();
    recorded_batch_make(&batch, NULL, local, COUNT_OF(local), 0);
    context = recorded_context(RESTORE);
    scratch_bytes = 77;
    measure();
    CHECK(scratch_bytes == 0, "%u bytes for local sorts", (unsigned)scratch_bytes);
    batch.desc = (gl_segsort_plan_desc){0};
    scratch_bytes = 77;
    measure();
    CHECK(scratch_bytes == 0, "%u bytes for nothing", (unsigned)scratch_bytes);
    plan = NULL;
    end(RESTORE);
}

static void size_with_errors(void)
{
    recorded_begin();
    recorded_batch_make(&batch, NULL, more_sets, COUNT_OF(more_sets), 0);
    context = recorded_context(RESTORE);
    plan = NULL;
    scratch_bytes = 77;
    CHECK(gl_segsort_plan_scratch_size(context, NULL, &scratch_bytes) ==
                  GL_SEGSORT_ERROR_INVALID_ARGUMENT &&
              scratch_bytes == 0 &&
              strstr(gl_segsort_last_error(context), "gl_segsort_plan_scratch_size: desc is NULL"),
          "%s", gl_segsort_last_error(context));
    CHECK(gl_segsort_plan_scratch_size(context, &batch.desc, NULL) ==
                  GL_SEGSORT_ERROR_INVALID_ARGUMENT &&
              strstr(gl_segsort_last_error(context), "bytes is NULL"),
          "%s", gl_segsort_last_error(context));
    scratch_bytes = 77;
    CHECK(gl_segsort_plan_scratch_size(NULL, &batch.desc, &scratch_bytes) ==
                  GL_SEGSORT_ERROR_INVALID_ARGUMENT &&
              scratch_bytes == 0,
          "no context");
    /* Each allocation on the way. */
    gl_segsort_result result = GL_SEGSORT_ERROR_OUT_OF_MEMORY;
    size_t n = 1;
    for (; n < 30 && result != GL_SEGSORT_SUCCESS; n++) {
        size_t live = recorded.memory_live;
        recorded.memory_fail_at = recorded.memory_calls + n;
        scratch_bytes = 77;
        result = gl_segsort_plan_scratch_size(context, &batch.desc, &scratch_bytes);
        CHECK(result == GL_SEGSORT_SUCCESS ||
                  (result == GL_SEGSORT_ERROR_OUT_OF_MEMORY && scratch_bytes == 0),
              "allocation %zu: %s", n, gl_segsort_result_string(result));
        CHECK(recorded.memory_live == live, "allocation %zu leaks", n);
        CHECK(result != GL_SEGSORT_SUCCESS || recorded.memory_calls < recorded.memory_fail_at,
              "allocation %zu fails, and nobody notices", n);
    }
    CHECK(n > 3 && result == GL_SEGSORT_SUCCESS, "%zu allocations", n);
    recorded.memory_fail_at = 0;
    end(RESTORE);
}

/* ---------------------------------------------------------------------------------------------- */
/* Where it is bound */

/* The first byte that any pass finds in the host's scratch. */
static uint64_t first_byte_bound(void)
{
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i < fake_gl.dispatch_count; i++) {
        const struct fake_gl_dispatch *dispatch = &fake_gl.dispatches[i];
        for (int b = 0; b < SEGSORT_STORAGE_BINDINGS; b++) {
            if (!fake_gl_uses(dispatch, b) ||
                dispatch->storage[b].buffer != batch.desc.scratch.buffer)
                continue;
            CHECK(dispatch->storage[b].size > 0, "%s: binding %d has the whole buffer",
                  dispatch->program_label, b);
            int words[SEGSORT_STORAGE_BINDINGS] = {(int)(2 * dispatch->params.source),
                                                   (int)(2 * dispatch->params.source) + 1,
                                                   (int)(2 * dispatch->params.destination),
                                                   (int)(2 * dispatch->params.destination) + 1,
                                                   0,
                                                   SEGSORT_VIEW_WORD_WORK};
            uint64_t byte =
                (uint64_t)dispatch->storage[b].start + 4 * (uint64_t)dispatch->view_word[words[b]];
            first = byte < first ? byte : first;
        }
    }
    return first;
}

/* At any word of the host's buffer, up to its last byte; no buffer of the library's is made. */
static void bound_from_its_first_byte_to_its_last(void)
{
    for (int i = 0; i < 2 * 4 * RECORDED_ALGORITHMS * (int)COUNT_OF(offsets); i++) {
        gl_segsort_state_policy policy = (gl_segsort_state_policy)(i % 2);
        gl_segsort_plan_desc like = odd_digits(i / 8 % RECORDED_ALGORITHMS);
        uint64_t offset = offsets[i / 24];
        like.key_type = i / 4 % 2 ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_U32;
        like.value_type = i / 2 % 2 ? GL_SEGSORT_VALUE_INDEX : GL_SEGSORT_VALUE_U64;
        bool one = i % 5 == 0;
        begin(policy, &like, one ? one_set : more_sets, one ? 1 : COUNT_OF(more_sets), offset);
        CHECK(fake_gl.calls_of[FAKE_GL_GenBuffers] == 2, "%zu buffers are made",
              fake_gl.calls_of[FAKE_GL_GenBuffers]);
        gl_segsort_plan_description description;
        gl_segsort_plan_describe(plan, &description);
        CHECK(description.scratch_bytes == scratch_bytes, "%u bytes are described",
              (unsigned)description.scratch_bytes);
        for (int n = 0; n < 2; n++) {
            sort("the host's scratch");
            CHECK(first_byte_bound() == offset, "the scratch starts at byte %u, not %u",
                  (unsigned)first_byte_bound(), (unsigned)offset);
        }
        end(policy);
    }
}

/* It is the host's to delete, however plan and context end. */
static void never_deleted(void)
{
    for (int how = 0; how < 3; how++) {
        begin(RESTORE, NULL, more_sets, COUNT_OF(more_sets), 144);
        sort("before the end");
        fake_gl_clear_trace();
        if (how == 1)
            gl_segsort_context_destroy(context);
        if (how == 2)
            gl_segsort_context_abandon(context);
        gl_segsort_plan_destroy(plan);
        if (how == 0)
            gl_segsort_context_destroy(context);
        const struct fake_gl_buffer *scratch = fake_gl_find_buffer(batch.desc.scratch.buffer);
        CHECK(scratch && fake_gl.complaint_count == 0, "%s", fake_gl.complaint);
        CHECK(scratch && scratch->size == 144 + scratch_bytes, "it has another size");
        CHECK(fake_gl.calls_of[FAKE_GL_DeleteBuffers] == (how == 2 ? 0 : 2), "%zu deleted",
              fake_gl.calls_of[FAKE_GL_DeleteBuffers]);
        CHECK(recorded.memory_live == 0, "memory leaks");
        fake_gl_free();
    }
}

/* Two plans in one scratch: whoever says NONE can't know that the other one wrote it. */
static void shared_by_plans(void)
{
    for (int policy = 0; policy < 2; policy++) {
        gl_segsort_plan *other;
        begin((gl_segsort_state_policy)policy, NULL, more_sets, COUNT_OF(more_sets), 4);
        CHECK(gl_segsort_plan_create(context, &batch.desc, &other) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        for (uint32_t i = 0; i < batch.set_count; i++)
            batch.sorts[i].barriers_before = batch.sorts[i].barriers_after =
                GL_SEGSORT_BARRIER_NONE;
        for (int n = 0; n < 4; n++) {
            gl_segsort_plan *kept = plan;
            plan = n % 2 ? other : plan;
            sort("in turn");
            plan = kept;
            CHECK(fake_gl.dispatches[0].barriers == STORAGE, "sort %d starts with barriers 0x%x", n,
                  fake_gl.dispatches[0].barriers);
        }
        gl_segsort_plan_destroy(other);
        end((gl_segsort_state_policy)policy);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Checks */

static void views_that_are_refused(void)
{
    recorded_begin();
    recorded_batch_make(&batch, NULL, one_set, 1, 0);
    context = recorded_context(RESTORE);
    measure();
    uint64_t words = scratch_bytes / 4;
    const struct {
        gl_segsort_view view;
        gl_segsort_result result;
        const char *part;
    } cases[] = {
        {{0, 0, words}, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "scratch.buffer is 0"},
        {{0, 256, 0}, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "scratch.buffer is 0"},
        {{7, 2, words}, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "scratch.byte_offset 2"},
        {{7, 1ull << 62, words}, GL_SEGSORT_ERROR_OUT_OF_RANGE, "scratch.byte_offset"},
        {{7, 0, words - 1}, GL_SEGSORT_ERROR_OUT_OF_RANGE, "words of 4 bytes, but the plan needs"},
        {{7, 0, 0}, GL_SEGSORT_ERROR_OUT_OF_RANGE, "has 0 words"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        size_t memory = recorded.memory_live;
        batch.desc.scratch = cases[i].view;
        fake_gl_clear_trace();
        gl_segsort_result result = gl_segsort_plan_create(context, &batch.desc, &plan);
        CHECK(result == cases[i].result && !plan &&
                  strstr(gl_segsort_last_error(context), cases[i].part),
              "%s: %s", gl_segsort_result_string(result), gl_segsort_last_error(context));
        CHECK(fake_gl.trace_count == fake_gl.calls_of[FAKE_GL_GetGraphicsResetStatus],
              "%zu GL calls", fake_gl.trace_count);
        CHECK(recorded.memory_live == memory, "case %zu leaks", i);
    }
    end(RESTORE);
}

/* Neither a plan of local sorts nor a gather uses it. */
static void ignored_where_nobody_needs_it(void)
{
    static const struct recorded_set local[] = {{3, {4096, 12, 300}}};
    static const gl_segsort_view views[] = {{0, 0, 9}, {4711, 3, 0}, {4711, 0, 0}, {0, 7, 0}};
    for (size_t i = 0; i < COUNT_OF(views); i++) {
        recorded_begin();
        recorded_batch_make(&batch, NULL, local, 1, 0);
        context = recorded_context(RESTORE);
        batch.desc.scratch = views[i];
        CHECK(gl_segsort_plan_create(context, &batch.desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        CHECK(gl_segsort_sort(plan, batch.sorts) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        end(RESTORE);
    }
    begin(RESTORE, NULL, one_set, 1, 0);
    batch.gathers[0].records.buffer = batch.desc.scratch.buffer;
    batch.gathers[0].records.byte_offset = 0;
    fake_gl_find_buffer(batch.desc.scratch.buffer)->size = 1000000;
    CHECK(gl_segsort_gather(plan, batch.gathers) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    batch.gathers[0].records = batch.sorts[0].keys;
    batch.gathers[0].record_words = 1;
    fake_gl_find_buffer(batch.desc.scratch.buffer)->alive = false;
    CHECK(gl_segsort_gather(plan, batch.gathers) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    end(RESTORE);
}

/* When the plan sorts, and not before; asked in RESTORE alone. */
static void it_has_to_be_there(void)
{
    begin(RESTORE, NULL, more_sets, COUNT_OF(more_sets), 252);
    struct fake_gl_buffer *buffer = fake_gl_find_buffer(batch.desc.scratch.buffer);
    char parts[100];
    sort("all is well");
    snprintf(parts, sizeof parts, "scratch needs bytes up to %u,buffer %u has %u",
             (unsigned)(252 + scratch_bytes), buffer->name, (unsigned)(251 + scratch_bytes));
    buffer->size--;
    expect_fails(batch.sorts, false, GL_SEGSORT_ERROR_OUT_OF_RANGE, parts);
    buffer->size++;
    sort("it grew again");
    buffer->alive = false;
    snprintf(parts, sizeof parts, "scratch.buffer %u is no buffer", buffer->name);
    expect_fails(batch.sorts, false, GL_SEGSORT_ERROR_INVALID_ARGUMENT, parts);
    CHECK(!strstr(gl_segsort_last_error(context), "set "), "%s", gl_segsort_last_error(context));
    buffer->alive = true;
    sort("it is back");
    end(RESTORE);
    begin(DIRTY, NULL, more_sets, COUNT_OF(more_sets), 252);
    sort("nobody asks");
    CHECK(fake_gl.calls_of[FAKE_GL_IsBuffer] == 0 &&
              fake_gl.calls_of[FAKE_GL_GetBufferParameteri64v] == 0,
          "GL is asked");
    end(DIRTY);
}

/* A plan may be made before its scratch is. */
static void it_may_come_later(void)
{
    recorded_begin();
    recorded_batch_make(&batch, NULL, one_set, 1, 0);
    context = recorded_context(RESTORE);
    measure();
    batch.desc.scratch = (gl_segsort_view){4711, 0, scratch_bytes / 4};
    CHECK(gl_segsort_plan_create(context, &batch.desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    expect_fails(batch.sorts, false, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "scratch.buffer 4711");
    end(RESTORE);
}

static gl_segsort_view *view_of(gl_segsort_sort_desc *desc, int stream)
{
    gl_segsort_view *const views[] = {&desc->keys, &desc->values, &desc->output_keys,
                                      &desc->output_values};
    return views[stream];
}

/* Any stream of any set, an input too, by a word at either end; all up to that is fine. */
static void streams_that_meet_it(void)
{
    static const char *const names[] = {"keys ", "values ", "output_keys ", "output_values "};
    for (int i = 0; i < 2 * 2 * 4; i++) {
        gl_segsort_state_policy policy = (gl_segsort_state_policy)(i % 2);
        bool one = i / 2 % 2;
        int stream = i / 4;
        const uint64_t start = 2000000;
        char parts[60];
        begin(policy, NULL, one ? one_set : more_sets, one ? 1 : COUNT_OF(more_sets), start);
        uint32_t set = batch.set_count - 1;
        fake_gl_find_buffer(batch.desc.scratch.buffer)->size = 20000000;
        snprintf(parts, sizeof parts, one ? "%sand the scratch" : "set 3's %s", names[stream]);
        gl_segsort_view *view = view_of(&batch.sorts[set], stream);
        const gl_segsort_segment *first = &batch.segments[batch.first_segment[set]];
        const gl_segsort_segment *last = first + batch.segment_counts[set] - 1;
        uint64_t first_row = stream % 2 ? first->values_offset : first->keys_offset;
        uint64_t last_row = stream % 2 ? last->values_offset : last->keys_offset;
        const uint64_t before = start - 4 * (last_row + last->length);
        const uint64_t behind = start + scratch_bytes - 4 * first_row;
        view->buffer = batch.desc.scratch.buffer;
        view->byte_offset = before;
        sort("before it");
        fake_gl.state = recorded.state;
        view->byte_offset = before + 4;
        expect_fails(batch.sorts, true, GL_SEGSORT_ERROR_OVERLAP, "the scratch,reach into each");
        CHECK(strstr(gl_segsort_last_error(context), one ? names[stream] : parts), "no '%s' in %s",
              parts, gl_segsort_last_error(context));
        view->byte_offset = behind;
        sort("behind it");
        fake_gl.state = recorded.state;
        view->byte_offset = behind - 4;
        expect_fails(batch.sorts, true, GL_SEGSORT_ERROR_OVERLAP, "the scratch,reach into each");
        view->byte_offset = start + 400;
        expect_fails(batch.sorts, true, GL_SEGSORT_ERROR_OVERLAP, "the scratch");
        end(policy);
    }
}

/* In place the output stands for the input. */
static void streams_in_place_that_meet_it(void)
{
    begin(RESTORE, NULL, one_set, 1, 0);
    batch.in_place[0] = true;
    batch.sorts[0].keys = batch.sorts[0].output_keys =
        (gl_segsort_view){batch.desc.scratch.buffer, scratch_bytes - 4, batch.rows[0]};
    batch.sorts[0].values = batch.sorts[0].output_values;
    expect_fails(batch.sorts, true, GL_SEGSORT_ERROR_OVERLAP, "output_keys,the scratch");
    batch.sorts[0].keys.byte_offset = batch.sorts[0].output_keys.byte_offset = scratch_bytes;
    fake_gl_find_buffer(batch.desc.scratch.buffer)->size += 4 * batch.rows[0];
    sort("behind it");
    end(RESTORE);
}

CHECK_MAIN(CHECK_TEST(size_is_what_a_plan_makes), CHECK_TEST(size_of_nothing),
           CHECK_TEST(size_with_errors), CHECK_TEST(bound_from_its_first_byte_to_its_last),
           CHECK_TEST(never_deleted), CHECK_TEST(shared_by_plans),
           CHECK_TEST(views_that_are_refused), CHECK_TEST(ignored_where_nobody_needs_it),
           CHECK_TEST(it_has_to_be_there), CHECK_TEST(it_may_come_later),
           CHECK_TEST(streams_that_meet_it), CHECK_TEST(streams_in_place_that_meet_it))
