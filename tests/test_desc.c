/* Layer 1: descriptions. Pure C, no GL. */
#include "desc_setup.h"

#include <stdlib.h>

static segsort_layout layout;

static gl_segsort_result check_plan(const gl_segsort_plan_desc *desc)
{
    return check_layouts(desc, &layout);
}

static gl_segsort_result check_segments(const gl_segsort_segment *segments, uint32_t count)
{
    gl_segsort_plan_desc desc = {.segments = segments, .segment_count = count};
    return check_plan(&desc);
}

static gl_segsort_result check_sort(const gl_segsort_sort_desc *desc)
{
    error = (segsort_error){0};
    return segsort_desc_check_sort(desc, &layout, &limits, &error);
}

static void *some_allocate(size_t size, void *user)
{
    (void)user;
    return malloc(size);
}

static void some_release(void *memory, void *user)
{
    (void)user;
    free(memory);
}

static gl_segsort_proc no_proc(const char *name)
{
    (void)name;
    return NULL;
}

static void context_descriptions(void)
{
    gl_segsort_context_desc desc = {0};
    CHECK_RESULT(segsort_desc_check_context(&desc, &error), GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                 "get_proc_address");
    desc.get_proc_address = no_proc;
    CHECK_RESULT(segsort_desc_check_context(&desc, &error), GL_SEGSORT_SUCCESS, "");
    desc.allocator.allocate = some_allocate;
    CHECK_RESULT(segsort_desc_check_context(&desc, &error), GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                 "has allocate but no release");
    desc.allocator = (gl_segsort_allocator){NULL, some_release, NULL};
    CHECK_RESULT(segsort_desc_check_context(&desc, &error), GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                 "has release but no allocate");
    desc.allocator.allocate = some_allocate;
    CHECK_RESULT(segsort_desc_check_context(&desc, &error), GL_SEGSORT_SUCCESS, "");
    desc.state_policy = (gl_segsort_state_policy)2;
    CHECK_RESULT(segsort_desc_check_context(&desc, &error), GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                 "state_policy is 2");
    desc.state_policy = GL_SEGSORT_STATE_LEAVE_DIRTY;
    desc.kernel_path = GL_SEGSORT_KERNEL_PATH_SUBGROUP;
    CHECK_RESULT(segsort_desc_check_context(&desc, &error), GL_SEGSORT_SUCCESS, "");
    desc.kernel_path = (gl_segsort_kernel_path)3;
    CHECK_RESULT(segsort_desc_check_context(&desc, &error), GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                 "kernel_path is 3");
    desc.kernel_path = (gl_segsort_kernel_path)-1;
    CHECK_RESULT(segsort_desc_check_context(&desc, &error), GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                 "kernel_path is ");
}

static void enumerators(void)
{
    gl_segsort_plan_desc desc = {.direction = (gl_segsort_direction)2};
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, "direction is 2");
    desc = (gl_segsort_plan_desc){.key_type = (gl_segsort_key_type)99};
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, "key_type is 99");
    desc = (gl_segsort_plan_desc){.value_type = (gl_segsort_value_type)99};
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, "value_type is 99");
    desc = (gl_segsort_plan_desc){.algorithm = (gl_segsort_algorithm)99};
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, "algorithm is 99");
    desc = (gl_segsort_plan_desc){.key_type = (gl_segsort_key_type)-1};
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, "key_type is -1");
    desc = (gl_segsort_plan_desc){.key_type = GL_SEGSORT_KEY_U64,
                                  .value_type = GL_SEGSORT_VALUE_U64,
                                  .direction = GL_SEGSORT_DESCENDING,
                                  .algorithm = GL_SEGSORT_ALGORITHM_RADIX};
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_SUCCESS, "");
    /* One beyond the last of each. */
    desc.key_type = (gl_segsort_key_type)4;
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, "key_type is 4");
    desc.key_type = GL_SEGSORT_KEY_U64;
    desc.value_type = (gl_segsort_value_type)4;
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, "value_type is 4");
    desc.value_type = GL_SEGSORT_VALUE_U64;
    desc.algorithm = (gl_segsort_algorithm)3;
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, "algorithm is 3");
}

