/* Meshes: built by hand, generated, and read from files that are written here. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "mesh.h"
#include "metrics.h"

static struct failure failure;

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    if (CHECK(file, "%s can't be written", path)) {
        fputs(text, file);
        fclose(file);
    }
}

/* Loads the text as a file of that name; 0 triangles when it fails. */
static struct mesh load_text(const char *path, const char *text)
{
    struct mesh mesh;
    failure.text[0] = '\0';
    write_file(path, text);
    bool loaded = mesh_load(&mesh, path, &failure);
    CHECK(loaded == (mesh.triangle_count > 0), "loaded %d with %u triangles", loaded,
          mesh.triangle_count);
    if (!loaded)
        CHECK(strncmp(failure.text, path, strlen(path)) == 0, "not named in: %s", failure.text);
    remove(path);
    return mesh;
}

static void check_failure(const char *path, const char *text, const char *expected)
{
    struct mesh mesh = load_text(path, text);
    CHECK(mesh.triangle_count == 0, "%s has %u triangles", path, mesh.triangle_count);
    CHECK(strstr(failure.text, expected), "\"%s\" isn't in: %s", expected, failure.text);
    mesh_destroy(&mesh);
}

static void welds_and_compacts_vertices(void)
{
    /* Vertex 0 is used by no triangle, 4 is where 1 is. */
    static const float positions[] = {9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};
    static const uint32_t indices[] = {1, 2, 3, 5, 4, 3};
    static const uint32_t expected[] = {0, 1, 2, 3, 0, 2};
    struct mesh mesh;
    CHECK(mesh_create(&mesh, "two", &failure), "%s", failure.text);
    CHECK(mesh_add_segment(&mesh, positions, 6, indices, 2, &failure), "%s", failure.text);
    CHECK(mesh.vertex_count == 4 && mesh.triangle_count == 2, "%u vertices, %u triangles",
          mesh.vertex_count, mesh.triangle_count);
    CHECK(memcmp(mesh.indices, expected, sizeof expected) == 0, "indices");
    CHECK(mesh.positions[9 + 2] == 1, "the last vertex");
    mesh_destroy(&mesh);
}

static void leaves_degenerate_triangles_out(void)
{
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0};
    static const uint32_t indices[] = {0, 1, 3, 0, 1, 2, 2, 2, 1};
    struct mesh mesh;
    CHECK(mesh_create(&mesh, "three", &failure), "%s", failure.text);
    CHECK(mesh_add_segment(&mesh, positions, 4, indices, 3, &failure), "%s", failure.text);
    CHECK(mesh.triangle_count == 1 && mesh.degenerate_count == 2, "%u kept, %u left out",
          mesh.triangle_count, mesh.degenerate_count);
    CHECK(mesh_add_segment(&mesh, positions, 4, indices, 1, &failure), "%s", failure.text);
    CHECK(mesh.segment_count == 1, "a segment of degenerate triangles alone");
    mesh_destroy(&mesh);
}

static void refuses_indices_out_of_range(void)
{
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t indices[] = {0, 1, 2, 0, 3, 1};
    struct mesh mesh;
    CHECK(mesh_create(&mesh, "broken", &failure), "%s", failure.text);
    CHECK(!mesh_add_segment(&mesh, positions, 3, indices, 2, &failure), "accepted");
    CHECK(strcmp(failure.text, "broken: triangle 1 uses vertex 3 of 3") == 0, "%s", failure.text);
    CHECK(mesh.triangle_count == 0, "%u triangles", mesh.triangle_count);
    CHECK(mesh_add_segment(&mesh, positions, 0, NULL, 0, &failure), "an empty one");
    CHECK(mesh.segment_count == 0, "an empty segment");
    mesh_destroy(&mesh);
}

static void count_corner(const float position[3], void *user)
{
    int *counts = user;
    counts[0]++;
    counts[1] += position[0] >= 10;
}

static void shows_instances_where_their_matrix_puts_them(void)
{
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, NAN, 0, 0};
    static const uint32_t indices[] = {0, 1, 2, 0, 1, 3};
    static const float moved[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 10, 0, 0, 1};
    struct mesh mesh;
    int counts[2] = {0, 0};
    CHECK(mesh_create(&mesh, "instances", &failure), "%s", failure.text);
    CHECK(mesh_add_segment(&mesh, positions, 4, indices, 2, &failure), "%s", failure.text);
    CHECK(mesh_add_instance(&mesh, 0, NULL, &failure), "%s", failure.text);
    CHECK(mesh_add_instance(&mesh, 0, moved, &failure), "%s", failure.text);
    mesh_visit_corners(&mesh, count_corner, counts);
    CHECK(mesh.non_finite_count == 1, "%u non-finite", mesh.non_finite_count);
    CHECK(counts[0] == 6 && counts[1] == 3, "%d corners, %d moved", counts[0], counts[1]);
    mesh_destroy(&mesh);
}

