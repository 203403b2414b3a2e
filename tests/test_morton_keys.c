/* gl_segsort_morton_keys end to end: every code equals the CPU reference's bit for bit, nothing else
 * is written, and the sort that follows gives the CPU's order. */
#include "morton_case.h"

/* ---------------------------------------------------------------------------------------------- */
/* Segments from the host */

/* Around every class, and long ones of one and of many tiles. */
static const uint32_t lengths[] = {0,    1,    2,   3,   4,    5,    8,    9,    16,   17,
                                   0,    31,   32,  33,  64,   65,   128,  129,  256,  257,
                                   1,    511,  512, 513, 700,  1024, 1025, 2048, 2049, 4096,
                                   4097, 6000, 1,   2,   9000, 8192, 8193, 70000};
enum { LENGTHS = COUNT_OF(lengths) };

static void check_host(const struct morton_case *like)
{
    gl_segsort_segment segments[LENGTHS];
    struct morton_case morton = *like;
    morton.rows = (uint32_t)generate_packed_segments(lengths, LENGTHS, 3, segments) + 5;
    generate_shuffled_segments(segments, LENGTHS, 5);
    morton.segments = segments;
    morton.segment_count = LENGTHS;
    morton.position_rows = morton.triangles ? morton.rows / 2 : morton.rows;
    check_morton(&morton);
}

static void host_points(void)
{
    for (uint32_t i = 0; i < 12; i++) {
        const struct morton_case morton = {
            .name = "points",
            .plan = {.key_type = i % 2 ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_U32,
                     .value_type = (gl_segsort_value_type)(i % 3),
                     .direction = (gl_segsort_direction)(i / 2 % 2),
                     .algorithm = (gl_segsort_algorithm)(i / 3 % 3)},
            .position_words = i % 4 ? 2 + i : 0,
            .byte_offset = 4 * (i % 5),
            .seed = i};
        check_host(&morton);
    }
}

static void host_triangles(void)
{
    for (uint32_t i = 0; i < 12; i++) {
        const struct morton_case morton = {
            .name = "triangles",
            .plan = {.key_type = i % 2 ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_U32,
                     .value_type = GL_SEGSORT_VALUE_INDEX,
                     .direction = (gl_segsort_direction)(i / 2 % 2),
                     .algorithm = (gl_segsort_algorithm)(i / 3 % 3)},
            .triangles = true,
            .in_place = i >= 6,
            .position_words = 3 + i % 3,
            .byte_offset = 4 * (i % 5),
            .seed = i};
        check_host(&morton);
    }
}

/* Codes worked out by hand, so that the reference is one. */
static void corners_of_a_cube(void)
{
    static const float corners[9][3] = {{0, 0, 0}, {8, 0, 0}, {0, 8, 0},
                                        {0, 0, 8}, {8, 8, 8}, {4, 4, 4},
                                        {0, 4, 0}, {8, 8, 0}, {0, 0, 0.00390625f}};
    const uint32_t codes[9] = {0,          0x24924924, 0x12492492, 0x09249249, 0x3fffffff,
                               0x38000000, 0x10000000, 0x36db6db6, 0};
    const struct cpu_points points = {corners, 3, 9, NULL};
    uint32_t short_codes[9], long_codes[18];
    cpu_morton_codes(&points, 30, 0, 9, short_codes);
    for (int i = 0; i < 9; i++)
        CHECK(short_codes[i] == codes[i], "corner %d: 0x%08x instead of 0x%08x", i, short_codes[i],
              codes[i]);
    cpu_morton_codes(&points, 63, 0, 9, long_codes);
    CHECK(long_codes[8] == 0xffffffff && long_codes[9] == 0x7fffffff, "the last corner");
    CHECK(long_codes[10] == 0 && long_codes[11] == 0x70000000, "the middle");
    /* Half a cell of the short codes is 2^10 of the long ones'. */
    CHECK(long_codes[16] == 1u << 30 && long_codes[17] == 0, "what the short codes don't tell");
}

