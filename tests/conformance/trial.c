/* SPDX-License-Identifier: Apache-2.0 */
#include "trial.h"

#include "nouns.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { GUARD_BYTES = 64, GUARD = 0xa5, OBJECTS = 8 };

/* ------------------------------------------------------------------------------------ work divisions -- */

#define LINE(b, t, e)                                                                                                  \
    {                                                                                                                  \
        .dims = 1, .blocks = {b}, .threads = {t}, .elems = { e }                                                       \
    }
static const trial_shape line_shapes[] = {LINE(1, 1, 1),  LINE(1, 7, 1),   LINE(3, 1, 1),   LINE(5, 32, 1),
                                          LINE(64, 1, 4), LINE(2, 256, 3), LINE(7, 100, 1), LINE(2, 1024, 1)};
static const trial_shape any_shapes[] = {
    LINE(1, 1, 1),
    LINE(1, 7, 1),
    LINE(3, 1, 5),
    LINE(5, 32, 1),
    LINE(64, 1, 4),
    LINE(2, 1024, 1),
    {.dims = 2, .blocks = {3, 2}, .threads = {2, 4}, .elems = {1, 1}},
    {.dims = 2, .blocks = {1, 5}, .threads = {7, 1}, .elems = {2, 3}},
    {.dims = 3, .blocks = {2, 1, 3}, .threads = {1, 4, 2}, .elems = {1, 1, 1}},
    {.dims = 3, .blocks = {2, 5, 4}, .threads = {1, 1, 1}, .elems = {1, 1, 1}},
    {.dims = 3, .blocks = {5, 4, 1}, .threads = {3, 1, 8}, .elems = {1, 2, 1}},
    {.dims = 4, .blocks = {2, 3, 1, 2}, .threads = {2, 1, 3, 2}, .elems = {1, 1, 1, 1}},
    {.dims = 6, .blocks = {2, 1, 2, 1, 2, 3}, .threads = {1, 2, 1, 2, 3, 1}, .elems = {1, 1, 2, 1, 1, 1}},
};
const trial_shapes trial_any_shape = {sizeof any_shapes / sizeof any_shapes[0], any_shapes};
const trial_shapes trial_line_shapes = {sizeof line_shapes / sizeof line_shapes[0], line_shapes};

static accel_work work_of_shape(const trial_shape *shape)
{
    accel_work work = ACCEL_WORK_INIT;
    work.dims = shape->dims;
    memcpy(work.blocks, shape->blocks, sizeof work.blocks);
    memcpy(work.threads, shape->threads, sizeof work.threads);
    memcpy(work.elems, shape->elems, sizeof work.elems);
    return work;
}

static size_t product(const size_t *extent, uint32_t dims)
{
    size_t result = 1;
    for (uint32_t d = 0; d < dims; ++d)
        result *= extent[d];
    return result;
}

size_t trial_blocks(const trial *t)
{
    return product(t->work.blocks, t->work.dims);
}

size_t trial_block_threads(const trial *t)
{
    return product(t->work.threads, t->work.dims);
}

size_t trial_threads(const trial *t)
{
    return trial_blocks(t) * trial_block_threads(t);
}

/* --------------------------------------------------------------------------------------------- trials -- */

/* The paths of the library's objects. */
typedef struct objects {
    size_t count;
    char paths[OBJECTS][512];
} objects;

static bool note_object(void *user, const accel_object_properties *object)
{
    objects *list = user;
    ck_assert_uint_lt(list->count, OBJECTS);
    snprintf(list->paths[list->count++], sizeof list->paths[0], "%s", object->path);
    return true;
}

/* Written again for each trial: a failure ends the process, or the test. */
static char label[1024];

