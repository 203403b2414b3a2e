/* Layer 1: the descriptions of gathers. Pure C, no GL. */
#include "desc_setup.h"

/* Rows that differ from stream to stream: keys 3..12, values 5..24, output keys 100..109, output
 * values 200..219. */
static const gl_segsort_segment segments[] = {{3, 5, 104, 200, 6}, {9, 21, 100, 216, 4}};
#define KEYS_FIRST 3
#define KEYS_END 13
#define OUTPUT_KEYS_FIRST 100
#define OUTPUT_KEYS_END 110
#define OUTPUT_VALUES_FIRST 200
#define OUTPUT_VALUES_END 220

static segsort_layout layout;

static void lay_out(uint32_t count)
{
    const gl_segsort_plan_desc desc = {.key_type = GL_SEGSORT_KEY_U64,
                                       .value_type = GL_SEGSORT_VALUE_INDEX,
                                       .segments = segments,
                                       .segment_count = count};
    CHECK_RESULT(check_layouts(&desc, &layout), GL_SEGSORT_SUCCESS, "");
}

static gl_segsort_gather_desc three_buffers(uint32_t record_words)
{
    return (gl_segsort_gather_desc){.indices = {1, 0, OUTPUT_VALUES_END},
                                    .records = {2, 0, KEYS_END},
                                    .output_records = {3, 0, OUTPUT_KEYS_END},
                                    .record_words = record_words};
}

static gl_segsort_result check_gather(const gl_segsort_gather_desc *desc)
{
    error = (segsort_error){0};
    return segsort_desc_check_gather(desc, &layout, &limits, &error);
}

static gl_segsort_view *view_of(gl_segsort_gather_desc *desc, int view)
{
    gl_segsort_view *const views[] = {&desc->records, &desc->indices, &desc->output_records};
    return views[view];
}

static const char *const names[] = {"records", "indices", "output_records"};

/* ---------------------------------------------------------------------------------------------- */