/* Without segments too: the words of an error tell what the key has. */
static void bit_ranges(void)
{
    const struct {
        gl_segsort_key_type type;
        uint32_t begin, end;
        uint32_t count; /* of the bits that decide; UINT32_MAX: refused */
    } cases[] = {
        {GL_SEGSORT_KEY_U32, 0, 0, 32},
        {GL_SEGSORT_KEY_I32, 0, 0, 32},
        {GL_SEGSORT_KEY_F32, 0, 0, 32},
        {GL_SEGSORT_KEY_U64, 0, 0, 64},
        {GL_SEGSORT_KEY_U32, 0, 32, 32},
        {GL_SEGSORT_KEY_U64, 0, 32, 32},
        {GL_SEGSORT_KEY_U64, 0, 64, 64},
        {GL_SEGSORT_KEY_I32, 31, 32, 1},
        {GL_SEGSORT_KEY_U64, 63, 64, 1},
        {GL_SEGSORT_KEY_F32, 7, 9, 2},
        {GL_SEGSORT_KEY_U32, 5, 5, 0},
        {GL_SEGSORT_KEY_U32, 32, 32, 0},
        {GL_SEGSORT_KEY_U64, 64, 64, 0},
        {GL_SEGSORT_KEY_U32, 0, 33, UINT32_MAX},
        {GL_SEGSORT_KEY_F32, 0, 64, UINT32_MAX},
        {GL_SEGSORT_KEY_U64, 0, 65, UINT32_MAX},
        {GL_SEGSORT_KEY_U32, 33, 33, UINT32_MAX},
        {GL_SEGSORT_KEY_U64, 65, 65, UINT32_MAX},
        {GL_SEGSORT_KEY_I32, 9, 8, UINT32_MAX},
        {GL_SEGSORT_KEY_U32, 1, 0, UINT32_MAX},
        {GL_SEGSORT_KEY_U64, 0xffffffff, 0, UINT32_MAX},
        {GL_SEGSORT_KEY_U64, 0, 0xffffffff, UINT32_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gl_segsort_plan_desc desc = {
            .key_type = cases[i].type, .begin_bit = cases[i].begin, .end_bit = cases[i].end};
        gl_segsort_result result = check_plan(&desc);
        if (cases[i].count == UINT32_MAX) {
            char words[3][32];
            snprintf(words[0], sizeof words[0], "begin_bit %u", desc.begin_bit);
            snprintf(words[1], sizeof words[1], "end_bit %u", desc.end_bit);
            snprintf(words[2], sizeof words[2], "%d bits",
                     desc.key_type == GL_SEGSORT_KEY_U64 ? 64 : 32);
            CHECK_RESULT(result, GL_SEGSORT_ERROR_OUT_OF_RANGE, words[0], words[1], words[2]);
            continue;
        }
        CHECK_RESULT(result, GL_SEGSORT_SUCCESS, "");
        CHECK(layout.begin_bit == desc.begin_bit && layout.bit_count == cases[i].count,
              "bits %u..%u are %u from bit %u on", desc.begin_bit, desc.end_bit, layout.bit_count,
              layout.begin_bit);
    }
}

static void row_bytes(void)
{
    const uint32_t keys[] = {4, 4, 4, 8}, values[] = {4, 0, 0, 8}, output_values[] = {4, 0, 4, 8};
    for (int i = 0; i < 16; i++) {
        int key = i % 4, value = i / 4;
        gl_segsort_plan_desc desc = {.key_type = (gl_segsort_key_type)key,
                                     .value_type = (gl_segsort_value_type)value};
        CHECK_RESULT(check_plan(&desc), GL_SEGSORT_SUCCESS, "");
        CHECK(layout.row_bytes[SEGSORT_STREAM_KEYS] == keys[key] &&
                  layout.row_bytes[SEGSORT_STREAM_VALUES] == values[value] &&
                  layout.row_bytes[SEGSORT_STREAM_OUTPUT_KEYS] == keys[key] &&
                  layout.row_bytes[SEGSORT_STREAM_OUTPUT_VALUES] == output_values[value],
              "key type %d, value type %d: rows of %u, %u, %u, %u bytes", key, value,
              layout.row_bytes[0], layout.row_bytes[1], layout.row_bytes[2], layout.row_bytes[3]);
    }
}

/* Whatever the offsets of a stream are that the types have no use for, and its views. */
static void unused_streams(void)
{
    const gl_segsort_segment segments[] = {{0, 0xffffffff, 0, 0, 4}, {4, 1, 4, 4, 4}};
    const gl_segsort_segment shared[] = {{0, 7, 0, 0xfffffffe, 4}, {4, 7, 4, 0xfffffffe, 4}};
    gl_segsort_plan_desc desc = {
        .value_type = GL_SEGSORT_VALUE_INDEX, .segments = segments, .segment_count = 2};
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_SUCCESS, "");
    gl_segsort_sort_desc sort = {.keys = {1, 0, 8},
                                 .values = {0, 7, 0},
                                 .output_keys = {3, 0, 8},
                                 .output_values = {4, 0, 8}};
    CHECK_RESULT(check_sort(&sort), GL_SEGSORT_SUCCESS, "");
    /* A name of a buffer that is an output does not make it an input. */
    sort.values = sort.output_keys;
    CHECK_RESULT(check_sort(&sort), GL_SEGSORT_SUCCESS, "");
    /* In place there is nothing but the keys. */
    sort.values = sort.output_values;
    CHECK_RESULT(check_sort(&sort), GL_SEGSORT_SUCCESS, "");
    CHECK(!segsort_desc_in_place(&sort, &layout), "row numbers in place");
    sort.output_values = (gl_segsort_view){0};
    CHECK_RESULT(check_sort(&sort), GL_SEGSORT_ERROR_INVALID_ARGUMENT, "output_values.buffer is 0");
    desc.segments = shared;
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_OUT_OF_RANGE, "output_values_offset");
    desc.value_type = GL_SEGSORT_VALUE_NONE;
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_SUCCESS, "");
    CHECK_RESULT(check_sort(&sort), GL_SEGSORT_SUCCESS, "");
    CHECK(!segsort_desc_in_place(&sort, &layout), "in place of nothing");
    sort = (gl_segsort_sort_desc){.keys = {1, 0, 8}, .output_keys = {1, 0, 8}};
    CHECK_RESULT(check_sort(&sort), GL_SEGSORT_SUCCESS, "");
    CHECK(segsort_desc_in_place(&sort, &layout), "keys in place");
    desc.value_type = GL_SEGSORT_VALUE_U64;
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_OUT_OF_RANGE, "values_offset");
}

