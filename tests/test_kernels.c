/* Layer 3: every variant of every kernel that a plan can come to compiles cleanly and uses the
 * bindings that the registry gives it. test_twins.c has what they do. */
#include "check.h"
#include "generate.h"
#include "headless_gl.h"
#include "kernel_program.h"
#include "test_gl.h"
#include "twin_memory.h"

#include <glad/gl.h>
#include <stdlib.h>

enum { KEY_TYPES = 4, VALUE_TYPES = 4, DIRECTIONS = 2, ALGORITHMS = 3 };

static uint32_t shared_bytes; /* the driver's */

/* ---------------------------------------------------------------------------------------------- */
/* Variants */

static struct {
    segsort_variant *list;
    size_t count, capacity;
} variants;

/* The subgroups that kernels are made for besides. */
static struct {
    segsort_subgroup_api api;
    uint32_t size;
} subgroups[3];
static size_t subgroup_count;

static void add_subgroups(segsort_subgroup_api api, uint32_t size)
{
    subgroups[subgroup_count].api = api;
    subgroups[subgroup_count++].size = size;
}

static void add_single_variant(const segsort_variant *variant)
{
    for (size_t i = 0; i < variants.count; i++)
        if (segsort_variant_equal(&variants.list[i], variant))
            return;
    if (variants.count == variants.capacity) {
        variants.capacity = variants.capacity ? 2 * variants.capacity : 64;
        variants.list = realloc(variants.list, variants.capacity * sizeof *variants.list);
        if (!variants.list)
            abort();
    }
    variants.list[variants.count++] = *variant;
}

/* And those for subgroups, which differ by nothing that types have to do with but a key's words. */
static void add_variant(const segsort_variant *like)
{
    segsort_variant variant = *like;
    bool most =
        variant.direction == GL_SEGSORT_ASCENDING && !variant.masked &&
        variant.types.value == GL_SEGSORT_VALUE_U32 &&
        (variant.types.key == GL_SEGSORT_KEY_U32 || variant.types.key == GL_SEGSORT_KEY_U64);
    if (variant.kernel != SEGSORT_KERNEL_SUBGROUP_PROBE)
        add_single_variant(&variant);
    for (size_t i = 0; i < subgroup_count && most; i++) {
        variant.subgroup_api = subgroups[i].api;
        variant.subgroup_size = subgroups[i].size;
        if (segsort_kernel_has_subgroup(variant.kernel, variant.subgroup_api) &&
            segsort_kernel_fits_subgroup(variant.kernel, variant.width,
                                         segsort_variant_threads(&variant), variant.subgroup_size))
            add_single_variant(&variant);
    }
}

/* Slots of two widths do where the types are not those that go through all. */
static bool is_wanted(const segsort_variant *variant, uint32_t plan_shared_bytes)
{
    const segsort_types *types = &variant->types;
    bool all = types->key == GL_SEGSORT_KEY_U32 && types->value == GL_SEGSORT_VALUE_U32;
    return all || variant->kernel != SEGSORT_KERNEL_BUCKET_SLOTS || variant->width == 16 ||
           variant->width == segsort_bucket_width_max(*types, plan_shared_bytes);
}

static void add_plan_variants(const gl_segsort_plan_desc *desc, uint32_t plan_shared_bytes)
{
    segsort_limits limits = twin_limits();
    limits.shared_bytes = plan_shared_bytes;
    segsort_plan plan;
    segsort_error error;
    if (!CHECK(twin_plan_build(desc, &limits, &plan, &error), "%s", error.text))
        return;
    for (uint32_t i = 0; i < plan.pass_count; i++)
        if (is_wanted(&plan.passes[i].variant, plan_shared_bytes))
            add_variant(&plan.passes[i].variant);
    for (uint32_t i = 0; i < plan.gather_pass_count; i++)
        add_variant(&plan.gather_passes[i].variant);
    for (uint32_t i = 0; i < plan.morton_pass_count; i++)
        add_variant(&plan.morton_passes[i].variant);
    twin_plan_release(&plan);
}

