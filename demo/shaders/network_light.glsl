// A row's colour.
#include "ramp.glsl"

// Equal keys have one hue, and are the brighter the later they came in: only a stable sort leaves
// them in an even gradient.
vec3 key_light(uint key, uint source, Place place)
{
    float age = (float(source) + 0.5) / float(place.rows);
    return ramp(float(key) / float(key_end)) * mix(0.30, 1.15, age);
}
