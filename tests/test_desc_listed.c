/* Layer 1: descriptions whose segments only the GPU knows, and the views of their sorts. Pure C, no
 * GL. */
#include "desc_setup.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum {
    HOST = GL_SEGSORT_SEGMENTS_HOST,
    OFFSETS = GL_SEGSORT_SEGMENTS_GPU_OFFSETS,
    RANGES = GL_SEGSORT_SEGMENTS_GPU_RANGES,
    STRIDED = GL_SEGSORT_SEGMENTS_GPU_STRIDED
};

static segsort_layout layout;

static gl_segsort_plan_desc listed_desc(int source)
{
    return (gl_segsort_plan_desc){.segment_source = (gl_segsort_segment_source)source,
                                  .max_segments = 100,
                                  .max_rows = 1000,
                                  .segment_stride = source == STRIDED ? 50 : 0};
}

static gl_segsort_result lay_out(const gl_segsort_plan_desc *desc)
{
    return check_layouts(desc, &layout);
}

/* ---------------------------------------------------------------------------------------------- */
/* Plans */

static const gl_segsort_segment segment = {0, 0, 0, 0, 7};

static void give(gl_segsort_plan_desc *desc, int field)
{
    switch (field) {
    case 0:
        desc->segments = &segment;
        break;
    case 1:
        desc->segment_count = 1;
        break;
    case 2:
        desc->set_count = 1;
        break;
    case 3:
        desc->max_segments = 1;
        break;
    case 4:
        desc->max_rows = 1;
        break;
    case 5:
        desc->max_length = 1;
        break;
    default:
        desc->segment_stride = 1;
    }
}

/* Each field with each source, alone and with the others that the source has. */
static void fields_without_a_use(void)
{
    static const struct {
        const char *name;
        int used_by; /* a bit for each source */
    } fields[] = {{"segments", 1 << HOST},
                  {"segment_count", 1 << HOST},
                  {"set_count", 1 << HOST},
                  {"max_segments", 1 << OFFSETS | 1 << RANGES | 1 << STRIDED},
                  {"max_rows", 1 << OFFSETS | 1 << RANGES | 1 << STRIDED},
                  {"max_length", 1 << OFFSETS | 1 << RANGES | 1 << STRIDED},
                  {"segment_stride", 1 << STRIDED}};
    for (int source = HOST; source <= STRIDED; source++)
        for (int field = 0; field < (int)COUNT_OF(fields); field++)
            for (int bare = 0; bare < 2; bare++) {
                gl_segsort_plan_desc desc =
                    source == HOST ? (gl_segsort_plan_desc){0} : listed_desc(source);
                char words[80];
                if (bare && source != HOST)
                    desc.max_segments = desc.max_rows = 0;
                give(&desc, field);
                snprintf(words, sizeof words,
                         "gl_segsort_plan_desc.%s is given, but segment_source %d has no use",
                         fields[field].name, source);
                error = (segsort_error){0};
                gl_segsort_result result = segsort_desc_check_fields(&desc, &error);
                if (fields[field].used_by & 1 << source)
                    CHECK(!strstr(error.text, "no use"), "%s with source %d: %s",
                          fields[field].name, source, error.text);
                else
                    CHECK_RESULT(result, GL_SEGSORT_ERROR_INVALID_ARGUMENT, words);
            }
}

