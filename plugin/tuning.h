/*
 * What differs from card to card: which kernel sorts which length, and by how many invocations. A
 * table has an entry for each family of drivers and for each card that was measured
 * (tuning_table.h). Sorts are right whatever the numbers are: plans go by what
 * segsort_tuning_fit makes of them. Pure C.
 */
#ifndef SEGSORT_TUNING_H
#define SEGSORT_TUNING_H

#include "kernels.h"

/* X(field, what it says): all of them, in the order in which they are written and printed. */
#define SEGSORT_TUNING_FIELDS(X)                                                                   \
    X(rank_threads, "invocations of rank-local")                                                   \
    X(quads_threads, "invocations of rank-quads")                                                  \
    X(pack_threads_256, "invocations for a pack of 256 rows, by buckets")                          \
    X(pack_threads_512, "of 512 rows")                                                             \
    X(pack_threads_1024, "of 1024 rows")                                                           \
    X(pack_threads_2048, "of 2048 rows")                                                           \
    X(pack_threads_4096, "of 4096 rows")                                                           \
    X(network_threads, "invocations of bitonic-local, at least")                                   \
    X(rank_rows_max, "equal segments up to this length are rank-local's, 1 at least")              \
    X(quads_rows_min, "multiples of four from this length")                                        \
    X(lane_quads_rows_min, "where lanes of a subgroup hand them on, from this length")             \
    X(quads_rows_max, "to this one are rank-quads', 0: none")                                      \
    X(pack_rows_max, "rows of the widest pack, 0: there are none")                                 \
    X(packs_few, "so many packs pay however empty they are")                                       \
    X(pack_fill, "more have to be filled to so many hundredths")                                   \
    X(slots_rows_min, "segments in no pack are sorted by buckets from this length, 0: none is")    \
    X(network_rows_max, "the others of them are the network's up to this length, then radix's")    \
    X(tile_rows, "rows of a tile of the radix sort across work groups")                            \
    X(team_tile_rows, "and where teams of subgroups rank them, 0: they don't")                     \
    X(team_rows_few, "of which a plan of fewer rows has tiles half as long")                       \
    X(chunk_tiles_few, "a longest segment of so many tiles needs no chunks, 64 at least")          \
    X(split_length_max, "longer segments are not split into buckets, 0: none is")                  \
    X(bucket_rows, "rows of a bucket on average, where so many buckets can be")                    \
    X(buckets_max, "buckets of a segment at most, 2 to 256")                                       \
    X(part_length_max, "segments to this length may have larger buckets, sorted part by part")     \
    X(child_rows, "longer ones are split twice, first into buckets of so many rows, 0: none is")   \
    X(split_rows, "rows that a work group sorts of them")                                          \
    X(long_split_rows,                                                                             \
      "or so many of segments too long for that; of larger buckets in parts of twice as many")     \
    X(sample_apart, "one row in so many is a sample, as long as they fit")

typedef struct segsort_tuning {
#define SEGSORT_TUNING_MEMBER(field, says) uint32_t field;
    SEGSORT_TUNING_FIELDS(SEGSORT_TUNING_MEMBER)
#undef SEGSORT_TUNING_MEMBER
} segsort_tuning;

enum {
#define SEGSORT_TUNING_NUMBER(field, says) SEGSORT_TUNING_##field,
    SEGSORT_TUNING_FIELDS(SEGSORT_TUNING_NUMBER)
#undef SEGSORT_TUNING_NUMBER
        SEGSORT_TUNING_FIELD_COUNT
};

#define SEGSORT_TUNING_MARKS 5

typedef struct segsort_tuning_entry {
    const char *name;
    /* It is for drivers whose GL_RENDERER or GL_VENDOR has one of these in it; the last entry has
     * none and is for all. */
    const char *marks[SEGSORT_TUNING_MARKS];
    segsort_tuning tuning;
} segsort_tuning_entry;

/* The first entry that fits a driver's strings; there always is one. */
const segsort_tuning_entry *segsort_tuning_find(const char *vendor, const char *renderer);

/* All entries, in the order in which they are tried; NULL behind the last. */
const segsort_tuning_entry *segsort_tuning_get(uint32_t number);

/* The one for any driver, which plans go by where nothing is said. */
const segsort_tuning *segsort_tuning_default(void);

/* A field's name and value, by its number. */
const char *segsort_tuning_name(uint32_t field);
const char *segsort_tuning_says(uint32_t field);
uint32_t *segsort_tuning_at(segsort_tuning *tuning, uint32_t field);

/* What a plan can go by: each number brought to the nearest that the kernels can do, with these
 * types and so much shared memory. */
segsort_tuning segsort_tuning_fit(const segsort_tuning *tuning, segsort_types types,
                                  uint32_t shared_bytes);

/* Of a fitted one: invocations of a variant's work groups, 0: as many as the kernel has by itself.
 * Those that sort samples and buckets are among the latter: fewer would take more rounds of their
 * loops over a crowded bucket than llvmpipe lets a shader have (docs/kernels/split-finish.md). */
uint32_t segsort_tuning_threads(const segsort_tuning *tuning, segsort_kernel_id kernel,
                                uint32_t width);

#endif
