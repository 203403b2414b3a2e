#include "scene_network_play.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float seconds_at_the_end = 1.5f;
static const float zoom_a_notch = 1.15f, least_zoom = 0.25f, most_zoom = 64;

static void *create(const struct scene_setup *setup, struct failure *failure)
{
    const struct options *options = setup->options;
    struct network_player *player = calloc(1, sizeof *player);
    if (!player) {
        failure_set(failure, "out of memory for the scene of a sort");
        return NULL;
    }
    player->settings = options->network;
    player->settings.seed = (uint64_t)options->seed;
    player->step_milliseconds = 100;
    player->stopped = options->network_step >= 0;
    player->step = player->stopped ? (uint32_t)options->network_step : 0;
    if (scene_network_create(&player->network, &player->settings, setup->get_proc_address,
                             setup->program_cache, failure))
        return player;
    free(player);
    return NULL;
}

static void destroy(void *state)
{
    struct network_player *player = state;
    scene_network_destroy(&player->network);
    free(player);
}

static void resize(void *state, int width, int height)
{
    struct network_player *player = state;
    player->width = width;
    player->height = height;
}

/* ---------------------------------------------------------------------------------------------- */
/* Steps */

/* Padding is never set, so settings are compared one by one. */
static bool same_settings(const struct network_settings *a, const struct network_settings *b)
{
    return a->rows == b->rows && a->segment_count == b->segment_count && a->lengths == b->lengths &&
           a->keys == b->keys && a->distinct == b->distinct && a->direction == b->direction &&
           a->algorithm == b->algorithm && a->seed == b->seed;
}

/* The sort that is wanted, from its beginning. Where that can't be, the old one goes on. */
static void take_settings(struct network_player *player)
{
    struct network_sort *sort = &player->network.sort;
    if (same_settings(&player->settings, &sort->settings))
        return;
    player->trouble.text[0] = '\0';
    if (network_sort_change(sort, &player->settings, &player->trouble)) {
        player->step = 0;
        player->seconds = 0;
    }
    player->settings = sort->settings;
}

static void go_on(struct network_player *player, float seconds)
{
    bool at_the_end = player->step >= player->network.sort.step_count;
    float wait = (float)player->step_milliseconds / 1000;
    player->seconds += seconds;
    if (player->seconds < (at_the_end ? fmaxf(seconds_at_the_end, wait) : wait))
        return;
    player->seconds = 0;
    player->step = at_the_end ? 0 : player->step + 1;
}

static bool update(void *state, unsigned frame, float seconds, struct failure *failure)
{
    struct network_player *player = state;
    struct network_sort *sort = &player->network.sort;
    (void)frame;
    take_settings(player);
    if (!player->stopped)
        go_on(player, seconds);
    if (player->step > sort->step_count)
        player->step = sort->step_count;
    return sort->step == player->step ||
           scene_network_set_step(&player->network, player->step, failure);
}

/* The rows keep clear of panels. */
static void cover(void *state, int left, int right)
{
    struct network_player *player = state;
    player->network.inset[0] = left;
    player->network.inset[1] = right;
}

static void draw(void *state, GLuint framebuffer)
{
    struct network_player *player = state;
    scene_network_draw(&player->network, framebuffer, player->width, player->height);
}

void network_player_go(struct network_player *player, uint32_t step)
{
    player->stopped = true;
    player->seconds = 0;
    player->step = step;
}

void network_player_step(struct network_player *player, int by)
{
    uint32_t last = player->network.sort.step_count, step = player->step;
    if (by > 0 && step < last)
        step++;
    else if (by < 0 && step > 0)
        step--;
    network_player_go(player, step);
}

/* ---------------------------------------------------------------------------------------------- */
/* Keys and mouse */

static void change_setting(struct network_settings *settings, char key)
{
    bool bitonic = settings->algorithm == GL_SEGSORT_ALGORITHM_BITONIC;
    bool ascending = settings->direction == GL_SEGSORT_ASCENDING;
    if (key == 'r')
        settings->seed++;
    else if (key == 'd')
        settings->direction = ascending ? GL_SEGSORT_DESCENDING : GL_SEGSORT_ASCENDING;
    else if (key == 'a')
        settings->algorithm = bitonic ? GL_SEGSORT_ALGORITHM_RADIX : GL_SEGSORT_ALGORITHM_BITONIC;
    else if (key == 'k')
        settings->keys = (enum network_keys)((settings->keys + 1) % (NETWORK_FEW_DISTINCT + 1));
    else if (key == 'l')
        settings->lengths =
            (enum network_lengths)((settings->lengths + 1) % (NETWORK_POWER_LAW + 1));
    else if (key == 'g')
        settings->segment_count = settings->segment_count % 8 + 1;
    else if (key == 'm')
        settings->rows = settings->rows * 2 <= NETWORK_ROWS_MAX ? settings->rows * 2 : 12;
}

