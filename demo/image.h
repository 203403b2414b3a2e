/* PNG files, by libspng. */
#ifndef IMAGE_H
#define IMAGE_H

#include "failure.h"

/* Writes a picture of 3 bytes a pixel, the lowest row first. Errors name the file, which is then
 * removed. */
bool image_write_png(const char *path, const unsigned char *rgb, int width, int height,
                     struct failure *failure);

#endif