static void numbers_out_of_range(void)
{
    for (int source = OFFSETS; source <= STRIDED; source++) {
        gl_segsort_plan_desc desc = listed_desc(source);
        CHECK_RESULT(lay_out(&desc), GL_SEGSORT_SUCCESS, "");
        desc.max_rows = UINT32_MAX;
        CHECK_RESULT(lay_out(&desc), GL_SEGSORT_ERROR_UNSUPPORTED, "max_rows 4294967295",
                     "4294967294");
        desc.max_rows--;
        CHECK_RESULT(lay_out(&desc), GL_SEGSORT_SUCCESS, "");
        desc.max_segments = UINT32_MAX;
        CHECK_RESULT(lay_out(&desc), GL_SEGSORT_SUCCESS, "");
        desc.begin_bit = 33;
        CHECK_RESULT(lay_out(&desc), GL_SEGSORT_ERROR_OUT_OF_RANGE, "begin_bit 33");
    }
    gl_segsort_plan_desc desc = listed_desc(STRIDED);
    desc.segment_stride = 0;
    CHECK_RESULT(lay_out(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT,
                 "gl_segsort_plan_desc.segment_stride is 0");
    const int none[] = {-1, 4, 100};
    for (size_t i = 0; i < COUNT_OF(none); i++) {
        char words[60];
        desc = listed_desc(none[i]);
        snprintf(words, sizeof words, "segment_source is %d, which is no enumerator", none[i]);
        CHECK_RESULT(lay_out(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, words);
    }
}

/* What is known before the GPU has counted: the most there can be. */
static void layouts(void)
{
    static const struct {
        int source;
        uint32_t max_segments, max_rows, max_length, stride;
        uint32_t row_count, longest;
    } cases[] = {{OFFSETS, 100, 1000, 0, 0, 1000, 1000},
                 {OFFSETS, 100, 1000, 70, 0, 1000, 70},
                 {RANGES, 100, 1000, 2000, 0, 1000, 1000},
                 {RANGES, 1, 1, 1, 0, 1, 1},
                 {STRIDED, 100, 1000, 0, 50, 1000, 50},
                 {STRIDED, 100, 1000, 70, 50, 1000, 50},
                 {STRIDED, 100, 1000, 30, 50, 1000, 30},
                 {STRIDED, 100, 1000, 0, UINT32_MAX, 1000, 1000},
                 {OFFSETS, 0, 1000, 0, 0, 0, 1000},
                 {OFFSETS, 100, 0, 0, 0, 0, 0},
                 {STRIDED, 100, 0, 9, 50, 0, 0}};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (int value = 0; value < 4; value++) {
            const gl_segsort_plan_desc desc = {.key_type = GL_SEGSORT_KEY_U64,
                                               .value_type = (gl_segsort_value_type)value,
                                               .begin_bit = 3,
                                               .end_bit = 60,
                                               .segment_source =
                                                   (gl_segsort_segment_source)cases[i].source,
                                               .max_segments = cases[i].max_segments,
                                               .max_rows = cases[i].max_rows,
                                               .max_length = cases[i].max_length,
                                               .segment_stride = cases[i].stride};
            static const uint32_t value_bytes[] = {4, 0, 0, 8}, output_bytes[] = {4, 0, 4, 8};
            memset(&layout, 0xcd, sizeof layout);
            CHECK_RESULT(lay_out(&desc), GL_SEGSORT_SUCCESS, "");
            CHECK(layout.source == desc.segment_source &&
                      layout.segment_count == cases[i].max_segments &&
                      layout.row_count == cases[i].row_count && layout.empty_count == 0,
                  "case %zu: %u segments, %llu rows", i, layout.segment_count,
                  (unsigned long long)layout.row_count);
            CHECK(layout.row_count == 0 || layout.longest == cases[i].longest,
                  "case %zu: the longest has %u rows", i, layout.longest);
            CHECK(layout.row_bytes[0] == 8 && layout.row_bytes[1] == value_bytes[value] &&
                      layout.row_bytes[2] == 8 && layout.row_bytes[3] == output_bytes[value],
                  "case %zu, value type %d: rows", i, value);
            CHECK(layout.begin_bit == 3 && layout.bit_count == 57, "bits");
            CHECK(layout.keys_shifted && layout.values_shifted && layout.keys_shift == 0 &&
                      layout.values_shift == 0,
                  "case %zu: in place is where the views are", i);
        }
}

/* ---------------------------------------------------------------------------------------------- */
/* Sorts */

/* The views of a sort, keys first. */
enum { KEYS, VALUES, OUTPUT_KEYS, OUTPUT_VALUES, LIST, COUNT, STATUS, VIEWS };
#define ROWS 200

static gl_segsort_view *view_of(gl_segsort_sort_desc *desc, int view)
{
    gl_segsort_view *const views[VIEWS] = {
        &desc->keys,
        &desc->values,
        &desc->output_keys,
        &desc->output_values,
        layout.source == GL_SEGSORT_SEGMENTS_GPU_STRIDED ? &desc->segment_lengths : &desc->segments,
        &desc->segment_count,
        &desc->status};
    return views[view];
}

static const char *view_name(int view)
{
    static const char *const names[VIEWS] = {
        "keys", "values", "output_keys", "output_values", "segments", "segment_count", "status"};
    return view == LIST && layout.source == GL_SEGSORT_SEGMENTS_GPU_STRIDED ? "segment_lengths"
                                                                            : names[view];
}

/* Bytes of a view's rows. */
static uint64_t bytes_of(const gl_segsort_sort_desc *desc, int view)
{
    gl_segsort_sort_desc copy = *desc;
    switch (view) {
    case LIST:
        return view_of(&copy, view)->rows *
               (layout.source == GL_SEGSORT_SEGMENTS_GPU_RANGES ? 20 : 4);
    case COUNT:
        return 4;
    case STATUS:
        return 20;
    default:
        return 4 * view_of(&copy, view)->rows;
    }
}

/* Everything in a buffer of its own. */
static gl_segsort_sort_desc right_sort(void)
{
    gl_segsort_sort_desc desc = {0};
    for (int view = 0; view < VIEWS; view++)
        *view_of(&desc, view) = (gl_segsort_view){1 + (uint32_t)view, 4, ROWS + (uint64_t)view};
    view_of(&desc, LIST)->rows = 90;
    view_of(&desc, COUNT)->rows = view_of(&desc, STATUS)->rows = 1;
    return desc;
}

static gl_segsort_result check_sort(const gl_segsort_sort_desc *desc)
{
    error = (segsort_error){0};
    return segsort_desc_check_sort(desc, &layout, &limits, &error);
}

static void for_each_source(void (*check)(void))
{
    for (int source = OFFSETS; source <= STRIDED; source++) {
        const gl_segsort_plan_desc desc = listed_desc(source);
        CHECK_RESULT(lay_out(&desc), GL_SEGSORT_SUCCESS, "");
        gl_segsort_sort_desc sort = right_sort();
        CHECK_RESULT(check_sort(&sort), GL_SEGSORT_SUCCESS, "");
        check();
    }
}

static void check_each_view(void)
{
    for (int view = 0; view < VIEWS; view++) {
        char words[80];
        gl_segsort_sort_desc desc = right_sort();
        view_of(&desc, view)->buffer = 0;
        snprintf(words, sizeof words, "%s.buffer is 0", view_name(view));
        if (view == COUNT || view == STATUS)
            CHECK_RESULT(check_sort(&desc), GL_SEGSORT_SUCCESS, "");
        else
            CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, words);
        desc = right_sort();
        view_of(&desc, view)->byte_offset = 6;
        snprintf(words, sizeof words, "%s.byte_offset 6 is not a multiple of 4", view_name(view));
        CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, words);
        view_of(&desc, view)->byte_offset = UINT64_MAX - 3;
        snprintf(words, sizeof words, "%s.byte_offset %llu is past the end", view_name(view),
                 (unsigned long long)(UINT64_MAX - 3));
        CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_OUT_OF_RANGE, words);
        desc = right_sort();
        view_of(&desc, view)->rows = 0;
        snprintf(words, sizeof words, "%s has no rows", view_name(view));
        CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_OUT_OF_RANGE, words);
    }
}

