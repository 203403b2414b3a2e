#include "numbers.h"

static void segsort_swap(uint32_t *a, uint32_t *b)
{
    uint32_t number = *a;
    *a = *b;
    *b = number;
}

static void segsort_sift_down(uint32_t *numbers, uint32_t root, uint32_t count,
                              segsort_compare compare, const void *things)
{
    for (uint64_t child; (child = 2 * (uint64_t)root + 1) < count; root = (uint32_t)child) {
        if (child + 1 < count && compare(things, numbers[child], numbers[child + 1]) < 0)
            child++;
        if (compare(things, numbers[root], numbers[child]) >= 0)
            return;
        segsort_swap(&numbers[root], &numbers[child]);
    }
}

void segsort_numbers_sort(uint32_t *numbers, uint32_t count, segsort_compare compare,
                          const void *things)
{
    for (uint32_t root = count / 2; root > 0; root--)
        segsort_sift_down(numbers, root - 1, count, compare, things);
    for (uint32_t end = count; end > 1; end--) {
        segsort_swap(&numbers[0], &numbers[end - 1]);
        segsort_sift_down(numbers, 0, end - 1, compare, things);
    }
}
