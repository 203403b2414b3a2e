/* Reading a buffer that the GPU works with. */
#ifndef READ_BACK_H
#define READ_BACK_H

#include <stddef.h>

/* The buffer's first bytes, by way of a copy: drivers move a buffer that is read itself to the host, where
 * the next sort finds it, and say so. Waits for the GPU. COPY_READ_BUFFER and COPY_WRITE_BUFFER are
 * 0 afterwards. */
void read_back(unsigned buffer, size_t size, void *data);

#endif