/* Those of a plan whose segments the GPU lists. */
static void add_listed_variants(const gl_segsort_plan_desc *like, uint32_t plan_shared_bytes)
{
    gl_segsort_plan_desc desc = *like;
    desc.segment_source = GL_SEGSORT_SEGMENTS_GPU_RANGES;
    desc.max_segments = 100;
    desc.max_rows = 10000;
    add_plan_variants(&desc, plan_shared_bytes);
    desc.end_bit = 20;
    add_plan_variants(&desc, plan_shared_bytes);
}

static bool takes_packs(segsort_kernel_id kernel)
{
    return kernel == SEGSORT_KERNEL_BUCKET_LOCAL || kernel == SEGSORT_KERNEL_BUCKET_EQUAL ||
           kernel == SEGSORT_KERNEL_RANK_LOCAL || kernel == SEGSORT_KERNEL_RANK_QUADS;
}

/* Those of a plan that sorts such lengths, by all bits of the key and by an odd number of digits.
 * */
static void add_variants(const gl_segsort_plan_desc *like, const uint32_t *lengths, size_t count,
                         uint32_t plan_shared_bytes)
{
    gl_segsort_segment segments[32];
    generate_packed_segments(lengths, count, 0, segments);
    for (uint32_t end_bit = 0; end_bit <= 20; end_bit += 20) {
        gl_segsort_plan_desc desc = *like;
        desc.end_bit = end_bit;
        desc.segments = segments;
        desc.segment_count = (uint32_t)count;
        add_plan_variants(&desc, plan_shared_bytes);
    }
}

/* Those of equal segments, by lengths, and of packs of each width. A few where the types are not
 * those that go through all. */
static void add_pack_variants(const gl_segsort_plan_desc *like, bool all,
                              uint32_t plan_shared_bytes)
{
    const uint32_t some[] = {3, 12, 20, 100, 4096}, mixed[] = {9, 300, 700, 1500, 3000};
    const segsort_types types = {like->key_type, like->value_type};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++)
        add_variants(like, &some[i], 1, plan_shared_bytes);
    for (uint32_t length = 1; all && length <= 32; length++)
        add_variants(like, &length, 1, plan_shared_bytes);
    for (uint32_t width = SEGSORT_BUCKET_MIN; width <= SEGSORT_BUCKET_MAX; width *= 2)
        if (all || width == segsort_bucket_width_max(types, plan_shared_bytes))
            add_variants(like, &width, 1, plan_shared_bytes);
    add_variants(like, mixed, sizeof mixed / sizeof mixed[0], plan_shared_bytes);
}

static bool takes_splits(segsort_kernel_id kernel)
{
    return kernel == SEGSORT_KERNEL_SPLIT_SAMPLE || kernel == SEGSORT_KERNEL_SPLIT_COUNT ||
           kernel == SEGSORT_KERNEL_SPLIT_SCATTER || kernel == SEGSORT_KERNEL_SPLIT_FINISH ||
           kernel == SEGSORT_KERNEL_SPLIT_PARTS;
}

/* Those of segments that are split, by lengths: samples of each width, or of one. */
static void add_split_variants(const gl_segsort_plan_desc *like, bool all,
                               uint32_t plan_shared_bytes)
{
    const uint32_t lengths[] = {5000, 8200, 16300, 33000, 90000, 4100};
    const uint32_t with_parts = 300000, twice = 5000000;
    for (size_t i = all ? 0 : 5; i < sizeof lengths / sizeof lengths[0]; i++)
        add_variants(like, &lengths[i], 1, plan_shared_bytes);
    add_variants(like, &with_parts, 1, plan_shared_bytes);
    add_variants(like, &twice, all ? 1 : 0, plan_shared_bytes);
    /* Narrow packs' buckets. */
    for (uint32_t bytes = 16384; all && bytes >= 6144; bytes -= 1024)
        add_variants(like, &lengths[5], 1, bytes);
}

/* For u32 keys and values all widths there are; for the other types a narrow one and the widest,
 * since what differs then is the same in between. Every list has a segment long enough for the
 * kernels across work groups, chunks among them. */
