/* Layer 3: plans that split long segments twice, on the GPU beside the kernels' CPU twins: after every
 * level of passes all buffers and the table have to be equal, the children's words and guard words
 * included, and after the last one the outputs have to be what the CPU reference gives. */
#include "split_run.h"

enum { KEY_TYPES = 4, VALUE_TYPES = 4, DIRECTIONS = 2 };

static uint32_t work_groups;

struct lengths {
    uint32_t list[8];
    size_t count;
    uint32_t child_rows, buckets_max;
    bool finish, radix; /* there are children that need no parts; segments that digits sort */
};

static gl_segsort_plan_desc types_of(int i)
{
    return (gl_segsort_plan_desc){
        .key_type = (gl_segsort_key_type)(i % KEY_TYPES),
        .value_type = (gl_segsort_value_type)(i / KEY_TYPES % VALUE_TYPES),
        .direction = (gl_segsort_direction)(i / (KEY_TYPES * VALUE_TYPES) % DIRECTIONS)};
}

/* like has the types, the direction and the bits. */
static void compare(const gl_segsort_plan_desc *like, const struct lengths *lengths,
                    enum twin_in_place in_place)
{
    gl_segsort_segment segments[COUNT_OF(lengths->list)];
    struct run run = {.desc = *like};
    segsort_limits limits = twin_limits();
    segsort_error error;
    segsort_tuning tuning = *segsort_tuning_default();
    tuning.part_length_max = 0;
    tuning.child_rows = lengths->child_rows;
    tuning.buckets_max = lengths->buckets_max;
    limits.tuning = &tuning;
    for (int axis = 0; axis < 3; axis++)
        limits.work_groups[axis] = work_groups;
    generate_packed_segments(lengths->list, lengths->count, 3, segments);
    if (in_place == TWIN_NEITHER)
        twin_scatter_segments(segments, lengths->count);
    run.desc.segments = segments;
    run.desc.segment_count = (uint32_t)lengths->count;
    if (!CHECK(twin_plan_build(&run.desc, &limits, &run.plan, &error), "%s", error.text))
        return;
    CHECK(count_passes(&run.plan, SEGSORT_KERNEL_SPLIT_AGAIN) > 0, "nothing is split twice");
    CHECK((count_passes(&run.plan, SEGSORT_KERNEL_SPLIT_FINISH) > 0) == lengths->finish,
          "some children need no parts");
    CHECK((count_passes(&run.plan, SEGSORT_KERNEL_RADIX_SCATTER) > 0) == lengths->radix,
          "digits are sorted by");
    compare_levels(&run, in_place);
    twin_plan_release(&run.plan);
}

/* Two segments that are split twice, one that is split once, two that aren't split. */
static void all_types(void)
{
    const struct lengths lengths = {.list = {4097, 3, 20011, 30000, 4000},
                                    .count = 5,
                                    .child_rows = 3500,
                                    .buckets_max = 16,
                                    .finish = true};
    for (int i = 0; i < KEY_TYPES * VALUE_TYPES * DIRECTIONS; i += 3) {
        gl_segsort_plan_desc desc = types_of(i);
        compare(&desc, &lengths, (enum twin_in_place)(i % 4));
    }
}

/* All bits but a few: as many digits, and other programs. */
static void masked_keys(void)
{
    const struct lengths lengths = {
        .list = {25000}, .count = 1, .child_rows = 5000, .buckets_max = 16, .finish = true};
    for (int i = 0; i < KEY_TYPES; i++) {
        gl_segsort_plan_desc desc = types_of(i);
        desc.begin_bit = 3;
        desc.end_bit = desc.key_type == GL_SEGSORT_KEY_U64 ? 60 : 31;
        compare(&desc, &lengths, i % 2 ? TWIN_NEITHER : TWIN_BOTH);
    }
}

/* So few buckets, and children, that each child is sorted part by part. */
static void children_in_parts(void)
{
    const struct lengths lengths = {
        .list = {40000, 30000}, .count = 2, .child_rows = 3000, .buckets_max = 4};
    for (int i = 0; i < KEY_TYPES * VALUE_TYPES; i += 5) {
        gl_segsort_plan_desc desc = types_of(i);
        compare(&desc, &lengths, (enum twin_in_place)(i % 4));
    }
}

/* Surplus groups, of which no pass takes the children's for its own. */
static void folded_dispatches(void)
{
    const struct lengths lengths = {
        .list = {24000, 21000}, .count = 2, .child_rows = 3500, .buckets_max = 16, .finish = true};
    work_groups = 3;
    for (int i = 0; i < KEY_TYPES; i++) {
        gl_segsort_plan_desc desc = types_of(i * 5);
        compare(&desc, &lengths, i % 2 ? TWIN_BOTH : TWIN_NEITHER);
    }
    work_groups = 65535;
}

int main(int argc, char **argv)
{
    struct headless_gl gl;
    if (!headless_gl_create(&gl, 4, 3, false) || !gladLoadGL(headless_gl_get_proc_address)) {
        fprintf(stderr, "%s\n", gl.error);
        return 1;
    }
    work_groups = 65535;
    static const struct check_test tests[] = {CHECK_TEST(all_types), CHECK_TEST(masked_keys),
                                              CHECK_TEST(children_in_parts),
                                              CHECK_TEST(folded_dispatches)};
    int result = check_main(argc, argv, tests, COUNT_OF(tests));
    twin_gpu_delete_programs();
    headless_gl_destroy(&gl);
    return result;
}
