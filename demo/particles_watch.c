#include "particles_watch.h"

void particles_watch_create(struct particles_watch *watch)
{
    *watch = (struct particles_watch){0};
    glGenBuffers(PARTICLES_WATCHED, watch->copies);
    for (int i = 0; i < PARTICLES_WATCHED; i++) {
        glBindBuffer(GL_COPY_WRITE_BUFFER, watch->copies[i]);
        glBufferData(GL_COPY_WRITE_BUFFER, sizeof watch->counts, NULL, GL_STREAM_READ);
    }
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

void particles_watch_destroy(struct particles_watch *watch)
{
    for (int i = 0; i < PARTICLES_WATCHED; i++)
        glDeleteSync(watch->fences[i]);
    glDeleteBuffers(PARTICLES_WATCHED, watch->copies);
    *watch = (struct particles_watch){0};
}

void particles_watch_poll(struct particles_watch *watch)
{
    /* From the oldest on, which is where the next one goes. */
    for (unsigned i = 0; i < PARTICLES_WATCHED; i++) {
        unsigned slot = (watch->next + i) % PARTICLES_WATCHED;
        if (!watch->fences[slot])
            continue;
        GLenum state = glClientWaitSync(watch->fences[slot], GL_SYNC_FLUSH_COMMANDS_BIT, 0);
        if (state == GL_TIMEOUT_EXPIRED)
            return;
        glDeleteSync(watch->fences[slot]);
        watch->fences[slot] = NULL;
        glBindBuffer(GL_COPY_READ_BUFFER, watch->copies[slot]);
        glGetBufferSubData(GL_COPY_READ_BUFFER, 0, sizeof watch->counts, &watch->counts);
        glBindBuffer(GL_COPY_READ_BUFFER, 0);
    }
}

void particles_watch_send(struct particles_watch *watch, const struct particles *particles)
{
    if (watch->fences[watch->next])
        return;
    glBindBuffer(GL_COPY_READ_BUFFER, particles->buffers[PARTICLES_COUNTS]);
    glBindBuffer(GL_COPY_WRITE_BUFFER, watch->copies[watch->next]);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, sizeof watch->counts);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    watch->fences[watch->next] = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    watch->next = (watch->next + 1) % PARTICLES_WATCHED;
}
