/* GL's functions, for whoever has a context. */
#ifndef VIEWER_H
#define VIEWER_H

#include "failure.h"
#include "gl_segsort.h"

/* Loads GL's functions, of 4.3 at least. */
bool viewer_load_gl(gl_segsort_get_proc_address get_proc_address, struct failure *failure);

#endif
