#include "panel.h"
#include "scene_particles.h"

static void sorting_widgets(struct plumes_choices *choices)
{
    static const char *const sortings[] = {"sorted (s)", "not (u)", "at times (n)"};
    static const char *const domains[] = {"emitter by emitter", "one domain (o)"};
    panel_radio("Back to front", &choices->sorting, sortings, 3);
    if (choices->sorting == PLUMES_SOMETIMES)
        panel_slider("frames a sort", &choices->every, 2, 120, true);
    panel_radio("Segments", &choices->domain, domains, 2);
    panel_hint("Emitter by emitter each is a segment, and whole plumes are drawn one after the "
               "other: where two mix, one is wrong. In one domain all is right.");
    panel_checkbox("left half unsorted, to compare (v)", &choices->look.split);
    if (choices->look.split)
        panel_slider_float("split", &choices->look.split_at, 0, 1, "%.2f");
}

static void count_widgets(const struct plumes *plumes)
{
    const struct particles_counts *counts = &plumes->watch.counts;
    float shown[PARTICLES_EMITTERS];
    uint32_t least = UINT32_MAX, most = 0, slot = plumes->particles.slot;
    for (uint32_t e = 0; e < PARTICLES_EMITTERS; e++) {
        uint32_t count = counts->count[e];
        /* By size, as they would be without chance. */
        shown[particles_rank(e) - 1] = (float)count;
        least = count < least ? count : least;
        most = count > most ? count : most;
    }
    panel_text("%u particles live in %d emitters", counts->total, PARTICLES_EMITTERS);
    if (plumes->few) {
        panel_text("few, as the CPU draws here (?)");
        panel_hint("With a GPU there are 1572864. --particles N asks for any number.");
    }
    panel_plot("##live", shown, PARTICLES_EMITTERS, 0, (float)slot, NULL);
    panel_hint("Each emitter's live particles. They are counted on the GPU and come some frames "
               "later; the sort doesn't wait for them.");
    panel_text("each has %u to %u of a slot of %u", least, most, slot);
}

static void emitter_widgets(struct plumes *plumes)
{
    static const char *const lengths[] = {"equal lengths", "power law (l)"};
    struct plumes_choices *choices = &plumes->choices;
    count_widgets(plumes);
    panel_radio("Lengths", &choices->lengths, lengths, 2);
    if (choices->lengths == 1)
        panel_slider_float("exponent", &choices->falling, 0, 2, "-%.2f");
    panel_slider_float("births", &choices->births, 0, 2, "x %.2f");
}

static void look_widgets(struct plumes *plumes)
{
    static const char *const resolutions[] = {"full resolution", "half (q)"};
    struct plumes_choices *choices = &plumes->choices;
    struct particles_look *look = &choices->look;
    uint32_t half = look->half;
    panel_slider_float("opacity", &look->opacity, 0.05f, 2.5f, "x %.2f");
    panel_slider_float("size", &look->size, 0.2f, 4, "x %.2f");
    panel_slider_float("softness", &look->softness, 0, 4, "x %.2f");
    panel_hint("Over how much depth smoke fades into what is solid. At 0 it is cut off.");
    if (panel_radio("Resolution", &half, resolutions, 2))
        look->half = half == 1;
    panel_hint("Of the smoke. At half a quarter of its pixels are blended: much faster where "
               "there is no GPU.");
    panel_checkbox("mesh", &look->show_mesh);
    panel_same_line();
    panel_checkbox("turn (c)", &choices->turning);
    panel_same_line();
    panel_checkbox("freeze (f)", &choices->frozen);
    panel_hint("Nothing but the camera moves, so that all that changes is the order.");
}

/* On both sides of the line. */
static void split_labels(const struct plumes *plumes)
{
    const struct plumes_choices *choices = &plumes->choices;
    float at = choices->look.split_at * (float)plumes->width, foot = (float)plumes->height - 12;
    panel_label(at - 12, foot, 1, "unsorted");
    panel_label(at + 12, foot, 0, choices->domain == 1 ? "sorted" : "each emitter sorted");
}

void plumes_panel(void *state)
{
    struct plumes *plumes = state;
    if (plumes->choices.look.split)
        split_labels(plumes);
    sorting_widgets(&plumes->choices);
    if (panel_section("Emitters", true))
        emitter_widgets(plumes);
    if (panel_section("Look", true))
        look_widgets(plumes);
}
