/* Meshes: built by hand, generated, and read from files that are written here. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "mesh.h"
#include "mesh_list.h"
#include "mesh_loader.h"
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

/* Two triangles with a common edge, and between them others that push the edge out of a cache of 16
 * vertices: 3 + 18 + 3 vertices are transformed for 8 triangles of 22 vertices. With the two behind
 * each other it would be 22. */
static void counts_transforms_as_by_hand(void)
{
    float positions[3 * 22];
    uint32_t indices[24] = {0, 1, 2}, ordered[24];
    struct mesh mesh;
    for (int i = 0; i < 3 * 22; i++)
        positions[i] = (float)(i * i % 67);
    for (uint32_t i = 3; i < 21; i++)
        indices[i] = i;
    indices[21] = 0;
    indices[22] = 1;
    indices[23] = 21;
    CHECK(mesh_create(&mesh, "cached", &failure), "%s", failure.text);
    CHECK(mesh_add_segment(&mesh, positions, 22, indices, 8, &failure), "%s", failure.text);
    struct metrics file = metrics_measure(&mesh, mesh.indices);
    CHECK(fabs(file.acmr - 24.0 / 8) < 1e-6, "ACMR %f", file.acmr);
    CHECK(fabs(file.atvr - 24.0 / 22) < 1e-6, "ATVR %f", file.atvr);
    CHECK(metrics_cache_sort(&mesh, ordered, &failure), "%s", failure.text);
    struct metrics cache = metrics_measure(&mesh, ordered);
    CHECK(fabs(cache.acmr - 22.0 / 8) < 1e-6, "ACMR %f", cache.acmr);
    CHECK(fabs(cache.atvr - 1) < 1e-6, "ATVR %f", cache.atvr);
    mesh_destroy(&mesh);
}

static void makes_orders_for_the_cpu(void)
{
    struct mesh mesh;
    struct mesh_orders orders;
    CHECK(mesh_generate(&mesh, &failure), "%s", failure.text);
    CHECK(mesh_orders_create(&orders, &mesh, NULL, &failure), "%s", failure.text);
    CHECK(orders.metrics[ORDER_CACHE].acmr < orders.metrics[ORDER_SPATIAL].acmr &&
              orders.metrics[ORDER_SPATIAL].acmr < orders.metrics[ORDER_FILE].acmr,
          "ACMR %f, %f, %f", orders.metrics[ORDER_CACHE].acmr, orders.metrics[ORDER_SPATIAL].acmr,
          orders.metrics[ORDER_FILE].acmr);
    CHECK(orders.indices[ORDER_CACHE] && orders.indices[ORDER_SPATIAL], "lists");
    mesh_orders_destroy(&orders);
    mesh_destroy(&mesh);
}

static void check_progress(const struct mesh_progress *progress, const char *phase, float least,
                           float most)
{
    const char *name = NULL;
    float fraction = mesh_progress_fraction(progress, &name);
    CHECK(strcmp(name, phase) == 0, "it is %s, not %s", name, phase);
    CHECK(fraction > least - 1e-3f && fraction < most + 1e-3f, "%s: %f, not %f to %f", phase,
          (double)fraction, (double)least, (double)most);
}

static void tells_how_far_it_is(void)
{
    struct mesh_progress progress = {0};
    struct mesh mesh;
    check_progress(&progress, "reading", 0, 0);
    mesh_progress_tell(&progress, MESH_PHASE_READ, 300, 600);
    check_progress(&progress, "reading", 0.125f, 0.125f);
    mesh_progress_tell(&progress, MESH_PHASE_PARSE, 600, 600); /* which has no parts */
    check_progress(&progress, "parsing", 0.25f, 0.25f);
    mesh_progress_tell(&progress, MESH_PHASE_READ, 0, 1);
    write_file("told.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    CHECK(mesh_load_watched(&mesh, "told.off", &progress, &failure), "%s", failure.text);
    check_progress(&progress, "welding", 0.5f, 0.75f);
    mesh_destroy(&mesh);
    atomic_store(&progress.cancelled, true);
    CHECK(!mesh_load_watched(&mesh, "told.off", &progress, &failure), "it isn't cancelled");
    CHECK(strstr(failure.text, "told.off: "), "%s", failure.text);
    remove("told.off");
}

#if !defined(_WIN32)
#include <sys/stat.h>

static void lists_what_is_installed(void)
{
    static const char *const folders[] = {"listed", "listed/assimp", "listed/assimp/models",
                                          "listed/assimp/models/B", "listed/assimp/models/A"};
    static const char *const files[] = {
        "listed/assimp/models/B/two.obj", "listed/assimp/models/A/One.STL",
        "listed/assimp/models/A/picture.png", "listed/assimp/models/A/.hidden.obj",
        "listed/assimp/models/A/README"};
    const char *before = getenv("XDG_DATA_DIRS");
    char *kept = before ? strdup(before) : NULL;
    struct mesh_list list;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        mkdir(folders[i], 0777);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        write_file(files[i], "x");
    setenv("XDG_DATA_DIRS", "no such folder::listed", 1);
    mesh_list_create(&list);
    if (CHECK(list.count == 2, "%zu files", list.count)) {
        CHECK(strcmp(mesh_list_name(&list, 0), "A/One.STL") == 0, "%s", mesh_list_name(&list, 0));
        CHECK(strcmp(list.paths[1], files[0]) == 0, "%s", list.paths[1]);
        CHECK(mesh_list_matches(&list, 0, "one.s") && mesh_list_matches(&list, 0, "a/") &&
                  mesh_list_matches(&list, 1, "OBJ") && mesh_list_matches(&list, 1, ""),
              "a part isn't found");
        CHECK(!mesh_list_matches(&list, 0, "two") && !mesh_list_matches(&list, 1, "objx") &&
                  !mesh_list_matches(&list, 1, "listed"),
              "what isn't there is found");
    }
    mesh_list_destroy(&list);
    setenv("XDG_DATA_DIRS", "no such folder", 1);
    mesh_list_create(&list);
    CHECK(list.count == 0, "%zu files of nowhere", list.count);
    mesh_list_destroy(&list);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        remove(files[i]);
    for (size_t i = sizeof folders / sizeof *folders; i > 0; i--)
        remove(folders[i - 1]);
    if (kept)
        setenv("XDG_DATA_DIRS", kept, 1);
    else
        unsetenv("XDG_DATA_DIRS");
    free(kept);
}
#else
static void lists_what_is_installed(void)
{
    struct mesh_list list;
    mesh_list_create(&list);
    CHECK(list.count == 0, "%zu files", list.count);
    mesh_list_destroy(&list);
}
#endif

CHECK_MAIN(CHECK_TEST(welds_and_compacts_vertices), CHECK_TEST(leaves_degenerate_triangles_out),
           CHECK_TEST(refuses_indices_out_of_range),
           CHECK_TEST(shows_instances_where_their_matrix_puts_them), CHECK_TEST(generates_a_scene),
           CHECK_TEST(orders_segments_like_meshoptimizer), CHECK_TEST(reads_one_and_two_triangles),
           CHECK_TEST(drops_points_and_lines), CHECK_TEST(reads_non_finite_vertices),
           CHECK_TEST(explains_what_is_wrong_with_a_file), CHECK_TEST(counts_transforms_as_by_hand),
           CHECK_TEST(makes_orders_for_the_cpu), CHECK_TEST(tells_how_far_it_is),
           CHECK_TEST(lists_what_is_installed))
