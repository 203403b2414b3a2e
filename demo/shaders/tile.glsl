// The tile of a work group: up to 256 triangles of one segment.

struct Tile {
    uint first;
    uint count;
    uint segment;
    uint segment_first; // its first triangle
};

layout(std430, binding = 2) readonly buffer Tiles {
    Tile tiles[];
};

// Surplus work groups get an empty tile.
Tile load_tile()
{
    return work_group() < uint(tiles.length()) ? tiles[work_group()] : Tile(0u, 0u, 0u, 0u);
}
