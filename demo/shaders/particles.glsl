// What the particles' shaders share. The streams lie as in demo/particles.c.
#include "ramp.glsl"
#include "screen.glsl"

const uint EMITTERS = 256u;
const uint GONE = 0xffffffffu;

struct Particle {
    vec4 place;  // w: its age in seconds
    vec4 motion; // w: the age it gets to
};

// One uniform, so that no shader has one that it doesn't use.
layout(location = 0) uniform uvec2 slot_domains;
uint slot = slot_domains.x;    // rows an emitter
uint domains = slot_domains.y; // that are drawn one after the other: EMITTERS or 1

layout(std430, binding = 0) restrict buffer Particles { Particle particles[]; };
layout(std430, binding = 1) restrict buffer Counts {
    uint count[EMITTERS];   // live ones
    uint kept[EMITTERS];    // of them from the frame before; they come first
    uint had[EMITTERS];     // live ones of the frame before
    uint offset[EMITTERS];  // of the emitter's first one in a list without gaps
    uint total;
};

// Once around the hues with the angle, turned a little farther outside; what the picture stores.
vec3 hue_at(vec2 place, float lightness)
{
    float hue = atan(place.y, place.x) + 1.6 * length(place);
    vec3 lab = vec3(lightness, 0.165 * vec2(cos(hue), sin(hue)));
    return srgb_from_linear(max(linear_from_oklab(lab), 0.0));
}
