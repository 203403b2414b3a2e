/* Every GL call and every allocation made to fail in turn, over the life of a context and a plan.
 */
#include "check.h"
#include "gl_segsort_keys.h"
#include "recorded_batch.h"
#include "recorded_cache.h"
#include "recorded_listed.h"

/* Short and long segments, so that every kernel and every buffer of an algorithm is there. */
static const uint32_t lengths[] = {300000, 12, 0, 3, 200};
#define LENGTHS 5
#define ROWS 300215

/* The same as a batch, with a set that has no rows. */
static const struct recorded_set sets[] = {{1, {300000}}, {2, {12, 0}}, {0, {0}}, {2, {3, 5000}}};
#define SETS (sizeof sets / sizeof sets[0])
static struct recorded_batch batch;

/* And for plans whose segments the GPU lists. */
static struct recorded_listed listed;

/* And the programs of an earlier run. */
static struct recorded_cache cache;
enum cached { NO_CACHE, EMPTY_CACHE, FULL_CACHE };

/* What is sorted how: three digits are an odd number of them, which in place takes passes of its
 * own. */
static const struct variant {
    const char *name;
    gl_segsort_plan_desc like;
    bool in_place;
    bool batch;                       /* then the last set alone is in place */
    bool host_scratch;                /* at an offset of its own */
    gl_segsort_segment_source source; /* HOST: segments, or a batch */
    enum cached cached;
} variants[] = {
    {.name = "AUTO"},
    {.name = "AUTO, all programs stored", .cached = EMPTY_CACHE},
    {.name = "AUTO, all programs loaded", .cached = FULL_CACHE},
    {.name = "BITONIC", .like.algorithm = GL_SEGSORT_ALGORITHM_BITONIC},
    {.name = "RADIX, timed", .like = {.algorithm = GL_SEGSORT_ALGORITHM_RADIX, .timed = true}},
    {.name = "RADIX of 24 bits in place",
     .like = {.algorithm = GL_SEGSORT_ALGORITHM_RADIX, .end_bit = 24},
     .in_place = true},
    {.name = "RADIX in the host's scratch",
     .like = {.algorithm = GL_SEGSORT_ALGORITHM_RADIX, .end_bit = 16},
     .host_scratch = true},
    {.name = "a batch of 24 bits", .like.end_bit = 24, .in_place = true, .batch = true},
    {.name = "a batch in the host's scratch",
     .like.end_bit = 8,
     .in_place = true,
     .batch = true,
     .host_scratch = true},
    {.name = "a batch BITONIC", .like.algorithm = GL_SEGSORT_ALGORITHM_BITONIC, .batch = true},
    {.name = "offsets on the GPU, timed",
     .like = {.end_bit = 8, .max_segments = 50, .timed = true},
     .source = GL_SEGSORT_SEGMENTS_GPU_OFFSETS},
    {.name = "ranges on the GPU in place",
     .like = {.algorithm = GL_SEGSORT_ALGORITHM_BITONIC, .max_segments = 50, .max_length = 9000},
     .in_place = true,
     .source = GL_SEGSORT_SEGMENTS_GPU_RANGES},
    {.name = "lengths on the GPU in the host's scratch",
     .like = {.algorithm = GL_SEGSORT_ALGORITHM_RADIX, .end_bit = 8, .max_segments = 50},
     .host_scratch = true,
     .source = GL_SEGSORT_SEGMENTS_GPU_STRIDED},
};

enum step {
    CREATE_CONTEXT,
    CREATE_PLAN,
    FIRST_SORT,
    SECOND_SORT,
    FIRST_GATHER,
    SECOND_GATHER,
    READ_TIMINGS,
    FIRST_DEPTH,
    SECOND_DEPTH,
    FIRST_MORTON,
    SECOND_MORTON,
    DESTROY_PLAN,
    DESTROY_CONTEXT,
    STEPS
};
static const char *const step_names[STEPS] = {
    "gl_segsort_context_create",  "gl_segsort_plan_create",      "the first gl_segsort_sort",
    "the second gl_segsort_sort", "the first gl_segsort_gather", "the second gl_segsort_gather",
    "gl_segsort_plan_timings",    "the first depth keys",        "the second depth keys",
    "the first Morton codes",     "the second Morton codes",     "gl_segsort_plan_destroy",
    "gl_segsort_context_destroy"};

