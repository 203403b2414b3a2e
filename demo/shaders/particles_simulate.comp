#version 430
// A work group an emitter: moves its particles, drops the dead, closes the gaps, adds new ones, and
// counts what is in each cell of the air.
#include "particles.glsl"
#include "particles_grid.glsl"
#include "particles_kept.glsl"

layout(location = 2) uniform uvec2 frame_seed;
layout(location = 3) uniform vec2 step_time;    // seconds of this step, and before it
layout(location = 4) uniform vec2 fill_falling; // of a slot; how it falls with an emitter's rank

layout(std430, binding = 2) restrict writeonly buffer Moved { uint moved[]; }; // row -> its new row
layout(std430, binding = 3) restrict readonly buffer Emitters { vec4 emitters[]; };
layout(std430, binding = 4) restrict buffer Cells { uint cells[]; };

const float MEAN_LIFE = 2.6;

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

// Eddies of three sizes. Each field's divergence is 0, so that smoke neither piles up nor thins out.
vec3 eddies(vec3 place, float time)
{
    vec3 large = 3.7 * place + vec3(0.3, -0.9, 0.2) * time;
    vec3 middle = 9.1 * place.yzx + vec3(1.7, 0.4, -1.1) * time;
    vec3 small = 21.0 * place.zxy - vec3(0.8, 1.9, -1.3) * time;
    return 0.5 * (sin(large.zxy) + cos(large.yzx)) + 0.3 * (sin(middle.yxz) + cos(middle.zyx)) +
           0.16 * (sin(small.zxy) + cos(small.yzx));
}

// Around the middle, towards it near the ground and away from it higher up.
vec3 wind(vec3 place, float age, float strength)
{
    float out_there = length(place.xz), high = smoothstep(0.05, 0.8, place.y);
    vec3 around = vec3(-place.z, 0.0, place.x) * (0.22 + 0.48 * high) / (0.25 + out_there);
    vec3 outward = vec3(place.x, 0.0, place.z) * mix(-0.12, 0.03, high);
    float rise = strength * mix(0.80, 0.12, smoothstep(0.0, 0.75, age));
    return around + outward + vec3(0.0, rise, 0.0) +
           (0.07 + 0.26 * high) * eddies(place, step_time.y);
}

void move(inout Particle particle, float seconds)
{
    vec3 air = wind(particle.place.xyz, particle.place.w / particle.motion.w, emitters[emitter].w);
    particle.motion.xyz = mix(air, particle.motion.xyz, exp(-3.5 * seconds));
    particle.place += vec4(particle.motion.xyz * seconds, seconds);
    if (particle.place.y < 0.0) {
        particle.place.y = -particle.place.y;
        particle.motion.y = abs(particle.motion.y);
    }
}

Particle born(uint number)
{
    uint state = noise(noise(frame_seed.x * EMITTERS + emitter) ^ noise(frame_seed.y)) + number;
    float turn = 6.2831853 * chance(state);
    float out_there = sqrt(chance(state));
    vec4 source = emitters[emitter];
    vec2 side = out_there * vec2(cos(turn), sin(turn));
    Particle particle;
    particle.place = vec4(source.x, 0.004, source.z, 0.0);
    particle.place.xz += 0.010 * side;
    particle.motion.xz = 0.07 * side;
    particle.motion.y = source.w * (0.8 + 0.3 * chance(state));
    particle.motion.w = MEAN_LIFE * (0.7 + 0.6 * chance(state));
    move(particle, step_time.x * chance(state));
    return particle;
}

// So many that a slot is filled as wanted, up and down.
uint births(uint room)
{
    uint state = noise(frame_seed.x * EMITTERS + emitter + noise(frame_seed.y + 7u));
    uint rank = (emitter * 197u + 31u) % EMITTERS; // large emitters are scattered
    float wave = sin(1.7 * step_time.y + 0.37 * float(emitter));
    float rate = float(slot) / MEAN_LIFE * fill_falling.x * (1.0 + 0.2 * wave);
    rate *= pow(float(rank + 1u), -fill_falling.y);
    return min(uint(rate * step_time.x + chance(state)), room);
}

void count_in_cell(vec3 place)
{
    ivec3 cell = ivec3(floor((place - CORNER) / CELL));
    if (all(greaterThanEqual(cell, ivec3(0))) && all(lessThan(cell, GRID)))
        atomicAdd(cells[cell_number(cell)], 1u);
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
        if (keep) {
            particles[first + to] = particle;
            count_in_cell(particle.place.xyz);
        }
        if (row < before)
            moved[first + row] = keep ? first + to : GONE;
    }
    uint fresh = births(slot - end);
    for (uint i = lane; i < fresh; i += 256u)
        particles[first + end + i] = born(i);
    barrier();
    if (lane == 0u) {
        had[emitter] = before;
        kept[emitter] = end;
        count[emitter] = end + fresh;
    }
}
