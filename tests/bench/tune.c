#include "tune.h"

#include "context.h"
#include "tune_trial.h"
#include "tuning_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define FIELD(name) SEGSORT_TUNING_##name

/* What isn't faster by so much isn't taken: times differ by as much by themselves. */
#define MARGIN 1.02
#define HOST_MARGIN 1.05 /* by the host's clock, with whatever else the host does */
#define ROUNDS 2
#define REPETITIONS_MAX 11
#define CANDIDATES_MAX 8

/* Another field's value while one is measured. */
struct tweak {
    uint32_t field, value;
};

/* A field with some values to choose from, all on the same segments. */
struct choice {
    uint32_t field;
    struct trial_case sorted;
    uint32_t candidates[CANDIDATES_MAX];
    struct tweak tweak; /* of a field that isn't this one; 0, 0: none */
};

/* A field that is a bound: with one value the segments of a step are sorted the one way, with the
 * other the other way. The steps go on as long as the first one is faster. */
struct step {
    struct trial_case sorted;
    uint32_t on, off;
};

struct bound {
    uint32_t field;
    struct step steps[CANDIDATES_MAX];
    struct tweak tweak;
};

/* Lengths that are no multiple of four are not rank-quads'. */
static const struct choice thread_choices[] = {
    {FIELD(rank_threads), {.length = 6}, {16, 32, 64, 128}, {0}},
    {FIELD(quads_threads), {.length = 16}, {16, 32, 64, 128, 256}, {FIELD(quads_rows_max), 32}},
    {FIELD(pack_threads_256), {.length = 127}, {16, 32, 64, 128}, {0}},
    {FIELD(pack_threads_512), {.length = 511}, {16, 32, 64, 128, 256}, {0}},
    {FIELD(pack_threads_1024), {.length = 1023}, {32, 64, 128, 256, 512}, {0}},
    {FIELD(pack_threads_2048), {.length = 2047}, {32, 64, 128, 256, 512, 1024}, {0}},
    {FIELD(pack_threads_4096), {.length = 4095}, {64, 128, 256, 512, 1024}, {0}},
    {FIELD(network_threads),
     {.length = 32, .algorithm = GL_SEGSORT_ALGORITHM_BITONIC},
     {16, 32, 64, 128, 256},
     {0}},
};

static const struct bound local_bounds[] = {
    {FIELD(quads_rows_max),
     {{{.length = 16}, 16, 0},
      {{.length = 32}, 32, 16},
      {{.length = 64}, 64, 32},
      {{.length = 128}, 128, 64},
      {{.length = 256}, 256, 128}},
     {0}},
    {FIELD(quads_rows_min),
     {{{.length = 12}, 12, 16}, {{.length = 8}, 8, 12}, {{.length = 4}, 4, 8}},
     {0}},
    {FIELD(lane_quads_rows_min), {{{.length = 8}, 8, 16}}, {0}},
    {FIELD(rank_rows_max),
     {{{.length = 2}, 2, 0},
      {{.length = 3}, 3, 2},
      {{.length = 5}, 5, 3},
      {{.length = 6}, 6, 5},
      {{.length = 7}, 8, 6}},
     {0}},
    {FIELD(slots_rows_min),
     {{{.length = 64, .scattered = true}, 64, 128},
      {{.length = 32, .scattered = true}, 32, 64},
      {{.length = 16, .scattered = true}, 16, 32},
      {{.length = 8, .scattered = true}, 8, 16}},
     {FIELD(packs_few), 0}},
    {FIELD(network_rows_max),
     {{{.length = 512}, 512, 256},
      {{.length = 1024}, 1024, 512},
      {{.length = 2048}, 2048, 1024},
      {{.length = 4096}, 4096, 2048}},
     {FIELD(pack_rows_max), 0}},
    {FIELD(pack_rows_max),
     {{{.length = 200, .uneven = true}, 256, 0},
      {{.length = 400, .uneven = true}, 512, 256},
      {{.length = 800, .uneven = true}, 1024, 512},
      {{.length = 1600, .uneven = true}, 2048, 1024},
      {{.length = 3200, .uneven = true}, 4096, 2048}},
     {0}},
    {FIELD(pack_fill),
     {{{.length = 224, .scattered = true}, 85, 101},
      {{.length = 192, .scattered = true}, 70, 85},
      {{.length = 160, .scattered = true}, 60, 70},
      {{.length = 128, .scattered = true}, 40, 60},
      {{.length = 64, .scattered = true}, 20, 40},
      {{.length = 32, .scattered = true}, 10, 20},
      {{.length = 16, .scattered = true}, 5, 10}},
     {FIELD(packs_few), 0}},
    {FIELD(packs_few),
     {{{.length = 2, .segments_max = 64, .scattered = true}, 64, 0},
      {{.length = 2, .segments_max = 256, .scattered = true}, 256, 64},
      {{.length = 2, .segments_max = 1024, .scattered = true}, 1024, 256},
      {{.length = 2, .segments_max = 4096, .scattered = true}, 4096, 1024}},
     {FIELD(pack_fill), 101}},
};