/* Which fault, and into which step it fell. */
struct scenario {
    gl_segsort_state_policy policy;
    const struct variant *variant;
    size_t fail_call, memory_fail_at; /* counted from 1; 0: none */
    bool silent_queries;
    uint32_t host_error; /* pending before each step */
    enum step failed_step;
    bool failed; /* the fault has come */
};

static bool fault_has_come(const struct scenario *scenario)
{
    return fake_gl.failed.text[0] ||
           (scenario->memory_fail_at > 0 && recorded.memory_calls >= scenario->memory_fail_at);
}

static bool fault_is(const char *start)
{
    return strncmp(fake_gl.failed.text, start, strlen(start)) == 0;
}

/* Whatever records commands. */
static bool is_call(enum step step)
{
    return step >= FIRST_SORT && step <= SECOND_MORTON;
}

static bool is_destroy(enum step step)
{
    return step == DESTROY_PLAN || step == DESTROY_CONTEXT;
}

/* ---------------------------------------------------------------------------------------------- */
/* What nobody can do anything about */

/* GL takes an error only from a call that commits it: the work is done by then, and is no failure.
 */
static bool puts_the_error_back(const struct scenario *scenario)
{
    if (scenario->host_error != SEGSORT_GL_NO_ERROR &&
        (fault_is("IsEnabled") || fault_is("Enable") || fault_is("Disable")))
        return true;
    switch (scenario->host_error) {
    case SEGSORT_GL_INVALID_ENUM:
        return fault_is("BindBuffer unknown-target");
    case SEGSORT_GL_INVALID_VALUE:
        return fault_is("GetIntegeri_v STORAGE_BUFFER_BINDING 4294967295");
    case SEGSORT_GL_INVALID_OPERATION:
        return fault_is("CreateProgram") || fault_is("UseProgram unlabelled") ||
               fault_is("DeleteProgram unlabelled");
    default:
        return false;
    }
}

/* The call may succeed although GL failed. */
static bool may_stay_unnoticed(const struct scenario *scenario, enum step step)
{
    /* Those functions return nothing. */
    if (is_destroy(step))
        return true;
    /* An error that GL keeps to itself. */
    if (fault_is("GetError"))
        return true;
    /* Names of the driver for the log; the version is asked first and is needed. */
    if (fault_is("GetString 0x1f00") || fault_is("GetString 0x1f01"))
        return true;
    /* Programs that can't be loaded are compiled, and others are not kept. */
    if (scenario->variant->cached &&
        (fault_is("GetString") || fault_is("ProgramBinary") || fault_is("GetProgramBinary") ||
         strstr(fake_gl.failed.text, "PROGRAM_BINARY_LENGTH")))
        return true;
    if (scenario->variant->cached == FULL_CACHE && fault_is("GetProgramiv unlabelled LINK_STATUS"))
        return true;
    /* GL is not asked for anything there. */
    if (scenario->policy == GL_SEGSORT_STATE_LEAVE_DIRTY && is_call(step))
        return true;
    return puts_the_error_back(scenario);
}

/* A binding may stay as it is when the very command that puts it back fails. */
static bool may_change_bindings(void)
{
    return strstr(fake_gl.failed.text, "host-") != NULL || fault_is("BindBufferBase STORAGE 2 0") ||
           /* Without the push the pop takes the host's group; without the pop ours stays. */
           fault_is("PushDebugGroup") || fault_is("PopDebugGroup");
}

/* The host's error is lost when GL does not tell of it, or it cannot be committed again. */
static bool may_change_the_error(const struct scenario *scenario)
{
    return fault_is("GetError") || puts_the_error_back(scenario);
}

/* A dispatch without its parameters could only be kept back by asking for errors at every pass. */
static bool may_dispatch_without_parameters(void)
{
    return fault_is("BindBufferRange UNIFORM 0 mesh-parameters");
}

static size_t objects_that_may_leak(void)
{
    if (fault_is("DeleteBuffers") || fault_is("DeleteProgram") || fault_is("DeleteShader"))
        return 1;
    /* A timed plan's queries go together; or the context counts as lost, and its objects with it. */
    return fault_is("DeleteQueries") || fault_is("GetGraphicsResetStatus") ? 300 : 0;
}

/* ---------------------------------------------------------------------------------------------- */
/* Steps */

static gl_segsort_sort_desc sort_desc(bool in_place)
{
    gl_segsort_sort_desc desc = in_place ? recorded_in_place_desc(ROWS) : recorded_sort_desc(ROWS);
    desc.keys.byte_offset = 404;
    desc.output_values.byte_offset = 4;
    if (in_place) {
        desc.output_keys.byte_offset = desc.keys.byte_offset;
        desc.values.byte_offset = desc.output_values.byte_offset;
    }
    return desc;
}