/* A call must not widen the boxes that the one before it left. */
static void boxes_start_anew(void)
{
    const gl_segsort_segment segments[] = {{0, 0, 0, 0, 9000}, {9000, 9000, 9000, 9000, 40}};
    struct morton_case morton = {.name = "boxes",
                                 .segments = segments,
                                 .segment_count = 2,
                                 .rows = 9040,
                                 .position_rows = 9040,
                                 .seed = 4};
    gl_segsort_plan *plan;
    if (!make_plan(context, &morton, &plan))
        return;
    for (; morton.seed < 12; morton.seed++)
        check_with(plan, &morton);
    gl_segsort_plan_destroy(plan);
}

static void few_work_groups(void)
{
    enum { SEGMENTS = 300 };
    gl_segsort_segment segments[SEGMENTS];
    uint32_t few[SEGMENTS];
    for (uint32_t i = 0; i < SEGMENTS; i++)
        few[i] = i % 50 == 0 ? 5000 + 3 * i : i % 7 == 0 ? 600 : i % 40;
    const gl_segsort_context_desc desc = {.get_proc_address = headless_gl_get_proc_address,
                                          .max_work_groups = 2};
    gl_segsort_context *narrow;
    if (!CHECK(gl_segsort_context_create(&desc, &narrow) == GL_SEGSORT_SUCCESS, "no context"))
        return;
    struct morton_case morton = {.name = "few groups", .segments = segments, .seed = 3};
    morton.rows = (uint32_t)generate_packed_segments(few, SEGMENTS, 1, segments);
    morton.segment_count = SEGMENTS;
    morton.position_rows = morton.rows;
    gl_segsort_plan *plan;
    if (make_plan(narrow, &morton, &plan)) {
        check_with(plan, &morton);
        gl_segsort_plan_destroy(plan);
    }
    morton.plan = (gl_segsort_plan_desc){.segment_source = GL_SEGSORT_SEGMENTS_GPU_RANGES,
                                         .max_segments = SEGMENTS,
                                         .max_rows = morton.rows};
    morton.list = (const uint32_t *)segments;
    morton.list_words = 5 * SEGMENTS;
    morton.list_rows = morton.count = SEGMENTS;
    if (make_plan(narrow, &morton, &plan)) {
        check_with(plan, &morton);
        gl_segsort_plan_destroy(plan);
    }
    gl_segsort_context_destroy(narrow);
}

static void no_rows(void)
{
    const gl_segsort_plan_desc desc = {0};
    const gl_segsort_sort_desc sort = {0};
    const gl_segsort_morton_keys_desc keys = {0};
    gl_segsort_plan *plan;
    if (!CHECK(gl_segsort_plan_create(context, &desc, &plan) == GL_SEGSORT_SUCCESS, "no plan"))
        return;
    CHECK(gl_segsort_morton_keys(plan, &sort, &keys) == GL_SEGSORT_SUCCESS, "%s",
          gl_segsort_last_error(context));
    gl_segsort_plan_destroy(plan);
}

/* ---------------------------------------------------------------------------------------------- */
/* Segments from the GPU */

enum { STRIDE = 4100, STRIDED = 31 /* lengths up to it */ };

/* Segments one behind the other: offsets. */
static void check_offsets(struct morton_case morton)
{
    gl_segsort_segment segments[LENGTHS];
    uint32_t offsets[LENGTHS + 1] = {3};
    for (uint32_t i = 0; i < LENGTHS; i++) {
        uint32_t at = offsets[i];
        segments[i] = (gl_segsort_segment){at, at, at, at, lengths[i]};
        offsets[i + 1] = at + lengths[i];
    }
    morton.plan.segment_source = GL_SEGSORT_SEGMENTS_GPU_OFFSETS;
    morton.plan.max_rows = offsets[LENGTHS] - 3;
    morton.plan.max_segments = LENGTHS + 3;
    morton.segments = segments;
    morton.segment_count = morton.count = LENGTHS;
    morton.list = offsets;
    morton.list_words = morton.list_rows = LENGTHS + 1;
    morton.rows = offsets[LENGTHS] + 9;
    morton.position_rows = morton.triangles ? 40000 : morton.rows;
    check_morton(&morton);
}

