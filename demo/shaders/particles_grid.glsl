// The box of air that the smoke is in, in cells: how many particles each has, and how much of the
// sun's light comes through to it.
const ivec3 GRID = ivec3(72, 48, 72); // as in demo/particles.c
const float CELL = 1.0 / 24.0;
const vec3 CORNER = -CELL * vec3(GRID.x / 2, 0, GRID.z / 2);

// Each step up a column towards the sun goes so many cells along x and z.
const vec2 LEAN = vec2(-0.55, -0.30);
const vec3 sun_direction = normalize(vec3(LEAN.x, 1.0, LEAN.y));

uint cell_number(ivec3 cell)
{
    return uint((cell.z * GRID.y + cell.y) * GRID.x + cell.x);
}

// Where a place is in a texture of the grid.
vec3 in_grid(vec3 place)
{
    return (place - CORNER) / (CELL * vec3(GRID));
}