/* Indices are the sort's, records the keys; where the keys are the outputs, their place is the
 * input's own. */
static gl_segsort_gather_desc gather_desc(void)
{
    return (gl_segsort_gather_desc){.indices = {recorded.values, 4, ROWS},
                                    .records = {recorded.keys, 404, ROWS},
                                    .output_records = {recorded.output_keys, 8, ROWS},
                                    .record_words = 2};
}

static gl_segsort_result create_plan(const struct variant *variant, gl_segsort_context *context,
                                     gl_segsort_plan **plan)
{
    gl_segsort_plan_desc like = variant->batch    ? batch.desc
                                : variant->source ? listed.desc
                                                  : variant->like;
    if (variant->host_scratch)
        like.scratch = (gl_segsort_view){recorded.state.copy_read, 144, UINT32_MAX};
    return variant->batch || variant->source
               ? gl_segsort_plan_create(context, &like, plan)
               : recorded_plan_create_like(context, &like, lengths, LENGTHS, plan);
}

static gl_segsort_result sort(const struct variant *variant, gl_segsort_plan *plan)
{
    const gl_segsort_sort_desc desc = variant->source ? listed.sort : sort_desc(variant->in_place);
    return variant->batch ? gl_segsort_sort_batch(plan, batch.sorts, SETS)
                          : gl_segsort_sort(plan, &desc);
}

static gl_segsort_result gather(const struct variant *variant, gl_segsort_plan *plan)
{
    const gl_segsort_gather_desc desc = variant->source ? listed.gather : gather_desc();
    return variant->batch ? gl_segsort_gather_batch(plan, batch.gathers, SETS)
                          : gl_segsort_gather(plan, &desc);
}

static gl_segsort_result read_timings(const struct variant *variant, gl_segsort_plan *plan)
{
    gl_segsort_timings timings;
    return variant->like.timed ? gl_segsort_plan_timings(plan, &timings) : GL_SEGSORT_SUCCESS;
}

static gl_segsort_result make_depth_keys(gl_segsort_context *context)
{
    const gl_segsort_depth_keys_desc desc = {.keys = {recorded.output_keys, 4, ROWS},
                                             .positions = {recorded.keys, 404, ROWS},
                                             .measure = GL_SEGSORT_DEPTH_DISTANCE};
    return gl_segsort_depth_keys(context, &desc);
}

/* A batch has none. */
static gl_segsort_result make_morton_keys(const struct variant *variant, gl_segsort_plan *plan)
{
    gl_segsort_sort_desc sort = variant->source ? listed.sort : sort_desc(true);
    const gl_segsort_morton_keys_desc desc = {
        .positions = {recorded.keys, 404, variant->source ? sort.output_keys.rows : ROWS}};
    sort.keys = sort.output_keys;
    sort.values = sort.output_values;
    return variant->batch ? GL_SEGSORT_SUCCESS : gl_segsort_morton_keys(plan, &sort, &desc);
}

static gl_segsort_result take_step(const struct scenario *scenario, enum step step,
                                   gl_segsort_context **context, gl_segsort_plan **plan)
{
    gl_segsort_context_desc context_desc = recorded_context_desc(scenario->policy);
    if (scenario->variant->cached)
        context_desc.program_cache = recorded_cache_callbacks(&cache);
    switch (step) {
    case CREATE_CONTEXT:
        return gl_segsort_context_create(&context_desc, context);
    case CREATE_PLAN:
        return create_plan(scenario->variant, *context, plan);
    case FIRST_SORT:
    case SECOND_SORT:
        return sort(scenario->variant, *plan);
    case FIRST_GATHER:
    case SECOND_GATHER:
        return gather(scenario->variant, *plan);
    case READ_TIMINGS:
        return read_timings(scenario->variant, *plan);
    case FIRST_DEPTH:
    case SECOND_DEPTH:
        return make_depth_keys(*context);
    case FIRST_MORTON:
    case SECOND_MORTON:
        return make_morton_keys(scenario->variant, *plan);
    case DESTROY_PLAN:
        gl_segsort_plan_destroy(*plan);
        break;
    case DESTROY_CONTEXT:
        gl_segsort_context_destroy(*context);
        break;
    case STEPS:
        break;
    }
    return GL_SEGSORT_SUCCESS;
}

