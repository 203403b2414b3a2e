#include "tuning_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LINE_WIDTH 88

void tuning_file_mark(const char *renderer, char *mark, size_t size)
{
    size_t length = strcspn(renderer, "/(\"\\");
    while (length > 0 && renderer[length - 1] == ' ')
        length--;
    snprintf(mark, size, "%.*s", (int)length, renderer);
}

void tuning_file_write(FILE *file, const char *mark, const segsort_tuning *tuning)
{
    segsort_tuning copy = *tuning;
    int column = 0;
    fprintf(file, "    {.name = \"%s\",\n     .marks = {\"%s\"},\n     .tuning = {", mark, mark);
    for (uint32_t i = 0; i < SEGSORT_TUNING_FIELD_COUNT; i++) {
        char text[64];
        uint32_t value = *segsort_tuning_at(&copy, i);
        int length = value == UINT32_MAX
                         ? snprintf(text, sizeof text, ".%s = UINT32_MAX", segsort_tuning_name(i))
                         : snprintf(text, sizeof text, ".%s = %u", segsort_tuning_name(i), value);
        bool wraps = column + length > LINE_WIDTH - 16;
        fprintf(file, "%s%s", i == 0 ? "" : wraps ? ",\n                " : ", ", text);
        column = wraps ? length : column + length + 2;
    }
    fprintf(file, "}},\n");
}

void tuning_file_print(const segsort_tuning *tuning)
{
    segsort_tuning copy = *tuning;
    for (uint32_t i = 0; i < SEGSORT_TUNING_FIELD_COUNT; i++)
        printf("%-18s %10u  %s\n", segsort_tuning_name(i), *segsort_tuning_at(&copy, i),
               segsort_tuning_says(i));
}

static char *read_text(const char *path)
{
    enum { BYTES_MAX = 1 << 16 };
    FILE *file = fopen(path, "r");
    char *text = file ? calloc(BYTES_MAX, 1) : NULL;
    if (!file)
        fprintf(stderr, "bench: %s can't be read: %s\n", path, strerror(errno));
    if (text && fread(text, 1, BYTES_MAX - 1, file) == 0)
        text[0] = '\0';
    if (file)
        fclose(file);
    return text;
}

static bool read_field(const char *text, const char *name, uint32_t *value)
{
    char wanted[64];
    int length = snprintf(wanted, sizeof wanted, ".%s = ", name);
    const char *found = strstr(text, wanted);
    if (!found)
        return false;
    found += length;
    *value =
        strncmp(found, "UINT32_MAX", 10) == 0 ? UINT32_MAX : (uint32_t)strtoul(found, NULL, 10);
    return true;
}

bool tuning_file_read(const char *path, segsort_tuning *tuning)
{
    char *text = read_text(path);
    bool any = false;
    if (!text)
        return false;
    for (uint32_t i = 0; i < SEGSORT_TUNING_FIELD_COUNT; i++)
        any |= read_field(text, segsort_tuning_name(i), segsort_tuning_at(tuning, i));
    if (!any)
        fprintf(stderr, "bench: %s has no field of a tuning\n", path);
    free(text);
    return any;
}
