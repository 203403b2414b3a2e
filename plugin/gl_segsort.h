/*
 * gl_segsort - stable sort of many independent key/value segments on the GPU, for OpenGL 4.3 and
 * later.
 *
 *     gl_segsort_context_desc context_desc = {.get_proc_address = glfwGetProcAddress};
 *     gl_segsort_context *context;
 *     gl_segsort_context_create(&context_desc, &context);
 *
 *     gl_segsort_segment segments[] = {{0, 0, 0, 0, 12}, {16, 16, 16, 16, 11}};
 *     gl_segsort_plan_desc plan_desc = {.segments = segments, .segment_count = 2};
 *     gl_segsort_plan *plan;
 *     gl_segsort_plan_create(context, &plan_desc, &plan);
 *
 *     gl_segsort_sort_desc sort_desc = {.keys = {keys, 0, 27},
 *                                       .values = {ids, 0, 27},
 *                                       .output_keys = {sorted_keys, 0, 27},
 *                                       .output_values = {sorted_ids, 0, 27}};
 *     gl_segsort_sort(plan, &sort_desc);
 *
 * Words used throughout:
 *   row        one key and its value; views and segments count in rows, never in bytes.
 *   segment    a run of rows that is sorted on its own; no row ever crosses into another segment.
 *   stable     rows whose keys are equal keep the order they had in the input, in both directions.
 *   in place   a stream's output range is exactly its input range, segment by segment.
 *
 * Every description may start as {0}: zero is always the documented default.
 *
 * Context rule. An object belongs to the GL context that was current when its gl_segsort_context
 * was created, and every call on it has to be made with that context current, by one thread at a
 * time. Where the current context can be read (see gl_segsort_context_desc.get_current_context), a
 * call made under another one returns GL_SEGSORT_ERROR_WRONG_CONTEXT and issues no GL command.
 *
 * GL state. With GL_SEGSORT_STATE_RESTORE (the default) each call leaves every binding as it was:
 * GL_CURRENT_PROGRAM, the indexed GL_SHADER_STORAGE_BUFFER bindings 0..7 and GL_UNIFORM_BUFFER
 * binding 0 with their ranges, and the generic GL_SHADER_STORAGE_BUFFER, GL_UNIFORM_BUFFER,
 * GL_DISPATCH_INDIRECT_BUFFER, GL_COPY_READ_BUFFER and GL_COPY_WRITE_BUFFER bindings. Program
 * pipelines, vertex arrays, framebuffers, textures, queries, fixed-function state and every other
 * binding are never touched in either policy.
 *
 * RESTORE refuses to start (GL_SEGSORT_ERROR_GL) where GL would not let it keep that promise: when
 * the program in use is deleted already, or while transform feedback is active and not paused.
 *
 * GL errors. An INVALID_ENUM, INVALID_VALUE or INVALID_OPERATION that the host left pending stays
 * pending. GL has no way to put other errors back (OUT_OF_MEMORY, stack and framebuffer errors):
 * where one is pending, the call returns it as GL_SEGSORT_ERROR_GL and does nothing. An error that
 * the library's own commands raise is taken off the queue and returned. gl_segsort_sort in
 * LEAVE_DIRTY mode asks GL for nothing, so there all errors stay where they are.
 *
 * Sources: the bitonic network is K. E. Batcher, "Sorting networks and their applications", AFIPS
 * 1968, in its form with all comparators pointing one way, so that rows past a segment's end are
 * simply absent. The radix sorts rank as N. Satish, M. Harris and M. Garland, "Designing efficient
 * sorting algorithms for manycore GPUs", IPDPS 2009; across work groups they reduce, then scan.
 */
#ifndef GL_SEGSORT_H
#define GL_SEGSORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GL_SEGSORT_VERSION_MAJOR 0
#define GL_SEGSORT_VERSION_MINOR 1
#define GL_SEGSORT_VERSION_PATCH 0

/* One number that orders versions: major * 1000000 + minor * 1000 + patch. */
#define GL_SEGSORT_VERSION                                                                         \
    (GL_SEGSORT_VERSION_MAJOR * 1000000 + GL_SEGSORT_VERSION_MINOR * 1000 +                        \
     GL_SEGSORT_VERSION_PATCH)

/* Define GL_SEGSORT_SHARED when the library is used as a shared one; its own build defines
 * GL_SEGSORT_BUILD. */
#if defined(GL_SEGSORT_SHARED) && defined(_WIN32)
#ifdef GL_SEGSORT_BUILD
#define GL_SEGSORT_API __declspec(dllexport)
#else
#define GL_SEGSORT_API __declspec(dllimport)
#endif
#elif defined(GL_SEGSORT_SHARED) && defined(__GNUC__)
#define GL_SEGSORT_API __attribute__((visibility("default")))
#else
#define GL_SEGSORT_API
#endif

/* ------------------------------------------------------------------------------------------------
 * Results
 */