static void name_fault(const struct scenario *scenario, enum step step, char text[300])
{
    if (scenario->memory_fail_at > 0)
        snprintf(text, 300, "%s, allocation %zu, %s", step_names[step], scenario->memory_fail_at,
                 scenario->variant->name);
    else
        snprintf(text, 300, "%s, call %zu of %s, %s%s%s", step_names[step], scenario->fail_call,
                 scenario->variant->name, fake_gl.failed.text,
                 scenario->policy == GL_SEGSORT_STATE_LEAVE_DIRTY ? ", dirty" : "",
                 scenario->host_error ? ", an error pending" : "");
}

/* The step into which the fault fell. */
static void check_failed_step(const struct scenario *scenario, enum step step,
                              gl_segsort_result result, const gl_segsort_context *context)
{
    char fault[300];
    name_fault(scenario, step, fault);
    if (scenario->memory_fail_at > 0)
        CHECK(result == GL_SEGSORT_ERROR_OUT_OF_MEMORY, "%s: %s", fault,
              gl_segsort_result_string(result));
    else if (!scenario->silent_queries)
        CHECK(result != GL_SEGSORT_SUCCESS || may_stay_unnoticed(scenario, step), "%s: success",
              fault);
    if (result == GL_SEGSORT_SUCCESS)
        return;
    CHECK(strlen(recorded.log) > 20, "%s: logged '%s'", fault, recorded.log);
    CHECK(!context || strstr(recorded.log, gl_segsort_last_error(context)),
          "%s: logged '%s', last error '%s'", fault, recorded.log, gl_segsort_last_error(context));
}

/* The host afterwards. */
static void check_host(const struct scenario *scenario, enum step step)
{
    char fault[300];
    name_fault(scenario, step, fault);
    bool dirty_call = scenario->policy == GL_SEGSORT_STATE_LEAVE_DIRTY && is_call(step);
    if (!may_change_the_error(scenario) && !dirty_call && !is_destroy(step))
        CHECK(fake_gl.error == scenario->host_error, "%s: pending was 0x%04x and is 0x%04x", fault,
              scenario->host_error, fake_gl.error);
    fake_gl.error = SEGSORT_GL_NO_ERROR;
    if (!may_change_bindings() && !may_dispatch_without_parameters() && !scenario->silent_queries &&
        !dirty_call) {
        const char *problem = recorded_state_problem();
        CHECK(!problem, "%s: %s", fault, problem);
    }
    /* Each fault is told of once. */
    fake_gl.state = recorded.state;
    fake_gl.complaint_count = 0;
    for (size_t i = 0; i < fake_gl.buffer_count; i++)
        fake_gl.buffers[i].written = fake_gl.buffers[i].specified = 0;
}

/* ---------------------------------------------------------------------------------------------- */
/* The second call has to be the same whatever happened to the first one */

#define REFERENCE_MAX 128
static struct reference {
    struct fake_gl_dispatch dispatches[REFERENCE_MAX];
    size_t count;
} references[STEPS];

static void keep_reference(enum step step)
{
    struct reference *reference = &references[step];
    reference->count = fake_gl.dispatch_count;
    CHECK(reference->count > 0 && reference->count <= REFERENCE_MAX, "%zu dispatches",
          reference->count);
    for (size_t i = 0; i < reference->count && i < REFERENCE_MAX; i++)
        reference->dispatches[i] = fake_gl.dispatches[i];
}

static const char *dispatch_difference(const struct fake_gl_dispatch *a,
                                       const struct fake_gl_dispatch *b)
{
    for (int i = 0; i < SEGSORT_STORAGE_BINDINGS; i++)
        if (a->storage[i].start != b->storage[i].start || a->storage[i].size != b->storage[i].size)
            return "a storage range";
    if (memcmp(a->depth_planes, b->depth_planes, sizeof a->depth_planes) != 0)
        return "the planes";
    return memcmp(a->groups, b->groups, sizeof a->groups) != 0            ? "the work groups"
           : memcmp(&a->params, &b->params, sizeof a->params) != 0        ? "the parameters"
           : memcmp(a->view_word, b->view_word, sizeof a->view_word) != 0 ? "the views' words"
           : memcmp(a->list_word, b->list_word, sizeof a->list_word) != 0 ? "the list's words"
           : a->indirect != b->indirect || a->command != b->command       ? "the command"
           : a->width != b->width || a->uses != b->uses                   ? "the program"
           : a->barriers != b->barriers                                   ? "the barriers"
                                                                          : NULL;
}

