#include "viewer.h"

#include "report.h"

bool viewer_load_gl(gl_segsort_get_proc_address get_proc_address, struct failure *failure)
{
    int version = gladLoadGL(get_proc_address);
    int major = GLAD_VERSION_MAJOR(version), minor = GLAD_VERSION_MINOR(version);
    return GLAD_GL_VERSION_4_3 ||
           failure_set(failure, "OpenGL 4.3 is needed, and this driver gives %d.%d", major, minor);
}

static bool create_parts(struct viewer *viewer, gl_segsort_get_proc_address get_proc_address,
                         struct failure *failure)
{
    const struct options *options = viewer->options;
    return mesh_buffers_create(&viewer->buffers, viewer->mesh, failure) &&
           morton_gpu_create(&viewer->morton, viewer->mesh, options->key_bits, &viewer->buffers,
                             get_proc_address, failure) &&
           renderer_create(&viewer->renderer, viewer->mesh, &viewer->buffers, failure) &&
           renderer_resize(&viewer->renderer, options->width, options->height, failure) &&
           report_sort(&viewer->morton, &viewer->correct, failure);
}

static void destroy_parts(struct viewer *viewer)
{
    renderer_destroy(&viewer->renderer);
    morton_gpu_destroy(&viewer->morton);
    mesh_buffers_destroy(&viewer->buffers);
}

bool viewer_create(struct viewer *viewer, const struct options *options, const struct mesh *mesh,
                   gl_segsort_get_proc_address get_proc_address, struct failure *failure)
{
    *viewer = (struct viewer){.options = options, .mesh = mesh};
    if (!viewer_load_gl(get_proc_address, failure))
        return false;
    gl_debug_install(&viewer->debug);
    if (!create_parts(viewer, get_proc_address, failure)) {
        destroy_parts(viewer);
        return false;
    }
    camera_frame(&viewer->camera, mesh, (float)options->width / (float)options->height);
    return true;
}

bool viewer_destroy(struct viewer *viewer)
{
    destroy_parts(viewer);
    return gl_debug_count(&viewer->debug) == 0 && viewer->correct;
}

bool viewer_save(const struct viewer *viewer, const char *path, struct failure *failure)
{
    return canvas_save(&viewer->renderer.canvas, path, failure);
}
