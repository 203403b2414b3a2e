#include "generate.h"

uint64_t generate_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

uint32_t generate_below(uint64_t *state, uint32_t count)
{
    return (uint32_t)(((generate_random(state) >> 32) * count) >> 32);
}

const char *generate_keys_name(enum generate_keys_kind kind)
{
    static const char *const names[GENERATE_KEYS_KINDS] = {"random",   "sorted",       "reversed",
                                                           "constant", "few distinct", "organ pipe",
                                                           "all ones", "extremes"};
    return names[kind];
}

void generate_keys(enum generate_keys_kind kind, uint32_t *keys, size_t count, uint64_t seed)
{
    uint64_t state = seed * 0x9e3779b97f4a7c15u + 88172645463325252u;
    for (size_t i = 0; i < count; i++) {
        uint32_t row = (uint32_t)i, from_end = (uint32_t)(count - 1 - i);
        switch (kind) {
        case GENERATE_RANDOM:
            keys[i] = (uint32_t)(generate_random(&state) >> 16);
            break;
        case GENERATE_SORTED:
            keys[i] = row * 7;
            break;
        case GENERATE_REVERSED:
            keys[i] = from_end * 7;
            break;
        case GENERATE_CONSTANT:
            keys[i] = 0x12345678;
            break;
        case GENERATE_FEW_DISTINCT:
            keys[i] = row % 3;
            break;
        case GENERATE_ORGAN_PIPE:
            keys[i] = row < from_end ? row : from_end;
            break;
        case GENERATE_ALL_ONES:
            keys[i] = 0xffffffff;
            break;
        case GENERATE_EXTREMES:
            keys[i] = row % 2 ? 0xffffffff : 0;
            break;
        case GENERATE_KEYS_KINDS:
            break;
        }
    }
}

void generate_identity(uint32_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (uint32_t)i;
}

/* The generator and seed of the CUDA comparison, so that both sort the same layout. */
size_t generate_power_law(uint32_t cap, size_t rows, uint32_t *lengths)
{
    uint64_t state = 12345;
    size_t count = 0, used = 0;
    for (;;) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        double u = (double)((state >> 11) + 1) / 9007199254740993.0;
        double length = 1.0 / u;
        uint32_t capped = length > cap ? cap : (uint32_t)length;
        if (used + capped > rows)
            return count;
        used += capped;
        if (lengths)
            lengths[count] = capped;
        count++;
    }
}

size_t generate_packed_segments(const uint32_t *lengths, size_t count, uint32_t gap,
                                gl_segsort_segment *segments)
{
    uint32_t row = 0;
    for (size_t i = 0; i < count; i++) {
        row += gap;
        segments[i] = (gl_segsort_segment){row, row, row, row, lengths[i]};
        row += lengths[i];
    }
    return row;
}

void generate_shuffled_segments(gl_segsort_segment *segments, size_t count, uint64_t seed)
{
    uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
    for (size_t i = count; i > 1; i--) {
        uint32_t other = generate_below(&state, (uint32_t)i);
        gl_segsort_segment swap = segments[i - 1];
        segments[i - 1] = segments[other];
        segments[other] = swap;
    }
}