static void views_by_themselves(void)
{
    for_each_source(check_each_view);
}

/* The list that the source doesn't read may be anything. */
static void check_other_list(void)
{
    gl_segsort_sort_desc desc = right_sort();
    gl_segsort_view *other =
        layout.source == GL_SEGSORT_SEGMENTS_GPU_STRIDED ? &desc.segments : &desc.segment_lengths;
    *other = (gl_segsort_view){1 + OUTPUT_KEYS, 3, 7};
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_SUCCESS, "");
    *other = *view_of(&desc, LIST);
    *view_of(&desc, LIST) = (gl_segsort_view){0};
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, view_name(LIST),
                 "buffer is 0");
}

static void the_other_list(void)
{
    for_each_source(check_other_list);
}

/* Each view up to GL's limit, aligned and not. */
static void check_large_views(void)
{
    for (int view = 0; view < LIST; view++) {
        char words[80];
        gl_segsort_sort_desc desc = right_sort();
        view_of(&desc, view)->byte_offset = 0;
        view_of(&desc, view)->rows = limits.storage_bytes / 4;
        CHECK_RESULT(check_sort(&desc), GL_SEGSORT_SUCCESS, "");
        view_of(&desc, view)->byte_offset = 4;
        snprintf(words, sizeof words, "%s needs a range of %llu bytes", view_name(view),
                 (unsigned long long)limits.storage_bytes + 4);
        CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_UNSUPPORTED, words,
                     "GL_MAX_SHADER_STORAGE_BLOCK_SIZE");
        view_of(&desc, view)->rows = UINT64_MAX;
        CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_OUT_OF_RANGE, view_name(view),
                     "past the end of any buffer");
    }
    /* A list has no more entries than the plan has segments. */
    gl_segsort_sort_desc desc = right_sort();
    view_of(&desc, LIST)->rows = view_of(&desc, COUNT)->rows = view_of(&desc, STATUS)->rows =
        UINT64_MAX;
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_SUCCESS, "");
}

static void large_views(void)
{
    for_each_source(check_large_views);
}

