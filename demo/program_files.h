/* Compiled programs in files, so that the viewer starts faster the next time. */
#ifndef PROGRAM_FILES_H
#define PROGRAM_FILES_H

#include "gl_segsort.h"

/* Keeps each program in a file of its own in $XDG_CACHE_HOME/gl_segsort or ~/.cache/gl_segsort.
 * Where that can't be read or written, programs are compiled, and nobody is told. {0} where there
 * are no such folders. */
gl_segsort_program_cache program_files_cache(void);

#endif
