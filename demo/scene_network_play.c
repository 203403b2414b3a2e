#include "scene_network_play.h"

#include <stdio.h>
#include <stdlib.h>

#include "scene_network.h"

static const float seconds_a_step = 0.1f;
static const float seconds_at_the_end = 1.5f;

struct play {
    struct scene_network network;
    struct network_settings settings;
    gl_segsort_get_proc_address get_proc_address;
    int width, height;
    uint32_t step;
    float seconds; /* since the step */
    bool stopped;  /* steps are taken by hand */
    bool changed;  /* the settings, since the network was made */
};

static void *create(const struct scene_setup *setup, struct failure *failure)
{
    struct play *play = calloc(1, sizeof *play);
    if (!play) {
        failure_set(failure, "out of memory for the scene of a sort");
        return NULL;
    }
    play->get_proc_address = setup->get_proc_address;
    play->settings = (struct network_settings){.rows = 96,
                                               .segment_count = 3,
                                               .keys = NETWORK_RANDOM,
                                               .algorithm = GL_SEGSORT_ALGORITHM_BITONIC,
                                               .seed = (uint64_t)setup->options->seed};
    if (scene_network_create(&play->network, &play->settings, play->get_proc_address, failure))
        return play;
    free(play);
    return NULL;
}

static void destroy(void *state)
{
    struct play *play = state;
    scene_network_destroy(&play->network);
    free(play);
}

static void resize(void *state, int width, int height)
{
    struct play *play = state;
    play->width = width;
    play->height = height;
}

/* The sort that the settings ask for, from its beginning. The old one stays where that fails. */
static bool remake(struct play *play, struct failure *failure)
{
    struct scene_network made;
    play->changed = false;
    if (!scene_network_create(&made, &play->settings, play->get_proc_address, failure))
        return false;
    scene_network_destroy(&play->network);
    play->network = made;
    play->step = 0;
    play->seconds = 0;
    return true;
}

static void go_on(struct play *play, float seconds)
{
    bool at_the_end = play->step >= play->network.sort.step_count;
    play->seconds += seconds;
    if (play->seconds < (at_the_end ? seconds_at_the_end : seconds_a_step))
        return;
    play->seconds = 0;
    play->step = at_the_end ? 0 : play->step + 1;
}

static bool update(void *state, unsigned frame, float seconds, struct failure *failure)
{
    struct play *play = state;
    (void)frame;
    if (play->changed && !remake(play, failure))
        return false;
    if (!play->stopped)
        go_on(play, seconds);
    return play->network.sort.step == play->step ||
           scene_network_set_step(&play->network, play->step, failure);
}

static void draw(void *state, GLuint framebuffer)
{
    const struct play *play = state;
    scene_network_draw(&play->network, framebuffer, play->width, play->height);
}

static void step_by_hand(struct play *play, int by)
{
    play->stopped = true;
    if (by > 0 && play->step < play->network.sort.step_count)
        play->step++;
    else if (by < 0 && play->step > 0)
        play->step--;
}

static uint32_t next_algorithm(gl_segsort_algorithm algorithm)
{
    return algorithm == GL_SEGSORT_ALGORITHM_BITONIC ? GL_SEGSORT_ALGORITHM_RADIX
                                                     : GL_SEGSORT_ALGORITHM_BITONIC;
}

static bool change_setting(struct network_settings *settings, char key)
{
    switch (key) {
    case 'r':
        settings->seed++;
        return true;
    case 'd':
        settings->direction = settings->direction == GL_SEGSORT_ASCENDING ? GL_SEGSORT_DESCENDING
                                                                          : GL_SEGSORT_ASCENDING;
        return true;
    case 'a':
        settings->algorithm = (gl_segsort_algorithm)next_algorithm(settings->algorithm);
        return true;
    case 'k':
        settings->keys = (enum network_keys)((settings->keys + 1) % (NETWORK_FEW_DISTINCT + 1));
        return true;
    case 'g':
        settings->segment_count = settings->segment_count % NETWORK_SEGMENTS_MAX + 1;
        return true;
    case 'm':
        settings->rows = settings->rows * 2 <= NETWORK_ROWS_MAX ? settings->rows * 2 : 12;
        return true;
    default:
        return false;
    }
}

static void key(void *state, char key)
{
    struct play *play = state;
    if (key == 'p')
        play->stopped = !play->stopped;
    else if (key == '.' || key == ',')
        step_by_hand(play, key == '.' ? 1 : -1);
    else
        play->changed = change_setting(&play->settings, key) || play->changed;
}

static void status(void *state, char *text, size_t size)
{
    static const char *const keys[] = {"random", "sorted", "reversed", "few distinct"};
    const struct play *play = state;
    const struct network_settings *settings = &play->settings;
    uint32_t stage, stride;
    int length = snprintf(text, size, "step %u of %u", play->step, play->network.sort.step_count);
    if (settings->algorithm == GL_SEGSORT_ALGORITHM_BITONIC &&
        gl_segsort_network_step(play->step, &stage, &stride))
        length +=
            snprintf(text + length, size - (size_t)length, " (stage %u, stride %u)", stage, stride);
    snprintf(text + length, size - (size_t)length, ", %u %s rows in %u segments, %s, %s",
             settings->rows, keys[settings->keys], settings->segment_count,
             settings->direction == GL_SEGSORT_ASCENDING ? "ascending" : "descending",
             settings->algorithm == GL_SEGSORT_ALGORITHM_BITONIC ? "bitonic" : "radix");
}

const struct scene scene_network_play = {.name = "network",
                                         .help = "p    play or stop\n"
                                                 ". ,  a step on, a step back\n"
                                                 "r    other rows\n"
                                                 "m    more rows\n"
                                                 "g    more segments\n"
                                                 "k    other keys\n"
                                                 "d    direction\n"
                                                 "a    algorithm\n",
                                         .create = create,
                                         .resize = resize,
                                         .update = update,
                                         .draw = draw,
                                         .key = key,
                                         .status = status,
                                         .destroy = destroy};