static void no_segments(void)
{
    CHECK_RESULT(check_segments(NULL, 0), GL_SEGSORT_SUCCESS, "");
    CHECK(layout.row_count == 0 && layout.segment_count == 0, "rows without segments");
    CHECK_RESULT(check_segments(NULL, 3), GL_SEGSORT_ERROR_INVALID_ARGUMENT, "segment_count is 3");
}

static void empty_segments_have_no_offsets(void)
{
    const gl_segsort_segment segments[] = {{0xfffffff0, 0xffffffff, 7, 7, 0}, {3, 4, 5, 6, 2}};
    CHECK_RESULT(check_segments(segments, 2), GL_SEGSORT_SUCCESS, "");
    CHECK(layout.empty_count == 1 && layout.row_count == 2 && layout.longest == 2, "counts");
    for (int i = 0; i < SEGSORT_STREAM_COUNT; i++)
        CHECK(layout.extents[i].first_row == 3u + (uint32_t)i &&
                  layout.extents[i].end_row == 5u + (uint32_t)i &&
                  layout.extents[i].end_segment == 1,
              "extent of %s", segsort_stream_name((segsort_stream)i));
}

/* warp 1870 */
static void wrap_around(void)
{
    gl_segsort_segment segments[] = {{0, 0, 0, 0, 4}, {0, 0, 8, 8, 0x20}};
    uint32_t *offsets[] = {&segments[1].keys_offset, &segments[1].values_offset,
                           &segments[1].output_keys_offset, &segments[1].output_values_offset};
    for (int i = 0; i < SEGSORT_STREAM_COUNT; i++) {
        uint32_t kept = *offsets[i];
        *offsets[i] = 0xfffffff0;
        CHECK_RESULT(check_segments(segments, 2), GL_SEGSORT_ERROR_OUT_OF_RANGE, "segment 1",
                     "4294967280", "32", segsort_stream_name((segsort_stream)i));
        /* Row 2^32 - 1 may be the last one; that it is too far for GL is another error. */
        *offsets[i] = 0xffffffe0;
        CHECK(check_segments(segments, 2) != GL_SEGSORT_ERROR_OUT_OF_RANGE, "%s", error.text);
        *offsets[i] = kept;
    }
}

