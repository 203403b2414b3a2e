/* Meshes from files, by assimp's C interface. */
#include "mesh.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file_guard.h"
#include "mesh_io.h"
#include "mesh_list.h"

#define NO_SEGMENT UINT32_MAX

static const char default_mesh[] =
    "assimp/models/glTF2/2CylinderEngine-glTF-Binary/2CylinderEngine.glb";

const char mesh_default_hint[] = "2CylinderEngine.glb isn't installed (it is in Debian's package "
                                 "assimp-testmodels); showing a generated mesh";

static const char *base_name(const char *path)
{
    const char *base = path;
    for (const char *at = path; *at; at++)
        if ((*at == '/' || *at == '\\') && at[1])
            base = at + 1;
    return base;
}

/* Assimp's readers let through what its triangulation then trusts, faces without vertices too. */
static bool check_faces(const struct aiMesh *source, unsigned number, const char *path,
                        struct failure *failure)
{
    if ((source->mNumFaces > 0 && !source->mFaces) ||
        (source->mNumVertices > 0 && !source->mVertices))
        return failure_set(failure,
                           "%s: mesh %u says it has %u faces of %u vertices, and they "
                           "are missing",
                           path, number, source->mNumFaces, source->mNumVertices);
    for (unsigned f = 0; f < source->mNumFaces; f++) {
        const struct aiFace *face = &source->mFaces[f];
        if (face->mNumIndices == 0 || !face->mIndices)
            return failure_set(failure, "%s: mesh %u, face %u has no vertices", path, number, f);
        for (unsigned i = 0; i < face->mNumIndices; i++)
            if (face->mIndices[i] >= source->mNumVertices)
                return failure_set(failure, "%s: mesh %u, face %u uses vertex %u of %u", path,
                                   number, f, face->mIndices[i], source->mNumVertices);
    }
    return true;
}

static bool check_scene(const struct aiScene *scene, const char *path, struct failure *failure)
{
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        if (!scene->mMeshes[m])
            return failure_set(failure, "%s: mesh %u is missing", path, m);
        if (!check_faces(scene->mMeshes[m], m, path, failure))
            return false;
    }
    return true;
}

/* Some of assimp's reasons go on for lines. */
static bool fail_unreadable(const char *path, struct failure *failure)
{
    const char *reason = aiGetErrorString();
    if (!reason || !reason[0])
        reason = "no reason given";
    return failure_set(failure, "%s: not a mesh that assimp can read: %.*s", path,
                       (int)strcspn(reason, "\r\n"), reason);
}

static const struct aiScene *import(const char *path, struct mesh_io *io, struct failure *failure)
{
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    /* Else files that hold only a skeleton get a mesh that shows it. */
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    const struct aiScene *scene = aiImportFileExWithProperties(path, 0, &io->functions, properties);
    aiReleasePropertyStore(properties);
    if (!scene) {
        fail_unreadable(path, failure);
        return NULL;
    }
    if (!check_scene(scene, path, failure)) {
        aiReleaseImport(scene);
        return NULL;
    }
    const struct aiScene *triangulated = aiApplyPostProcessing(scene, aiProcess_Triangulate);
    if (!triangulated)
        fail_unreadable(path, failure); /* the scene went with the error */
    return triangulated;
}

static float *copy_positions(const struct aiMesh *source)
{
    float *positions = malloc(3 * sizeof *positions * source->mNumVertices);
    for (size_t v = 0; positions && v < source->mNumVertices; v++) {
        positions[3 * v] = (float)source->mVertices[v].x;
        positions[3 * v + 1] = (float)source->mVertices[v].y;
        positions[3 * v + 2] = (float)source->mVertices[v].z;
    }
    return positions;
}

/* Points and lines, which triangulation leaves alone, are left out. */
static uint32_t *copy_triangles(const struct aiMesh *source, uint32_t *triangle_count)
{
    uint32_t *indices = malloc(3 * sizeof *indices * source->mNumFaces);
    *triangle_count = 0;
    for (unsigned f = 0; indices && f < source->mNumFaces; f++) {
        if (source->mFaces[f].mNumIndices != 3)
            continue;
        for (size_t k = 0; k < 3; k++)
            indices[3 * (size_t)*triangle_count + k] = source->mFaces[f].mIndices[k];
        (*triangle_count)++;
    }
    return indices;
}

static bool add_segment(struct mesh *mesh, const struct aiMesh *source, struct failure *failure)
{
    if (source->mNumVertices == 0 || source->mNumFaces == 0)
        return true;
    uint32_t triangle_count;
    float *positions = copy_positions(source);
    uint32_t *indices = copy_triangles(source, &triangle_count);
    bool added = positions && indices ? mesh_add_segment(mesh, positions, source->mNumVertices,
                                                         indices, triangle_count, failure)
                                      : failure_set(failure, "%s: out of memory", mesh->name);
    free(positions);
    free(indices);
    return added;
}