static void describe(const char *path, const char *name, const trial *t, uint32_t flags)
{
    const char *file = strrchr(path, '/');
    size_t length =
        (size_t)snprintf(label, sizeof label,
                         "%s, kernel %s, %s queue, n = %zu, blocks x threads x elems:", file == NULL ? path : file + 1,
                         name, flags & ACCEL_QUEUE_BLOCKING ? "blocking" : "non-blocking", t->n);
    for (uint32_t d = 0; d < t->work.dims; ++d)
        length += (size_t)snprintf(label + length, sizeof label - length, " %zu x %zu x %zu", t->work.blocks[d],
                                   t->work.threads[d], t->work.elems[d]);
}

/* The sizes and shapes whose turn it is on this kind of queue; how many trials were made. A single one has both. */
static size_t try_on_queue(trial *t, const char *path, const char *name, uint32_t flags, trial_sizes sizes,
                           trial_shapes shapes, trial_function function)
{
    accel_kernel_properties properties = ACCEL_KERNEL_PROPERTIES_INIT;
    size_t made = 0;
    ok(accel_kernel_info(t->kernel, &properties));
    for (size_t w = 0; w < shapes.count; ++w) {
        if (product(shapes.shapes[w].threads, shapes.shapes[w].dims) > properties.max_threads)
            continue;
        for (size_t s = 0; s < sizes.count; ++s) {
            bool blocking = (flags & ACCEL_QUEUE_BLOCKING) != 0, single = shapes.count * sizes.count == 1;
            if ((w + s) % 2 != (size_t)blocking && !single)
                continue;
            t->n = sizes.sizes[s];
            t->work = work_of_shape(&shapes.shapes[w]);
            t->label = label;
            describe(path, name, t, flags);
            function(t);
            for (size_t b = 0; b < t->buffer_count; ++b)
                accel_buffer_release(t->buffers[b]);
            t->buffer_count = 0;
            ++made;
        }
    }
    return made;
}

void try_kernel(const char *name, trial_sizes sizes, trial_shapes shapes, trial_function function)
{
    objects *list = calloc(1, sizeof *list);
    size_t usable = 0, made = 0;
    ck_assert_ptr_nonnull(list);
    ok(accel_device_visit_objects(test.device, suite_kernels_name, note_object, list));
    for (size_t i = 0; i < list->count; ++i) {
        trial t = {.module = NULL};
        accel_status status = accel_module_load_file(test.device, list->paths[i], &t.module);
        if (status == ACCEL_INCOMPATIBLE)
            continue; /* for another machine */
        ok(status);
        ++usable;
        ok_if_supported(accel_module_kernel(t.module, name, &t.kernel));
        for (uint32_t kind = 0; kind < 2; ++kind) {
            const uint32_t flags = kind == 0 ? 0 : ACCEL_QUEUE_BLOCKING;
            t.queue = queue_new(test.device, flags);
            made += try_on_queue(&t, list->paths[i], name, flags, sizes, shapes, function);
            accel_queue_release(t.queue);
        }
        accel_module_release(t.module);
    }
    free(list);
    ck_assert_msg(usable > 0, "the device runs no object of the library \"%s\"", suite_kernels_name);
    if (made == 0)
        unsupported("kernel %s: no work division of this test has so few threads in a block", name);
}

void trial_failed(const char *file, int line, const trial *t, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ck_abort_msg("%s:%d: %s: %s", file, line, t->label, text);
    abort(); /* never reached: the line above ends the test */
}

/* -------------------------------------------------------------------------------------------- memory -- */

void *host_memory(size_t bytes)
{
    void *memory = malloc(bytes + 1);
    ck_assert_ptr_nonnull(memory);
    return memory;
}

void *trial_memory(trial *t, const void *data, size_t bytes)
{
    unsigned char *image = host_memory(bytes + GUARD_BYTES);
    ck_assert_uint_lt(t->buffer_count, TRIAL_BUFFERS);
    if (data == NULL)
        memset(image, 0, bytes);
    else
        memcpy(image, data, bytes);
    memset(image + bytes, GUARD, GUARD_BYTES);
    accel_buffer *buffer = bytes_new(test.device, bytes + GUARD_BYTES);
    t->buffers[t->buffer_count++] = buffer;
    ok(accel_write(t->queue, buffer, image));
    ok(accel_queue_wait(t->queue));
    free(image);
    return accel_buffer_ptr(buffer);
}

