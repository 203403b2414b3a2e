#version 430
// A round sprite that fades towards its edge, times its opacity already.

in vec4 glow;
out vec4 colour;

void main()
{
    vec2 at = 2.0 * gl_PointCoord - 1.0;
    float inside = max(1.0 - dot(at, at), 0.0);
    float opacity = glow.a * inside * inside;
    colour = vec4(glow.rgb * opacity * (1.0 + 0.3 * inside * inside), opacity);
}
