#include "results.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

static const char columns[] =
    "gpu,driver,size,case,implementation,algorithm,rows,segments,longest,key_type,keys,direction,"
    "listed,in_place,row_bytes,median_ms,least_ms,most_ms,tenth_ms,ninetieth_ms,repetitions,timer,"
    "clock_mhz,verified,scratch_bytes,table_bytes,list_ms,restore_us,dirty_us,context_ms,"
    "plan_first_ms,plan_again_ms,sort_first_ms,context_kept_ms,plan_kept_ms\n";

void results_slug(const char *renderer, char *slug, size_t size)
{
    size_t length = 0;
    for (const char *at = renderer; *at && *at != '/' && *at != '(' && length + 1 < size; at++) {
        if (isalnum((unsigned char)*at))
            slug[length++] = (char)tolower((unsigned char)*at);
        else if (length > 0 && slug[length - 1] != '-')
            slug[length++] = '-';
    }
    while (length > 0 && slug[length - 1] == '-')
        length--;
    slug[length] = '\0';
}

bool results_open(struct results *results, const char *path, bool append)
{
    results->csv = fopen(path, append ? "a" : "w");
    if (!results->csv) {
        fprintf(stderr, "bench: %s can't be written: %s\n", path, strerror(errno));
        return false;
    }
    fseek(results->csv, 0, SEEK_END);
    if (ftell(results->csv) == 0)
        fputs(columns, results->csv);
    return true;
}

void results_close(struct results *results)
{
    if (results->csv)
        fclose(results->csv);
    results->csv = NULL;
}

void results_heading(void)
{
    printf("%-28s %-16s %9s %10s %10s %10s %8s %7s\n", "case", "implementation", "segments",
           "median ms", "least", "most", "Grow/s", "x copy");
}

static void print_host_times(const struct ours *ours)
{
    printf("    a call takes the host %.1f us, %.1f us dirty; context %.2f ms, plan %.1f ms, then "
           "%.1f ms\n",
           ours->restore_us, ours->dirty_us, ours->context_ms, ours->plan_first_ms,
           ours->plan_again_ms);
    if (ours->plan_kept_ms > 0)
        printf("    with the programs kept: context %.2f ms, plan %.1f ms\n", ours->context_kept_ms,
               ours->plan_kept_ms);
}

static void print_row(const struct results *results, const struct results_row *row)
{
    const struct spread *time = &row->time.milliseconds;
    printf("%-28s %-16s %9zu %10.4f %10.4f %10.4f %8.3f", row->measured->name, row->implementation,
           row->data->count, time->median, time->least, time->most,
           1e-6 * (double)row->data->rows / time->median);
    if (results->copy_ms > 0)
        printf(" %7.2f", time->median / results->copy_ms);
    printf("%s\n", strcmp(row->timer, "host") == 0 ? "  (host clock)" : "");
    if (row->ours && row->ours->list_ms > 0)
        printf("    of this the list %.4f ms\n", row->ours->list_ms);
    if (row->ours)
        print_host_times(row->ours);
    fflush(stdout);
}

/* The renderer's name as one field. */
static void write_text(FILE *csv, const char *text)
{
    for (; *text; text++)
        fputc(*text == ',' || *text == '"' || *text == '\n' ? ' ' : *text, csv);
    fputc(',', csv);
}

static void write_case(const struct results *results, const struct results_row *row)
{
    const struct inputs *inputs = &row->measured->inputs;
    FILE *csv = results->csv;
    write_text(csv, results->gpu);
    write_text(csv, results->driver);
    fprintf(csv, "%u,%s,%s,%s,%zu,%zu,%u,%s,%s,%s,%s,%s,%zu,", results->log2_rows,
            row->measured->name, row->implementation, row->ours ? results->algorithm : "",
            row->data->rows, row->data->count, row->data->longest,
            inputs_key_type_name(inputs->key_type), inputs_keys_name(inputs->keys),
            inputs->direction == GL_SEGSORT_DESCENDING ? "descending" : "ascending",
            row->measured->gpu_listed ? "gpu" : "host", row->measured->in_place ? "yes" : "no",
            row->data->key_words * 8 + 8);
}

/* An unknown number is an empty field. */
static void write_times(FILE *csv, const struct results_row *row)
{
    const struct spread *time = &row->time.milliseconds;
    fprintf(csv, "%.6f,%.6f,%.6f,%.6f,%.6f,%d,%s,", time->median, time->least, time->most,
            time->tenth, time->ninetieth, time->repetitions, row->timer);
    if (row->time.clock)
        fprintf(csv, "%u", row->time.clock);
    else
        fprintf(csv, "unknown");
    fprintf(csv, ",%s,%llu,", row->verified ? "yes" : "no", (unsigned long long)row->scratch_bytes);
}

void results_add(const struct results *results, const struct results_row *row)
{
    print_row(results, row);
    if (!results->csv)
        return;
    write_case(results, row);
    write_times(results->csv, row);
    if (row->ours)
        fprintf(results->csv, "%llu,%.6f,%.3f,%.3f,%.4f,%.4f,%.4f,%.4f",
                (unsigned long long)row->ours->table_bytes, row->ours->list_ms,
                row->ours->restore_us, row->ours->dirty_us, row->ours->context_ms,
                row->ours->plan_first_ms, row->ours->plan_again_ms, row->ours->sort_first_ms);
    else
        fprintf(results->csv, ",,,,,,,");
    if (row->ours && row->ours->plan_kept_ms > 0)
        fprintf(results->csv, ",%.4f,%.4f\n", row->ours->context_kept_ms, row->ours->plan_kept_ms);
    else
        fprintf(results->csv, ",,\n");
    fflush(results->csv);
}