/* What a walk over the nodes carries along. */
struct walk {
    struct mesh *mesh;
    const uint32_t *segments; /* of each of assimp's meshes, or NO_SEGMENT */
    unsigned mesh_count;
    struct failure *failure;
};

static bool add_node(const struct walk *walk, const struct aiNode *node,
                     const struct aiMatrix4x4 *parent)
{
    if (!node)
        return true;
    struct aiMatrix4x4 local = *parent;
    aiMultiplyMatrix4(&local, &node->mTransformation);
    /* Assimp's matrices are stored row by row. */
    aiTransposeMatrix4(&local);
    const float matrix[16] = {local.a1, local.a2, local.a3, local.a4, local.b1, local.b2,
                              local.b3, local.b4, local.c1, local.c2, local.c3, local.c4,
                              local.d1, local.d2, local.d3, local.d4};
    aiTransposeMatrix4(&local);
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        unsigned m = node->mMeshes[i];
        if (m < walk->mesh_count && walk->segments[m] != NO_SEGMENT &&
            !mesh_add_instance(walk->mesh, walk->segments[m], matrix, walk->failure))
            return false;
    }
    for (unsigned i = 0; i < node->mNumChildren; i++)
        if (!add_node(walk, node->mChildren[i], &local))
            return false;
    return true;
}

/* Scenes without nodes show every segment as it is. */
static bool add_instances(struct mesh *mesh, const struct aiScene *scene, const uint32_t *segments,
                          struct failure *failure)
{
    struct aiMatrix4x4 identity;
    aiIdentityMatrix4(&identity);
    struct walk walk = {mesh, segments, scene->mNumMeshes, failure};
    if (!add_node(&walk, scene->mRootNode, &identity))
        return false;
    if (mesh->instance_count > 0)
        return true;
    for (uint32_t s = 0; s < mesh->segment_count; s++)
        if (!mesh_add_instance(mesh, s, NULL, failure))
            return false;
    return true;
}

static bool fill(struct mesh *mesh, const struct aiScene *scene, struct mesh_progress *progress,
                 struct failure *failure)
{
    uint32_t *segments = malloc(sizeof *segments * ((size_t)scene->mNumMeshes + 1));
    if (!segments)
        return failure_set(failure, "%s: out of memory", mesh->name);
    bool filled = true;
    for (unsigned m = 0; filled && m < scene->mNumMeshes; m++) {
        uint32_t before = mesh->segment_count;
        mesh_progress_tell(progress, MESH_PHASE_WELD, m, scene->mNumMeshes);
        filled = atomic_load(&progress->cancelled)
                     ? failure_set(failure, "%s: cancelled", mesh->name)
                     : add_segment(mesh, scene->mMeshes[m], failure);
        segments[m] = mesh->segment_count > before ? before : NO_SEGMENT;
    }
    filled = filled && add_instances(mesh, scene, segments, failure);
    free(segments);
    return filled;
}

static bool check_filled(const struct mesh *mesh, const char *path, struct failure *failure)
{
    if (mesh->triangle_count == 0 && mesh->degenerate_count > 0)
        return failure_set(failure, "%s: each of its %u triangles has two corners at one place",
                           path, mesh->degenerate_count);
    if (mesh->triangle_count == 0)
        return failure_set(failure, "%s: no triangles", path);
    if (mesh->non_finite_count == mesh->triangle_count)
        return failure_set(failure,
                           "%s: each of its %u triangles has an infinite or NaN "
                           "coordinate",
                           path, mesh->triangle_count);
    return true;
}

bool mesh_load(struct mesh *mesh, const char *path, struct failure *failure)
{
    struct mesh_progress progress = {0};
    return mesh_load_watched(mesh, path, &progress, failure);
}

bool mesh_load_watched(struct mesh *mesh, const char *path, struct mesh_progress *progress,
                       struct failure *failure)
{
    struct file_guard guard;
    struct mesh_io io;
    uint64_t size;
    *mesh = (struct mesh){0};
    if (!file_guard_check(path, &size, failure))
        return false;
    mesh_io_start(&io, size, progress);
    file_guard_begin(&guard, size);
    const struct aiScene *scene = import(path, &io, failure);
    file_guard_end(&guard);
    if (!scene)
        return false;
    bool loaded = mesh_create(mesh, base_name(path), failure) &&
                  fill(mesh, scene, progress, failure) && check_filled(mesh, path, failure);
    aiReleaseImport(scene);
    if (!loaded)
        mesh_destroy(mesh);
    return loaded;
}

/* Gives the path where the default mesh can be opened in that folder. */
static bool find_default(const char *folder, size_t length, void *user)
{
    size_t size = length + sizeof default_mesh + 1;
    char *path = malloc(size);
    if (!path)
        return false;
    snprintf(path, size, "%.*s/%s", (int)length, folder, default_mesh);
    FILE *file = fopen(path, "rb");
    if (!file) {
        free(path);
        return false;
    }
    fclose(file);
    *(char **)user = path;
    return true;
}

char *mesh_default_path(void)
{
    char *path = NULL;
    mesh_list_visit_folders(find_default, &path);
    return path;
}