/* What a call came to. Everything but GL_SEGSORT_SUCCESS is an error, and gl_segsort_last_error has
 * the sentence that names the culprit. A call that fails in its checks (all but ERROR_GL) has
 * issued no dispatch and changed no buffer. */
typedef enum gl_segsort_result {
    GL_SEGSORT_SUCCESS = 0,
    GL_SEGSORT_ERROR_INVALID_ARGUMENT = 1, /* NULL, no such enumerator or buffer, misalignment */
    GL_SEGSORT_ERROR_OUT_OF_RANGE = 2,     /* a segment leaves its view, a view its buffer */
    GL_SEGSORT_ERROR_OVERLAP = 3, /* outputs overlap each other, or an input that is not in place */
    GL_SEGSORT_ERROR_UNSUPPORTED = 4, /* GL below 4.3, a missing function, over a GL limit */
    GL_SEGSORT_ERROR_COMPILE = 5, /* a shader did not compile or link; the sentence has the log */
    GL_SEGSORT_ERROR_OUT_OF_MEMORY = 6, /* the allocator or GL ran out of memory */
    GL_SEGSORT_ERROR_WRONG_CONTEXT = 7, /* another GL context, or none, is current */
    GL_SEGSORT_ERROR_CONTEXT_LOST = 8,  /* the GL context was reset, destroyed or abandoned */
    GL_SEGSORT_ERROR_GL = 9             /* GL raised an error while commands were being recorded */
} gl_segsort_result;

/* The enumerator's name as text, such as "GL_SEGSORT_ERROR_OVERLAP". Static; never NULL. Any
 * thread. */
GL_SEGSORT_API const char *gl_segsort_result_string(gl_segsort_result result);

/* GL_SEGSORT_VERSION of the library that was linked, to compare with the header's. Any thread. */
GL_SEGSORT_API uint32_t gl_segsort_version(void);

/* ------------------------------------------------------------------------------------------------
 * Contexts
 */

/* The library's state for one GL context: function pointers, limits, compiled programs. */
typedef struct gl_segsort_context gl_segsort_context;

/* A GL function of unknown type, as loaders return it. */
typedef void (*gl_segsort_proc)(void);

/* Returns the GL function of that name, or NULL. glfwGetProcAddress and eglGetProcAddress fit
 * without a cast. */
typedef gl_segsort_proc (*gl_segsort_get_proc_address)(const char *name);

/* How serious a log message is. */
typedef enum gl_segsort_log_level {
    GL_SEGSORT_LOG_ERROR = 0,   /* a call failed; the message has its gl_segsort_last_error */
    GL_SEGSORT_LOG_WARNING = 1, /* something is odd, and the library carries on */
    GL_SEGSORT_LOG_INFO = 2     /* what was found and made: the driver, its limits, programs */
} gl_segsort_log_level;

/* Receives one sentence without a newline; the text is only valid during the call. It may be called
 * from any gl_segsort call but from no other thread, and must not call back into the library. */
typedef void (*gl_segsort_log)(gl_segsort_log_level level, const char *message, void *user);

/* Host memory for the library's own objects. Both functions or neither; {0} means malloc and free.
 * allocate returns memory aligned for any type, or NULL; it is never asked for 0 bytes. */
typedef struct gl_segsort_allocator {
    void *(*allocate)(size_t size, void *user);
    void (*release)(void *memory, void *user);
    void *user;
} gl_segsort_allocator;

/* What becomes of the GL bindings that a call uses. */
typedef enum gl_segsort_state_policy {
    GL_SEGSORT_STATE_RESTORE = 0, /* all of them are read first and put back, on errors too */
    /* gl_segsort_sort reads no state and puts none back. It leaves program 0, SSBO bindings 0..5
     * and UBO binding 0 bound to buffers of the last pass, and the generic SSBO and UBO bindings
     * likewise; where the GPU lists the segments, SSBO bindings 6 and 7 and the
     * DISPATCH_INDIRECT_BUFFER too. Creating and destroying contexts and plans restores in this policy too. */
    GL_SEGSORT_STATE_LEAVE_DIRTY = 1
} gl_segsort_state_policy;

/*
 * Which kernels a context uses. Some have a variant that is faster where invocations of a subgroup (a
 * warp, a wavefront) can tell each other things without shared memory; results are the same to the
 * bit. It takes GL_KHR_shader_subgroup with basic, ballot, arithmetic and shuffle operations in
 * compute shaders, or GL_ARB_shader_ballot with GL_ARB_gpu_shader_int64 for fewer kernels.
 *
 * What a driver says it has is not believed until a known-answer test has passed: the first plan of a
 * context that would use such a variant runs it, in buffers of the library's own, and waits for it, at
 * most 2 s each time; later plans do so for kernels that no plan before had. Where an answer is wrong
 * or doesn't come, the context goes on with portable kernels, and the log has a WARNING that says
 * what was wrong. The plans, which work all the same, tell which kernels they took
 * (gl_segsort_pass_description.subgroup_size).
 */