static void fields(void)
{
    lay_out(2);
    gl_segsort_gather_desc desc = three_buffers(0);
    CHECK_RESULT(check_gather(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                 "gl_segsort_gather_desc.record_words is 0");
    for (int base = -1; base <= 2; base++) {
        char words[40];
        desc = three_buffers(3);
        desc.index_base = (gl_segsort_index_base)base;
        snprintf(words, sizeof words, "index_base is %d,", base);
        if (base == -1 || base == 2)
            CHECK_RESULT(check_gather(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, words);
        else
            CHECK_RESULT(check_gather(&desc), GL_SEGSORT_SUCCESS, "");
    }
    desc = three_buffers(3);
    desc.barriers_before = 0x10;
    CHECK_RESULT(check_gather(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                 "gl_segsort_gather_desc.barriers_before", "0x00000010");
    desc.barriers_before = UINT32_MAX;
    desc.barriers_after = 0x4001;
    CHECK_RESULT(check_gather(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                 "gl_segsort_gather_desc.barriers_after", "0x00004000");
}

static void views_misformed(void)
{
    lay_out(2);
    for (int i = 0; i < SEGSORT_GATHER_VIEWS; i++) {
        gl_segsort_gather_desc desc = three_buffers(3);
        view_of(&desc, i)->buffer = 0;
        CHECK_RESULT(check_gather(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, names[i],
                     "buffer is 0");
        desc = three_buffers(3);
        view_of(&desc, i)->byte_offset = 6;
        CHECK_RESULT(check_gather(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, names[i],
                     "6 is not a multiple of 4");
        view_of(&desc, i)->byte_offset = 0x4000000000000000;
        CHECK_RESULT(check_gather(&desc), GL_SEGSORT_ERROR_OUT_OF_RANGE, names[i],
                     "past the end of any buffer");
    }
}

/* Each view by one row, with the segment that reaches farthest in it. */
static void views_too_small(void)
{
    static const char *const ranges[] = {"segment 1: rows 9..12 of records exceed its view of 12",
                                         "segment 1: rows 216..219 of indices exceed its view of",
                                         "segment 0: rows 104..109 of output_records exceed its"};
    lay_out(2);
    for (int i = 0; i < SEGSORT_GATHER_VIEWS; i++) {
        gl_segsort_gather_desc desc = three_buffers(3);
        CHECK_RESULT(check_gather(&desc), GL_SEGSORT_SUCCESS, "");
        view_of(&desc, i)->rows--;
        CHECK_RESULT(check_gather(&desc), GL_SEGSORT_ERROR_OUT_OF_RANGE, ranges[i]);
        /* Of the view's own records any number will do, but none. */
        desc.index_base = GL_SEGSORT_INDEX_IN_VIEW;
        CHECK_RESULT(check_gather(&desc),
                     i == SEGSORT_GATHER_RECORDS ? GL_SEGSORT_SUCCESS
                                                 : GL_SEGSORT_ERROR_OUT_OF_RANGE,
                     i == SEGSORT_GATHER_RECORDS ? "" : ranges[i]);
    }
    gl_segsort_gather_desc desc = three_buffers(3);
    desc.index_base = GL_SEGSORT_INDEX_IN_VIEW;
    desc.records.rows = 1;
    CHECK_RESULT(check_gather(&desc), GL_SEGSORT_SUCCESS, "");
    desc.records.rows = 0;
    CHECK_RESULT(check_gather(&desc), GL_SEGSORT_ERROR_OUT_OF_RANGE, "records has no rows");
}

/* A set without rows uses no view, and asks for no words. */
static void nothing_to_gather(void)
{
    const gl_segsort_gather_desc desc = {.index_base = GL_SEGSORT_INDEX_IN_VIEW};
    lay_out(0);
    CHECK_RESULT(check_gather(&desc), GL_SEGSORT_SUCCESS, "");
}

/* ---------------------------------------------------------------------------------------------- */
/* Out of place */

static void outputs_meet_nothing(void)
{
    lay_out(2);
    for (int input = 0; input < SEGSORT_GATHER_OUTPUT; input++) {
        gl_segsort_gather_desc desc = three_buffers(3);
        gl_segsort_view *view = view_of(&desc, input);
        view->buffer = desc.output_records.buffer;
        /* Where the output's first byte and its end are, and the input's in a view at byte 0. */
        uint64_t first = 12 * OUTPUT_KEYS_FIRST, end = 12 * OUTPUT_KEYS_END;
        bool records = input == SEGSORT_GATHER_RECORDS;
        uint64_t own_first = records ? 12 * KEYS_FIRST : 4 * OUTPUT_VALUES_FIRST;
        uint64_t own_end = records ? 12 * KEYS_END : 4 * OUTPUT_VALUES_END;
        view->byte_offset = first - own_end;
        CHECK_RESULT(check_gather(&desc), GL_SEGSORT_SUCCESS, "");
        view->byte_offset += 4;
        CHECK_RESULT(check_gather(&desc), GL_SEGSORT_ERROR_OVERLAP, names[input],
                     "output_records (bytes 1200..1319)", "reach into each other", "buffer 3");
        view->byte_offset = end - own_first;
        CHECK_RESULT(check_gather(&desc), GL_SEGSORT_SUCCESS, "");
        view->byte_offset -= 4;
        CHECK_RESULT(check_gather(&desc), GL_SEGSORT_ERROR_OVERLAP, names[input]);
    }
}

/* A sort may be in place; a gather reads records that others of its work groups have written. */
static void never_in_place(void)
{
    const gl_segsort_segment same = {0, 0, 0, 0, 10};
    const gl_segsort_plan_desc plan = {.segments = &same, .segment_count = 1};
    CHECK_RESULT(check_layouts(&plan, &layout), GL_SEGSORT_SUCCESS, "");
    gl_segsort_gather_desc desc = three_buffers(1);
    desc.output_records = desc.records;
    CHECK_RESULT(check_gather(&desc), GL_SEGSORT_ERROR_OVERLAP, "records (bytes 0..39)",
                 "output_records (bytes 0..39)");
    desc = three_buffers(1);
    desc.output_records = desc.indices;
    CHECK_RESULT(check_gather(&desc), GL_SEGSORT_ERROR_OVERLAP, "indices (bytes 0..39)");
    segsort_use uses[SEGSORT_USES_MAX];
    segsort_desc_gather_uses(&desc, &layout, uses);
    for (int i = 0; i < SEGSORT_USES_MAX; i++)
        CHECK(!uses[i].in_place, "use %d is in place", i);
}

/* Of the records in a view each may be read, not only those that segments reach. */
static void records_of_the_view_count_as_a_whole(void)
{
    lay_out(2);
    gl_segsort_gather_desc desc = three_buffers(1);
    desc.output_records = (gl_segsort_view){2, 0, OUTPUT_KEYS_END};
    desc.records.rows = OUTPUT_KEYS_END;
    CHECK_RESULT(check_gather(&desc), GL_SEGSORT_SUCCESS, "");
    desc.index_base = GL_SEGSORT_INDEX_IN_VIEW;
    CHECK_RESULT(check_gather(&desc), GL_SEGSORT_ERROR_OVERLAP, "records (bytes 0..439)",
                 "output_records (bytes 400..439)");
    desc.records.rows = OUTPUT_KEYS_FIRST;
    CHECK_RESULT(check_gather(&desc), GL_SEGSORT_SUCCESS, "");
}

static void inputs_may_share(void)
{
    lay_out(2);
    gl_segsort_gather_desc desc = three_buffers(1);
    desc.records.rows = desc.indices.rows = 1000;
    desc.indices.buffer = desc.records.buffer;
    CHECK_RESULT(check_gather(&desc), GL_SEGSORT_SUCCESS, "");
    desc.indices.byte_offset = 4;
    CHECK_RESULT(check_gather(&desc), GL_SEGSORT_SUCCESS, "");
    desc.index_base = GL_SEGSORT_INDEX_IN_VIEW;
    CHECK_RESULT(check_gather(&desc), GL_SEGSORT_SUCCESS, "");
}

/* ---------------------------------------------------------------------------------------------- */
/* Numbers near the ends of their types */

static void huge_records(void)
{
    const segsort_limits usual = limits;
    segsort_limits endless = limits;
    endless.storage_bytes = UINT64_MAX;
    lay_out(2);
    gl_segsort_gather_desc desc = three_buffers(0xffffffff);
    /* 10 records of 16 GiB less 4 bytes each, from an aligned byte on. */
    CHECK_RESULT(segsort_desc_check_gather(&desc, &layout, &usual, &error),
                 GL_SEGSORT_ERROR_UNSUPPORTED, "records needs a range of 171798692044 bytes",
                 "GL_MAX_SHADER_STORAGE_BLOCK_SIZE, 134217728");
    CHECK_RESULT(segsort_desc_check_gather(&desc, &layout, &endless, &error), GL_SEGSORT_SUCCESS,
                 "");
    /* One record just fits, whatever the number of words. */
    const gl_segsort_segment one = {0, 0, 0, 0, 1};
    const gl_segsort_plan_desc plan = {.segments = &one, .segment_count = 1};
    CHECK_RESULT(check_layouts(&plan, &layout), GL_SEGSORT_SUCCESS, "");
    desc = three_buffers(1u << 25);
    CHECK_RESULT(check_gather(&desc), GL_SEGSORT_SUCCESS, "");
    desc.record_words++;
    CHECK_RESULT(check_gather(&desc), GL_SEGSORT_ERROR_UNSUPPORTED, "134217732");
}

/* The bytes of a view would pass 2^64: 2^40 records of 2^34 bytes are 2^74. */
static void huge_numbers_do_not_wrap(void)
{
    segsort_limits endless = limits;
    endless.storage_bytes = UINT64_MAX;
    const uint64_t rows[] = {1ull << 40, 1ull << 30, 1ull << 62, UINT64_MAX};
    const uint32_t words[] = {0xffffffff, 1u << 30, 1, 2};
    const uint64_t offsets[] = {0, 4, INT64_MAX / 2 - 3};
    lay_out(2);
    for (size_t r = 0; r < 4; r++)
        for (size_t w = 0; w < 4; w++)
            for (size_t o = 0; o < 3; o++) {
                gl_segsort_gather_desc desc = three_buffers(words[w]);
                desc.index_base = GL_SEGSORT_INDEX_IN_VIEW;
                desc.records = (gl_segsort_view){2, offsets[o], rows[r]};
                bool past = rows[r] > INT64_MAX / 2 / (4 * (uint64_t)words[w]);
                CHECK_RESULT(segsort_desc_check_gather(&desc, &layout, &endless, &error),
                             past ? GL_SEGSORT_ERROR_OUT_OF_RANGE : GL_SEGSORT_SUCCESS,
                             past ? "records has" : "", past ? "past the end of any buffer" : "");
                CHECK_RESULT(check_gather(&desc),
                             past ? GL_SEGSORT_ERROR_OUT_OF_RANGE : GL_SEGSORT_ERROR_UNSUPPORTED,
                             "records");
            }
}

/* Segments at the end of 32 bits of rows, in records of 16 GiB. */
static void huge_offsets_do_not_wrap(void)
{
    const gl_segsort_segment last = {0xfffffffe, 0, 0xfffffffe, 0xfffffffe, 2};
    const gl_segsort_plan_desc plan = {.segments = &last, .segment_count = 1};
    segsort_limits endless = limits;
    endless.storage_bytes = UINT64_MAX;
    CHECK_RESULT(check_layouts(&plan, &layout), GL_SEGSORT_SUCCESS, "");
    gl_segsort_gather_desc desc = {.indices = {1, INT64_MAX / 2 - 3, UINT64_MAX},
                                   .records = {2, INT64_MAX / 2 - 3, UINT64_MAX},
                                   .output_records = {3, INT64_MAX / 2 - 3, UINT64_MAX},
                                   .record_words = 0xffffffff};
    CHECK_RESULT(segsort_desc_check_gather(&desc, &layout, &endless, &error),
                 GL_SEGSORT_ERROR_OUT_OF_RANGE, "4294967296 rows of 17179869180 bytes");
    /* 2^32 records of 2^28 words are just under 2^62 bytes. */
    desc.record_words = (1u << 28) - 1;
    CHECK_RESULT(segsort_desc_check_gather(&desc, &layout, &endless, &error), GL_SEGSORT_SUCCESS,
                 "");
    CHECK_RESULT(check_gather(&desc), GL_SEGSORT_ERROR_UNSUPPORTED, "records");
    desc.output_records.buffer = 2;
    CHECK_RESULT(segsort_desc_check_gather(&desc, &layout, &endless, &error),
                 GL_SEGSORT_ERROR_OVERLAP, "output_records");
    desc.output_records.byte_offset -= 2 * 4 * (uint64_t)desc.record_words;
    CHECK_RESULT(segsort_desc_check_gather(&desc, &layout, &endless, &error), GL_SEGSORT_SUCCESS,
                 "");
}

/* ---------------------------------------------------------------------------------------------- */

/* Which bytes the shaders get to see, for each base. */
static void uses_of_a_gather(void)
{
    lay_out(2);
    for (uint32_t words = 1; words <= 5; words += 2)
        for (int base = 0; base < 2; base++) {
            gl_segsort_gather_desc desc = three_buffers(words);
            segsort_use uses[SEGSORT_USES_MAX];
            desc.index_base = (gl_segsort_index_base)base;
            desc.records.rows = 50;
            segsort_desc_gather_uses(&desc, &layout, uses);
            const uint64_t first[] = {base ? 0 : KEYS_FIRST, OUTPUT_VALUES_FIRST,
                                      OUTPUT_KEYS_FIRST};
            const uint64_t end[] = {base ? 50 : KEYS_END, OUTPUT_VALUES_END, OUTPUT_KEYS_END};
            for (int i = 0; i < SEGSORT_GATHER_VIEWS; i++) {
                uint64_t bytes = i == SEGSORT_GATHER_INDICES ? 4 : 4 * words;
                CHECK(uses[i].extent.first_row == first[i] && uses[i].extent.end_row == end[i] &&
                          uses[i].row_bytes == bytes &&
                          uses[i].output == (i == SEGSORT_GATHER_OUTPUT) &&
                          uses[i].view.buffer == view_of(&desc, i)->buffer &&
                          strcmp(uses[i].name, names[i]) == 0,
                      "%s of %u words, base %d", names[i], words, base);
            }
            for (int i = SEGSORT_GATHER_VIEWS; i < SEGSORT_USES_MAX; i++)
                CHECK(uses[i].row_bytes == 0, "a use that there is not");
        }
}

CHECK_MAIN(CHECK_TEST(fields), CHECK_TEST(views_misformed), CHECK_TEST(views_too_small),
           CHECK_TEST(nothing_to_gather), CHECK_TEST(outputs_meet_nothing),
           CHECK_TEST(never_in_place), CHECK_TEST(records_of_the_view_count_as_a_whole),
           CHECK_TEST(inputs_may_share), CHECK_TEST(huge_records),
           CHECK_TEST(huge_numbers_do_not_wrap), CHECK_TEST(huge_offsets_do_not_wrap),
           CHECK_TEST(uses_of_a_gather))
