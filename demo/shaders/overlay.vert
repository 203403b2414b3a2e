#version 430
// A box, or a glyph of the font's picture.

layout(location = 0) in vec4 box; // pixels: lower left and upper right corner
layout(location = 1) in vec4 texture_box;
layout(location = 2) in vec4 box_colour;
layout(location = 0) uniform vec2 size;

out vec2 place;
flat out vec4 paint;

void main()
{
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    place = mix(texture_box.xy, texture_box.zw, corner);
    paint = box_colour;
    gl_Position = vec4(mix(box.xy, box.zw, corner) / size * 2.0 - 1.0, 0.0, 1.0);
}