typedef enum gl_segsort_kernel_path {
    GL_SEGSORT_KERNEL_PATH_AUTO = 0,     /* variants for subgroups where there are any to trust */
    GL_SEGSORT_KERNEL_PATH_PORTABLE = 1, /* plain GLSL 4.30 without an extension; no test */
    /* As AUTO; a WARNING for each kernel that has such a variant and can't use it, once a context. */
    GL_SEGSORT_KERNEL_PATH_SUBGROUP = 2
} gl_segsort_kernel_path;

/*
 * Keeps compiled programs from one run of the host to the next, wherever the host likes: a folder, a
 * file, memory. Both functions or neither; {0}: programs are always compiled.
 *
 * key    names one program of one driver: its source, this library's version and what GL says of
 *        itself go into it, so an entry is never out of date and a changed program has another key.
 *        At most 63 characters of a-z, 0-9, '_' and '-', which serve as a file's name. Valid during
 *        the call.
 * load   copies the entry into data, but not more than capacity bytes, and returns the size of all
 *        of it; 0: there is none. First it is asked with NULL and capacity 0 for the size, then with
 *        memory of that size; where it says another size then, the entry is not used.
 * store  keeps size bytes as the key's entry, in place of one that is there; data is valid during the
 *        call. It may fail, or do nothing: the program is compiled again another time.
 *
 * An entry that was cut, changed or belongs to another key is noticed before GL sees it, and logged
 * as a warning; GL itself may refuse one. Either way the program is compiled and stored anew, so
 * that neither fails a call. Where the driver has no program binaries, neither function is called.
 *
 * They are called on the thread of the call that makes programs (gl_segsort_plan_create, and a
 * first gather, depth keys or Morton codes), never by a sort, and must call neither GL nor the
 * library.
 */
typedef struct gl_segsort_program_cache {
    size_t (*load)(const char *key, void *data, size_t capacity, void *user);
    void (*store)(const char *key, const void *data, size_t size, void *user);
    void *user; /* passed to both as it is */
} gl_segsort_program_cache;

typedef struct gl_segsort_context_desc {
    /* Required. Used only during gl_segsort_context_create. */
    gl_segsort_get_proc_address get_proc_address;
    /* Starts this context's log messages and names its programs. Copied; at most 63 bytes are
     * kept. NULL: "gl_segsort". */
    const char *label;
    gl_segsort_log log; /* NULL: nothing is logged */
    void *log_user;     /* passed to log as it is */
    gl_segsort_allocator allocator;
    gl_segsort_state_policy state_policy;
    /* Work groups that one dispatch may have along each axis. 0: what GL allows. Lower values serve
     * tests; higher ones are clamped to GL's. */
    uint32_t max_work_groups;
    /* Returns a handle of the GL context that is current on this thread, NULL for none:
     * glfwGetCurrentContext or eglGetCurrentContext, cast. NULL: eglGetCurrentContext,
     * wglGetCurrentContext or glXGetCurrentContext, whichever get_proc_address knows; where it
     * knows none, calls under a wrong context are not noticed. */
    void *(*get_current_context)(void);
    gl_segsort_kernel_path kernel_path;
    gl_segsort_program_cache program_cache;
} gl_segsort_context_desc;

/*
 * Checks the current GL context and makes a gl_segsort_context for it. No shader is compiled yet.
 *
 * desc      the description. Its log, allocator, program_cache and their user data are used until
 *           the context and the last of its plans are destroyed, the rest only during the call.
 * context   receives the context, or NULL on an error.
 * Errors    INVALID_ARGUMENT (desc, context or get_proc_address NULL, half an allocator or program
 *           cache, an unknown policy or path), UNSUPPORTED (GL below 4.3, with the required and the actual version; functions
 *           that are missing, by name), OUT_OF_MEMORY, WRONG_CONTEXT (none current), CONTEXT_LOST,
 *           GL. There is no context yet to ask for the sentence: it goes to desc->log.
 * GL state  is only read.
 */
GL_SEGSORT_API gl_segsort_result gl_segsort_context_create(const gl_segsort_context_desc *desc,
                                                           gl_segsort_context **context);

/*
 * Deletes the context's GL objects and those of all its plans. Plans that are still there stay
 * valid handles: gl_segsort_sort answers CONTEXT_LOST, and gl_segsort_plan_destroy frees their
 * memory. NULL is ignored.
 *
 * Context   its GL context must be current. Under another one GL objects are left alone, because
 *           the names might be somebody else's: they leak, and the log says so.
 * GL state  deletes objects of the library; touches no binding of the host.
 */
GL_SEGSORT_API void gl_segsort_context_destroy(gl_segsort_context *context);

/*
 * Like gl_segsort_context_destroy for a GL context that is lost or gone already: frees memory and
 * makes no GL call. The GL objects died with the GL context. To be called before another GL context
 * is made, which may get the dead one's handle and so look like it.
 */