static void check_strided(struct morton_case morton)
{
    gl_segsort_segment segments[STRIDED];
    for (uint32_t i = 0; i < STRIDED; i++)
        segments[i] =
            (gl_segsort_segment){STRIDE * i, STRIDE * i, STRIDE * i, STRIDE * i, lengths[i]};
    morton.plan.segment_source = GL_SEGSORT_SEGMENTS_GPU_STRIDED;
    morton.plan.segment_stride = STRIDE;
    morton.plan.max_rows = STRIDE * STRIDED;
    morton.plan.max_segments = STRIDED;
    morton.segments = segments;
    morton.segment_count = morton.count = STRIDED;
    morton.list = lengths;
    morton.list_words = morton.list_rows = STRIDED;
    morton.rows = STRIDE * STRIDED;
    morton.position_rows = morton.triangles ? 40000 : morton.rows;
    check_morton(&morton);
}

/* Records of ranges, with hostile ones between them, which get no keys, and a list cut short. */
static void check_ranges(struct morton_case morton)
{
    enum { RANGES = LENGTHS + 8 };
    gl_segsort_segment segments[LENGTHS], list[RANGES];
    morton.rows = (uint32_t)generate_packed_segments(lengths, LENGTHS, 2, segments) + 7;
    const gl_segsort_segment hostile[] = {
        {morton.rows, 0, 0, 0, 1},      {morton.rows - 4, 0, 0, 0, 5},
        {0xfffffff0, 0, 0, 0, 0x20},    {0, 0xffffffff, 0, 0, 2},
        {0, 0, morton.rows - 1, 0, 2},  {0, 0, 0, morton.rows - 1, 2},
        {0, 0, 0, 0, morton.rows + 1u}, {1, 1, 1, 1, 0xffffffff}};
    uint32_t at = 0, bad = 0;
    morton.first_refused = UINT32_MAX;
    for (uint32_t i = 0; i < LENGTHS; i++) {
        if (i % 4 == 1 && bad < COUNT_OF(hostile)) {
            morton.first_refused = at < morton.first_refused ? at : morton.first_refused;
            list[at++] = hostile[bad++];
        }
        list[at++] = segments[i];
    }
    morton.refused = bad + 1; /* the last one is more than max_segments */
    morton.plan.segment_source = GL_SEGSORT_SEGMENTS_GPU_RANGES;
    morton.plan.max_rows = morton.rows;
    morton.plan.max_segments = at - 1;
    morton.segments = segments;
    morton.segment_count = LENGTHS - 1;
    morton.list = (const uint32_t *)list;
    morton.list_words = 5 * (size_t)at;
    morton.list_rows = morton.count = at;
    morton.position_rows = morton.triangles ? 40000 : morton.rows;
    check_morton(&morton);
}

static void gpu_lists(void)
{
    for (uint32_t i = 0; i < 12; i++) {
        const struct morton_case morton = {
            .name = "listed",
            .plan = {.key_type = i % 2 ? GL_SEGSORT_KEY_U64 : GL_SEGSORT_KEY_U32,
                     .direction = (gl_segsort_direction)(i / 3 % 2),
                     .algorithm = (gl_segsort_algorithm)(i % 3)},
            .triangles = i / 2 % 2,
            .position_words = 3 + i % 3,
            .byte_offset = 4 * (i % 5),
            .seed = i};
        check_offsets(morton);
        check_strided(morton);
        check_ranges(morton);
    }
}

