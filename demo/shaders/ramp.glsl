// Colours along an order: once around the hues, in the OKLCH space (B. Ottosson, "A perceptual
// color space for image processing", 2020), where equal steps look equally far apart. The lightness
// goes up and down on the way, so that stretches of the curve differ in more than their hue.

vec3 linear_from_oklab(vec3 lab)
{
    vec3 cone = vec3(lab.x + 0.3963377774 * lab.y + 0.2158037573 * lab.z,
                     lab.x - 0.1055613458 * lab.y - 0.0638541728 * lab.z,
                     lab.x - 0.0894841775 * lab.y - 1.2914855480 * lab.z);
    cone = cone * cone * cone;
    return vec3(4.0767416621 * cone.x - 3.3077115913 * cone.y + 0.2309699292 * cone.z,
                -1.2684380046 * cone.x + 2.6097574011 * cone.y - 0.3413193965 * cone.z,
                -0.0041960863 * cone.x - 0.7034186147 * cone.y + 1.7076147010 * cone.z);
}

// place in 0..1; a linear colour.
vec3 ramp(float place)
{
    float hue = radians(mix(275.0, -25.0, place));
    float lightness = 0.69 + 0.08 * cos(6.2831853 * 3.0 * place);
    float chroma = 0.13;
    return max(linear_from_oklab(vec3(lightness, chroma * cos(hue), chroma * sin(hue))), 0.0);
}