/* warp 1870, and both output streams, neighbours and strangers, sorted lists and not. */
static void overlapping_outputs(void)
{
    gl_segsort_segment segments[] = {{0, 0, 0, 0, 3}, {2, 2, 2, 2, 2}};
    CHECK_RESULT(check_segments(segments, 2), GL_SEGSORT_ERROR_OVERLAP, "segment 0", "segment 1",
                 "output_keys", "0..2", "2..3");
    segments[1].output_keys_offset = 3;
    CHECK_RESULT(check_segments(segments, 2), GL_SEGSORT_ERROR_OVERLAP, "output_values");
    segments[1].output_values_offset = 3;
    CHECK_RESULT(check_segments(segments, 2), GL_SEGSORT_SUCCESS, "");

    gl_segsort_segment scattered[] = {
        {0, 0, 50, 50, 10}, {0, 0, 0, 0, 10}, {0, 0, 70, 70, 5}, {0, 0, 59, 20, 1}};
    CHECK_RESULT(check_segments(scattered, 4), GL_SEGSORT_ERROR_OVERLAP, "segment 0", "segment 3",
                 "50..59", "59..59");
    scattered[3].length = 0;
    CHECK_RESULT(check_segments(scattered, 4), GL_SEGSORT_SUCCESS, "");
    scattered[3].length = 1;
    scattered[3].output_keys_offset = 60;
    CHECK_RESULT(check_segments(scattered, 4), GL_SEGSORT_SUCCESS, "");
    /* One range inside another that starts earlier. */
    const gl_segsort_segment nested[] = {{0, 0, 100, 100, 1}, {0, 0, 0, 0, 50}, {0, 0, 10, 60, 2}};
    CHECK_RESULT(check_segments(nested, 3), GL_SEGSORT_ERROR_OVERLAP, "segment 1", "segment 2");
}

/* cub 64 */
static void storage_block_limit(void)
{
    gl_segsort_segment segment = {0, 0, 0, 0, (1u << 25) + 1};
    CHECK_RESULT(check_segments(&segment, 1), GL_SEGSORT_ERROR_UNSUPPORTED, "134217732",
                 "GL_MAX_SHADER_STORAGE_BLOCK_SIZE, 134217728");
    segment.length--;
    CHECK_RESULT(check_segments(&segment, 1), GL_SEGSORT_SUCCESS, "");
    /* Only what lies between the first row and the last counts... */
    segment = (gl_segsort_segment){1u << 30, 1u << 30, 1u << 30, 1u << 30, 1000};
    CHECK_RESULT(check_segments(&segment, 1), GL_SEGSORT_SUCCESS, "");
    /* ...but the bound range starts at an aligned byte. */
    segment.length = 1u << 25;
    segment.keys_offset++;
    CHECK_RESULT(check_segments(&segment, 1), GL_SEGSORT_SUCCESS, "");
    gl_segsort_sort_desc sort = {.keys = {1, 0, 1ull << 40},
                                 .values = {2, 0, 1ull << 40},
                                 .output_keys = {3, 0, 1ull << 40},
                                 .output_values = {4, 0, 1ull << 40}};
    CHECK_RESULT(check_sort(&sort), GL_SEGSORT_ERROR_UNSUPPORTED, "keys", "134217732", "134217728");
}