GL_SEGSORT_API void gl_segsort_context_abandon(gl_segsort_context *context);

/*
 * The sentence of the last call on this context or its plans that failed: which segment, which
 * number, what limit. "" when none has. Valid until the next call on this context. NULL gives "".
 */
GL_SEGSORT_API const char *gl_segsort_last_error(const gl_segsort_context *context);

/* ------------------------------------------------------------------------------------------------
 * Plans
 */

/* A run of packed rows in a GL buffer: where it starts and how many rows may be used. The buffer
 * stays the host's: it is never resized, mapped or deleted. */
typedef struct gl_segsort_view {
    uint32_t buffer;      /* GL buffer name */
    uint64_t byte_offset; /* a multiple of 4, whatever GL's SSBO alignment is */
    uint64_t rows;        /* segments that reach past it are refused */
} gl_segsort_view;

/* A sort of one segment layout, ready to run any number of times. */
typedef struct gl_segsort_plan gl_segsort_plan;

/* What a row's key is. Output keys have the bits of the input keys, whatever the order makes of
 * them. F32: -0 equals +0, and every NaN equals every other and comes last in both directions. */
typedef enum gl_segsort_key_type {
    GL_SEGSORT_KEY_U32 = 0, /* uint32_t; 0 and 0xffffffff are keys like any other */
    GL_SEGSORT_KEY_I32 = 1, /* int32_t */
    GL_SEGSORT_KEY_F32 = 2, /* float */
    GL_SEGSORT_KEY_U64 = 3  /* uint64_t, low word first */
} gl_segsort_key_type;

/* What comes along with a row's key. */
typedef enum gl_segsort_value_type {
    GL_SEGSORT_VALUE_U32 = 0,   /* uint32_t, carried unread */
    GL_SEGSORT_VALUE_NONE = 1,  /* nothing; values and output_values are not used */
    GL_SEGSORT_VALUE_INDEX = 2, /* the row's number in its segment; values is not used */
    GL_SEGSORT_VALUE_U64 = 3    /* uint64_t, carried unread */
} gl_segsort_value_type;

typedef enum gl_segsort_direction {
    GL_SEGSORT_ASCENDING = 0,
    GL_SEGSORT_DESCENDING = 1 /* stable too: equal keys are not reversed */
} gl_segsort_direction;

typedef enum gl_segsort_algorithm {
    /* Whichever is fastest for each length, and faster still for short ones packed in each view. */
    GL_SEGSORT_ALGORITHM_AUTO = 0,
    GL_SEGSORT_ALGORITHM_BITONIC = 1, /* the network, in as many dispatches as a length needs */
    GL_SEGSORT_ALGORITHM_RADIX = 2 /* digit by digit, within a work group or across work groups */
} gl_segsort_algorithm;

/* One segment: where its rows start in each of the four views, and how many there are. Offsets are
 * in rows relative to the view. Length 0 is allowed and costs nothing; its offsets are ignored. */
typedef struct gl_segsort_segment {
    uint32_t keys_offset;
    uint32_t values_offset;
    uint32_t output_keys_offset;
    uint32_t output_values_offset;
    uint32_t length;
} gl_segsort_segment;

/* Where the segments are written down. Those but HOST are read by the GPU when it sorts, so they
 * may be the work of a shader and differ from call to call; nothing is read back. Numbers are
 * uint32_t throughout. */
typedef enum gl_segsort_segment_source {
    GL_SEGSORT_SEGMENTS_HOST = 0, /* gl_segsort_plan_desc.segments */
    /* Row offsets, one more than there are segments and never falling: segment i has rows
     * offset[i] .. offset[i + 1] - 1, the same in each view. */
    GL_SEGSORT_SEGMENTS_GPU_OFFSETS = 1,
    GL_SEGSORT_SEGMENTS_GPU_RANGES = 2, /* records like gl_segsort_segment */
    /* Lengths: segment i starts with row i * segment_stride of each view and has length[i] rows, at
     * most segment_stride. */
    GL_SEGSORT_SEGMENTS_GPU_STRIDED = 3
} gl_segsort_segment_source;

