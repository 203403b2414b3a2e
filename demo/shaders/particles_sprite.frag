#version 430
// A round sprite that fades towards its edge, and where it comes near to what is solid behind it.

layout(location = 3) uniform mat4 projection;
layout(location = 4) uniform vec4 look; // as in particles_sprite.vert

layout(binding = 0) uniform sampler2D solid_depth;

in vec4 glow;
out vec4 colour; // times its opacity already

void main()
{
    vec2 at = 2.0 * gl_PointCoord - 1.0;
    float inside = max(1.0 - dot(at, at), 0.0);
    float depth = 2.0 * texelFetch(solid_depth, ivec2(gl_FragCoord.xy), 0).r - 1.0;
    float solid = projection[3][2] / (depth + projection[2][2]);
    float fade = clamp((solid - 1.0 / gl_FragCoord.w) * look.w, 0.0, 1.0);
    float opacity = glow.a * inside * inside * fade;
    colour = vec4(glow.rgb * opacity, opacity);
}
