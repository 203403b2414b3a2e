/* The embedded shaders, as cmake/embed_shaders.cmake writes them. */
#ifndef SEGSORT_SOURCES_H
#define SEGSORT_SOURCES_H

struct segsort_source {
    const char *name; /* the file, relative to glsl/ */
    const char *text; /* with its includes, without #version */
};

extern const struct segsort_source segsort_sources[];
extern const unsigned segsort_source_count;

/* The file that a number in a #line directive, and so in a compile log, stands for. */
extern const char *const segsort_source_files[];
extern const unsigned segsort_source_file_count;

#endif