typedef struct gl_segsort_plan_desc {
    /* Names the plan in error sentences, GL object labels and debug groups:
     * "<label>-bitonic-local-64". Copied; at most 63 bytes are kept. NULL: "segsort". */
    const char *label;
    gl_segsort_key_type key_type;
    gl_segsort_value_type value_type;
    gl_segsort_direction direction;
    gl_segsort_algorithm algorithm;
    /* Bits begin_bit .. end_bit - 1 of the key decide; rows that agree in them keep their order,
     * and the other bits are carried along. Bit 0 is the least significant. Of I32 and F32 the bits
     * of the unsigned number that orders like the key are meant (I32: its sign bit flipped).
     * 0, 0: all bits. Equal and not 0: no bit, which makes the sort a stable copy. */
    uint32_t begin_bit, end_bit;
    /* segment_count segments in any order, with gaps where you like. Copied: the list may be
     * changed or freed after the call. Input ranges may overlap each other, output ranges may not.
     * NULL with count 0 is a plan that sorts nothing. */
    const gl_segsort_segment *segments;
    uint32_t segment_count;
    /* A batch: set_count sets of views, each in buffers of its own. The first set_segment_counts[0]
     * segments lie in the first set's views, the next set_segment_counts[1] in the second's, and so
     * on; together they are segment_count. NULL: one segment a set, set_count is segment_count. How
     * to sort is chosen for each set. Copied. 0: no batch, one set. */
    uint32_t set_count;
    const uint32_t *set_segment_counts;
    /* Memory for segments longer than one work group sorts; rows are words of 4 bytes, and at least
     * gl_segsort_plan_scratch_size is needed. The buffer stays the host's: it has to be there
     * whenever the plan sorts, its contents are nobody's between two sorts, and plans may share it.
     * Ignored by a plan that needs none. {0}: the plan makes its own. */
    gl_segsort_view scratch;
    /* Segments that only the GPU knows; then segments, segment_count and the sets above stay 0, and
     * what follows bounds the plan's memory, not the views. The list is hostile until proven right:
     * more than max_segments are not looked at, a segment that does not fit the views or is longer
     * than max_length counts as empty, and where the segments so far have max_rows rows together,
     * the list is cut. Such segments are refused: nothing of theirs is written, others are sorted
     * as ever, and gl_segsort_status tells. Ranges of outputs that overlap each other can't be
     * found; they leave what they share in no particular order. */
    gl_segsort_segment_source segment_source;
    uint32_t max_segments;
    uint32_t max_rows;
    uint32_t max_length;     /* 0: max_rows. The less it is, the fewer passes there are */
    uint32_t segment_stride; /* of GPU_STRIDED, in rows */
    /* Takes a time stamp behind each pass of a sort, for gl_segsort_plan_timings. */
    bool timed;
    /* For tools that show a sort at work: it ends after so many steps, and the outputs have the rows
     * as they lie then. A step is of the network (gl_segsort_network_step), or a digit of 8 bits of
     * a radix sort; what takes fewer is done earlier, and AUTO takes no other kernels. 0: none. */
    uint32_t step_limit;
} gl_segsort_plan_desc;

/*
 * The memory that a plan of this description needs while it sorts: bytes receives a multiple of 4,
 * 0 when a single work group can sort each segment. Sorting by radix it is the bytes of the longer
 * segments' rows and about 1/2 byte a row for histograms; by the network, 4 bytes a row.
 *
 * Errors    as gl_segsort_plan_create, but for COMPILE and GL. desc->scratch is not looked at.
 * Cost      O(segments) host time, O(segments log segments) as for a plan.
 * GL state  makes no GL call but the one that asks whether the context was reset.
 */
GL_SEGSORT_API gl_segsort_result gl_segsort_plan_scratch_size(gl_segsort_context *context,
                                                              const gl_segsort_plan_desc *desc,
                                                              uint64_t *bytes);

/*
 * Checks the segments, works out the passes, compiles the programs that they need and this context
 * does not have yet, and uploads the segment table. Contents of buffers may change between sorts,
 * the layout may not: a new layout needs a new plan, which compiles only what no plan of this context
 * has needed yet.
 *
 * plan      receives the plan, or NULL on an error.
 * Errors    INVALID_ARGUMENT (NULL, an unknown enumerator), OUT_OF_RANGE (a segment whose rows pass
 *           2^32, begin_bit and end_bit that are no range of the key, set_segment_counts
 *           that don't add up, a scratch too small), OVERLAP (two segments' output ranges
 *           in one set), UNSUPPORTED (more rows than GL_MAX_SHADER_STORAGE_BLOCK_SIZE holds),
 *           COMPILE, OUT_OF_MEMORY, WRONG_CONTEXT, CONTEXT_LOST, GL. In a batch the sentence
 *           starts with the set, and segments count from the set's first.
 * Cost      O(segments) host time, O(segments log segments) if the output ranges are not in
 *           ascending order, the same for all max_segments and max_rows; 20 bytes of GL memory a
 *           segment, 24 more for long ones with U32 or U64 keys, and for segments longer than one work
 *           group sorts (gl_segsort_plan_description.local_rows_max) a scratch: by the network 4
 *           bytes a row, by radix its bytes and 1/2 for counts, where AUTO splits up to 4 KiB besides.
 * GL state  COPY_WRITE_BUFFER is used and put back. A known-answer test of kernels for subgroups
 *           (gl_segsort_kernel_path) puts back COPY_READ_BUFFER and what gl_segsort_sort does. Where
 *           GL lets no program be used (transform feedback), the test is left to a later plan, and
 *           this one is portable.
 */
GL_SEGSORT_API gl_segsort_result gl_segsort_plan_create(gl_segsort_context *context,
                                                        const gl_segsort_plan_desc *desc,
                                                        gl_segsort_plan **plan);