/* Rows of 8 bytes reach the limit with half as many. */
static void storage_block_limit_of_u64(void)
{
    gl_segsort_segment segment = {0, 0, 0, 0, (1u << 24) + 1};
    gl_segsort_plan_desc desc = {
        .key_type = GL_SEGSORT_KEY_U64, .segments = &segment, .segment_count = 1};
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_UNSUPPORTED, "134217736 bytes of keys",
                 "134217728");
    desc.key_type = GL_SEGSORT_KEY_U32;
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_SUCCESS, "");
    desc.value_type = GL_SEGSORT_VALUE_U64;
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_ERROR_UNSUPPORTED, "134217736 bytes of values");
    segment.length--;
    desc.key_type = GL_SEGSORT_KEY_U64;
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_SUCCESS, "");
    /* Bytes past 32 bits, and what alignment adds to the bound range. */
    segment.keys_offset = 0x80000001;
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_SUCCESS, "");
    gl_segsort_sort_desc sort = {.keys = {1, 0, 1ull << 40},
                                 .values = {2, 0, 1ull << 40},
                                 .output_keys = {3, 0, 1ull << 40},
                                 .output_values = {4, 0, 1ull << 40}};
    CHECK_RESULT(check_sort(&sort), GL_SEGSORT_ERROR_UNSUPPORTED, "keys", "134217736");
    sort.keys.byte_offset = 248;
    CHECK_RESULT(check_sort(&sort), GL_SEGSORT_SUCCESS, "");
    /* An unused stream's extent counts for nothing. */
    segment = (gl_segsort_segment){0, 0, 0, 0, 1u << 25};
    desc = (gl_segsort_plan_desc){
        .value_type = GL_SEGSORT_VALUE_NONE, .segments = &segment, .segment_count = 1};
    CHECK_RESULT(check_plan(&desc), GL_SEGSORT_SUCCESS, "");
}

static gl_segsort_sort_desc four_buffers(uint64_t rows)
{
    return (gl_segsort_sort_desc){.keys = {1, 0, rows},
                                  .values = {2, 0, rows},
                                  .output_keys = {3, 0, rows},
                                  .output_values = {4, 0, rows}};
}

static gl_segsort_view *view_of(gl_segsort_sort_desc *desc, int stream)
{
    gl_segsort_view *const views[] = {&desc->keys, &desc->values, &desc->output_keys,
                                      &desc->output_values};
    return views[stream];
}

/* warp 1870: n = 4, segment (0, 5) */
static void views_too_small(void)
{
    const gl_segsort_segment segments[] = {{0, 0, 0, 0, 2}, {2, 2, 2, 2, 3}};
    check_segments(segments, 2);
    gl_segsort_sort_desc desc = four_buffers(5);
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_SUCCESS, "");
    for (int i = 0; i < SEGSORT_STREAM_COUNT; i++) {
        desc = four_buffers(5);
        view_of(&desc, i)->rows = 4;
        CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_OUT_OF_RANGE, "segment 1", "2..4",
                     segsort_stream_name((segsort_stream)i), "view of 4 rows");
    }
}

static void views_misformed(void)
{
    const gl_segsort_segment segment = {0, 0, 0, 0, 3};
    check_segments(&segment, 1);
    for (int i = 0; i < SEGSORT_STREAM_COUNT; i++) {
        const char *name = segsort_stream_name((segsort_stream)i);
        gl_segsort_sort_desc desc = four_buffers(3);
        view_of(&desc, i)->buffer = 0;
        CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, name, "buffer is 0");
        desc = four_buffers(3);
        view_of(&desc, i)->byte_offset = 6;
        CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, name, "6",
                     "not a multiple of 4");
        desc = four_buffers(3);
        view_of(&desc, i)->byte_offset = 0xfffffffffffffff0;
        CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_OUT_OF_RANGE, name,
                     "18446744073709551600");
    }
}

static void views_of_nothing(void)
{
    const gl_segsort_sort_desc desc = {0};
    check_segments(NULL, 0);
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_SUCCESS, "");
    const gl_segsort_segment empty[2] = {{0, 0, 0, 0, 0}, {5, 5, 5, 5, 0}};
    check_segments(empty, 2);
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_SUCCESS, "");
}

