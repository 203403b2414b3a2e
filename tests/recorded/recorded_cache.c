#include "recorded_cache.h"

#include <string.h>

void recorded_cache_begin(struct recorded_cache *cache)
{
    memset(cache, 0, sizeof *cache);
}

static bool key_is_a_name(const char *key)
{
    size_t length = strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    return length > 8 && length <= 63 && key[length] == '\0';
}

static struct recorded_cache_entry *find(struct recorded_cache *cache, const char *key)
{
    for (size_t i = 0; i < cache->count; i++)
        if (strcmp(cache->entries[i].key, key) == 0)
            return &cache->entries[i];
    return NULL;
}

static size_t load(const char *key, void *data, size_t capacity, void *user)
{
    struct recorded_cache *cache = user;
    const struct recorded_cache_entry *entry = find(cache, key);
    cache->problems += !key_is_a_name(key) || !data != !capacity;
    cache->asked += capacity == 0;
    cache->loads += capacity > 0;
    if (!entry)
        return 0;
    if (capacity > 0)
        memcpy(data, entry->data,
               capacity < RECORDED_CACHE_BYTES ? capacity : RECORDED_CACHE_BYTES);
    return capacity > 0 && cache->claimed > 0 ? cache->claimed : entry->size;
}

static void store(const char *key, const void *data, size_t size, void *user)
{
    struct recorded_cache *cache = user;
    struct recorded_cache_entry *entry = find(cache, key);
    cache->stores++;
    if (!entry && cache->count < RECORDED_CACHE_ENTRIES)
        entry = &cache->entries[cache->count++];
    if (!entry || size > RECORDED_CACHE_BYTES || size == 0 || !key_is_a_name(key)) {
        cache->problems++;
        return;
    }
    strncpy(entry->key, key, sizeof entry->key - 1);
    entry->size = size;
    memcpy(entry->data, data, size);
}

gl_segsort_program_cache recorded_cache_callbacks(struct recorded_cache *cache)
{
    return (gl_segsort_program_cache){load, store, cache};
}
