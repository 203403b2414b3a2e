// Moving rows back and forth between the scratch and the outputs. Invocations read what others of their work group
// wrote: atomics do so whatever is cached, and the buffers need not be coherent for all those buckets that are sorted in
// shared memory. back: from the outputs to the scratch.

SegsortPack segsort_returning(SegsortPack pack)
{
    return SegsortPack(pack.output_keys, pack.output_values, pack.keys, pack.values, pack.rows);
}

uint segsort_load_key_word(uint word, bool back)
{
    if (back)
        return atomicOr(output_keys[word], 0u);
    return atomicOr(keys[word], 0u);
}

void segsort_store_key_word(uint word, bool back, uint bits)
{
    if (back)
        atomicExchange(keys[word], bits);
    else
        atomicExchange(output_keys[word], bits);
}

SEGSORT_KEY segsort_load_key(uint first_word, bool back, uint row)
{
    uint word = first_word + row * SEGSORT_KEY_WORDS;
#if SEGSORT_KEY_WORDS == 1
    return segsort_load_key_word(word, back);
#else
    return uvec2(segsort_load_key_word(word, back), segsort_load_key_word(word + 1u, back));
#endif
}

void segsort_move_key(uint first_word, bool back, uint row, SEGSORT_KEY key)
{
    uint word = first_word + row * SEGSORT_KEY_WORDS;
#if SEGSORT_KEY_WORDS == 1
    segsort_store_key_word(word, back, key);
#else
    segsort_store_key_word(word, back, key.x);
    segsort_store_key_word(word + 1u, back, key.y);
#endif
}

void segsort_move_value(SegsortPack run, bool back, uint row, uint place)
{
#if SEGSORT_VALUE_WORDS > 0
    for (uint i = 0u; i < SEGSORT_VALUE_WORDS; i++) {
        uint from = run.values + row * SEGSORT_VALUE_WORDS + i, to = run.output_values + place * SEGSORT_VALUE_WORDS + i;
        if (back)
            atomicExchange(values[to], atomicOr(output_values[from], 0u));
        else
            atomicExchange(output_values[to], atomicOr(values[from], 0u));
    }
#endif
}
