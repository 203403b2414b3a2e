/* The scene "network": a sort played step by step, over and over. */
#ifndef SCENE_NETWORK_PLAY_H
#define SCENE_NETWORK_PLAY_H

#include "scene.h"
#include "scene_network.h"

extern const struct scene scene_network_play;

/* The scene's state. */
struct network_player {
    struct scene_network network;
    struct network_settings settings; /* that are wanted; the network's are those there are */
    int width, height;
    uint32_t step; /* that is wanted */
    uint32_t step_milliseconds;
    float seconds;          /* since the step */
    bool stopped;           /* steps are taken by hand */
    struct failure trouble; /* why settings that were wanted can't be; "" when they can */
};

/* Takes steps forwards or back, and stops there. */
void network_player_step(struct network_player *player, int by);
/* Goes to a step, and stops there. */
void network_player_go(struct network_player *player, uint32_t step);
/* Rows where they were at first. */
void network_player_reset_view(struct network_player *player);

/* The widgets; in scene_network_panel.c. */
void network_player_panel(void *state);

#endif