void trial_launch(trial *t, const void *args, size_t args_size)
{
    accel_status status = accel_launch(t->queue, t->kernel, &t->work, args, args_size);
    trial_assert(t, status == ACCEL_OK, "accel_launch gave %s: %s", accel_status_name(status), accel_error_message());
}

void trial_read(trial *t, const void *memory, void *data, size_t bytes)
{
    size_t b = 0;
    while (b < t->buffer_count && accel_buffer_ptr(t->buffers[b]) != memory)
        ++b;
    ck_assert_uint_lt(b, t->buffer_count);
    ck_assert_uint_eq(buffer_info(t->buffers[b]).extent[0], bytes + GUARD_BYTES);
    unsigned char *image = host_memory(bytes + GUARD_BYTES);
    ok(accel_read(t->queue, image, t->buffers[b]));
    accel_status status = accel_queue_wait(t->queue);
    trial_assert(t, status == ACCEL_OK, "the queue says %s: %s", accel_status_name(status), accel_error_message());
    for (size_t i = 0; i < GUARD_BYTES; ++i)
        trial_assert(t, image[bytes + i] == GUARD, "%zu bytes behind the end of %zu bytes were written", i + 1, bytes);
    if (bytes > 0)
        memcpy(data, image, bytes);
    free(image);
}

double trial_special(unsigned kind, size_t i)
{
    static const double others[] = {5e-324, 0x1p-149, 0x1p-1030, INFINITY, 1, 0x1p-140};
    const uint64_t r = (i + 1) * 0x9e3779b97f4a7c15u >> 33;
    const double other = others[r / 64 % 6], sign = r % 2 == 0 ? 1 : -1;
    if (i % 7 == 3)
        return (double)NAN;
    if (kind == 2)
        return copysign(other < 0x1p-126 ? other : 0x1p-139, sign);
    if (kind == 3)
        return r / 2 % 32 == 0 ? copysign(INFINITY, sign) : (double)NAN;
    if (r / 2 % 8 < 7)
        return copysign(0, sign);
    return kind == 0 ? other : -other;
}

/* --------------------------------------------------------------------------------------------- suite -- */

/* `levels`: what tests of one level of CPUs run, for which headers have code of their own. `ranges`: those that clang, too, has
 * other code for. */
Suite *kernels_suite(void)
{
    Suite *suite = suite_create("kernels");
    suite_tags = "kernels";
    axpy_tests(suite);
    assertions_tests(suite);
    atomics_tests(suite);
    block_ranges_tests(suite);
    block_sorts_tests(suite);
    collective_tests(suite);
    coordinates_tests(suite);
    dgemm_tests(suite);
    distribution_tests(suite);
    early_return_tests(suite);
    fences_tests(suite);
    functions_tests(suite);
    globals_tests(suite);
    histogram_tests(suite);
    loops_tests(suite);
    mathematics_tests(suite);
    names_tests(suite);
    suite_tags = "kernels levels";
    pack_integers_tests(suite);
    pack_mathematics_tests(suite);
    packs_tests(suite);
    suite_tags = "kernels";
    philox_tests(suite);
    planes_tests(suite);
    prints_tests(suite);
    ranges_tests(suite);
    reduce_tests(suite);
    reducers_tests(suite);
    suite_tags = "kernels levels ranges";
    reductions_tests(suite);
    scans_tests(suite);
    suite_tags = "kernels";
    row_tests(suite);
    row_lanes_tests(suite);
    scan_tests(suite);
    suite_tags = "kernels levels ranges";
    scans_by_key_tests(suite);
    suite_tags = "kernels";
    scatters_tests(suite);
    scratches_tests(suite);
    segments_tests(suite);
    shared_dynamic_tests(suite);
    struct_atomic_tests(suite);
    sync_predicates_tests(suite);
    warp_tests(suite);
    suite_tags = NULL;
    return suite;
}