static void check_second(const struct scenario *scenario, enum step step)
{
    const struct reference *reference = &references[step];
    char fault[300];
    name_fault(scenario, step - 1, fault);
    CHECK(fake_gl.dispatch_count == reference->count, "%s: %zu dispatches afterwards", fault,
          fake_gl.dispatch_count);
    for (size_t i = 0; i < fake_gl.dispatch_count && i < reference->count; i++) {
        const char *difference =
            dispatch_difference(&fake_gl.dispatches[i], &reference->dispatches[i]);
        CHECK(!difference, "%s: %s of pass %zu differ in the next call", fault,
              difference ? difference : "nothing", i);
        if (difference)
            break;
    }
}

/* ---------------------------------------------------------------------------------------------- */

static void check_leaks(const struct scenario *scenario)
{
    char alive[400], fault[300];
    name_fault(scenario, scenario->failed_step, fault);
    size_t leaked = fake_gl_alive(alive, sizeof alive);
    CHECK(leaked <= objects_that_may_leak(), "%s: still there: %s", fault, alive);
    CHECK(recorded.memory_live == 0, "%s: %zu allocations leaked", fault, recorded.memory_live);
}

/* Runs all steps. A step that fails is taken once more, which has to work: nothing is left broken.
 * Returns whether the fault came. */
static bool run(struct scenario *scenario)
{
    gl_segsort_context *context = NULL;
    gl_segsort_plan *plan = NULL;
    recorded_begin();
    recorded_batch_make(&batch, &scenario->variant->like, sets, SETS,
                        scenario->variant->in_place ? 1u << (SETS - 1) : 0);
    recorded_listed_make(&listed, &scenario->variant->like, scenario->variant->source,
                         scenario->variant->in_place);
    if (scenario->variant->cached != FULL_CACHE)
        recorded_cache_begin(&cache);
    fake_gl.binary_formats = scenario->variant->cached ? 1 : 0;
    struct fake_gl_buffer *scratch = fake_gl_find_buffer(recorded.state.copy_read);
    scratch->output = scenario->variant->host_scratch;
    scratch->size = RECORDED_STREAM_BYTES;
    fake_gl.fail_call = scenario->fail_call;
    fake_gl.silent_queries = scenario->silent_queries;
    recorded.memory_fail_at = scenario->memory_fail_at;
    for (enum step step = 0; step < STEPS; step++) {
        fake_gl_clear_trace();
        fake_gl.error = scenario->host_error;
        fake_gl.barriers = 0;
        gl_segsort_result result = take_step(scenario, step, &context, &plan);
        bool fell_here = !scenario->failed && fault_has_come(scenario);
        if (fell_here) {
            scenario->failed = true;
            scenario->failed_step = step;
            check_failed_step(scenario, step, result, step == DESTROY_CONTEXT ? NULL : context);
            check_host(scenario, step);
            if (result != GL_SEGSORT_SUCCESS && !is_call(step)) {
                bool lost = fault_is("GetGraphicsResetStatus") && step != CREATE_CONTEXT;
                result = take_step(scenario, step, &context, &plan);
                CHECK(result == (lost ? GL_SEGSORT_ERROR_CONTEXT_LOST : GL_SEGSORT_SUCCESS),
                      "%s: %s when it is tried again", step_names[step],
                      gl_segsort_result_string(result));
            }
            if (step < FIRST_SORT && result != GL_SEGSORT_SUCCESS)
                break;
        } else {
            bool lost = scenario->failed && fault_is("GetGraphicsResetStatus") &&
                        scenario->failed_step >= CREATE_PLAN;
            /* A stamp that GL did not take, which nobody asked for at the time. */
            bool unstamped = step == READ_TIMINGS && fault_is("QueryCounter") &&
                             scenario->policy == GL_SEGSORT_STATE_LEAVE_DIRTY;
            CHECK(result == GL_SEGSORT_SUCCESS || lost || unstamped, "%s after the fault: %s, '%s'",
                  step_names[step], gl_segsort_result_string(result), recorded.log);
            fake_gl.error = SEGSORT_GL_NO_ERROR;
        }
        bool asks = scenario->policy == GL_SEGSORT_STATE_RESTORE;
        bool second = step == SECOND_SORT || step == SECOND_GATHER || step == SECOND_DEPTH ||
                      (step == SECOND_MORTON && !scenario->variant->batch);
        if (second && !scenario->failed && references[step].count == 0)
            keep_reference(step);
        else if (second && asks && !scenario->silent_queries && scenario->failed && !fell_here &&
                 !fault_is("GetGraphicsResetStatus"))
            check_second(scenario, step);
        fake_gl.state = recorded.state;
    }
    if (context && !plan && scenario->failed && scenario->failed_step == CREATE_PLAN &&
        fault_is("GetGraphicsResetStatus"))
        gl_segsort_context_destroy(context);
    check_leaks(scenario);
    fake_gl_free();
    return scenario->failed;
}