/* Deletes the plan and its GL objects (as gl_segsort_context_destroy does, with the same context
 * rule). Sorts that were recorded before still run to their end. NULL is ignored. */
GL_SEGSORT_API void gl_segsort_plan_destroy(gl_segsort_plan *plan);

/* Whether a call runs a pass: some depend on whether it sorts in place. */
typedef enum gl_segsort_pass_condition {
    GL_SEGSORT_PASS_ALWAYS = 0,
    GL_SEGSORT_PASS_OUT_OF_PLACE = 1,
    GL_SEGSORT_PASS_IN_PLACE = 2
} gl_segsort_pass_condition;

/* One dispatch of a plan. */
typedef struct gl_segsort_pass_description {
    const char *label;       /* what the debug group is called, such as "mesh-bitonic-local-64" */
    const char *kernel;      /* the kernel's name, as in docs/kernels.md */
    uint32_t width;          /* rows of the network that one work group (or a slot of it) holds */
    uint32_t stage;          /* the network's stage k for a pass that does one, else 0 */
    uint32_t stride;         /* the network's stride j for a pass that does one step, else 0 */
    uint32_t segment_count;  /* segments it works on */
    uint64_t row_count;      /* their rows */
    uint32_t work_groups[3]; /* along x, y and z */
    uint32_t barriers; /* GL bits between it and its set's lower levels, issued once a level */
    uint32_t begin_bit, bit_count;       /* of the key: the digit of a radix pass, else 0, 0 */
    gl_segsort_pass_condition condition; /* whether a sort call runs it */
    uint32_t set;                        /* of a batch, whose segments it works on */
    uint32_t level; /* passes of one level depend on none of each other, whatever their sets */
    uint32_t subgroup_size; /* that its kernel was made for; 0: the portable kernel */
} gl_segsort_pass_description;

/* What a plan came to. */
typedef struct gl_segsort_plan_description {
    const gl_segsort_pass_description *passes; /* in the order of execution; the plan's memory */
    uint32_t pass_count;
    uint32_t segment_count;  /* as given */
    uint32_t empty_count;    /* of these with length 0 */
    uint32_t local_rows_max; /* longest segment that a single work group sorts */
    uint64_t row_count;      /* rows of all segments */
    uint64_t table_bytes;    /* GL memory of the segment table and the pass parameters */
    uint64_t scratch_bytes;  /* GL memory of the scratch, 0 when every segment fits a work group */
    const gl_segsort_pass_description *gather_passes; /* what gl_segsort_gather runs */
    uint32_t gather_pass_count;
    uint32_t set_count; /* of a batch; 1 for a plan that is none */
    /* What gl_segsort_morton_keys runs (gl_segsort_keys.h); none for plans that it refuses. */
    const gl_segsort_pass_description *morton_passes;
    uint32_t morton_pass_count;
    uint32_t step_count; /* of a sort without a step_limit; of a list of the GPU's, the most */
} gl_segsort_plan_description;

/* Tells what a plan does, for tools and tests. The description's pointers stay valid until the plan
 * is destroyed. INVALID_ARGUMENT (NULL); makes no GL call. */
GL_SEGSORT_API gl_segsort_result gl_segsort_plan_describe(const gl_segsort_plan *plan,
                                                          gl_segsort_plan_description *description);

/* Tells the stage k and the stride j of a step of the network, counted from 1; false, and zeros,
 * for 0 and past 496, which is 2^31 rows. Stages are 2, 4, 8 ..., each has the strides k/2, k/4 ...
 * 1. With k/2, row i of each k rows meets row k - 1 - i, else those rows i that have bit j clear
 * meet row i + j, if the segment reaches so far; what comes first takes the lower place. */
GL_SEGSORT_API bool gl_segsort_network_step(uint32_t step, uint32_t *stage, uint32_t *stride);

/* GPU time of a plan's sort. */
typedef struct gl_segsort_timings {
    const double *pass_milliseconds; /* one for each of the description's passes; the plan's memory.
                                        0 for a pass that the sort did not run */
    uint32_t pass_count;
    uint64_t sort_number; /* which of the plan's sorts it was, from 1, failed ones left out; 0: none
                             has ended yet */
} gl_segsort_timings;

/*
 * Gives the times of the latest sort that has ended. Never waits: where a sort is still under way,
 * an earlier one's times are given again.
 *
 * plan      one that was created with gl_segsort_plan_desc.timed. Up to four of its sorts can be
 *           under way before one goes untimed.
 * timings   receives them; valid until the next call on the plan. A pass's time reaches from the
 *           end of the one before to its own, so passes that ran side by side share theirs.
 * Errors    INVALID_ARGUMENT (NULL, a plan that is not timed), WRONG_CONTEXT, CONTEXT_LOST, GL.
 * GL state  reads queries of the library's own. Stamps are TIMESTAMP queries, which disturb no
 *           query of the host's.
 */
