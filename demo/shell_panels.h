/* The panels that all scenes share, and the one that each brings (panel.h). */
#ifndef SHELL_PANELS_H
#define SHELL_PANELS_H

#include "shell.h"

/* Draws what is to be seen of them into the framebuffer that is bound, whose size it is. seconds:
 * since the call before. Buttons act at once. */
void shell_panels_draw(struct shell *shell, int width, int height, float seconds);

#endif
