// From light to what the picture stores.

vec3 srgb_from_linear(vec3 light)
{
    light = clamp(light, 0.0, 1.0);
    return mix(12.92 * light, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055,
               step(0.0031308, light));
}
