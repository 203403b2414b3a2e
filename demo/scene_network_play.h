/* The scene of a sort at work: a step ten times a second, from the rows as they come to the last. */
#ifndef SCENE_NETWORK_PLAY_H
#define SCENE_NETWORK_PLAY_H

#include "scene.h"

extern const struct scene scene_network_play;

#endif
