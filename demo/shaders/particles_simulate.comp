#version 430
// A work group an emitter: moves its particles, drops the dead, closes the gaps and adds new ones.
#include "particles.glsl"
#include "particles_scan.glsl"

layout(location = 2) uniform uvec2 frame_seed;
layout(location = 3) uniform vec2 step_time; // seconds of this step, and before it

layout(std430, binding = 2) restrict writeonly buffer Moved { uint moved[]; }; // row -> its new row
layout(std430, binding = 3) restrict readonly buffer Emitters { vec4 emitters[]; };

const float GRAVITY = 1.0;
const float MEAN_LIFE = 2.2;

uint emitter = gl_WorkGroupID.x;

uint noise(uint n)
{
    n = (n ^ 61u) ^ (n >> 16);
    n *= 9u;
    n ^= n >> 4;
    n *= 0x27d4eb2du;
    return n ^ (n >> 15);
}

float chance(inout uint state)
{
    state = noise(state + 0x9e3779b9u);
    return float(state >> 8) / 16777216.0;
}

void move(inout Particle particle, float seconds)
{
    particle.motion.y -= GRAVITY * seconds;
    particle.place += vec4(particle.motion.xyz * seconds, seconds);
    if (particle.place.y < 0.0) {
        particle.place.y = -particle.place.y;
        particle.motion.xyz *= vec3(0.7, -0.4, 0.7);
    }
}

Particle born(uint number)
{
    uint state = noise(noise(frame_seed.x * EMITTERS + emitter) ^ noise(frame_seed.y)) + number;
    float turn = 6.2831853 * chance(state);
    float wide = 0.06 * sqrt(chance(state));
    vec4 source = emitters[emitter];
    vec2 around = vec2(-source.z, source.x) * 0.05;
    vec2 side = vec2(cos(turn), sin(turn));
    Particle particle;
    particle.place = vec4(source.x, 0.004, source.z, 0.0);
    particle.place.xz += side * 0.008 * chance(state);
    particle.motion.xz = wide * side + around;
    particle.motion.y = source.w * (0.88 + 0.16 * chance(state));
    particle.motion.w = MEAN_LIFE * (0.75 + 0.5 * chance(state));
    move(particle, step_time.x * chance(state));
    return particle;
}

// Fills a quarter to nine tenths of the slot, up and down.
uint births(uint room)
{
    uint state = noise(frame_seed.x * EMITTERS + emitter + noise(frame_seed.y + 7u));
    float wave = sin(1.7 * step_time.y + 0.37 * float(emitter));
    float rate = float(slot) / MEAN_LIFE * (0.55 + 0.33 * wave);
    return min(uint(rate * step_time.x + chance(state)), room);
}

void main()
{
    uint lane = gl_LocalInvocationID.x, first = emitter * slot;
    uint before = count[emitter], end = 0u;
    for (uint chunk = 0u; chunk < before; chunk += 256u) {
        uint row = chunk + lane;
        bool keep = row < before;
        Particle particle;
        if (keep) {
            particle = particles[first + row];
            move(particle, step_time.x);
            keep = particle.place.w < particle.motion.w;
        }
        uint to = next_row(keep, end);
        if (keep)
            particles[first + to] = particle;
        if (row < before)
            moved[first + row] = keep ? first + to : GONE;
    }
    uint added = births(slot - end);
    for (uint i = lane; i < added; i += 256u)
        particles[first + end + i] = born(i);
    barrier();
    if (lane == 0u) {
        had[emitter] = before;
        kept[emitter] = end;
        count[emitter] = end + added;
    }
}