static bool is_output(int view)
{
    return view == OUTPUT_KEYS || view == OUTPUT_VALUES || view == STATUS;
}

/* Every two views side by side, then with a word in common, either way round. */
static void check_pairs(void)
{
    for (int a = 0; a < VIEWS; a++)
        for (int b = 0; b < VIEWS; b++) {
            if (a == b)
                continue;
            gl_segsort_sort_desc desc = right_sort();
            gl_segsort_view *first = view_of(&desc, a), *second = view_of(&desc, b);
            second->buffer = first->buffer;
            second->byte_offset = first->byte_offset + bytes_of(&desc, a);
            CHECK_RESULT(check_sort(&desc), GL_SEGSORT_SUCCESS, "");
            second->byte_offset -= 4;
            if (is_output(a) || is_output(b))
                CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_OVERLAP, view_name(a),
                             view_name(b), "reach into each other");
            else
                CHECK_RESULT(check_sort(&desc), GL_SEGSORT_SUCCESS, "");
        }
}

static void views_against_each_other(void)
{
    for_each_source(check_pairs);
}

/* The list takes the bytes of max_segments entries, of one more where they are offsets, whatever the
 * view says. */
static void check_end_of_list(void)
{
    gl_segsort_sort_desc desc = right_sort();
    uint64_t entry = layout.source == GL_SEGSORT_SEGMENTS_GPU_RANGES ? 20 : 4;
    uint64_t end = entry * (layout.source == GL_SEGSORT_SEGMENTS_GPU_OFFSETS ? 101 : 100);
    view_of(&desc, LIST)->rows = 5000;
    desc.status = *view_of(&desc, LIST);
    desc.status.byte_offset += end;
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_SUCCESS, "");
    desc.status.byte_offset -= 4;
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_OVERLAP, "status", view_name(LIST));
}

static void ends_of_lists(void)
{
    for_each_source(check_end_of_list);
}

/* Views that are each other's sort in place, and nothing in between. */
static void check_in_place(void)
{
    for (int input = KEYS; input <= VALUES; input++) {
        char words[100];
        gl_segsort_sort_desc desc = right_sort();
        CHECK(!segsort_desc_in_place(&desc, &layout), "in place in other buffers");
        *view_of(&desc, input) = *view_of(&desc, input + 2);
        CHECK_RESULT(check_sort(&desc), GL_SEGSORT_SUCCESS, "");
        CHECK(segsort_desc_in_place(&desc, &layout), "stream %d is not in place", input);
        for (int more = -1; more <= 1; more += 2) {
            view_of(&desc, input)->rows = view_of(&desc, input + 2)->rows + (uint64_t)more;
            snprintf(words, sizeof words,
                     "%s and %s start at the same byte of buffer %d, but have %d and %d rows",
                     view_name(input), view_name(input + 2), input + 3, ROWS + input + 2 + more,
                     ROWS + input + 2);
            CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_OVERLAP, words);
        }
        *view_of(&desc, input) = *view_of(&desc, input + 2);
        view_of(&desc, input)->byte_offset += 4;
        CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_OVERLAP, view_name(input),
                     view_name(input + 2), "reach into each other");
        /* The other stream's outputs are somebody else's. */
        *view_of(&desc, input) = *view_of(&desc, 3 - input);
        CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_OVERLAP, view_name(3 - input),
                     view_name(input), "reach into each other");
    }
}

static void in_place(void)
{
    for_each_source(check_in_place);
}

static void barrier_bits(void)
{
    const gl_segsort_plan_desc plan = listed_desc(OFFSETS);
    CHECK_RESULT(lay_out(&plan), GL_SEGSORT_SUCCESS, "");
    gl_segsort_sort_desc desc = right_sort();
    desc.barriers_before = 1u << 30;
    CHECK_RESULT(check_sort(&desc), GL_SEGSORT_ERROR_INVALID_ARGUMENT, "barriers_before",
                 "0x40000000");
}

/* Nothing to sort needs no views, whatever they are. */
static void plans_without_rows(void)
{
    for (int source = OFFSETS; source <= STRIDED; source++)
        for (int none = 0; none < 2; none++) {
            gl_segsort_plan_desc plan = listed_desc(source);
            *(none ? &plan.max_rows : &plan.max_segments) = 0;
            CHECK_RESULT(lay_out(&plan), GL_SEGSORT_SUCCESS, "");
            const gl_segsort_sort_desc nothing = {0};
            gl_segsort_sort_desc mixed = right_sort();
            mixed.output_keys = mixed.status = mixed.keys;
            mixed.keys.byte_offset = 3;
            CHECK_RESULT(check_sort(&nothing), GL_SEGSORT_SUCCESS, "");
            CHECK_RESULT(check_sort(&mixed), GL_SEGSORT_SUCCESS, "");
        }
}

