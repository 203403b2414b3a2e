/* Names of pictures that come in numbers: shot.png gives shot-0001.png, shot-0002.png ... */
#ifndef PICTURE_NAME_H
#define PICTURE_NAME_H

#include <stddef.h>

#include "failure.h"

enum { PICTURE_NAME_SIZE = 4096 };

bool picture_name(char name[PICTURE_NAME_SIZE], const char *path, unsigned number,
                  struct failure *failure);

/* The name of the first number from *number on that no file has; number receives it. */
bool picture_name_free(char name[PICTURE_NAME_SIZE], const char *path, unsigned *number,
                       struct failure *failure);

#endif