static void change_speed(struct network_player *player, bool faster)
{
    uint32_t wait = player->step_milliseconds;
    wait = faster ? wait * 2 / 3 : wait * 3 / 2;
    player->step_milliseconds = wait < 10 ? 10 : wait > 3000 ? 3000 : wait;
}

static void key(void *state, char key)
{
    struct network_player *player = state;
    if (key == 'p')
        player->stopped = !player->stopped;
    else if (key == '.' || key == ',')
        network_player_step(player, key == '.' ? 1 : -1);
    else if (key == 'b' || key == 'e')
        network_player_go(player, key == 'b' ? 0 : player->network.sort.step_count);
    else if (key == '+' || key == '-')
        change_speed(player, key == '+');
    else if (key == 'f')
        network_player_reset_view(player);
    else
        change_setting(&player->settings, key);
}

void network_player_reset_view(struct network_player *player)
{
    player->network.view = (struct network_view){.zoom = 1};
}

static void drag(void *state, float x, float y)
{
    struct network_view *view = &((struct network_player *)state)->network.view;
    view->x += x;
    view->y -= y;
}

/* About the picture's middle. */
static void wheel(void *state, float notches)
{
    struct network_view *view = &((struct network_player *)state)->network.view;
    float zoom = view->zoom * powf(zoom_a_notch, notches);
    zoom = fminf(fmaxf(zoom, least_zoom), most_zoom);
    view->x *= zoom / view->zoom;
    view->y *= zoom / view->zoom;
    view->zoom = zoom;
}

/* ---------------------------------------------------------------------------------------------- */

static void status(void *state, char *text, size_t size)
{
    static const char *const keys[] = {"random", "sorted", "reversed", "few distinct"};
    const struct network_player *player = state;
    const struct network_sort *sort = &player->network.sort;
    struct network_step step;
    network_sort_tell_step(sort, sort->step, &step);
    int length = snprintf(text, size, "step %u of %u", sort->step, sort->step_count);
    if (step.stage > 0)
        length += snprintf(text + length, size - (size_t)length, " (stage %u, stride %u)",
                           step.stage, step.stride);
    snprintf(text + length, size - (size_t)length, ", %u %s rows in %u segments, %s, %s",
             sort->settings.rows, keys[sort->settings.keys], sort->settings.segment_count,
             network_direction_names[sort->settings.direction],
             network_algorithm_names[sort->settings.algorithm]);
}

static size_t plans(void *state, struct scene_plan *plans, size_t room)
{
    const struct network_sort *sort = &((const struct network_player *)state)->network.sort;
    if (room == 0)
        return 0;
    /* At either end there is none but the one of all steps. */
    plans[0] = (struct scene_plan){"up to this step", sort->limited ? sort->limited : sort->whole,
                                   sort->settings.rows};
    return 1;
}

const struct scene scene_network_play = {.name = "network",
                                         .help = "p    play or stop\n"
                                                 ". ,  a step on, a step back\n"
                                                 "b e  to the beginning, to the end\n"
                                                 "+ -  faster, slower\n"
                                                 "r    other rows\n"
                                                 "m    more rows\n"
                                                 "g    more segments\n"
                                                 "l    other lengths of segments\n"
                                                 "k    other keys\n"
                                                 "d    direction\n"
                                                 "a    algorithm\n"
                                                 "f    all rows in view again\n"
                                                 "drag moves the rows, the wheel zooms\n",
                                         .create = create,
                                         .resize = resize,
                                         .update = update,
                                         .draw = draw,
                                         .key = key,
                                         .status = status,
                                         .destroy = destroy,
                                         .panel = network_player_panel,
                                         .cover = cover,
                                         .drag = drag,
                                         .wheel = wheel,
                                         .plans = plans};
