#include "tuning.h"

#include "tuning_table.h"

#include <stddef.h>
#include <string.h>

/* Every GL 4.3 driver has as many. */
#define SEGSORT_TUNING_THREADS_MAX 1024u
#define SEGSORT_TUNING_FILL_NONE 101u /* hundredths that no pack is filled to */

/* What the scan takes: groups of 16. */
#define SEGSORT_TUNING_THREADS_MIN 16u

#define SEGSORT_TUNING_ENTRIES (sizeof segsort_tuning_table / sizeof segsort_tuning_table[0])

const segsort_tuning_entry *segsort_tuning_get(uint32_t number)
{
    return number < SEGSORT_TUNING_ENTRIES ? &segsort_tuning_table[number] : NULL;
}

static bool segsort_tuning_fits(const segsort_tuning_entry *entry, const char *vendor,
                                const char *renderer)
{
    if (!entry->marks[0])
        return true;
    for (int i = 0; i < SEGSORT_TUNING_MARKS && entry->marks[i]; i++)
        if (strstr(renderer, entry->marks[i]) || strstr(vendor, entry->marks[i]))
            return true;
    return false;
}

const segsort_tuning_entry *segsort_tuning_find(const char *vendor, const char *renderer)
{
    uint32_t number = 0;
    while (number + 1 < SEGSORT_TUNING_ENTRIES &&
           !segsort_tuning_fits(&segsort_tuning_table[number], vendor, renderer))
        number++;
    return &segsort_tuning_table[number];
}

const segsort_tuning *segsort_tuning_default(void)
{
    return &segsort_tuning_find("", "")->tuning;
}

const char *segsort_tuning_name(uint32_t field)
{
    static const char *const names[] = {
#define SEGSORT_TUNING_NAME(field_, says) #field_,
        SEGSORT_TUNING_FIELDS(SEGSORT_TUNING_NAME)
#undef SEGSORT_TUNING_NAME
    };
    return names[field];
}

const char *segsort_tuning_says(uint32_t field)
{
    static const char *const sentences[] = {
#define SEGSORT_TUNING_SAYS(field_, says) says,
        SEGSORT_TUNING_FIELDS(SEGSORT_TUNING_SAYS)
#undef SEGSORT_TUNING_SAYS
    };
    return sentences[field];
}

uint32_t *segsort_tuning_at(segsort_tuning *tuning, uint32_t field)
{
    static const size_t offsets[] = {
#define SEGSORT_TUNING_OFFSET(field_, says) offsetof(segsort_tuning, field_),
        SEGSORT_TUNING_FIELDS(SEGSORT_TUNING_OFFSET)
#undef SEGSORT_TUNING_OFFSET
    };
    return (uint32_t *)(void *)((char *)tuning + offsets[field]);
}

/* ---------------------------------------------------------------------------------------------- */
/* What the kernels can do */

/* The power of two at or below a number, within bounds that are such. */
static uint32_t segsort_tuning_power(uint32_t number, uint32_t least, uint32_t most)
{
    uint32_t power = least;
    while (power < most && power <= number / 2)
        power *= 2;
    return power;
}

static uint32_t segsort_tuning_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* An invocation has two rows at least, and 32 buckets at most: their counters lie side by side only
 * so far. Fewer invocations take less of shared memory. */
static uint32_t segsort_tuning_pack_threads(uint32_t wanted, uint32_t width, segsort_types types,
                                            uint32_t shared_bytes)
{
    uint32_t buckets = segsort_bucket_count(width);
    uint32_t least =
        buckets / 32 > SEGSORT_TUNING_THREADS_MIN ? buckets / 32 : SEGSORT_TUNING_THREADS_MIN;
    segsort_variant variant = {
        .kernel = SEGSORT_KERNEL_BUCKET_LOCAL, .width = width, .types = types};
    variant.threads = segsort_tuning_power(
        wanted, least, segsort_tuning_least(width / 2, SEGSORT_TUNING_THREADS_MAX));
    while (variant.threads > least && segsort_bucket_bytes(&variant) > shared_bytes)
        variant.threads /= 2;
    return variant.threads;
}

static uint32_t *segsort_tuning_threads_of_width(segsort_tuning *tuning, uint32_t width)
{
    return width <= 256    ? &tuning->pack_threads_256
           : width <= 512  ? &tuning->pack_threads_512
           : width <= 1024 ? &tuning->pack_threads_1024
           : width <= 2048 ? &tuning->pack_threads_2048
                           : &tuning->pack_threads_4096;
}

/* 0 where there is to be none, or is none that fits. */
static uint32_t segsort_tuning_width(uint32_t wanted, uint32_t width_max)
{
    if (wanted < SEGSORT_BUCKET_MIN || width_max < SEGSORT_BUCKET_MIN)
        return 0;
    return segsort_tuning_power(wanted, SEGSORT_BUCKET_MIN, width_max);
}

