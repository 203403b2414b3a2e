#include "timer.h"

#include <string.h>

static size_t segsort_timer_stamps(uint32_t pass_count)
{
    return (size_t)SEGSORT_TIMER_SORTS * (pass_count + 1);
}

size_t segsort_timer_bytes(uint32_t pass_count)
{
    size_t stamps = segsort_timer_stamps(pass_count);
    return pass_count * sizeof(double) + stamps * (sizeof(uint32_t) + sizeof(bool));
}

gl_segsort_result segsort_timer_create(segsort_timer *timer, const segsort_gl *gl,
                                       uint32_t pass_count, void *memory, segsort_error *error)
{
    size_t stamps = segsort_timer_stamps(pass_count);
    memset(memory, 0, segsort_timer_bytes(pass_count));
    *timer = (segsort_timer){.pass_count = pass_count, .milliseconds = memory};
    void *queries = timer->milliseconds + pass_count;
    timer->queries = queries;
    void *stamped = timer->queries + stamps;
    timer->stamped = stamped;
    gl->GenQueries((int32_t)stamps, timer->queries);
    if (timer->queries[stamps - 1] != 0)
        return GL_SEGSORT_SUCCESS;
    return segsort_fail(error, GL_SEGSORT_ERROR_OUT_OF_MEMORY, "GL gives no names for %zu queries",
                        stamps);
}

void segsort_timer_destroy(segsort_timer *timer, const segsort_gl *gl)
{
    if (timer->queries)
        gl->DeleteQueries((int32_t)segsort_timer_stamps(timer->pass_count), timer->queries);
    timer->queries = NULL;
}

static size_t segsort_timer_first(const segsort_timer *timer, const segsort_timer_sort *sort)
{
    return (size_t)(sort - timer->sorts) * (timer->pass_count + 1);
}

static void segsort_timer_stamp(segsort_timer *timer, const segsort_gl *gl, uint32_t stamp)
{
    size_t at = segsort_timer_first(timer, timer->recording) + stamp;
    gl->QueryCounter(timer->queries[at], SEGSORT_GL_TIMESTAMP);
    timer->stamped[at] = true;
    timer->recording->last = stamp;
}

void segsort_timer_begin(segsort_timer *timer, const segsort_gl *gl)
{
    timer->recording = NULL;
    for (int i = 0; i < SEGSORT_TIMER_SORTS && !timer->recording && timer->pass_count > 0; i++)
        if (timer->sorts[i].number == 0)
            timer->recording = &timer->sorts[i];
    if (!timer->recording)
        return;
    memset(timer->stamped + segsort_timer_first(timer, timer->recording), 0, timer->pass_count + 1);
    segsort_timer_stamp(timer, gl, 0);
}

void segsort_timer_pass(segsort_timer *timer, const segsort_gl *gl, uint32_t pass)
{
    if (timer->recording)
        segsort_timer_stamp(timer, gl, pass + 1);
}

void segsort_timer_end(segsort_timer *timer, bool recorded)
{
    timer->sort_count += recorded;
    if (timer->recording && recorded)
        timer->recording->number = timer->sort_count;
    timer->recording = NULL;
}

static bool segsort_timer_is_in(const segsort_timer *timer, const segsort_gl *gl,
                                const segsort_timer_sort *sort)
{
    int32_t available = 0;
    gl->GetQueryObjectiv(timer->queries[segsort_timer_first(timer, sort) + sort->last],
                         SEGSORT_GL_QUERY_RESULT_AVAILABLE, &available);
    return available != 0;
}

static void segsort_timer_read_sort(segsort_timer *timer, const segsort_gl *gl,
                                    segsort_timer_sort *sort)
{
    size_t first = segsort_timer_first(timer, sort);
    uint64_t before = 0, stamp = 0;
    gl->GetQueryObjectui64v(timer->queries[first], SEGSORT_GL_QUERY_RESULT, &before);
    for (uint32_t i = 0; i < timer->pass_count; i++) {
        timer->milliseconds[i] = 0;
        if (!timer->stamped[first + i + 1])
            continue;
        gl->GetQueryObjectui64v(timer->queries[first + i + 1], SEGSORT_GL_QUERY_RESULT, &stamp);
        timer->milliseconds[i] = stamp > before ? 1e-6 * (double)(stamp - before) : 0;
        before = stamp;
    }
    timer->read_number = sort->number;
}

void segsort_timer_read(segsort_timer *timer, const segsort_gl *gl)
{
    for (int i = 0; i < SEGSORT_TIMER_SORTS; i++) {
        segsort_timer_sort *sort = &timer->sorts[i];
        if (sort->number == 0 || !segsort_timer_is_in(timer, gl, sort))
            continue;
        if (sort->number > timer->read_number)
            segsort_timer_read_sort(timer, gl, sort);
        sort->number = 0;
    }
}