/* Whatever stands in the list: what is judged is judged as by the sort, and no other byte changes
 * than those of keys, whose guards are looked at. */
static void hostile_lists(void)
{
    enum { SEGMENTS = 30, ROWS = 2000 };
    static const uint32_t odd[] = {0, 1, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff, 300, ROWS};
    gl_segsort_segment list[SEGMENTS];
    struct morton_case morton = {.name = "hostile",
                                 .plan = {.segment_source = GL_SEGSORT_SEGMENTS_GPU_RANGES,
                                          .max_segments = SEGMENTS - 3,
                                          .max_rows = ROWS,
                                          .max_length = 900},
                                 .list = (const uint32_t *)list,
                                 .list_words = 5 * SEGMENTS,
                                 .list_rows = SEGMENTS,
                                 .count = SEGMENTS + 9,
                                 .rows = ROWS,
                                 .position_rows = ROWS};
    gl_segsort_plan *plan;
    if (!make_plan(context, &morton, &plan))
        return;
    for (morton.seed = 1; morton.seed < 300; morton.seed++) {
        uint64_t state = morton.seed;
        uint32_t *words = (uint32_t *)list;
        for (int i = 0; i < 5 * SEGMENTS; i++)
            words[i] = generate_below(&state, 3) ? generate_below(&state, i % 5 == 4 ? 200 : ROWS)
                                                 : odd[generate_below(&state, COUNT_OF(odd))];
        struct guarded buffers[BUFFERS];
        make_buffers(&morton, buffers);
        const gl_segsort_sort_desc sort = sort_desc(&morton, buffers);
        const gl_segsort_morton_keys_desc desc = morton_desc(&morton, buffers);
        CHECK(gl_segsort_morton_keys(plan, &sort, &desc) == GL_SEGSORT_SUCCESS, "%s",
              gl_segsort_last_error(context));
        uint32_t status[2][5];
        for (int i = 0; i < 2; i++) {
            glBindBuffer(GL_COPY_READ_BUFFER, buffers[STATUS].buffer);
            glGetBufferSubData(GL_COPY_READ_BUFFER, buffers[STATUS].byte_offset, 20, status[i]);
            gl_segsort_sort(plan, &sort);
        }
        CHECK(memcmp(status[0], status[1], sizeof status[0]) == 0, "another verdict, round %u",
              (unsigned)morton.seed);
        memcpy(guarded_expected(&buffers[STATUS]), status[0], sizeof status[0]);
        for (int i = 0; i < BUFFERS; i++) {
            bool written = i == KEYS || i == OUTPUT_KEYS || i == OUTPUT_VALUES;
            glBindBuffer(GL_COPY_READ_BUFFER, buffers[i].buffer);
            if (written) /* only the guards are looked at */
                glGetBufferSubData(GL_COPY_READ_BUFFER, buffers[i].byte_offset,
                                   (GLsizeiptr)(4 * buffers[i].words),
                                   guarded_expected(&buffers[i]));
            const char *difference = guarded_difference(&buffers[i]);
            CHECK(!difference, "round %u: %s", (unsigned)morton.seed, difference);
            guarded_free(&buffers[i]);
        }
    }
    CHECK(glGetError() == GL_NO_ERROR, "a GL error");
    gl_segsort_plan_destroy(plan);
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {
        CHECK_TEST(corners_of_a_cube), CHECK_TEST(host_points),     CHECK_TEST(host_triangles),
        CHECK_TEST(boxes_start_anew),  CHECK_TEST(few_work_groups), CHECK_TEST(no_rows),
        CHECK_TEST(gpu_lists),         CHECK_TEST(hostile_lists)};
    struct test_gl gl;
    if (!test_gl_open(&gl, 0))
        return 1;
    context = gl.context;
    int status = check_main(argc, argv, tests, COUNT_OF(tests));
    test_gl_close(&gl);
    return status;
}