static void keep_faultless(struct scenario scenario)
{
    scenario.fail_call = scenario.memory_fail_at = 0;
    for (int i = 0; i < STEPS; i++)
        references[i].count = 0;
    CHECK(!run(&scenario), "a fault that nobody planned");
}

/* Lets the fault come ever later, until it does not come at all; with each algorithm. */
static void run_all(struct scenario first, size_t least)
{
    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
        first.variant = &variants[v];
        keep_faultless(first);
        struct scenario scenario = first;
        size_t count = 0;
        while (run(&scenario)) {
            count++;
            scenario = first;
            if (first.memory_fail_at > 0)
                scenario.memory_fail_at += count;
            else
                scenario.fail_call += count;
        }
        CHECK(count >= least, "%s: only %zu faults", variants[v].name, count);
    }
}

static void each_gl_call_fails(void)
{
    run_all((struct scenario){.policy = GL_SEGSORT_STATE_RESTORE, .fail_call = 1}, 200);
}

static void each_gl_call_fails_for_a_dirty_host(void)
{
    run_all((struct scenario){.policy = GL_SEGSORT_STATE_LEAVE_DIRTY, .fail_call = 1}, 100);
}

static void each_gl_call_fails_with_an_error_pending(void)
{
    static const uint32_t errors[] = {SEGSORT_GL_INVALID_ENUM, SEGSORT_GL_INVALID_VALUE,
                                      SEGSORT_GL_INVALID_OPERATION};
    for (int i = 0; i < 3; i++)
        run_all((struct scenario){.policy = GL_SEGSORT_STATE_RESTORE,
                                  .fail_call = 1,
                                  .host_error = errors[i]},
                200);
}

/* A query that gives nothing and raises nothing is no GL, but nothing may leak or crash on it. */
static void queries_that_say_nothing(void)
{
    run_all((struct scenario){.policy = GL_SEGSORT_STATE_RESTORE,
                              .fail_call = 1,
                              .silent_queries = true},
            200);
}

static void each_allocation_fails(void)
{
    for (int policy = 0; policy < 2; policy++)
        run_all((struct scenario){.policy = (gl_segsort_state_policy)policy, .memory_fail_at = 1},
                8);
}

/* Output ranges out of order are sorted for the overlap check, in memory of their own. */
static void allocation_for_the_overlap_check_fails(void)
{
    const gl_segsort_segment backwards[] = {
        {20, 20, 20, 20, 3}, {10, 10, 10, 10, 3}, {0, 0, 0, 0, 3}};
    for (size_t n = 1; n <= 2; n++) {
        recorded_begin();
        gl_segsort_context *context = recorded_context(GL_SEGSORT_STATE_RESTORE);
        gl_segsort_plan_desc desc = {.segments = backwards, .segment_count = 3};
        gl_segsort_plan *plan;
        recorded.memory_fail_at = recorded.memory_calls + n;
        CHECK(gl_segsort_plan_create(context, &desc, &plan) == GL_SEGSORT_ERROR_OUT_OF_MEMORY,
              "allocation %zu", n);
        CHECK(plan == NULL && recorded_is_sentence(gl_segsort_last_error(context)), "%s",
              gl_segsort_last_error(context));
        CHECK(gl_segsort_plan_create(context, &desc, &plan) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        gl_segsort_plan_destroy(plan);
        gl_segsort_context_destroy(context);
        CHECK_END(GL_SEGSORT_STATE_RESTORE);
    }
}

CHECK_MAIN(CHECK_TEST(each_gl_call_fails), CHECK_TEST(each_gl_call_fails_for_a_dirty_host),
           CHECK_TEST(each_gl_call_fails_with_an_error_pending),
           CHECK_TEST(queries_that_say_nothing), CHECK_TEST(each_allocation_fails),
           CHECK_TEST(allocation_for_the_overlap_check_fails))
