#version 430
// One triangle that covers the picture.

out vec2 at; // -1..1 from the lower left corner to the upper right

void main()
{
    at = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(at, 0.0, 1.0);
}