static void in_place(void)
{
    const gl_segsort_segment same[] = {{0, 4, 0, 4, 3}, {10, 20, 10, 20, 3}};
    check_segments(same, 2);
    gl_segsort_sort_desc desc = four_buffers(100);
    desc.output_keys.buffer = desc.keys.buffer;
    desc.output_values.buffer = desc.values.buffer;
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_SUCCESS, "");
    desc.output_keys.byte_offset = 4;
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_OVERLAP, "keys (bytes 0..51)",
                 "output_keys (bytes 4..55)", "buffer 1");
    desc.output_keys.byte_offset = 52;
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_SUCCESS, "");

    /* Every segment shifted alike: in place when the views are shifted back. */
    const gl_segsort_segment shifted[] = {{0, 0, 7, 7, 3}, {10, 10, 17, 17, 3}};
    check_segments(shifted, 2);
    desc = four_buffers(100);
    desc.output_keys.buffer = desc.keys.buffer;
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_OVERLAP, "keys", "output_keys");
    desc.keys.byte_offset = 28;
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_SUCCESS, "");

    /* One segment in place and the other not. */
    const gl_segsort_segment mixed[] = {{0, 0, 0, 0, 3}, {10, 10, 20, 20, 3}};
    check_segments(mixed, 2);
    desc = four_buffers(100);
    desc.output_values.buffer = desc.values.buffer;
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_OVERLAP, "values", "output_values");
}

/* Views, extents and shifts are in rows; buffers are in bytes, of 8 a key and 4 or 8 a value. */
static void in_place_and_overlap_of_u64(void)
{
    const gl_segsort_segment shifted[] = {{0, 0, 7, 7, 3}, {10, 10, 17, 17, 3}};
    gl_segsort_plan_desc desc = {
        .key_type = GL_SEGSORT_KEY_U64, .segments = shifted, .segment_count = 2};
    check_plan(&desc);
    gl_segsort_sort_desc sort = four_buffers(100);
    sort.output_keys.buffer = sort.keys.buffer;
    sort.keys.byte_offset = 28;
    CHECK_RESULT(check_sort(&sort), GL_SEGSORT_ERROR_OVERLAP, "keys (bytes 28..131)",
                 "output_keys (bytes 56..159)");
    sort.keys.byte_offset = 56;
    CHECK_RESULT(check_sort(&sort), GL_SEGSORT_SUCCESS, "");
    CHECK(segsort_desc_in_place(&sort, &layout), "keys in place, 7 rows on");
    /* Behind each other to the byte: 13 rows of 8 bytes from byte 56 on, and one less. */
    sort.keys.byte_offset = 0;
    sort.output_keys.byte_offset = 48;
    CHECK_RESULT(check_sort(&sort), GL_SEGSORT_SUCCESS, "");
    CHECK(!segsort_desc_in_place(&sort, &layout), "not in place");
    sort.output_keys.byte_offset = 44;
    CHECK_RESULT(check_sort(&sort), GL_SEGSORT_ERROR_OVERLAP, "keys (bytes 0..103)",
                 "output_keys (bytes 100..203)");
    /* Keys of 8 bytes and values of 4 in one buffer. */
    sort = four_buffers(100);
    sort.output_values = (gl_segsort_view){1, 104 - 28, 100};
    CHECK_RESULT(check_sort(&sort), GL_SEGSORT_SUCCESS, "");
    sort.output_values.byte_offset -= 4;
    CHECK_RESULT(check_sort(&sort), GL_SEGSORT_ERROR_OVERLAP, "keys (bytes 0..103)",
                 "output_values (bytes 100..151)");
    desc.value_type = GL_SEGSORT_VALUE_U64;
    check_plan(&desc);
    CHECK_RESULT(check_sort(&sort), GL_SEGSORT_SUCCESS, "");
    sort.output_values.byte_offset = 44;
    CHECK_RESULT(check_sort(&sort), GL_SEGSORT_ERROR_OVERLAP, "output_values (bytes 100..203)");
    /* Only the values. */
    sort = four_buffers(100);
    sort.output_values.buffer = sort.values.buffer;
    sort.values.byte_offset = 56;
    CHECK_RESULT(check_sort(&sort), GL_SEGSORT_SUCCESS, "");
    CHECK(segsort_desc_in_place(&sort, &layout), "values in place, 7 rows on");
}

