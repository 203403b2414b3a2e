#version 430

layout(binding = 0) uniform sampler2D font;

in vec2 place;
flat in vec4 paint;
out vec4 colour;

void main()
{
    colour = vec4(paint.rgb, paint.a * texture(font, place).r);
}
