// What the particles' shaders share. The streams lie as in demo/particles.c.

const uint EMITTERS = 256u;
const uint GONE = 0xffffffffu;

struct Particle {
    vec4 place;  // w: its age in seconds
    vec4 motion; // w: the age it gets to
};

layout(location = 0) uniform uint slot;    // rows an emitter
layout(location = 1) uniform uint domains; // that are drawn one after the other: EMITTERS or 1

layout(std430, binding = 0) restrict buffer Particles { Particle particles[]; };
layout(std430, binding = 1) restrict buffer Counts {
    uint count[EMITTERS];   // live ones
    uint kept[EMITTERS];    // of them from the frame before; they come first
    uint had[EMITTERS];     // live ones of the frame before
    uint offset[EMITTERS];  // of the emitter's first one in a list without gaps
    uint total;
};

// Once around the hues with the angle, a little farther inside.
vec3 hue_at(vec2 place)
{
    float turn = atan(place.y, place.x) / 6.2831853 + 0.25 * length(place);
    return 0.5 + 0.5 * cos(6.2831853 * (turn + vec3(0.0, 0.33, 0.67)));
}