/* Values that go where keys came from are no sort in place, though rows and buffer are the same. */
static void crossed_streams(void)
{
    const gl_segsort_segment segment = {0, 0, 0, 0, 10};
    check_segments(&segment, 1);
    gl_segsort_sort_desc desc = four_buffers(10);
    desc.output_values.buffer = desc.keys.buffer;
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_OVERLAP, "keys", "output_values");
    CHECK(!segsort_desc_in_place(&desc, &layout), "in place");
}

/* Whether offsets that no buffer has are in place must not be worked out where it would wrap. */
static void in_place_far_out(void)
{
    const gl_segsort_segment segments[] = {{0, 7, 7, 0, 3}, {10, 17, 17, 10, 3}};
    const uint64_t offsets[] = {0x7ffffffffffffffc, 0x8000000000000000, 0xfffffffffffffffc};
    check_segments(segments, 2);
    for (size_t i = 0; i < 3; i++) {
        gl_segsort_sort_desc desc = four_buffers(100);
        desc.output_keys = (gl_segsort_view){1, offsets[i], 100};
        CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_OUT_OF_RANGE, "output_keys.byte_offset");
        desc = four_buffers(100);
        desc.output_values = (gl_segsort_view){2, offsets[i], 100};
        CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_OUT_OF_RANGE, "output_values.byte_offset");
        desc.values = desc.output_values;
        desc.output_values.byte_offset = 0;
        CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_OUT_OF_RANGE, "values.byte_offset");
    }
}

static void one_buffer_for_all(void)
{
    const gl_segsort_segment segment = {0, 0, 0, 0, 10};
    check_segments(&segment, 1);
    gl_segsort_sort_desc desc = four_buffers(10);
    for (int i = 0; i < SEGSORT_STREAM_COUNT; i++)
        *view_of(&desc, i) = (gl_segsort_view){9, (uint64_t)i * 40, 10};
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_SUCCESS, "");
    /* Inputs may share rows, outputs may not. */
    desc.values = desc.keys;
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_SUCCESS, "");
    desc.output_values = desc.output_keys;
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_OVERLAP, "output_keys", "output_values");
    /* The same rows, but of the other kind of stream. */
    desc = four_buffers(10);
    desc.output_keys = desc.values;
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_OVERLAP, "values", "output_keys");
}

/* Streams whose segments alternate in one buffer touch nowhere, and are refused all the same, as
 * documented. */
static void interleaved_streams(void)
{
    const gl_segsort_segment segments[] = {{0, 0, 4, 0, 4}, {8, 8, 12, 8, 4}};
    check_segments(segments, 2);
    gl_segsort_sort_desc desc = four_buffers(16);
    desc.output_keys.buffer = desc.keys.buffer;
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_OVERLAP, "reach into each other");
}

static void barriers(void)
{
    check_segments(NULL, 0);
    gl_segsort_sort_desc desc = {.barriers_before = 0x10};
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, "barriers_before",
                 "0x00000010");
    desc = (gl_segsort_sort_desc){.barriers_after = GL_SEGSORT_BARRIER_CLIENT_MAPPED | 1};
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, "barriers_after",
                 "0x00004000");
    desc = (gl_segsort_sort_desc){.barriers_before = 0xffffffff, .barriers_after = 0xffffffff};
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_SUCCESS, "");
    CHECK(segsort_desc_barriers_before(desc.barriers_before) == 0xffffffff,
          "GL_ALL_BARRIER_BITS before");
    CHECK(segsort_desc_barriers_after(desc.barriers_after, &limits) == 0xffffffff,
          "GL_ALL_BARRIER_BITS after");
    desc = (gl_segsort_sort_desc){.barriers_before = GL_SEGSORT_BARRIER_NONE,
                                  .barriers_after = GL_SEGSORT_BARRIER_NONE};
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_SUCCESS, "");
    CHECK(segsort_desc_barriers_before(desc.barriers_before) == 0, "NONE before");
    CHECK(segsort_desc_barriers_after(desc.barriers_after, &limits) == 0, "NONE after");
    desc = (gl_segsort_sort_desc){0};
    CHECK(segsort_desc_barriers_before(desc.barriers_before) == GL_SEGSORT_BARRIER_STORAGE,
          "default before");
    CHECK((segsort_desc_barriers_after(desc.barriers_after, &limits) & ~limits.barrier_bits) == 0,
          "default after has bits that this GL version lacks");
    CHECK(segsort_desc_barriers_after(desc.barriers_after, &limits) & GL_SEGSORT_BARRIER_INDEX,
          "default after");
}

