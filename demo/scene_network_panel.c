#include "network_labels.h"
#include "panel.h"
#include "scene_network_play.h"

enum { FEW = 5, SEEDS = 1000 };

static void tell_step(const struct network_sort *sort)
{
    char text[256];
    network_labels_title(sort, text, sizeof text);
    panel_text("%s", text);
    network_labels_details(sort, text, sizeof text);
    panel_paragraph(text);
    network_labels_oracle(sort, text, sizeof text);
    panel_paragraph(text);
}

static void play_buttons(struct network_player *player)
{
    if (panel_button(player->stopped ? "Play##play" : "Stop##play"))
        player->stopped = !player->stopped;
    panel_hint("key p");
    panel_same_line();
    if (panel_button("|<"))
        network_player_go(player, 0);
    panel_hint("to the beginning, key b");
    panel_same_line();
    if (panel_button("<"))
        network_player_step(player, -1);
    panel_hint("a step back, key ,");
    panel_same_line();
    if (panel_button(">"))
        network_player_step(player, 1);
    panel_hint("a step on, key .");
    panel_same_line();
    if (panel_button(">|"))
        network_player_go(player, player->network.sort.step_count);
    panel_hint("to the end, key e");
}

static void play_sliders(struct network_player *player)
{
    uint32_t step = player->step;
    if (panel_slider("step", &step, 0, player->network.sort.step_count, false))
        network_player_go(player, step);
    panel_slider("ms a step", &player->step_milliseconds, 10, 3000, true);
    panel_hint("keys + and -");
}

/* A setting that is one of a few names. */
static bool choose(const char *label, uint32_t *value, const char *const *names)
{
    uint32_t count = 0;
    while (names[count])
        count++;
    return panel_choice(label, value, names, count);
}

static void choose_keys(struct network_settings *settings)
{
    uint32_t keys = settings->keys, distinct = settings->distinct;
    if (choose("keys", &keys, network_keys_names)) {
        settings->keys = (enum network_keys)keys;
        settings->distinct = 0;
    }
    if (distinct == 0)
        distinct = settings->keys == NETWORK_FEW_DISTINCT ? FEW : NETWORK_KEY_END - 1;
    if (panel_slider("distinct", &distinct, 1, NETWORK_KEY_END - 1, true))
        settings->distinct = distinct;
    panel_hint("the fewer there are, the more rows have equal keys: look how these keep their "
               "order, dark before bright");
}

static void choose_order(struct network_settings *settings)
{
    uint32_t direction = settings->direction, algorithm = settings->algorithm;
    if (panel_radio("direction", &direction, network_direction_names, 2))
        settings->direction = (gl_segsort_direction)direction;
    if (panel_radio("algorithm", &algorithm, network_algorithm_names, 3))
        settings->algorithm = (gl_segsort_algorithm)algorithm;
    panel_hint("auto: the network for segments of up to 512 rows, radix for longer ones");
}

static void choose_settings(struct network_player *player)
{
    struct network_settings *settings = &player->settings;
    uint32_t lengths = settings->lengths, seed = (uint32_t)(settings->seed % SEEDS);
    choose_order(settings);
    panel_slider("rows", &settings->rows, NETWORK_ROWS_MIN, NETWORK_ROWS_MAX, true);
    panel_slider("segments", &settings->segment_count, 1, NETWORK_SEGMENTS_MAX, false);
    if (choose("lengths", &lengths, network_lengths_names))
        settings->lengths = (enum network_lengths)lengths;
    choose_keys(settings);
    panel_text("entropy: %.2f bits a key", (double)player->network.sort.entropy);
    if (panel_slider("seed", &seed, 0, SEEDS - 1, false))
        settings->seed = seed;
}

static void tell_plan(const struct network_sort *sort)
{
    gl_segsort_plan_description description;
    if (gl_segsort_plan_describe(sort->whole, &description) != GL_SEGSORT_SUCCESS)
        return;
    panel_text("%u passes, %u steps, %u empty segments", description.pass_count,
               description.step_count, description.empty_count);
    panel_text("a work group sorts up to %u rows", description.local_rows_max);
    panel_text("scratch: %llu bytes", (unsigned long long)description.scratch_bytes);
}

void network_player_panel(void *state)
{
    struct network_player *player = state;
    if (player->trouble.text[0])
        panel_paragraph(player->trouble.text);
    tell_step(&player->network.sort);
    play_buttons(player);
    play_sliders(player);
    if (panel_section("Rows", true))
        choose_settings(player);
    if (panel_section("Plan", false))
        tell_plan(&player->network.sort);
    const struct network_view *view = &player->network.view;
    bool moved = view->zoom != 1 || view->x != 0 || view->y != 0;
    if (moved && panel_button("All rows in view (f)"))
        network_player_reset_view(player);
}