GL_SEGSORT_API gl_segsort_result gl_segsort_plan_timings(gl_segsort_plan *plan,
                                                         gl_segsort_timings *timings);

/* ------------------------------------------------------------------------------------------------
 * Sorting
 */

/* GL barrier bits by consumer, for barriers_before and barriers_after. They are GL's own bits, so
 * these and GL's names mix freely. DEFAULT is documented with each field; NONE is no GL bit. */
#define GL_SEGSORT_BARRIER_DEFAULT 0u
#define GL_SEGSORT_BARRIER_NONE 0x80000000u
/* read as a vertex or instance attribute, as an index buffer, through a UBO */
#define GL_SEGSORT_BARRIER_VERTEX_ATTRIBUTE 0x00000001u
#define GL_SEGSORT_BARRIER_INDEX 0x00000002u
#define GL_SEGSORT_BARRIER_UNIFORM_BUFFER 0x00000004u
/* fetched through a buffer texture, loaded through a buffer image */
#define GL_SEGSORT_BARRIER_TEXTURE_BUFFER 0x00000008u
#define GL_SEGSORT_BARRIER_IMAGE 0x00000020u
/* read as indirect draw or dispatch arguments, as a pixel unpack buffer */
#define GL_SEGSORT_BARRIER_INDIRECT_COMMAND 0x00000040u
#define GL_SEGSORT_BARRIER_PIXEL_BUFFER 0x00000080u
/* glGetBufferSubData, glCopyBufferSubData, glMapBuffer */
#define GL_SEGSORT_BARRIER_BUFFER_UPDATE 0x00000200u
/* written by transform feedback, used as an atomic counter buffer */
#define GL_SEGSORT_BARRIER_TRANSFORM_FEEDBACK 0x00000800u
#define GL_SEGSORT_BARRIER_ATOMIC_COUNTER 0x00001000u
/* read or written through an SSBO */
#define GL_SEGSORT_BARRIER_STORAGE 0x00002000u
/* from GL 4.4 on: read through a persistent mapping, written by a query */
#define GL_SEGSORT_BARRIER_CLIENT_MAPPED 0x00004000u
#define GL_SEGSORT_BARRIER_QUERY_BUFFER 0x00008000u

typedef struct gl_segsort_sort_desc {
    /* All segments' rows must fit each view, and each view its buffer. A plan (of a batch: a set)
     * without rows uses none of them, and they may be {0}. One buffer may hold several streams as long as the rows
     * from a stream's first to its last don't reach into another stream's, inputs that share rows
     * excepted. GPU-listed segments may reach any row of the views, so there whole views have to
     * keep apart, and fit GL_MAX_SHADER_STORAGE_BLOCK_SIZE; an output view that is exactly its
     * input view takes segments in place, and no others. */
    gl_segsort_view keys;
    gl_segsort_view values;
    gl_segsort_view output_keys;
    gl_segsort_view output_values;
    /* What glMemoryBarrier is given before the first pass, for writes by shaders that the sort has
     * to see. DEFAULT: STORAGE, which covers keys written by any shader. Data from glBufferSubData
     * and its like needs no barrier. */
    uint32_t barriers_before;
    /* What glMemoryBarrier is given after the last pass, by what reads the outputs next. DEFAULT:
     * every consumer listed above that the GL version knows. */
    uint32_t barriers_after;
    /* For plans whose segments the GPU lists. A row of segments is a uint32_t of GPU_OFFSETS or a
     * record of GPU_RANGES; GPU_STRIDED has segment_lengths instead, a row a uint32_t. Entries past
     * the view's rows are not read. */
    gl_segsort_view segments;
    gl_segsort_view segment_lengths;
    /* A uint32_t that tells how many segments the list has. {0}: host_segment_count tells. */
    gl_segsort_view segment_count;
    uint32_t host_segment_count; /* 0: the plan's max_segments */
    /* Optional: receives a gl_segsort_status, which is a row, with every sort. */
    gl_segsort_view status;
} gl_segsort_sort_desc;

/* What became of a list of segments that only the GPU knew. */
typedef struct gl_segsort_status {
    uint32_t segments_seen;    /* as many as the list is said to have */
    uint32_t segments_refused; /* of these; empty ones are not refused */
    uint32_t first_refused;    /* the least number of one, 0xffffffff when there is none */
    uint32_t rows_sorted;      /* of all others together */
    uint32_t longest;          /* of these, in rows */
} gl_segsort_status;

