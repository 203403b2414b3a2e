#version 430
// A column of cells an invocation, from the top down, along the sun's light: what comes through.
// Columns lean by whole cells, so none reads another's. Leaves the counts at 0 for the next frame.
#include "particles_grid.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(location = 2) uniform float shade; // of one particle in a cell

layout(std430, binding = 2) restrict buffer Cells { uint cells[]; };
layout(binding = 0, r16f) restrict writeonly uniform image3D light;

void main()
{
    ivec2 foot = ivec2(gl_GlobalInvocationID.xy);
    float above = 0.0;
    for (int y = GRID.y - 1; y >= 0; y--) {
        ivec2 side = foot + ivec2(floor(LEAN * float(y)));
        if (any(lessThan(side, ivec2(0))) || any(greaterThanEqual(side, GRID.xz)))
            continue;
        ivec3 cell = ivec3(side.x, y, side.y);
        float here = shade * float(cells[cell_number(cell)]);
        cells[cell_number(cell)] = 0u;
        imageStore(light, cell, vec4(exp(-above - 0.5 * here)));
        above += here;
    }
}