static void find_variants(uint32_t shared_bytes_)
{
    enum { LONG = (SEGSORT_CHUNK_TILES + 1) * SEGSORT_RADIX_TILE_ROWS };
    const segsort_variant depth =
        segsort_untyped_variant(SEGSORT_KERNEL_DEPTH_KEYS, SEGSORT_DEPTH_ROWS);
    const segsort_variant probe =
        segsort_untyped_variant(SEGSORT_KERNEL_SUBGROUP_PROBE, SEGSORT_PROBE_THREADS);
    const uint32_t all[] = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, LONG};
    add_variant(&depth);
    add_variant(&probe);
    for (int i = 0; i < KEY_TYPES * VALUE_TYPES * DIRECTIONS * ALGORITHMS; i++) {
        const gl_segsort_plan_desc desc = {
            .key_type = (gl_segsort_key_type)(i % KEY_TYPES),
            .value_type = (gl_segsort_value_type)(i / KEY_TYPES % VALUE_TYPES),
            .direction = (gl_segsort_direction)(i / (KEY_TYPES * VALUE_TYPES) % DIRECTIONS),
            .algorithm = (gl_segsort_algorithm)(i / (KEY_TYPES * VALUE_TYPES * DIRECTIONS))};
        const segsort_types types = {desc.key_type, desc.value_type};
        const uint32_t some[] = {
            4, segsort_kernel_width_max(SEGSORT_KERNEL_BITONIC_LOCAL, types, shared_bytes_),
            SEGSORT_RADIX_LOCAL_MIN, SEGSORT_RADIX_LOCAL_MAX, LONG};
        bool u32 = desc.key_type == GL_SEGSORT_KEY_U32 && desc.value_type == GL_SEGSORT_VALUE_U32;
        if (desc.algorithm == GL_SEGSORT_ALGORITHM_AUTO) {
            add_pack_variants(&desc, u32, shared_bytes_);
            add_split_variants(&desc, u32, shared_bytes_);
        }
        if (!u32) {
            /* The radix sort's lengths are the network's too. */
            bool network = desc.algorithm != GL_SEGSORT_ALGORITHM_RADIX;
            add_variants(&desc, some, network ? 2 : 0, shared_bytes_);
            add_variants(&desc, some + 2, network ? 0 : 2, shared_bytes_);
            add_variants(&desc, some + 4, 1, shared_bytes_);
            if (desc.algorithm == GL_SEGSORT_ALGORITHM_AUTO)
                add_listed_variants(&desc, shared_bytes_);
            continue;
        }
        add_variants(&desc, all, sizeof all / sizeof all[0], shared_bytes_);
        add_listed_variants(&desc, shared_bytes_);
        /* The less shared memory, the narrower the tiles of the network. */
        if (desc.algorithm == GL_SEGSORT_ALGORITHM_BITONIC)
            for (uint32_t bytes = 32; bytes < shared_bytes_; bytes *= 2)
                add_variants(&desc, all, sizeof all / sizeof all[0], bytes);
    }
}