/* Tiles of 4096 rows, ranked, beside splitters of 64-bit keys, take more than the 32 KiB that GL
 * guarantees. */
static uint32_t segsort_tuning_tile_rows(uint32_t wanted, uint32_t shared_bytes)
{
    return segsort_tuning_power(wanted, 512, shared_bytes < 40960 ? 2048 : 4096);
}

segsort_tuning segsort_tuning_fit(const segsort_tuning *tuning, segsort_types types,
                                  uint32_t shared_bytes)
{
    segsort_tuning fitted = *tuning;
    uint32_t width_max = segsort_bucket_width_max(types, shared_bytes);
    for (uint32_t width = SEGSORT_BUCKET_MIN; width <= SEGSORT_BUCKET_MAX; width *= 2) {
        uint32_t *threads = segsort_tuning_threads_of_width(&fitted, width);
        *threads = segsort_tuning_pack_threads(*threads, width, types, shared_bytes);
    }
    /* Eight rows of a 64-bit key and a 64-bit value each. */
    fitted.rank_threads = segsort_tuning_power(tuning->rank_threads, 16, 128);
    fitted.quads_threads = segsort_tuning_power(tuning->quads_threads, 16, 256);
    fitted.network_threads = segsort_tuning_power(tuning->network_threads, 16, 256);
    fitted.rank_rows_max = segsort_tuning_least(tuning->rank_rows_max, SEGSORT_RANK_LOCAL_MAX);
    /* Buckets of equal segments divide by the length, which they can't by 1 (plan_packs.c). */
    if (fitted.rank_rows_max == 0)
        fitted.rank_rows_max = 1;
    if (fitted.quads_rows_min < 4)
        fitted.quads_rows_min = 4;
    if (fitted.lane_quads_rows_min < 4)
        fitted.lane_quads_rows_min = 4;
    fitted.quads_rows_max = segsort_tuning_least(tuning->quads_rows_max, SEGSORT_RANK_QUADS_MAX);
    fitted.quads_rows_max = segsort_tuning_least(fitted.quads_rows_max, 4 * fitted.quads_threads);
    fitted.pack_rows_max = segsort_tuning_width(tuning->pack_rows_max, width_max);
    /* A class is all of one width of packs, so the classes of the network reach to the narrowest
     * at least. */
    fitted.network_rows_max =
        segsort_tuning_power(tuning->network_rows_max, SEGSORT_BUCKET_MIN, SEGSORT_RADIX_LOCAL_MAX);
    fitted.pack_fill = segsort_tuning_least(tuning->pack_fill, SEGSORT_TUNING_FILL_NONE);
    fitted.tile_rows = segsort_tuning_tile_rows(tuning->tile_rows, shared_bytes);
    if (tuning->team_tile_rows > 0)
        fitted.team_tile_rows = segsort_tuning_power(tuning->team_tile_rows, 1024, 4096);
    if (fitted.chunk_tiles_few < SEGSORT_CHUNK_TILES)
        fitted.chunk_tiles_few = SEGSORT_CHUNK_TILES;
    /* What samples say of them is counted in 32 bits. */
    fitted.part_length_max = segsort_tuning_least(tuning->part_length_max, 1u << 25);
    fitted.buckets_max = segsort_tuning_power(tuning->buckets_max, 2, SEGSORT_DIGITS);
    if (fitted.bucket_rows == 0)
        fitted.bucket_rows = 1;
    fitted.split_rows = segsort_tuning_width(tuning->split_rows, width_max);
    if (fitted.split_rows == 0)
        fitted.split_length_max = 0;
    fitted.long_split_rows = segsort_tuning_width(tuning->long_split_rows, width_max);
    if (fitted.sample_apart == 0)
        fitted.sample_apart = 1;
    return fitted;
}

uint32_t segsort_tuning_threads(const segsort_tuning *tuning, segsort_kernel_id kernel,
                                uint32_t width)
{
    segsort_tuning copy = *tuning;
    if (kernel == SEGSORT_KERNEL_RANK_LOCAL)
        return tuning->rank_threads;
    if (kernel == SEGSORT_KERNEL_RANK_QUADS)
        return tuning->quads_threads;
    if (kernel == SEGSORT_KERNEL_BUCKET_SLOTS && width < SEGSORT_BUCKET_MIN)
        width = SEGSORT_BUCKET_MIN;
    if (segsort_kernel_takes_whole(kernel))
        return *segsort_tuning_threads_of_width(&copy, width);
    if (kernel == SEGSORT_KERNEL_BITONIC_LOCAL && width / 2 < tuning->network_threads)
        return tuning->network_threads;
    return 0;
}
