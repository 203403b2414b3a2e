/* What is written into the network scene's picture, and its boxes: titles, steps, frames, columns of
 * digits. */
#ifndef NETWORK_LABELS_H
#define NETWORK_LABELS_H

#include "network_layout.h"
#include "overlay.h"

/* The step in a few words, and what did it. */
void network_labels_title(const struct network_sort *sort, char *text, size_t size);
void network_labels_details(const struct network_sort *sort, char *text, size_t size);
/* Whether the rows are right, as the CPU has it. */
void network_labels_oracle(const struct network_sort *sort, char *text, size_t size);

/* How often each digit of the step was among a segment's keys before it, 256 / count digits a
 * column, in the order of the sort. False where no digit is sorted by. */
bool network_labels_digits(const struct network_sort *sort, uint32_t segment, uint32_t count,
                           uint32_t *columns);

/* What lies on the rows; then what is fixed to the picture. */
void network_labels_add(struct overlay *overlay, const struct network_sort *sort,
                        const struct network_picture *picture);

#endif
