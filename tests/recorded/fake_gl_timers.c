#include "fake_gl_functions.h"

/* Time goes by with every call. */
#define NANOSECONDS_A_CALL 1000u

static struct fake_gl_timer *find(uint32_t name, const char *what)
{
    for (size_t i = 0; i < fake_gl.timer_count; i++)
        if (fake_gl.timers[i].name == name && fake_gl.timers[i].alive)
            return &fake_gl.timers[i];
    fake_gl_raise(SEGSORT_GL_INVALID_OPERATION, what);
    return NULL;
}

void SEGSORT_GLCALL fake_GenQueries(int32_t count, uint32_t *queries)
{
    if (!fake_gl_enter(FAKE_GL_GenQueries, "%" PRId32, count))
        return;
    for (int32_t i = 0; i < count; i++)
        queries[i] = fake_gl_add_timer();
}

void SEGSORT_GLCALL fake_DeleteQueries(int32_t count, const uint32_t *queries)
{
    if (!fake_gl_enter(FAKE_GL_DeleteQueries, "%" PRId32, count))
        return;
    for (int32_t i = 0; i < count; i++) {
        struct fake_gl_timer *timer = queries[i] ? find(queries[i], "glDeleteQueries: name") : NULL;
        if (timer)
            timer->alive = false;
    }
}

void SEGSORT_GLCALL fake_QueryCounter(uint32_t query, uint32_t target)
{
    if (!fake_gl_enter(FAKE_GL_QueryCounter, "%" PRIu32, query))
        return;
    struct fake_gl_timer *timer = find(query, "glQueryCounter: name");
    if (target != SEGSORT_GL_TIMESTAMP)
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glQueryCounter: target");
    else if (timer)
        *timer = (struct fake_gl_timer){query, true, true,
                                        (uint64_t)fake_gl.call_count * NANOSECONDS_A_CALL};
}

/* Whether its result may be asked for, and is there. */
static bool is_in(uint32_t query, struct fake_gl_timer **timer)
{
    *timer = find(query, "glGetQueryObject: name");
    if (*timer && !(*timer)->stamped) {
        fake_gl_raise(SEGSORT_GL_INVALID_OPERATION, "glGetQueryObject: it was never used");
        *timer = NULL;
    }
    bool late = fake_gl.timers_late || (*timer && fake_gl.timers_late_from > 0 &&
                                        (*timer)->nanoseconds >= fake_gl.timers_late_from);
    return *timer && !late;
}

void SEGSORT_GLCALL fake_GetQueryObjectiv(uint32_t query, uint32_t name, int32_t *data)
{
    struct fake_gl_timer *timer;
    if (!fake_gl_enter(FAKE_GL_GetQueryObjectiv, "%" PRIu32, query))
        return;
    bool in = is_in(query, &timer);
    if (name != SEGSORT_GL_QUERY_RESULT_AVAILABLE)
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glGetQueryObjectiv: name");
    else if (timer)
        *data = in;
}

void SEGSORT_GLCALL fake_GetQueryObjectui64v(uint32_t query, uint32_t name, uint64_t *data)
{
    struct fake_gl_timer *timer;
    if (!fake_gl_enter(FAKE_GL_GetQueryObjectui64v, "%" PRIu32, query))
        return;
    if (!is_in(query, &timer))
        fake_gl_complain("glGetQueryObjectui64v waits for query %" PRIu32, query);
    if (name != SEGSORT_GL_QUERY_RESULT)
        fake_gl_raise(SEGSORT_GL_INVALID_ENUM, "glGetQueryObjectui64v: name");
    else if (timer)
        *data = timer->nanoseconds;
}
