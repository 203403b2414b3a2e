#version 430
// Sorts packs of whole segments in one work group each, by buckets: shared/bucket.glsl.
#include "shared/pack.glsl"
#include "shared/rows.glsl"
#include "shared/keys.glsl"
#include "shared/order.glsl"
#include "shared/scan.glsl"
#include "shared/bucket.glsl"

layout(local_size_x = SEGSORT_THREADS) in;

#include "shared/bucket_pack.glsl"

void main()
{
    uint number = segsort_group();
    SegsortPack pack = segsort_pack_or_empty(number);
    segsort_load_starts(number);
    segsort_load_pack(pack);
    segsort_clear_buckets();
    segsort_clear_spans();
    segsort_sync_shared();
    segsort_store_pack(pack, segsort_order_pack(pack));
}