/*
 * Sorts every segment of the plan. Records GL commands and returns; it never waits for the GPU, and
 * a repeated call allocates nothing and compiles nothing.
 *
 * After it, for each segment, output_keys holds the segment's keys in order and output_values the
 * values that came with them. No other byte of any buffer changes; the inputs change only where
 * they are the outputs (in place).
 *
 * Errors    INVALID_ARGUMENT (NULL, a buffer name that is 0 or unknown, an offset that is not a
 *           multiple of 4, unknown barrier bits, a batch of several sets), OUT_OF_RANGE (with the segment, its rows and the
 *           view's; or the bytes needed and the buffer's), OVERLAP, UNSUPPORTED (a stream of more
 *           bytes than GL_MAX_SHADER_STORAGE_BLOCK_SIZE), WRONG_CONTEXT, CONTEXT_LOST, GL. In
 *           LEAVE_DIRTY mode GL is not asked whether buffers exist and how large they are: then
 *           both are up to the caller.
 *           Where GL discards commands without an error, nothing is sorted and nobody can tell:
 *           conditional rendering whose query failed, buffers mapped other than persistently.
 * GL state  as told at the top of this file. One debug group a pass, of source THIRD_PARTY; none in
 *           RESTORE mode while the host's group stack is full. LEAVE_DIRTY cannot ask: there the
 *           host keeps one level of the stack free.
 * Barriers  barriers_before, barriers_after, and SHADER_STORAGE between dependent passes. A plan
 *           with scratch adds SHADER_STORAGE to barriers_before, since sorts share it; a plan whose
 *           segments the GPU lists adds SHADER_STORAGE, UNIFORM and COMMAND.
 * Cost      a plan whose segments the GPU lists has the same host time for all lists.
 */
GL_SEGSORT_API gl_segsort_result gl_segsort_sort(gl_segsort_plan *plan,
                                                 const gl_segsort_sort_desc *desc);

/*
 * Sorts a batch: set i of the plan in the views of descs[i]. All that gl_segsort_sort says holds
 * for each set, a row never crosses from one into another, and either all sets are sorted or, on an
 * error found in the checks, none.
 *
 * descs     one description a set. Sets without rows may have {0}.
 * count     the plan's set_count, 1 for a plan that is no batch.
 * Errors    as gl_segsort_sort, with the set's number; INVALID_ARGUMENT (another count);
 *           OVERLAP, when an output's rows, from its first to its last, meet another set's rows or
 *           the host's scratch. Inputs may be shared.
 * Cost      the checks take O(sets log sets) host time a call.
 * Barriers  the union of the descriptions' barriers_before before the first pass and of their
 *           barriers_after behind the last. Sets don't wait for each other: however many there are,
 *           one barrier separates their first passes from their second ones, and so on.
 */
GL_SEGSORT_API gl_segsort_result gl_segsort_sort_batch(gl_segsort_plan *plan,
                                                       const gl_segsort_sort_desc *descs,
                                                       uint32_t count);

/* ------------------------------------------------------------------------------------------------
 * Gathering
 */

/* What an index counts from. */
typedef enum gl_segsort_index_base {
    GL_SEGSORT_INDEX_IN_SEGMENT = 0, /* the segment's first record, as GL_SEGSORT_VALUE_INDEX has */
    GL_SEGSORT_INDEX_IN_VIEW = 1     /* the view's first record */
} gl_segsort_index_base;

typedef struct gl_segsort_gather_desc {
    /* A uint32_t a row, where the plan's output_values are: usually output_values of the sort. */
    gl_segsort_view indices;
    /* Packed records of record_words words each, in these two views a row is a record. A segment's
     * records lie where its keys do: they start with record keys_offset, and the ordered ones with
     * record output_keys_offset. */
    gl_segsort_view records;
    gl_segsort_view output_records;
    uint32_t record_words; /* 4-byte words of a record, at least 1: 3 for an index triple */
    gl_segsort_index_base index_base;
    uint32_t barriers_before; /* as in gl_segsort_sort_desc */
    uint32_t barriers_after;
} gl_segsort_gather_desc;

/*
 * Puts records into the order that a sort found: for each segment and each row of it, output record
 * = the record that the row's index names. Whole structs are moved once, instead of with every pass
 * of a sort. Records GL commands and returns, as gl_segsort_sort.
 *
 * Of a plan whose segments the GPU lists, those of its last sort are gathered, as far as they fit
 * the views.
 *
 * No other byte changes. An index that names no record (of the segment, or of the view) moves
 * nothing: its output record keeps what it had.
 *
 * plan      one whose values are VALUE_INDEX or VALUE_U32, and no batch. The first call compiles a
 *           program, later ones allocate and compile nothing.
 * Errors    as gl_segsort_sort; INVALID_ARGUMENT (also record_words 0, an unknown index_base, a
 *           plan of other values); OVERLAP (output_records meets indices or records: records are
 *           never moved in place); COMPILE.
 * GL state  as gl_segsort_sort, SSBO bindings 0, 1, 2 and 4.
 */
GL_SEGSORT_API gl_segsort_result gl_segsort_gather(gl_segsort_plan *plan,
                                                   const gl_segsort_gather_desc *desc);

/* Gathers a batch: set i of the plan with descs[i], as gl_segsort_sort_batch sorts one. */
GL_SEGSORT_API gl_segsort_result gl_segsort_gather_batch(gl_segsort_plan *plan,
                                                         const gl_segsort_gather_desc *descs,
                                                         uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
