/* Tunings as text: rows of plugin/tuning_table.h. */
#ifndef BENCH_TUNING_FILE_H
#define BENCH_TUNING_FILE_H

#include "tuning.h"

#include <stdio.h>

/* A row for cards whose renderer has mark in it. */
void tuning_file_write(FILE *file, const char *mark, const segsort_tuning *tuning);

/* Each field with what it says. */
void tuning_file_print(const segsort_tuning *tuning);

/* Sets the fields that a file has as ".name = number"; the others stay. False, with a sentence on
 * stderr: there is no such file, or it names none. */
bool tuning_file_read(const char *path, segsort_tuning *tuning);

/* What a renderer is known by: "NVIDIA H200/PCIe/SSE2" is an NVIDIA H200. */
void tuning_file_mark(const char *renderer, char *mark, size_t size);

#endif
