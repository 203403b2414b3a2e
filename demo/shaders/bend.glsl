// How a wobbling model's places move, in the coordinates of the unit sphere that it fits into: the
// whole turns about its upright axis, more at the top than below, and waves run through it.
vec3 bend(vec3 at, float time)
{
    float turn = 0.45 * sin(1.3 * time) * at.y + 0.16 * sin(2.1 * time + 2.5 * at.x);
    vec2 side = vec2(cos(turn), sin(turn));
    vec3 bent = at;
    bent.xz = vec2(side.x * at.x - side.y * at.z, side.y * at.x + side.x * at.z);
    bent.y += 0.04 * sin(3.1 * at.x - 2.7 * time) + 0.025 * sin(4.3 * at.z + 2.2 * time);
    return bent;
}