static void every_kernel_has_variants(void)
{
    const unsigned combinations = KEY_TYPES * VALUE_TYPES * DIRECTIONS;
    for (int id = 0; id < SEGSORT_KERNEL_COUNT; id++) {
        unsigned count = 0, masked = 0;
        for (size_t i = 0; i < variants.count; i++)
            if (variants.list[i].kernel == (segsort_kernel_id)id) {
                count++;
                masked += variants.list[i].masked;
            }
        bool packs = takes_packs((segsort_kernel_id)id);
        bool splits = takes_splits((segsort_kernel_id)id);
        bool slots = id == SEGSORT_KERNEL_BUCKET_SLOTS;
        bool compares = id <= SEGSORT_KERNEL_BITONIC_MERGE || packs || splits || slots;
        if (id >= SEGSORT_KERNEL_GATHER) { /* they order nothing, and few know types */
            const size_t types = id == SEGSORT_KERNEL_LIST_SCATTER ? KEY_TYPES * VALUE_TYPES
                                 : segsort_kernel_writes_codes((segsort_kernel_id)id) ? 2
                                 : id == SEGSORT_KERNEL_SUBGROUP_PROBE ? subgroup_count
                                                                       : 1;
            CHECK(count == types && masked == 0, "%s: %u variants",
                  segsort_kernel_get((segsort_kernel_id)id)->name, count);
            continue;
        }
        unsigned least = id == SEGSORT_KERNEL_RANK_QUADS ? combinations / 4 * 3 : combinations;
        CHECK(count - masked >= least && masked >= (compares ? least : 0),
              "%s: %u variants, %u of them masked", segsort_kernel_get((segsort_kernel_id)id)->name,
              count, masked);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Introspection */

/* Where a buffer is read by four words at a time. */
static bool is_by_quads(const segsort_variant *variant, GLuint program, GLuint index)
{
    char name[64] = "";
    glGetProgramResourceName(program, GL_BUFFER_VARIABLE, index, sizeof name, NULL, name);
    return variant->kernel == SEGSORT_KERNEL_RANK_QUADS && strstr(name, "quads");
}

/* Without values no kernel may ask for a buffer of them, and with row numbers none that reads the
 * inputs alone. */
static uint32_t expected_bindings(const segsort_variant *variant)
{
    const uint32_t input = 1u << SEGSORT_BINDING_VALUES;
    const uint32_t output = 1u << SEGSORT_BINDING_OUTPUT_VALUES;
    uint32_t bindings = segsort_kernel_get(variant->kernel)->storage_bindings;
    bool inputs_alone = variant->kernel == SEGSORT_KERNEL_BITONIC_LOCAL ||
                        variant->kernel == SEGSORT_KERNEL_BITONIC_BLOCK ||
                        variant->kernel == SEGSORT_KERNEL_RADIX_LOCAL ||
                        variant->kernel == SEGSORT_KERNEL_LIST_SCATTER ||
                        takes_packs(variant->kernel) ||
                        variant->kernel == SEGSORT_KERNEL_BUCKET_SLOTS;
    if (variant->types.value == GL_SEGSORT_VALUE_NONE)
        return bindings & ~(input | output);
    if (variant->types.value == GL_SEGSORT_VALUE_INDEX && inputs_alone)
        return bindings & ~input;
    return bindings;
}

static void check_storage_blocks(const segsort_variant *variant, GLuint program)
{
    const char *name = kernel_program_name(variant);
    GLint count = 0;
    uint32_t used = 0;
    glGetProgramInterfaceiv(program, GL_SHADER_STORAGE_BLOCK, GL_ACTIVE_RESOURCES, &count);
    CHECK(count <= 8, "%s: %d storage blocks", name, count);
    for (GLint i = 0; i < count; i++) {
        const GLenum property = GL_BUFFER_BINDING;
        GLint binding = -1;
        glGetProgramResourceiv(program, GL_SHADER_STORAGE_BLOCK, (GLuint)i, 1, &property, 1, NULL,
                               &binding);
        if (CHECK(binding >= 0 && binding < 8, "%s: binding %d", name, binding))
            used |= 1u << binding;
    }
    CHECK(used == segsort_variant_bindings(variant), "%s: uses bindings 0x%x, registered are 0x%x",
          name, used, segsort_variant_bindings(variant));
    CHECK(used == expected_bindings(variant), "%s: uses bindings 0x%x instead of 0x%x", name, used,
          expected_bindings(variant));
    glGetProgramInterfaceiv(program, GL_BUFFER_VARIABLE, GL_ACTIVE_RESOURCES, &count);
    for (GLint i = 0; i < count; i++) {
        const GLenum properties[] = {GL_ARRAY_STRIDE, GL_OFFSET};
        GLint values[2] = {-1, -1};
        glGetProgramResourceiv(program, GL_BUFFER_VARIABLE, (GLuint)i, 2, properties, 2, NULL,
                               values);
        CHECK(values[0] == (is_by_quads(variant, program, (GLuint)i) ? 16 : 4) && values[1] == 0,
              "%s: array stride %d at offset %d", name, values[0], values[1]);
    }
}

static void check_uniforms(const segsort_variant *variant, GLuint program)
{
    const char *name = kernel_program_name(variant);
    const GLenum properties[] = {GL_BUFFER_BINDING, GL_BUFFER_DATA_SIZE};
    const GLint params_bytes = (GLint)sizeof(struct segsort_pass_params);
    const bool depth = variant->kernel == SEGSORT_KERNEL_DEPTH_KEYS;
    const bool of_a_plan = !depth && variant->kernel != SEGSORT_KERNEL_SUBGROUP_PROBE;
    GLint values[2] = {-1, -1}, count = 0, size[3] = {0};
    glGetProgramInterfaceiv(program, GL_UNIFORM_BLOCK, GL_ACTIVE_RESOURCES, &count);
    CHECK(count == of_a_plan, "%s: %d uniform blocks", name, count);
    if (of_a_plan) {
        glGetProgramResourceiv(program, GL_UNIFORM_BLOCK, 0, 2, properties, 2, NULL, values);
        CHECK(values[0] == SEGSORT_BINDING_PASS, "%s: uniform binding %d", name, values[0]);
        /* std140 may round up to a vec4. */
        CHECK(values[1] >= params_bytes && values[1] <= (params_bytes + 15) / 16 * 16,
              "%s: %d bytes of parameters, in C %d", name, values[1], params_bytes);
    }
    CHECK(glGetUniformLocation(program, "depth_planes[0]") ==
              (depth ? SEGSORT_LOCATION_DEPTH_PLANES : -1),
          "%s: depth_planes is elsewhere", name);
    /* Only those that a kernel uses are set: GL may have no place for the others. */
    CHECK(glGetUniformLocation(program, "view_word[0]") ==
              (segsort_kernel_reads_views(variant->kernel) ? SEGSORT_LOCATION_VIEW_WORD : -1),
          "%s: view_word is elsewhere", name);
    CHECK(glGetUniformLocation(program, "list_word[0]") ==
              (segsort_kernel_reads_list(variant->kernel) ? SEGSORT_LOCATION_LIST_WORD : -1),
          "%s: list_word is elsewhere", name);
    glGetProgramiv(program, GL_COMPUTE_WORK_GROUP_SIZE, size);
    CHECK((uint32_t)size[0] == segsort_variant_threads(variant) && size[1] == 1 && size[2] == 1,
          "%s: work group of %d", name, size[0]);
}

/* Each member of the parameters lies where C has it. */
static void check_members(const segsort_variant *variant, GLuint program)
{
#define MEMBER(name)                                                                               \
    {                                                                                              \
#name, offsetof(struct segsort_pass_params, name)                                          \
    }
    static const struct {
        const char *name;
        size_t offset;
    } members[] = {MEMBER(first_group),       MEMBER(item_count),
                   MEMBER(segment_word),      MEMBER(tile_word),
                   MEMBER(partner_mask),      MEMBER(key_mask_low),
                   MEMBER(key_mask_high),     MEMBER(source),
                   MEMBER(destination),       MEMBER(digit_shift),
                   MEMBER(digit_bits),        MEMBER(long_word),
                   MEMBER(chunk_word),        MEMBER(chunk_counts),
                   MEMBER(digit_starts),      MEMBER(slot_count),
                   MEMBER(slot_rows),         MEMBER(list_source),
                   MEMBER(list_stride),       MEMBER(rows_max),
                   MEMBER(slot_inverse),      MEMBER(equal_keys),
                   MEMBER(equal_values),      MEMBER(equal_rows),
                   MEMBER(equal_output_keys), MEMBER(equal_output_values),
                   MEMBER(length_max),        MEMBER(class_count),
                   MEMBER(class_shift),       MEMBER(tile_rows),
                   MEMBER(recipe_word),       MEMBER(recipe_count),
                   MEMBER(head_word),         MEMBER(group_word),
                   MEMBER(groups_x),          MEMBER(groups_xy),
                   MEMBER(box_word),          MEMBER(step_limit),
                   MEMBER(split_word),        MEMBER(finish_word),
                   MEMBER(splitters),         MEMBER(bunch_starts),
                   MEMBER(tile_sums),         MEMBER(first_sum),
                   MEMBER(sum_count),         MEMBER(twice_word),
                   MEMBER(child_tile_word),   MEMBER(child_segment_word),
                   MEMBER(child_long_word),   MEMBER(child_split_word),
                   MEMBER(child_finish_word), MEMBER(child_bunch_starts),
                   MEMBER(child_bunch_words)};
#undef MEMBER
    const char *name = kernel_program_name(variant);
    CHECK(sizeof members / sizeof members[0] == sizeof(struct segsort_pass_params) / 4,
          "a parameter is not checked");
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        const GLuint index = glGetProgramResourceIndex(program, GL_UNIFORM, members[i].name);
        const GLenum property = GL_OFFSET;
        GLint offset = -1;
        if (index == GL_INVALID_INDEX) /* a driver may leave out what a kernel doesn't use */
            continue;
        glGetProgramResourceiv(program, GL_UNIFORM, index, 1, &property, 1, NULL, &offset);
        CHECK(offset == (GLint)members[i].offset, "%s: %s at byte %d", name, members[i].name,
              offset);
    }
}

/* Every variant, or with GL_SEGSORT_TEST_SHARE=k/n every n-th from number k on: compilers of some
 * drivers take many minutes for all of them, and n programs side by side take less. */
static void variants_compile_and_match_the_registry(void)
{
    const char *share = getenv("GL_SEGSORT_TEST_SHARE");
    unsigned first = 0, step = 1, count = 0;
    bool told = !share || (sscanf(share, "%u/%u", &first, &step) == 2 && first < step);
    if (!CHECK(told, "GL_SEGSORT_TEST_SHARE=%s is not k/n with k below n", share ? share : ""))
        return;
    for (size_t i = first; i < variants.count; i += step, count++) {
        const segsort_variant *variant = &variants.list[i];
        char log[2048];
        GLuint program = kernel_program_make(variant, log, sizeof log);
        CHECK(program != 0 && log[0] == '\0', "%s: %s", kernel_program_name(variant), log);
        if (program == 0)
            continue;
        check_storage_blocks(variant, program);
        check_uniforms(variant, program);
        check_members(variant, program);
        glDeleteProgram(program);
    }
    CHECK(glGetError() == GL_NO_ERROR, "a GL error");
    printf("%u of %zu variants\n", count, variants.count);
}

/* ---------------------------------------------------------------------------------------------- */

static void dump_variant(const char *folder, const segsort_variant *variant)
{
    char name[1024], preamble[1024];
    snprintf(name, sizeof name, "%s/%s-%u-%d-%d-%d-%d-%d-%u.comp", folder,
             segsort_kernel_get(variant->kernel)->name, variant->width, (int)variant->types.key,
             (int)variant->types.value, (int)variant->direction, variant->masked,
             (int)variant->subgroup_api, variant->subgroup_size);
    segsort_variant_preamble(variant, preamble, sizeof preamble);
    FILE *file = fopen(name, "w");
    if (!CHECK(file, "can't write %s", name))
        return;
    fputs(preamble, file);
    fputs(kernel_program_source(variant), file);
    fclose(file);
}

/* Of what the driver has. Nothing runs, so that a size need not be the right one. */
static void find_subgroups(void)
{
    if (test_gl_has_extension("GL_KHR_shader_subgroup"))
        add_subgroups(SEGSORT_SUBGROUP_KHR, 32);
    if (test_gl_has_extension("GL_ARB_shader_ballot") &&
        test_gl_has_extension("GL_ARB_gpu_shader_int64"))
        add_subgroups(SEGSORT_SUBGROUP_ARB, 8);
}

static int run_tests(int argc, char **argv)
{
    struct headless_gl gl;
    if (!headless_gl_create(&gl, 4, 3, false) || !gladLoadGL(headless_gl_get_proc_address)) {
        fprintf(stderr, "%s\n", gl.error);
        return 1;
    }
    GLint bytes = 0;
    glGetIntegerv(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, &bytes);
    shared_bytes = (uint32_t)bytes;
    find_subgroups();
    find_variants(shared_bytes);
    static const struct check_test tests[] = {CHECK_TEST(every_kernel_has_variants),
                                              CHECK_TEST(variants_compile_and_match_the_registry)};
    int result = check_main(argc, argv, tests, sizeof tests / sizeof tests[0]);
    headless_gl_destroy(&gl);
    return result;
}

int main(int argc, char **argv)
{
    int result = 0;
    if (argc > 2 && strcmp(argv[1], "--dump") == 0) {
        add_subgroups(SEGSORT_SUBGROUP_KHR, 32);
        add_subgroups(SEGSORT_SUBGROUP_KHR, 64);
        /* The reference compiler knows ARB's ballots from GLSL 4.50 on only, drivers from 4.30. */
        find_variants(32768);
        for (size_t i = 0; i < variants.count; i++)
            dump_variant(argv[2], &variants.list[i]);
        result = check_failures != 0;
    } else {
        result = run_tests(argc, argv);
    }
    free(variants.list);
    return result;
}