static void check_binding_range(uint64_t byte_offset, const segsort_extent *extent, uint32_t bytes)
{
    const segsort_use use = {
        .view = {1, byte_offset, 1ull << 40}, .extent = *extent, .row_bytes = bytes};
    segsort_binding_range range = segsort_desc_range(&use, &limits);
    uint64_t first = byte_offset + (uint64_t)bytes * extent->first_row;
    uint64_t end = byte_offset + bytes * extent->end_row;
    CHECK(range.byte_offset % limits.storage_alignment == 0, "aligned");
    CHECK(range.byte_offset <= first && first - range.byte_offset < 256, "start");
    CHECK(range.byte_offset + range.byte_size == end, "end");
    /* Modulo 2^32, as the shader calculates. */
    uint32_t word = range.view_word + extent->first_row * (bytes / 4);
    CHECK(range.byte_offset + 4ull * word == first, "word of row %u, %u bytes a row",
          extent->first_row, bytes);
}

/* The shader adds the words of a segment's offset to view_word and has to land on the right word of
 * the bound range. */
static void binding_ranges(void)
{
    const uint64_t byte_offsets[] = {0, 4, 144, 252, 256, 260, 1ull << 33};
    const uint32_t row_bytes[] = {4, 8, 12, 128};
    const segsort_extent extents[] = {{.first_row = 0, .end_row = 1},
                                      {.first_row = 100, .end_row = 163},
                                      {.first_row = 1u << 29, .end_row = (1u << 29) + 5},
                                      {.first_row = 0xfffffff0, .end_row = 1ull << 32}};
    for (size_t o = 0; o < sizeof byte_offsets / sizeof byte_offsets[0]; o++)
        for (size_t e = 0; e < sizeof extents / sizeof extents[0]; e++)
            for (size_t r = 0; r < sizeof row_bytes / sizeof row_bytes[0]; r++)
                check_binding_range(byte_offsets[o], &extents[e], row_bytes[r]);
}

static void result_strings(void)
{
    for (int i = 0; i <= GL_SEGSORT_ERROR_GL; i++)
        for (int j = 0; j < i; j++)
            CHECK(strcmp(gl_segsort_result_string((gl_segsort_result)i),
                         gl_segsort_result_string((gl_segsort_result)j)) != 0,
                  "%d and %d have one name", i, j);
    CHECK(strstr(gl_segsort_result_string((gl_segsort_result)1234), "unknown"), "unknown result");
}

CHECK_MAIN(CHECK_TEST(context_descriptions), CHECK_TEST(enumerators), CHECK_TEST(bit_ranges),
           CHECK_TEST(row_bytes), CHECK_TEST(unused_streams), CHECK_TEST(no_segments),
           CHECK_TEST(empty_segments_have_no_offsets), CHECK_TEST(wrap_around),
           CHECK_TEST(overlapping_outputs), CHECK_TEST(storage_block_limit),
           CHECK_TEST(storage_block_limit_of_u64), CHECK_TEST(views_too_small),
           CHECK_TEST(views_misformed), CHECK_TEST(views_of_nothing), CHECK_TEST(in_place),
           CHECK_TEST(in_place_and_overlap_of_u64), CHECK_TEST(crossed_streams),
           CHECK_TEST(in_place_far_out), CHECK_TEST(one_buffer_for_all),
           CHECK_TEST(interleaved_streams), CHECK_TEST(barriers), CHECK_TEST(binding_ranges),
           CHECK_TEST(result_strings))
