/* The scene that is shown where no mesh is installed. */
#include "mesh.h"

#include <math.h>
#include <stdlib.h>

#include "generate.h"

static const float pi = 3.14159265f;

/* One submesh while it is made. */
struct builder {
    float *positions;
    uint32_t *indices;
    uint32_t vertex_count;
    uint32_t triangle_count;
};

static bool builder_create(struct builder *builder, uint32_t vertices, uint32_t triangles)
{
    *builder = (struct builder){malloc(3 * sizeof(float) * vertices),
                                malloc(3 * sizeof(uint32_t) * triangles), 0, 0};
    return builder->positions && builder->indices;
}

static void add_vertex(struct builder *builder, float x, float y, float z)
{
    float *position = builder->positions + 3 * (size_t)builder->vertex_count++;
    position[0] = x;
    position[1] = y;
    position[2] = z;
}

static void add_triangle(struct builder *builder, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *corners = builder->indices + 3 * (size_t)builder->triangle_count++;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

/* Two triangles for each cell of a grid of columns x rows vertices, row by row. */
static void add_grid(struct builder *builder, uint32_t columns, uint32_t rows)
{
    for (uint32_t row = 0; row + 1 < rows; row++)
        for (uint32_t column = 0; column + 1 < columns; column++) {
            uint32_t corner = row * columns + column;
            add_triangle(builder, corner, corner + 1, corner + columns);
            add_triangle(builder, corner + 1, corner + columns + 1, corner + columns);
        }
}

/* Fisher-Yates, with a fixed seed. */
static void shuffle(struct builder *builder)
{
    uint64_t state = 0x9e3779b97f4a7c15u;
    for (uint32_t left = builder->triangle_count; left > 1; left--) {
        uint32_t *a = builder->indices + 3 * (size_t)(left - 1);
        uint32_t *b = builder->indices + 3 * (size_t)generate_below(&state, left);
        for (int k = 0; k < 3; k++) {
            uint32_t corner = a[k];
            a[k] = b[k];
            b[k] = corner;
        }
    }
}

/* Adds what was built to the mesh, shown once at each of the places, and frees it. */
static bool finish(struct builder *builder, bool built, struct mesh *mesh, const float (*places)[3],
                   size_t place_count, struct failure *failure)
{
    uint32_t segment = mesh->segment_count;
    if (built)
        shuffle(builder);
    bool added = built ? mesh_add_segment(mesh, builder->positions, builder->vertex_count,
                                          builder->indices, builder->triangle_count, failure)
                       : failure_set(failure, "%s: out of memory", mesh->name);
    for (size_t i = 0; added && i < place_count; i++) {
        const float matrix[16] = {
            1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, places[i][0], places[i][1], places[i][2], 1};
        added = mesh_add_instance(mesh, segment, matrix, failure);
    }
    free(builder->positions);
    free(builder->indices);
    return added;
}

static bool add_terrain(struct mesh *mesh, struct failure *failure)
{
    enum { SIDE = 97 };
    static const float place[1][3] = {{0, -1.35f, 0}};
    struct builder builder;
    bool built = builder_create(&builder, SIDE * SIDE, 2 * (SIDE - 1) * (SIDE - 1));
    for (int row = 0; built && row < SIDE; row++)
        for (int column = 0; column < SIDE; column++) {
            float x = 5.2f * ((float)column / (SIDE - 1) - 0.5f);
            float z = 5.2f * ((float)row / (SIDE - 1) - 0.5f);
            float hills = 0.16f * sinf(2.1f * x + 0.6f) * cosf(1.7f * z) +
                          0.07f * sinf(4.3f * x - 3.1f * z) + 0.03f * cosf(9.0f * z + 5.0f * x);
            add_vertex(&builder, x, hills, z);
        }
    if (built)
        add_grid(&builder, SIDE, SIDE);
    return finish(&builder, built, mesh, place, 1, failure);
}

/* The (2, 3) torus knot's centre line. */
static void knot_point(float angle, float point[3])
{
    float radius = 0.72f + 0.30f * cosf(3 * angle);
    point[0] = radius * cosf(2 * angle);
    point[1] = 0.36f * sinf(3 * angle);
    point[2] = radius * sinf(2 * angle);
}

static void normalise(float vector[3])
{
    float scale = 1 / sqrtf(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
    for (int axis = 0; axis < 3; axis++)
        vector[axis] *= scale;
}

/* A ring of vertices around the knot's centre line, in a frame that turns with it. */
static void add_knot_ring(struct builder *builder, float angle, int vertices)
{
    float at[3], next[3], along[3], out[3], side[3];
    knot_point(angle, at);
    knot_point(angle + 0.01f, next);
    for (int axis = 0; axis < 3; axis++) {
        along[axis] = next[axis] - at[axis];
        out[axis] = next[axis] + at[axis];
    }
    normalise(along);
    side[0] = along[1] * out[2] - along[2] * out[1];
    side[1] = along[2] * out[0] - along[0] * out[2];
    side[2] = along[0] * out[1] - along[1] * out[0];
    normalise(side);
    out[0] = side[1] * along[2] - side[2] * along[1];
    out[1] = side[2] * along[0] - side[0] * along[2];
    out[2] = side[0] * along[1] - side[1] * along[0];
    for (int i = 0; i < vertices; i++) {
        float turn = 2 * pi * (float)i / (float)(vertices - 1);
        float c = 0.17f * cosf(turn), s = 0.17f * sinf(turn);
        add_vertex(builder, at[0] + c * out[0] + s * side[0], at[1] + c * out[1] + s * side[1],
                   at[2] + c * out[2] + s * side[2]);
    }
}

static bool add_knot(struct mesh *mesh, struct failure *failure)
{
    enum { AROUND = 25, ALONG = 385 };
    static const float place[1][3] = {{0, -0.15f, 0}};
    struct builder builder;
    bool built = builder_create(&builder, AROUND * ALONG, 2 * (AROUND - 1) * (ALONG - 1));
    for (int ring = 0; built && ring < ALONG; ring++)
        add_knot_ring(&builder, 2 * pi * (float)ring / (ALONG - 1), AROUND);
    if (built)
        add_grid(&builder, AROUND, ALONG);
    return finish(&builder, built, mesh, place, 1, failure);
}

/* Vertices of the icosahedron: (0, +-1, +-golden) and its rotations. */
static void icosahedron_vertex(int number, float vertex[3])
{
    int axis = number / 4;
    vertex[axis] = 0;
    vertex[(axis + 1) % 3] = number & 1 ? 1.0f : -1.0f;
    vertex[(axis + 2) % 3] = number & 2 ? 1.6180340f : -1.6180340f;
}

static bool are_neighbours(int a, int b)
{
    float square = 0, u[3], v[3];
    icosahedron_vertex(a, u);
    icosahedron_vertex(b, v);
    for (int axis = 0; axis < 3; axis++)
        square += (u[axis] - v[axis]) * (u[axis] - v[axis]);
    return square < 4.1f; /* the edge is 2 long, the next distance golden times that */
}

/* A face cut into steps x steps triangles and pushed out onto the sphere. */
static void add_sphere_face(struct builder *builder, const int corners[3], uint32_t steps,
                            float radius)
{
    float a[3], b[3], c[3];
    uint32_t first = builder->vertex_count;
    icosahedron_vertex(corners[0], a);
    icosahedron_vertex(corners[1], b);
    icosahedron_vertex(corners[2], c);
    for (uint32_t row = 0; row <= steps; row++)
        for (uint32_t i = 0; i <= row; i++) {
            float at[3];
            for (int axis = 0; axis < 3; axis++)
                at[axis] = (float)(steps - row) * a[axis] + (float)(row - i) * b[axis] +
                           (float)i * c[axis];
            normalise(at);
            add_vertex(builder, radius * at[0], radius * at[1], radius * at[2]);
        }
    for (uint32_t row = 0; row < steps; row++)
        for (uint32_t i = 0; i <= row; i++) {
            uint32_t top = first + row * (row + 1) / 2 + i, below = top + row + 1;
            add_triangle(builder, top, below, below + 1);
            if (i < row)
                add_triangle(builder, top, below + 1, top + 1);
        }
}

static bool add_sphere(struct mesh *mesh, uint32_t steps, float radius, const float (*places)[3],
                       size_t place_count, struct failure *failure)
{
    struct builder builder;
    bool built = builder_create(&builder, 20 * (steps + 1) * (steps + 2) / 2, 20 * steps * steps);
    for (int a = 0; built && a < 12; a++)
        for (int b = a + 1; b < 12; b++)
            for (int c = b + 1; c < 12; c++)
                if (are_neighbours(a, b) && are_neighbours(b, c) && are_neighbours(a, c))
                    add_sphere_face(&builder, (const int[3]){a, b, c}, steps, radius);
    return finish(&builder, built, mesh, places, place_count, failure);
}

bool mesh_generate(struct mesh *mesh, struct failure *failure)
{
    static const float large[2][3] = {{-1.65f, -0.55f, 0.75f}, {1.65f, -0.5f, -0.85f}};
    static const float middle[1][3] = {{1.45f, -0.75f, 1.25f}};
    static const float small[4][3] = {
        {-0.55f, -1.0f, 1.75f}, {0.35f, -1.0f, 2.05f}, {-1.3f, -0.95f, -1.3f}, {0.1f, 0.75f, 0}};
    bool made = mesh_create(mesh, "generated mesh", failure) && add_terrain(mesh, failure) &&
                add_knot(mesh, failure) && add_sphere(mesh, 16, 0.55f, large, 2, failure) &&
                add_sphere(mesh, 8, 0.38f, middle, 1, failure) &&
                add_sphere(mesh, 1, 0.17f, small, 4, failure);
    if (!made)
        mesh_destroy(mesh);
    return made;
}
