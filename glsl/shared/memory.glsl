// Shared memory.

// What some invocations of the work group write before it, others read behind it.
void segsort_sync_shared()
{
    memoryBarrierShared();
    barrier();
}

// Where an array has its entry of a number. One more in every 32 keeps invocations on different banks that go through
// neighbouring stretches of it, or through entries that lie powers of two apart.
#define SEGSORT_BANKED(number) ((number) + ((number) >> 5))
