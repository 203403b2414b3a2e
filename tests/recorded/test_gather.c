/* Gathers: their one program, what each dispatch has bound, their barriers and their errors. */
#include "check.h"
#include "recorded_batch.h"

#include <stdlib.h>

#define STORAGE GL_SEGSORT_BARRIER_STORAGE
#define RESTORE GL_SEGSORT_STATE_RESTORE
#define DIRTY GL_SEGSORT_STATE_LEAVE_DIRTY
#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static gl_segsort_context *context;
static gl_segsort_plan *plan;
static struct recorded_batch batch;

/* Slots of several widths, a work group each, and tiles. */
static const struct recorded_set mixed_sets[] = {
    {4, {5000, 300, 12, 3}}, {1, {0}}, {2, {200, 4096}}, {0, {0}}, {3, {1, 10000, 2}}};
#define MIXED_SETS (sizeof mixed_sets / sizeof mixed_sets[0])

static void begin(gl_segsort_state_policy policy, const gl_segsort_plan_desc *like,
                  const struct recorded_set *sets, uint32_t count)
{
    recorded_begin();
    recorded_batch_make(&batch, like, sets, count, 0);
    context = recorded_context(policy);
    CHECK(gl_segsort_plan_create(context, &batch.desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    fake_gl_clear_trace();
}

/* The first set alone, in a plan that is no batch. */
static void begin_one(gl_segsort_state_policy policy)
{
    recorded_begin();
    recorded_batch_make(&batch, NULL, mixed_sets, 1, 0);
    context = recorded_context(policy);
    batch.desc.set_count = 0;
    batch.desc.set_segment_counts = NULL;
    CHECK(gl_segsort_plan_create(context, &batch.desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    fake_gl_clear_trace();
}

static void end(gl_segsort_state_policy policy)
{
    gl_segsort_plan_destroy(plan);
    gl_segsort_context_destroy(context);
    CHECK_END(policy);
}

static gl_segsort_result run_gather(void)
{
    return batch.set_count == 1 ? gl_segsort_gather(plan, batch.gathers)
                                : gl_segsort_gather_batch(plan, batch.gathers, batch.set_count);
}

/* A dispatch for each pass, in its order, with what its set's description has. */
static void check_dispatches(const char *case_name)
{
    gl_segsort_plan_description description;
    gl_segsort_plan_describe(plan, &description);
    CHECK(fake_gl.dispatch_count == description.gather_pass_count && fake_gl.dispatch_count > 0,
          "%s: %zu dispatches of %u passes", case_name, fake_gl.dispatch_count,
          description.gather_pass_count);
    for (uint32_t i = 0; i < fake_gl.dispatch_count && i < description.gather_pass_count; i++) {
        const gl_segsort_pass_description *pass = &description.gather_passes[i];
        const struct fake_gl_dispatch *dispatch = &fake_gl.dispatches[i];
        const char *problem = recorded_gather_problem(&batch, pass->set, dispatch);
        CHECK(!problem, "%s: %s: %s", case_name, pass->label, problem);
        CHECK(strcmp(dispatch->program_label, "gl_segsort-gather-512") == 0, "%s: %s", case_name,
              dispatch->program_label);
        CHECK(dispatch->uses == (1u << 0 | 1u << 1 | 1u << 2 | 1u << 4), "bindings 0x%x",
              dispatch->uses);
        CHECK(memcmp(dispatch->groups, pass->work_groups, sizeof dispatch->groups) == 0 &&
                  dispatch->params.slot_rows == pass->width,
              "%s: %s has others' work groups or parameters", case_name, pass->label);
        CHECK(i == 0 || dispatch->barriers == 0, "%s: %s waits", case_name, pass->label);
        CHECK(strcmp(pass->kernel, "gather") == 0, "%s", pass->kernel);
    }
}

static void gather(const char *case_name)
{
    fake_gl_clear_trace();
    fake_gl.barriers = 0;
    CHECK(run_gather() == GL_SEGSORT_SUCCESS, "%s: %s", case_name, gl_segsort_last_error(context));
    CHECK(fake_gl.raised_count == 0, "%s: %s", case_name, fake_gl.raised);
    check_dispatches(case_name);
}

/* ---------------------------------------------------------------------------------------------- */
/* One program, made when it is wanted */

static void the_first_gather_compiles(void)
{
    for (int policy = 0; policy < 2; policy++) {
        gl_segsort_plan *other;
        begin((gl_segsort_state_policy)policy, NULL, mixed_sets, MIXED_SETS);
        const gl_segsort_plan_desc descending = {
            .key_type = GL_SEGSORT_KEY_U64,
            .value_type = GL_SEGSORT_VALUE_INDEX,
            .direction = GL_SEGSORT_DESCENDING,
            .segments = batch.desc.segments,
            .segment_count = batch.desc.segment_count,
            .set_count = batch.desc.set_count,
            .set_segment_counts = batch.desc.set_segment_counts,
        };
        CHECK(gl_segsort_plan_create(context, &descending, &other) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        for (size_t i = 0; i < fake_gl.program_count; i++)
            CHECK(!strstr(fake_gl.programs[i].label, "gather"), "made before anybody gathers");
        CHECK(gl_segsort_sort_batch(plan, batch.sorts, MIXED_SETS) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        gather("the first time");
        CHECK(fake_gl.calls_of[FAKE_GL_CompileShader] == 1 &&
                  fake_gl.calls_of[FAKE_GL_LinkProgram] == 1 &&
                  fake_gl.calls_of[FAKE_GL_GenBuffers] == 0,
              "%zu shaders", fake_gl.calls_of[FAKE_GL_CompileShader]);
        size_t memory = recorded.memory_calls;
        for (int n = 0; n < 3; n++) {
            gl_segsort_plan *first = plan;
            plan = n == 1 ? other : plan;
            gather("again");
            plan = first;
            CHECK(fake_gl.calls_of[FAKE_GL_CompileShader] == 0 &&
                      fake_gl.calls_of[FAKE_GL_CreateProgram] == 0 &&
                      fake_gl.calls_of[FAKE_GL_GenBuffers] == 0,
                  "gather %d makes something", n);
            bool guarded = n == 1; /* a plan's first one looks for the program */
            for (size_t t = 0; t < fake_gl.trace_count && policy == DIRTY && !guarded; t++)
                CHECK(strncmp(fake_gl.trace[t].text, "Get", 3) != 0 &&
                          strncmp(fake_gl.trace[t].text, "Is", 2) != 0,
                      "%s", fake_gl.trace[t].text);
        }
        CHECK(recorded.memory_calls == memory, "%zu allocations", recorded.memory_calls - memory);
        gl_segsort_plan_destroy(other);
        end((gl_segsort_state_policy)policy);
    }
}

/* What fails of the program fails the call, and the next one tries again. */
static void programs_that_cannot_be_made(void)
{
    static const struct {
        enum fake_gl_function function;
        gl_segsort_result result;
        const char *words;
    } faults[] = {
        {FAKE_GL_CompileShader, GL_SEGSORT_ERROR_COMPILE, "gather (gather.comp, width 512)"},
        {FAKE_GL_LinkProgram, GL_SEGSORT_ERROR_COMPILE, "does not link"},
        {FAKE_GL_CreateShader, GL_SEGSORT_ERROR_OUT_OF_MEMORY, "no compute shader"},
        {FAKE_GL_CreateProgram, GL_SEGSORT_ERROR_OUT_OF_MEMORY, "no program"},
        {FAKE_GL_ObjectLabel, GL_SEGSORT_ERROR_GL, "making the program of a gather"},
        {FAKE_GL_FUNCTIONS, GL_SEGSORT_ERROR_OUT_OF_MEMORY, "out of memory for a program"}};
    for (size_t f = 0; f < 2 * COUNT_OF(faults); f++) {
        gl_segsort_state_policy policy = (gl_segsort_state_policy)(f % 2);
        begin(policy, NULL, mixed_sets, MIXED_SETS);
        if (faults[f / 2].function == FAKE_GL_FUNCTIONS)
            recorded.memory_fail_at = recorded.memory_calls + 1;
        else
            fake_gl.fail_next[faults[f / 2].function] = true;
        gl_segsort_result result = run_gather();
        CHECK(result == faults[f / 2].result &&
                  strstr(gl_segsort_last_error(context), faults[f / 2].words),
              "%s: '%s'", gl_segsort_result_string(result), gl_segsort_last_error(context));
        CHECK(strstr(recorded.log, faults[f / 2].words), "%s", recorded.log);
        CHECK(fake_gl.dispatch_count == 0 && fake_gl.calls_of[FAKE_GL_MemoryBarrier] == 0,
              "something was recorded");
        const char *problem = recorded_state_problem();
        CHECK(!problem, "%s: %s", faults[f / 2].words, problem);
        CHECK(run_gather() == GL_SEGSORT_SUCCESS && fake_gl.dispatch_count > 3, "and again: %s",
              gl_segsort_last_error(context));
        CHECK(gl_segsort_sort_batch(plan, batch.sorts, MIXED_SETS) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        end(policy);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Bindings */

static void each_dispatch_has_its_sets_views(void)
{
    static const uint32_t words[] = {1, 3, 17, 2};
    static const int32_t alignments[] = {4, 16, 256};
    for (uint32_t i = 0; i < 2 * 3 * 4; i++) {
        gl_segsort_state_policy policy = (gl_segsort_state_policy)(i % 2);
        recorded_begin();
        recorded_batch_make(&batch, NULL, mixed_sets, MIXED_SETS, 0);
        fake_gl.storage_alignment = alignments[i / 2 % 3];
        context = recorded_context(policy);
        CHECK(gl_segsort_plan_create(context, &batch.desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        for (uint32_t set = 0; set < MIXED_SETS; set++) {
            gl_segsort_gather_desc *desc = &batch.gathers[set];
            desc->record_words = words[(i + set) % COUNT_OF(words)];
            if (batch.rows[set] == 0)
                continue;
            desc->index_base = (gl_segsort_index_base)((i / 6 + set / 2) % 2);
            uint64_t bytes = 4 * desc->record_words * batch.rows[set] + 1000;
            fake_gl_find_buffer(desc->records.buffer)->size = bytes;
            fake_gl_find_buffer(desc->output_records.buffer)->size = bytes;
            desc->records.byte_offset = 4 * ((uint64_t)i * 7 + set);
        }
        gather("first");
        gather("second");
        end(policy);
    }
}

/* How many records there are is the call's to say. */
static void other_records_of_the_view(void)
{
    begin_one(RESTORE);
    batch.gathers[0].index_base = GL_SEGSORT_INDEX_IN_VIEW;
    const uint64_t rows[] = {1, 100000, 7};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        batch.gathers[0].records.rows = rows[i];
        fake_gl_find_buffer(batch.gathers[0].records.buffer)->size = 2000000;
        gather("records of the view");
    }
    end(RESTORE);
}

/* A word counts them: with a limit that lets more be bound, they are refused. */
static void records_that_a_word_cannot_count(void)
{
    recorded_begin();
    fake_gl.storage_block_bytes = INT64_MAX;
    recorded_batch_make(&batch, NULL, mixed_sets, 1, 0);
    context = recorded_context(RESTORE);
    CHECK(gl_segsort_plan_create(context, &batch.desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    gl_segsort_gather_desc *desc = &batch.gathers[0];
    desc->index_base = GL_SEGSORT_INDEX_IN_VIEW;
    desc->records.rows = UINT32_MAX;
    desc->records.byte_offset = 0;
    desc->record_words = 1;
    fake_gl_find_buffer(desc->records.buffer)->size = 1ull << 40;
    gather("as many as there can be");
    desc->records.rows++;
    CHECK(run_gather() == GL_SEGSORT_ERROR_UNSUPPORTED, "%s", gl_segsort_last_error(context));
    end(RESTORE);
}

/* Bindings 3 and 5 are none of a gather's, in either policy. */
static void other_bindings_stay(void)
{
    for (int policy = 0; policy < 2; policy++) {
        begin((gl_segsort_state_policy)policy, NULL, mixed_sets, MIXED_SETS);
        gather("bindings");
        for (size_t i = 0; i < fake_gl.dispatch_count; i++)
            for (int b = 3; b < SEGSORT_STORAGE_BINDINGS; b += 2)
                CHECK(memcmp(&fake_gl.dispatches[i].storage[b], &recorded.state.storage_at[b],
                             sizeof recorded.state.storage_at[b]) == 0,
                      "binding %d is another", b);
        struct fake_gl_state expected = recorded.state;
        if (policy == DIRTY) {
            static const int used[] = {0, 1, 2, 4};
            expected.program = 0;
            expected.storage = fake_gl.state.storage;
            expected.uniform = fake_gl.state.uniform;
            expected.uniform_at[0] = fake_gl.state.uniform_at[0];
            for (size_t u = 0; u < COUNT_OF(used); u++)
                expected.storage_at[used[u]] = fake_gl.state.storage_at[used[u]];
        }
        const char *difference = fake_gl_state_difference(&expected, &fake_gl.state);
        CHECK(!difference, "%s", difference);
        end((gl_segsort_state_policy)policy);
    }
}

/* Gathers with other numbers take turns with each other and with sorts. */
static void words_are_the_calls_own(void)
{
    begin(RESTORE, NULL, mixed_sets, MIXED_SETS);
    for (uint32_t n = 0; n < 8; n++) {
        for (uint32_t set = 0; set < MIXED_SETS; set++)
            batch.gathers[set].record_words = 1 + n / 2 % 2;
        batch.gathers[0].indices.byte_offset = 4 * (n / 4);
        gather("in turn");
        fake_gl_clear_trace();
        gl_segsort_sort_batch(plan, batch.sorts, MIXED_SETS);
        const char *problem = recorded_batch_problem(&batch, plan);
        CHECK(!problem, "sort %u: %s", n, problem);
    }
    end(RESTORE);
}

/* One set after the other binds the views of each, as often as sets change. */
static void order_of_a_dirty_gather(void)
{
    static const struct recorded_set sets[] = {{1, {12}}, {1, {9}}};
    begin(DIRTY, NULL, sets, 2);
    gather("first");
    gather("second");
    struct recorded_lines *lines = calloc(1, sizeof *lines);
    recorded_line(lines, "BindBufferBase STORAGE 4 mesh-table");
    recorded_line(lines, "MemoryBarrier 0x00002000");
    for (uint32_t i = 0; i < 2; i++) {
        const gl_segsort_gather_desc *desc = &batch.gathers[i];
        const gl_segsort_view *const views[] = {&desc->records, &desc->indices,
                                                &desc->output_records};
        const char *const names[] = {"records", "output_values", "output_records"};
        uint32_t length = sets[i].lengths[0], words[3];
        recorded_line(lines, "PushDebugGroup mesh-gather-16");
        if (i == 0)
            recorded_line(lines, "UseProgram gl_segsort-gather-512");
        for (int v = 0; v < 3; v++) {
            const gl_segsort_segment *segment = &batch.segments[i];
            uint32_t row = v == 1 ? segment->values_offset : segment->keys_offset;
            uint64_t row_bytes = v == 1 ? 4 : 12, first = views[v]->byte_offset + row * row_bytes;
            uint64_t aligned = first / 256 * 256;
            words[v] = (uint32_t)((views[v]->byte_offset - aligned) / 4);
            recorded_line(lines, "BindBufferRange STORAGE %d %s-%u %d %d", v, names[v], i,
                          (int)aligned, (int)(first + length * row_bytes - aligned));
        }
        unsigned rows = (unsigned)batch.rows[i];
        recorded_line(lines, "ProgramUniform4uiv gl_segsort-gather-512 0 2 %u %u %u 0 3 %u %u %u",
                      words[0], words[1], words[2], rows, rows, rows);
        /* Behind those of the two sorts. */
        recorded_line(lines, "BindBufferRange UNIFORM 0 mesh-parameters %d %d", (int)(2 + i) * 256,
                      (int)(sizeof(struct segsort_pass_params) + 15) / 16 * 16);
        recorded_line(lines, "DispatchCompute 1 1 1");
        recorded_line(lines, "PopDebugGroup");
    }
    recorded_line(lines, "MemoryBarrier 0x0000faef");
    recorded_line(lines, "UseProgram 0");
    const char *difference = recorded_trace_difference(lines);
    CHECK(!difference, "%s", difference);
    free(lines);
    end(DIRTY);
}

/* A pass that takes several dispatches goes on where the one before it ended. */
static void few_work_groups(void)
{
    for (int32_t limit = 1; limit <= 5; limit++) {
        uint32_t next = 0;
        recorded_begin();
        for (int axis = 0; axis < 3; axis++)
            fake_gl.work_groups[axis] = limit;
        recorded_batch_make(&batch, NULL, mixed_sets, MIXED_SETS, 0);
        context = recorded_context(RESTORE);
        CHECK(gl_segsort_plan_create(context, &batch.desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        gather("few work groups");
        for (size_t i = 0; i < fake_gl.dispatch_count; i++) {
            const struct fake_gl_dispatch *dispatch = &fake_gl.dispatches[i];
            uint32_t slots = dispatch->params.slot_count ? dispatch->params.slot_count : 1;
            CHECK(dispatch->params.first_group == next, "group %u, expected %u",
                  dispatch->params.first_group, next);
            next += dispatch->groups[0] * dispatch->groups[1] * dispatch->groups[2];
            if (next * slots >= dispatch->params.item_count)
                next = 0;
        }
        end(RESTORE);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Barriers */

static const char *masks(void)
{
    static char text[200];
    text[0] = '\0';
    for (size_t i = 0; i < fake_gl.trace_count; i++) {
        size_t length = strlen(text);
        if (fake_gl.trace[i].function == FAKE_GL_MemoryBarrier)
            snprintf(text + length, sizeof text - length, "%s ",
                     fake_gl.trace[i].text + strlen("MemoryBarrier 0x"));
    }
    return text;
}

/* One before, one after, of the sets with rows; the plan's scratch is none of a gather's. */
static void masks_are_the_sets_union(void)
{
    const uint32_t none = GL_SEGSORT_BARRIER_NONE;
    const struct {
        uint32_t before[5], after[5];
        const char *masks;
    } cases[] = {
        {{0}, {0}, "00002000 0000faef "},
        {{none, 0, none, 0, none}, {none, 0, none, 0, none}, ""},
        {{none, 0x8, 0x40, 0x4, 0x200}, {0x1, 0x8, none, 0x4, 0x2}, "00000240 00000003 "},
    };
    for (size_t c = 0; c < COUNT_OF(cases); c++) {
        begin(RESTORE, NULL, mixed_sets, MIXED_SETS);
        for (uint32_t i = 0; i < MIXED_SETS; i++) {
            batch.gathers[i].barriers_before = cases[c].before[i];
            batch.gathers[i].barriers_after = cases[c].after[i];
        }
        gather("masks");
        CHECK(strcmp(masks(), cases[c].masks) == 0, "case %zu: '%s'", c, masks());
        end(RESTORE);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Errors */

/* parts: comma-separated. */
static void expect_fails(const gl_segsort_gather_desc *descs, uint32_t count,
                         gl_segsort_result expected, const char *parts)
{
    char list[200];
    fake_gl_clear_trace();
    size_t logged = recorded.log_counts[GL_SEGSORT_LOG_ERROR];
    gl_segsort_result result = gl_segsort_gather_batch(plan, descs, count);
    const char *sentence = gl_segsort_last_error(context);
    CHECK(result == expected, "'%s': %s, '%s'", parts, gl_segsort_result_string(result), sentence);
    CHECK(recorded_is_sentence(sentence) && strstr(recorded.log, sentence) &&
              recorded.log_counts[GL_SEGSORT_LOG_ERROR] == logged + 1,
          "logged '%s', last error '%s'", recorded.log, sentence);
    snprintf(list, sizeof list, "%s", parts);
    for (char *part = strtok(list, ","); part; part = strtok(NULL, ","))
        CHECK(strstr(sentence, part), "'%s' is not in '%s'", part, sentence);
    CHECK(fake_gl.dispatch_count == 0 && fake_gl.calls_of[FAKE_GL_MemoryBarrier] == 0,
          "'%s': something was recorded", parts);
    CHECK(fake_gl.error == SEGSORT_GL_NO_ERROR, "'%s': an error is pending", parts);
    if (fake_gl.calls_of[FAKE_GL_IsBuffer] == 0)
        CHECK(fake_gl.trace_count == fake_gl.calls_of[FAKE_GL_GetGraphicsResetStatus],
              "'%s': %zu GL calls", parts, fake_gl.trace_count);
    const char *problem = recorded_state_problem();
    CHECK(!problem, "'%s': %s", parts, problem);
}

/* In each set with rows; GL's part only where it is asked. */
static void errors_of_any_set(void)
{
    for (int policy = 0; policy < 2; policy++)
        for (uint32_t set = 0; set < MIXED_SETS; set += 2) {
            gl_segsort_gather_desc descs[MIXED_SETS];
            char parts[100];
            begin((gl_segsort_state_policy)policy, NULL, mixed_sets, MIXED_SETS);
#define EACH_SET(field, value, result, words)                                                      \
    do {                                                                                           \
        memcpy(descs, batch.gathers, sizeof descs);                                                \
        descs[set].field = (value);                                                                \
        snprintf(parts, sizeof parts, "set %u: ,%s", set, words);                                  \
        expect_fails(descs, MIXED_SETS, GL_SEGSORT_ERROR_##result, parts);                         \
    } while (0)
            EACH_SET(record_words, 0, INVALID_ARGUMENT, "record_words is 0");
            EACH_SET(index_base, (gl_segsort_index_base)2, INVALID_ARGUMENT, "index_base is 2");
            EACH_SET(barriers_before, 0x10, INVALID_ARGUMENT, "barriers_before,0x00000010");
            EACH_SET(records.buffer, 0, INVALID_ARGUMENT, "records.buffer is 0");
            EACH_SET(indices.byte_offset, 5, INVALID_ARGUMENT, "indices.byte_offset 5");
            EACH_SET(output_records.rows, 2, OUT_OF_RANGE,
                     "of output_records exceed its view of 2");
            EACH_SET(output_records, descs[set].records, OVERLAP, "records,output_records");
            EACH_SET(output_records, descs[set].indices, OVERLAP, "indices,output_records");
            EACH_SET(record_words, UINT32_MAX, UNSUPPORTED, "GL_MAX_SHADER_STORAGE_BLOCK_SIZE");
#undef EACH_SET
            end((gl_segsort_state_policy)policy);
        }
}

/* These are found once the program is there. */
static void buffers_that_gl_does_not_have(void)
{
    for (int warm = 0; warm < 2; warm++) {
        begin(RESTORE, NULL, mixed_sets, MIXED_SETS);
        if (warm)
            gather("before");
        gl_segsort_gather_desc descs[MIXED_SETS];
        memcpy(descs, batch.gathers, sizeof descs);
        descs[4].records.buffer = 4711;
        expect_fails(descs, MIXED_SETS, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                     "set 4: ,records.buffer 4711 is no buffer");
        memcpy(descs, batch.gathers, sizeof descs);
        descs[2].indices.byte_offset = 100000;
        expect_fails(descs, MIXED_SETS, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                     "set 2: ,indices needs bytes up to");
        memcpy(descs, batch.gathers, sizeof descs);
        descs[0].record_words = 100;
        expect_fails(descs, MIXED_SETS, GL_SEGSORT_ERROR_OUT_OF_RANGE,
                     "set 0: ,records needs bytes up to");
        end(RESTORE);
    }
}

static void sets_that_meet(void)
{
    for (int policy = 0; policy < 2; policy++) {
        gl_segsort_gather_desc descs[MIXED_SETS];
        begin((gl_segsort_state_policy)policy, NULL, mixed_sets, MIXED_SETS);
        memcpy(descs, batch.gathers, sizeof descs);
        descs[4].output_records.buffer = descs[0].output_records.buffer;
        expect_fails(descs, MIXED_SETS, GL_SEGSORT_ERROR_OVERLAP,
                     "set 0's output_records,set 4's output_records");
        memcpy(descs, batch.gathers, sizeof descs);
        descs[0].records.buffer = descs[2].output_records.buffer;
        expect_fails(descs, MIXED_SETS, GL_SEGSORT_ERROR_OVERLAP,
                     "set 0's records,set 2's output_records");
        memcpy(descs, batch.gathers, sizeof descs);
        descs[4].indices.buffer = descs[2].output_records.buffer;
        expect_fails(descs, MIXED_SETS, GL_SEGSORT_ERROR_OVERLAP,
                     "set 4's indices,set 2's output_records");
        /* Records that all sets take theirs from, and indices too. */
        for (uint32_t set = 0; set < MIXED_SETS; set += 2) {
            batch.gathers[set].records.buffer = batch.gathers[4].records.buffer;
            batch.gathers[set].indices.buffer = batch.gathers[4].records.buffer;
        }
        gather("shared inputs");
        end((gl_segsort_state_policy)policy);
    }
}

static void wrong_numbers_of_descriptions(void)
{
    begin(RESTORE, NULL, mixed_sets, MIXED_SETS);
    for (uint32_t count = 0; count <= 6; count++)
        if (count != MIXED_SETS)
            expect_fails(batch.gathers, count, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                         "gl_segsort_gather_batch,'mesh' has 5 sets");
    expect_fails(NULL, MIXED_SETS, GL_SEGSORT_ERROR_INVALID_ARGUMENT, "NULL");
    CHECK(gl_segsort_gather(plan, batch.gathers) == GL_SEGSORT_ERROR_INVALID_ARGUMENT &&
              strstr(gl_segsort_last_error(context), "gl_segsort_gather: the plan 'mesh' has 5"),
          "%s", gl_segsort_last_error(context));
    CHECK(gl_segsort_gather(plan, NULL) == GL_SEGSORT_ERROR_INVALID_ARGUMENT, "no description");
    CHECK(gl_segsort_gather(NULL, batch.gathers) == GL_SEGSORT_ERROR_INVALID_ARGUMENT &&
              gl_segsort_gather_batch(NULL, batch.gathers, 1) == GL_SEGSORT_ERROR_INVALID_ARGUMENT,
          "no plan");
    void *home = fake_gl.current_context;
    fake_gl.current_context = &home;
    expect_fails(batch.gathers, MIXED_SETS, GL_SEGSORT_ERROR_WRONG_CONTEXT, "context");
    fake_gl.current_context = home;
    end(RESTORE);
}

/* Values of 32 bits may be indices; others can't, and none are none. */
static void values_that_are_no_indices(void)
{
    for (int value = 0; value < 4; value++) {
        const gl_segsort_plan_desc like = {.value_type = (gl_segsort_value_type)value};
        begin(RESTORE, &like, mixed_sets, MIXED_SETS);
        if (value == GL_SEGSORT_VALUE_U32 || value == GL_SEGSORT_VALUE_INDEX)
            gather("indices");
        else
            expect_fails(batch.gathers, MIXED_SETS, GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                         "'mesh' has no 32-bit values");
        end(RESTORE);
    }
}

/* A plan that is no batch, and a batch of one, with either function. */
static void one_set_is_no_different(void)
{
    struct recorded_lines *lines = calloc(1, sizeof *lines);
    for (int policy = 0; policy < 2; policy++)
        for (int c = 0; c < 4; c++) {
            if (c / 2)
                begin((gl_segsort_state_policy)policy, NULL, mixed_sets, 1);
            else
                begin_one((gl_segsort_state_policy)policy);
            gather("first");
            fake_gl_clear_trace();
            gl_segsort_result result = c % 2 ? gl_segsort_gather_batch(plan, batch.gathers, 1)
                                             : gl_segsort_gather(plan, batch.gathers);
            CHECK(result == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(context));
            lines->count = c == 0 ? 0 : lines->count;
            for (size_t i = 0; i < fake_gl.trace_count && c == 0; i++)
                recorded_line(lines, "%s", fake_gl.trace[i].text);
            const char *difference = recorded_trace_difference(lines);
            CHECK(!difference, "case %d: %s", c, difference);
            CHECK(fake_gl.trace_count <= RECORDED_LINES_MAX, "%zu calls", fake_gl.trace_count);
            end((gl_segsort_state_policy)policy);
        }
    free(lines);
}

static void nothing_to_gather(void)
{
    static const struct recorded_set sets[] = {{1, {0}}, {0, {0}}};
    begin(RESTORE, NULL, sets, 2);
    batch.gathers[0].records.buffer = 4711;
    CHECK(run_gather() == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(context));
    CHECK(fake_gl.trace_count == fake_gl.calls_of[FAKE_GL_GetGraphicsResetStatus], "%zu GL calls",
          fake_gl.trace_count);
    end(RESTORE);
}

/* An error of the host's stays pending, whether or not something is compiled. */
static void pending_errors_stay(void)
{
    static const uint32_t errors[] = {SEGSORT_GL_INVALID_ENUM, SEGSORT_GL_INVALID_VALUE,
                                      SEGSORT_GL_INVALID_OPERATION};
    for (size_t e = 0; e < COUNT_OF(errors); e++) {
        begin(RESTORE, NULL, mixed_sets, MIXED_SETS);
        for (int n = 0; n < 2; n++) {
            fake_gl.error = errors[e];
            CHECK(run_gather() == GL_SEGSORT_SUCCESS, "%s", gl_segsort_last_error(context));
            CHECK(fake_gl.error == errors[e], "0x%04x became 0x%04x", errors[e], fake_gl.error);
            fake_gl.error = SEGSORT_GL_NO_ERROR;
            const char *problem = recorded_state_problem();
            CHECK(!problem, "%s", problem);
        }
        end(RESTORE);
    }
}

CHECK_MAIN(CHECK_TEST(the_first_gather_compiles), CHECK_TEST(programs_that_cannot_be_made),
           CHECK_TEST(each_dispatch_has_its_sets_views), CHECK_TEST(other_records_of_the_view),
           CHECK_TEST(records_that_a_word_cannot_count), CHECK_TEST(other_bindings_stay),
           CHECK_TEST(words_are_the_calls_own), CHECK_TEST(order_of_a_dirty_gather),
           CHECK_TEST(few_work_groups), CHECK_TEST(masks_are_the_sets_union),
           CHECK_TEST(errors_of_any_set), CHECK_TEST(buffers_that_gl_does_not_have),
           CHECK_TEST(sets_that_meet), CHECK_TEST(wrong_numbers_of_descriptions),
           CHECK_TEST(values_that_are_no_indices), CHECK_TEST(one_set_is_no_different),
           CHECK_TEST(nothing_to_gather), CHECK_TEST(pending_errors_stay))