static const struct choice long_choices[] = {
    {FIELD(tile_rows), {.length = 65536}, {1024, 2048, 4096}, {FIELD(split_length_max), 0}},
    {FIELD(team_tile_rows), {.length = 65536}, {2048, 4096}, {FIELD(split_length_max), 0}},
    {FIELD(bucket_rows), {.length = 16384}, {64, 128, 256, 512}, {FIELD(split_length_max), 16384}},
    {FIELD(split_rows), {.length = 16384}, {1024, 2048, 4096}, {FIELD(split_length_max), 16384}},
    {FIELD(sample_apart), {.length = 16384}, {8, 16, 32}, {FIELD(split_length_max), 16384}},
};

static const struct bound long_bounds[] = {
    {FIELD(team_rows_few),
     {{{.length = 1u << 15, .segments_max = 1}, 1u << 16, 0},
      {{.length = 1u << 17, .segments_max = 1}, 1u << 18, 1u << 16},
      {{.length = 1u << 19, .segments_max = 1}, 1u << 20, 1u << 18}},
     {FIELD(split_length_max), 0}},
    {FIELD(long_split_rows), {{{.length = 200000}, 4096, 0}}, {FIELD(part_length_max), 0}},
    {FIELD(part_length_max), {{{.length = 1u << 19, .segments_max = 1}, 1u << 22, 0}}, {0}},
    {FIELD(chunk_tiles_few),
     {{{.length = 1u << 18, .segments_max = 1}, 128, 64}},
     {FIELD(split_length_max), 0}},
    {FIELD(split_length_max),
     {{{.length = 5000}, 5000, 0},
      {{.length = 16384}, 16384, 5000},
      {{.length = 60000}, UINT32_MAX, 16384}},
     {0}},
};

struct tuner {
    struct trial trial;
    segsort_tuning tuning; /* the best so far */
    size_t number, count;
    double margin;
    bool verify;
};

static segsort_tuning with(const segsort_tuning *tuning, uint32_t field, uint32_t value,
                           const struct tweak *tweak)
{
    segsort_tuning changed = *tuning;
    if (tweak->field != 0 || tweak->value != 0)
        *segsort_tuning_at(&changed, tweak->field) = tweak->value;
    *segsort_tuning_at(&changed, field) = value;
    return changed;
}

static void heading(struct tuner *tuner, uint32_t field, uint32_t length)
{
    printf("[%zu/%zu] %s, %u rows:", ++tuner->number, tuner->count, segsort_tuning_name(field),
           length);
}

/* Candidates in turn, and all of them again, so that what else the machine does hits one of a
 * candidate's times at most. The lesser counts. */
static void time_tunings(struct tuner *tuner, const struct trial_case *sorted,
                         const segsort_tuning *tunings, double *times, size_t count)
{
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < count; i++) {
            tuner->trial.verify = tuner->verify && round == 0;
            double time = trial_run(&tuner->trial, sorted, &tunings[i]);
            times[i] = round == 0 || time < times[i] ? time : times[i];
        }
}

/* Whether they come to the same on this driver: not everything fits its shared memory. */
static bool is_alike(const struct tuner *tuner, const segsort_tuning *a, const segsort_tuning *b)
{
    const segsort_types types = {GL_SEGSORT_KEY_U32, GL_SEGSORT_VALUE_U32};
    uint32_t shared_bytes = tuner->trial.context->limits.shared_bytes;
    segsort_tuning left = segsort_tuning_fit(a, types, shared_bytes);
    segsort_tuning right = segsort_tuning_fit(b, types, shared_bytes);
    return memcmp(&left, &right, sizeof left) == 0;
}

/* Tiles are ranked by teams of subgroups or without, and one of the fields says nothing. Plans that
 * were made before have found out which. */
static bool has_effect(const struct tuner *tuner, uint32_t field)
{
    bool possible = segsort_kernel_matches(SEGSORT_KERNEL_RADIX_SCATTER,
                                           tuner->trial.context->limits.subgroup_size);
    bool teams = possible && tuner->tuning.team_tile_rows > 0;
    if (field == FIELD(tile_rows))
        return !teams;
    if (field == FIELD(team_tile_rows))
        return possible;
    return field != FIELD(team_rows_few) || teams;
}

static void say_without_effect(void)
{
    printf(" as it is, since no kernel of this driver's goes by it\n");
}

static void choose(struct tuner *tuner, const struct choice *choice)
{
    uint32_t *value = segsort_tuning_at(&tuner->tuning, choice->field), best = *value;
    uint32_t values[CANDIDATES_MAX + 1] = {best};
    segsort_tuning tunings[CANDIDATES_MAX + 1];
    double times[CANDIDATES_MAX + 1] = {0}, least;
    size_t count = 1;
    tunings[0] = with(&tuner->tuning, choice->field, best, &choice->tweak);
    for (size_t i = 0; i < CANDIDATES_MAX && choice->candidates[i]; i++) {
        tunings[count] = with(&tuner->tuning, choice->field, choice->candidates[i], &choice->tweak);
        values[count] = choice->candidates[i];
        count += !is_alike(tuner, &tunings[0], &tunings[count]);
    }
    heading(tuner, choice->field, choice->sorted.length);
    if (!has_effect(tuner, choice->field)) {
        say_without_effect();
        return;
    }
    time_tunings(tuner, &choice->sorted, tunings, times, count);
    least = times[0];
    for (size_t i = 0; i < count; i++) {
        bool better = times[i] * tuner->margin < least;
        printf(" %u %.4f%s", values[i], times[i], i + 1 < count ? "," : " ms");
        best = better ? values[i] : best;
        least = better ? times[i] : least;
    }
    *value = best;
    printf(" -> %u\n", best);
    fflush(stdout);
}

