/*
 * What each card and driver does best: tuning.h says what the fields are, docs/tuning.md has the
 * measurements. `./run tune` measures a card and writes its row, which goes above the families. The
 * first entry that fits counts.
 */
#ifndef SEGSORT_TUNING_TABLE_H
#define SEGSORT_TUNING_TABLE_H

#include "tuning.h"

/* clang-format off */

/* Measured on an NVIDIA H200, driver 580.159.04, 2^24 rows of u32 pairs. bucket_rows is 384 there,
 * sample_apart 32 and chunk_tiles_few 128; 256 and 16 leave less to chance. */
#define SEGSORT_TUNING_MEASURED(rows, children, apart, tiles)                                      \
    {.rank_threads = 32, .quads_threads = 64, .pack_threads_256 = 128, .pack_threads_512 = 128,    \
     .pack_threads_1024 = 256, .pack_threads_2048 = 512, .pack_threads_4096 = 1024,                \
     .network_threads = 256, .rank_rows_max = 8, .quads_rows_min = 12, .lane_quads_rows_min = 8,  \
     .quads_rows_max = 32,                                                                         \
     .pack_rows_max = 4096, .packs_few = 128, .pack_fill = 60, .slots_rows_min = 16,               \
     .network_rows_max = 512,                                                                      \
     .tile_rows = 2048, .team_tile_rows = 4096, .team_rows_few = 1u << 20,                         \
     .chunk_tiles_few = tiles, .split_length_max = UINT32_MAX, .bucket_rows = rows,                \
     .buckets_max = 256, .part_length_max = 1u << 22, .child_rows = children,                          \
     .split_rows = 2048, .long_split_rows = 4096, .sample_apart = apart}
#define SEGSORT_TUNING_NVIDIA SEGSORT_TUNING_MEASURED(384, 98304, 32, 128)
#define SEGSORT_TUNING_OTHER SEGSORT_TUNING_MEASURED(256, 65536, 16, 64)

static const segsort_tuning_entry segsort_tuning_table[] = {
    /* Measured on Mesa 22.3.6's llvmpipe (LLVM 15.0.6, 256 bits, two cores), 2^18 rows of u32 pairs,
     * beside other work on the same cores; pack_threads_4096 is not, since packs so wide don't fit
     * its shared memory. Invocations of packs are not the fastest, but those whose programs compile
     * in a second less; slots are faster than the network, but have a program a width, which LLVM
     * compiles for a second each. The other drivers of these are not measured. Before the families:
     * SwiftShader names whom it runs under. */
    {.name = "software drivers",
     .marks = {"llvmpipe", "softpipe", "SwiftShader"},
     .tuning = {.rank_threads = 64, .quads_threads = 64, .pack_threads_256 = 32,
                .pack_threads_512 = 64, .pack_threads_1024 = 128, .pack_threads_2048 = 32,
                .pack_threads_4096 = 64, .network_threads = 256, .rank_rows_max = 8,
                .quads_rows_min = 4, .lane_quads_rows_min = 4, .quads_rows_max = 256,
                .pack_rows_max = 4096, .packs_few = 0,
                .pack_fill = 25, .slots_rows_min = 0, .network_rows_max = 512, .tile_rows = 2048,
                .team_tile_rows = 0, .team_rows_few = 0, .chunk_tiles_few = 64,
                .split_length_max = UINT32_MAX, .bucket_rows = 256, .buckets_max = 256,
                .part_length_max = 1u << 22, .child_rows = 1u << 16, .split_rows = 2048,
                .long_split_rows = 4096, .sample_apart = 16}},
    {.name = "NVIDIA", .marks = {"NVIDIA", "nouveau"}, .tuning = SEGSORT_TUNING_NVIDIA},
    /* Taken over from NVIDIA's, not measured. */
    {.name = "AMD",
     .marks = {"AMD", "ATI Technologies", "Radeon", "X.Org"},
     .tuning = SEGSORT_TUNING_OTHER},
    /* Taken over from NVIDIA's, not measured. */
    {.name = "Intel", .marks = {"Intel"}, .tuning = SEGSORT_TUNING_OTHER},
    /* Taken over from NVIDIA's, not measured. */
    {.name = "any driver", .tuning = SEGSORT_TUNING_OTHER},
};

/* clang-format on */

#endif
