#include "network_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const network_keys_names[] = {"random", "sorted", "reversed", "few", NULL};
const char *const network_lengths_names[] = {"uneven", "equal", "power", NULL};
const char *const network_algorithm_names[] = {"auto", "bitonic", "radix", NULL};
const char *const network_direction_names[] = {"ascending", "descending", NULL};

bool network_settings_have(const char *option)
{
    static const char *const options[] = {"--rows",     "--segments",  "--lengths",  "--row-keys",
                                          "--distinct", "--algorithm", "--direction"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (strcmp(options[i], option) == 0)
            return true;
    return false;
}

bool network_settings_number(const char *option, const char *value, uint32_t low, uint32_t high,
                             uint32_t *number, struct failure *failure)
{
    char *end;
    unsigned long parsed = strtoul(value, &end, 10);
    bool digits = *value >= '0' && *value <= '9' && *end == '\0';
    if (!digits || parsed < low || parsed > high)
        return failure_set(failure, "%s %s: not a number of %u to %u", option, value, low, high);
    *number = (uint32_t)parsed;
    return true;
}

/* The number of the name in a list that ends with NULL. */
static bool set_name(const char *option, const char *value, const char *const *names, int *number,
                     struct failure *failure)
{
    char list[128] = "";
    size_t length = 0;
    for (int i = 0; names[i]; i++) {
        if (strcmp(names[i], value) == 0) {
            *number = i;
            return true;
        }
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", i > 0 ? ", " : "",
                                   names[i]);
    }
    return failure_set(failure, "%s %s: none of %s", option, value, list);
}

static bool set_named(struct network_settings *settings, const char *option, const char *value,
                      struct failure *failure)
{
    int number = 0;
    const char *const *names = network_direction_names;
    if (strcmp(option, "--lengths") == 0)
        names = network_lengths_names;
    else if (strcmp(option, "--row-keys") == 0)
        names = network_keys_names;
    else if (strcmp(option, "--algorithm") == 0)
        names = network_algorithm_names;
    if (!set_name(option, value, names, &number, failure))
        return false;
    if (names == network_lengths_names)
        settings->lengths = (enum network_lengths)number;
    else if (names == network_keys_names)
        settings->keys = (enum network_keys)number;
    else if (names == network_algorithm_names)
        settings->algorithm = (gl_segsort_algorithm)number;
    else
        settings->direction = (gl_segsort_direction)number;
    return true;
}

bool network_settings_set(struct network_settings *settings, const char *option, const char *value,
                          struct failure *failure)
{
    if (strcmp(option, "--rows") == 0)
        return network_settings_number(option, value, NETWORK_ROWS_MIN, NETWORK_ROWS_MAX,
                                       &settings->rows, failure);
    if (strcmp(option, "--segments") == 0)
        return network_settings_number(option, value, 1, NETWORK_SEGMENTS_MAX,
                                       &settings->segment_count, failure);
    if (strcmp(option, "--distinct") == 0)
        return network_settings_number(option, value, 1, NETWORK_KEY_END - 1, &settings->distinct,
                                       failure);
    return set_named(settings, option, value, failure);
}

bool network_settings_check(const struct network_settings *settings, struct failure *failure)
{
    if (settings->rows < NETWORK_ROWS_MIN || settings->rows > NETWORK_ROWS_MAX)
        return failure_set(failure, "%u rows: there can be %d to %d", settings->rows,
                           NETWORK_ROWS_MIN, NETWORK_ROWS_MAX);
    if (settings->segment_count < 1 || settings->segment_count > NETWORK_SEGMENTS_MAX)
        return failure_set(failure, "%u segments: there can be 1 to %d", settings->segment_count,
                           NETWORK_SEGMENTS_MAX);
    if (settings->distinct >= NETWORK_KEY_END)
        return failure_set(failure, "%u distinct keys: there can be %u", settings->distinct,
                           NETWORK_KEY_END - 1);
    return true;
}