static bool take_step(struct tuner *tuner, const struct bound *bound, const struct step *step)
{
    uint32_t value = *segsort_tuning_at(&tuner->tuning, bound->field);
    bool rising = step->on > step->off, is_on = rising ? value >= step->on : value <= step->on;
    const segsort_tuning tunings[] = {with(&tuner->tuning, bound->field, step->on, &bound->tweak),
                                      with(&tuner->tuning, bound->field, step->off, &bound->tweak)};
    double times[2] = {0};
    time_tunings(tuner, &step->sorted, tunings, times, 2);
    printf(" %u: %.4f or %.4f;",
           step->sorted.segments_max > 1 ? step->sorted.segments_max : step->sorted.length,
           times[0], times[1]);
    return is_on ? times[0] < times[1] * tuner->margin : times[0] * tuner->margin < times[1];
}

/* A step whose segments have more rows than there are says nothing against a bound beyond it. */
static uint32_t untried_bound(const struct bound *bound, uint32_t value, uint32_t best)
{
    bool rising = bound->steps[0].on > bound->steps[0].off;
    return (rising ? value > best : value < best) ? value : best;
}

static void find_bound(struct tuner *tuner, const struct bound *bound)
{
    uint32_t *value = segsort_tuning_at(&tuner->tuning, bound->field);
    uint32_t best = bound->steps[0].off;
    heading(tuner, bound->field, bound->steps[0].sorted.length);
    if (!has_effect(tuner, bound->field)) {
        say_without_effect();
        return;
    }
    for (size_t i = 0; i < CANDIDATES_MAX && bound->steps[i].sorted.length > 0; i++) {
        if (bound->steps[i].sorted.length > tuner->trial.data.rows) {
            printf(" too few rows to go on;");
            best = untried_bound(bound, *value, best);
            break;
        }
        if (!take_step(tuner, bound, &bound->steps[i]))
            break;
        best = bound->steps[i].on;
    }
    *value = best;
    printf(" -> %u\n", best);
    fflush(stdout);
}

static void tune_all(struct tuner *tuner)
{
    tuner->count =
        COUNT(thread_choices) + COUNT(local_bounds) + COUNT(long_choices) + COUNT(long_bounds);
    for (size_t i = 0; i < COUNT(thread_choices); i++)
        choose(tuner, &thread_choices[i]);
    for (size_t i = 0; i < COUNT(local_bounds); i++)
        find_bound(tuner, &local_bounds[i]);
    for (size_t i = 0; i < COUNT(long_choices); i++)
        choose(tuner, &long_choices[i]);
    for (size_t i = 0; i < COUNT(long_bounds); i++)
        find_bound(tuner, &long_bounds[i]);
}

static bool write_row(const struct tuner *tuner, const char *path, uint32_t log2_rows)
{
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    char mark[128];
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "bench: %s can't be written: %s\n", path, strerror(errno));
        return false;
    }
    tuning_file_mark(renderer, mark, sizeof mark);
    fprintf(
        file,
        "    /* Measured by `./run tune` on %s,\n     * OpenGL %s, 2^%u rows of u32 pairs. */\n",
        renderer, (const char *)glGetString(GL_VERSION), log2_rows);
    tuning_file_write(file, mark, &tuner->tuning);
    fclose(file);
    printf("\nthe row for plugin/tuning_table.h is in %s\n", path);
    return true;
}

bool tune(const struct options *options, const segsort_tuning *from, bool host_clock,
          uint32_t log2_rows)
{
    struct tuner tuner = {.trial = {.effort = {.warm_up = options->warm_up / 2,
                                               .repetitions = options->repetitions < REPETITIONS_MAX
                                                                  ? options->repetitions
                                                                  : REPETITIONS_MAX,
                                               .host_clock = host_clock,
                                               .no_clock_rate = true}},
                          .tuning = *from,
                          .margin = host_clock ? HOST_MARGIN : MARGIN,
                          .verify = !options->quick};
    bool right = trial_open(&tuner.trial, log2_rows);
    printf("%s, OpenGL %s, 2^%u rows\n", (const char *)glGetString(GL_RENDERER),
           (const char *)glGetString(GL_VERSION), log2_rows);
    printf("%s; two values are a bound's ways with and without\n",
           options->quick ? "QUICK: nothing is verified" : "every result is verified first");
    if (right) {
        tune_all(&tuner);
        right = !tuner.trial.failed && write_row(&tuner, options->tune, log2_rows);
    }
    trial_close(&tuner.trial);
    return right;
}