/* Streams that a value type has no use for. */
static void value_types(void)
{
    for (int value = 0; value < 4; value++) {
        gl_segsort_plan_desc plan = listed_desc(RANGES);
        plan.value_type = (gl_segsort_value_type)value;
        CHECK_RESULT(lay_out(&plan), GL_SEGSORT_SUCCESS, "");
        for (int view = VALUES; view <= OUTPUT_VALUES; view += 2) {
            gl_segsort_sort_desc desc = right_sort();
            *view_of(&desc, view) = (gl_segsort_view){0};
            bool used = plan.value_type != GL_SEGSORT_VALUE_NONE &&
                        (view == OUTPUT_VALUES || plan.value_type != GL_SEGSORT_VALUE_INDEX);
            CHECK_RESULT(check_sort(&desc),
                         used ? GL_SEGSORT_ERROR_INVALID_ARGUMENT : GL_SEGSORT_SUCCESS, "");
        }
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Entries, and gathers */

static void list_entries(void)
{
    static const uint64_t rows[] = {0, 1, 2, 99, 100, 101, 102, UINT32_MAX, UINT64_MAX};
    for (int source = OFFSETS; source <= STRIDED; source++) {
        const gl_segsort_plan_desc plan = listed_desc(source);
        CHECK_RESULT(lay_out(&plan), GL_SEGSORT_SUCCESS, "");
        for (size_t i = 0; i < COUNT_OF(rows); i++) {
            gl_segsort_sort_desc desc = {0};
            desc.segments.rows = desc.segment_lengths.rows = 77;
            view_of(&desc, LIST)->rows = rows[i];
            /* An offset more than there are segments. */
            uint64_t expected = source == OFFSETS && rows[i] > 0 ? rows[i] - 1 : rows[i];
            expected = expected < 100 ? expected : 100;
            uint32_t entries = segsort_desc_list_entries(&desc, &layout);
            CHECK(entries == expected, "source %d, %llu rows: %u entries", source,
                  (unsigned long long)rows[i], entries);
        }
    }
}

/* The segments may lie anywhere in the views, so each is bound whole. */
static void gathers(void)
{
    for (int source = OFFSETS; source <= STRIDED; source++) {
        const gl_segsort_plan_desc plan = listed_desc(source);
        CHECK_RESULT(lay_out(&plan), GL_SEGSORT_SUCCESS, "");
        for (int base = 0; base < 2; base++) {
            gl_segsort_gather_desc desc = {.indices = {1, 0, 11},
                                           .records = {2, 0, 22},
                                           .output_records = {3, 0, 33},
                                           .record_words = 3,
                                           .index_base = (gl_segsort_index_base)base};
            segsort_use uses[SEGSORT_USES_MAX];
            segsort_desc_gather_uses(&desc, &layout, uses);
            CHECK(uses[SEGSORT_GATHER_INDICES].extent.end_row == 11 &&
                      uses[SEGSORT_GATHER_RECORDS].extent.end_row == 22 &&
                      uses[SEGSORT_GATHER_OUTPUT].extent.end_row == 33,
                  "source %d: views are cut", source);
            CHECK_RESULT(segsort_desc_check_gather(&desc, &layout, &limits, &error),
                         GL_SEGSORT_SUCCESS, "");
            desc.output_records = desc.records;
            CHECK_RESULT(segsort_desc_check_gather(&desc, &layout, &limits, &error),
                         GL_SEGSORT_ERROR_OVERLAP, "output_records", "records");
            desc.output_records.buffer = 3;
            desc.indices.rows = 0;
            CHECK_RESULT(segsort_desc_check_gather(&desc, &layout, &limits, &error),
                         GL_SEGSORT_ERROR_OUT_OF_RANGE, "indices has no rows");
        }
    }
}

CHECK_MAIN(CHECK_TEST(fields_without_a_use), CHECK_TEST(numbers_out_of_range), CHECK_TEST(layouts),
           CHECK_TEST(views_by_themselves), CHECK_TEST(the_other_list), CHECK_TEST(large_views),
           CHECK_TEST(views_against_each_other), CHECK_TEST(ends_of_lists), CHECK_TEST(in_place),
           CHECK_TEST(barrier_bits), CHECK_TEST(plans_without_rows), CHECK_TEST(value_types),
           CHECK_TEST(list_entries), CHECK_TEST(gathers))