static void generates_a_scene(void)
{
    struct mesh mesh;
    if (!CHECK(mesh_generate(&mesh, &failure), "%s", failure.text))
        return;
    CHECK(mesh.segment_count >= 4 && mesh.instance_count > mesh.segment_count,
          "%u segments, %u instances", mesh.segment_count, mesh.instance_count);
    CHECK(mesh.non_finite_count == 0 && mesh.degenerate_count == 0, "%u non-finite, %u degenerate",
          mesh.non_finite_count, mesh.degenerate_count);
    uint32_t next = 0;
    for (uint32_t s = 0; s < mesh.segment_count; s++) {
        CHECK(mesh.segments[s].first == next, "segment %u starts at %u", s, mesh.segments[s].first);
        next += mesh.segments[s].count;
    }
    CHECK(next == mesh.triangle_count, "%u triangles in segments, %u in all", next,
          mesh.triangle_count);
    mesh_destroy(&mesh);
}

static void orders_segments_like_meshoptimizer(void)
{
    struct mesh mesh;
    CHECK(mesh_generate(&mesh, &failure), "%s", failure.text);
    uint32_t *indices = malloc(3 * sizeof *indices * mesh.triangle_count);
    CHECK(metrics_spatial_sort(&mesh, indices, &failure), "%s", failure.text);
    struct metrics file = metrics_measure(&mesh, mesh.indices);
    struct metrics spatial = metrics_measure(&mesh, indices);
    CHECK(spatial.acmr < 0.6 * file.acmr, "ACMR %f from %f", spatial.acmr, file.acmr);
    for (uint32_t s = 0; s < mesh.segment_count; s++) {
        const struct mesh_segment *segment = &mesh.segments[s];
        for (size_t i = 3 * (size_t)segment->first;
             i < 3 * (size_t)(segment->first + segment->count); i++)
            CHECK(indices[i] - segment->first_vertex < segment->vertex_count, "index %zu", i);
    }
    free(indices);
    mesh_destroy(&mesh);
}

static void reads_one_and_two_triangles(void)
{
    struct mesh mesh = load_text("one.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    CHECK(mesh.triangle_count == 1 && mesh.segment_count == 1 && mesh.instance_count == 1,
          "%u triangles: %s", mesh.triangle_count, failure.text);
    CHECK(mesh.name && strcmp(mesh.name, "one.off") == 0, "its name");
    mesh_destroy(&mesh);
    mesh = load_text("two.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    CHECK(mesh.triangle_count == 2 && mesh.vertex_count == 4, "%u triangles of %u vertices: %s",
          mesh.triangle_count, mesh.vertex_count, failure.text);
    mesh_destroy(&mesh);
}

static void drops_points_and_lines(void)
{
    struct mesh mesh =
        load_text("mixed.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nl 1 4\np 4\nf 1 2 3\n");
    CHECK(mesh.triangle_count == 1 && mesh.vertex_count == 3, "%u triangles of %u vertices: %s",
          mesh.triangle_count, mesh.vertex_count, failure.text);
    mesh_destroy(&mesh);
}

static void reads_non_finite_vertices(void)
{
    struct mesh mesh =
        load_text("nan.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n0 1 0\nnan 0 1\n3 0 1 2\n3 0 1 3\n");
    CHECK(mesh.triangle_count == 2 && mesh.non_finite_count == 1, "%u of %u triangles: %s",
          mesh.non_finite_count, mesh.triangle_count, failure.text);
    mesh_destroy(&mesh);
    check_failure("all_nan.off", "OFF\n3 1 0\nnan 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
                  "each of its 1 triangles has an infinite or NaN coordinate");
}

static void explains_what_is_wrong_with_a_file(void)
{
    struct mesh mesh;
    check_failure("empty.obj", "", "the file is empty");
    check_failure("text.txt", "no mesh at all\n", "not a mesh that assimp can read");
    check_failure("none.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n", "no triangles");
    check_failure("flat.obj", "v 0 0 0\nv 0 0 0\nv 1 0 0\nf 1 2 3\n",
                  "each of its 1 triangles has two corners at one place");
    check_failure("claims.off", "OFF # many\n99999999999999999999999 6 0\n0 0 0\n",
                  "it says it has 99999999999999999999999 vertices, and is only 45 bytes long");
    check_failure("claims.off", "OFF 1 7000\n0 0 0\n", "it says it has 7000 faces");
    check_failure("range.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "range.obj");
    CHECK(!mesh_load(&mesh, "no such folder/missing.obj", &failure), "loaded");
    CHECK(strstr(failure.text, "missing.obj: No such file"), "%s", failure.text);
    CHECK(!mesh_load(&mesh, ".", &failure), "a folder loaded");
    CHECK(strstr(failure.text, ".: "), "%s", failure.text);
}

CHECK_MAIN(CHECK_TEST(welds_and_compacts_vertices), CHECK_TEST(leaves_degenerate_triangles_out),
           CHECK_TEST(refuses_indices_out_of_range),
           CHECK_TEST(shows_instances_where_their_matrix_puts_them), CHECK_TEST(generates_a_scene),
           CHECK_TEST(orders_segments_like_meshoptimizer), CHECK_TEST(reads_one_and_two_triangles),
           CHECK_TEST(drops_points_and_lines), CHECK_TEST(reads_non_finite_vertices),
           CHECK_TEST(explains_what_is_wrong_with_a_file))
