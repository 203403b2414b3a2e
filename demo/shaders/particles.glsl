// What the particles' shaders share. The streams lie as in demo/particles.c.
#include "ramp.glsl"

const uint EMITTERS = 512u;
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
    uint count[EMITTERS];  // live ones
    uint kept[EMITTERS];   // of them from the frame before; they come first
    uint had[EMITTERS];    // live ones of the frame before
    uint offset[EMITTERS]; // of the emitter's first one in a list without gaps
    uint added[EMITTERS];  // of its first new one in such a list of new ones
    uint total;            // of each number, over all emitters
    uint total_kept;
    uint total_had;
};

const uint ARMS = 5u; // of the spiral that the emitters lie on

// The colour of an emitter's smoke: each arm has its own hue, which changes on the way.
vec3 smoke_colour(uint emitter, float lightness, float chroma)
{
    float along = float(emitter) / float(EMITTERS);
    float hue = radians(60.0 - 72.0 * float(emitter % ARMS) + 40.0 * (along - 0.4));
    return max(linear_from_oklab(vec3(lightness, chroma * vec2(cos(hue), sin(hue)))), 0.0);
}
