/* The parts of buffers that the passes of a call read and write, and binding them. */
#ifndef SEGSORT_BIND_H
#define SEGSORT_BIND_H

#include "context.h"

/* A part of a buffer, as a shader storage binding takes it. */
typedef struct segsort_section {
    uint32_t buffer; /* 0: there is none */
    segsort_binding_range range;
} segsort_section;

/* All that the passes on one set can have bound, and where its rows start. */
typedef struct segsort_sections {
    segsort_section keys[SEGSORT_BOUND_PLACES], values[SEGSORT_BOUND_PLACES], work;
    segsort_section list, list_count; /* of a listed plan */
    uint32_t view_word[SEGSORT_VIEW_WORDS];
    uint32_t list_word[SEGSORT_LIST_WORDS];
    bool in_place;
} segsort_sections;

/* The plan's own buffers, as far as passes write them. */
typedef struct segsort_own_sections {
    gl_segsort_view scratch;
    segsort_section table, params, commands; /* of a listed plan */
    uint32_t params_words;                   /* from a pass's parameters to the next one's */
} segsort_own_sections;

/* From what a call uses to sections. In RESTORE mode GL is asked whether the buffers exist and
 * reach far enough. */
gl_segsort_result segsort_bind_find_use(gl_segsort_context *context, const segsort_use *use,
                                        segsort_section *section, uint32_t *view_word);
gl_segsort_result segsort_bind_find_sort(gl_segsort_context *context,
                                         const gl_segsort_sort_desc *desc, const segsort_set *set,
                                         const segsort_own_sections *own,
                                         segsort_sections *sections);
gl_segsort_result segsort_bind_find_gather(gl_segsort_context *context,
                                           const gl_segsort_gather_desc *desc,
                                           const segsort_set *set, segsort_sections *sections);
gl_segsort_result segsort_bind_find_morton(gl_segsort_context *context,
                                           const gl_segsort_sort_desc *sort,
                                           const gl_segsort_morton_keys_desc *desc,
                                           const segsort_set *set, const segsort_own_sections *own,
                                           segsort_sections *sections);

/* A view's rows, as a shader counts them. */
uint32_t segsort_bind_row_limit(const gl_segsort_view *view);

/* As for the views, for the host's scratch. */
gl_segsort_result segsort_bind_check_scratch(gl_segsort_context *context,
                                             const gl_segsort_view *scratch, uint64_t bytes);

/* Nothing where there is no section. */
void segsort_bind_section(const segsort_gl *gl, uint32_t binding, const segsort_section *section);

/* What is bound at the moment. */
typedef struct segsort_bound {
    const segsort_sections *sections; /* NULL: nothing */
    uint32_t source, destination;
} segsort_bound;

/* Binds what a pass from source to destination reads and writes, as far as it isn't. */
void segsort_bind_places(const segsort_gl *gl, const segsort_sections *sections, uint32_t source,
                         uint32_t destination, segsort_bound *bound);

#endif
