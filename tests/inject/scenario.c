/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole program, in which one call of the system or of a driver fails: turns.py says which, and judges what is printed
 * here. Each call is made again once it has failed. The program then goes on to its end, with the right results.
 *
 * Usage: scenario [sticky]
 *
 * With `sticky` the device of the first backend is lost for the process, so nothing is made again: the program ends.
 */
#include "../kernels/reductions.h"
#include "../kernels/scans.h"
#include "../kernels/scatters.h"
#include "kernels/arguments.h"
#include "shim.h"

#include <accel/accel.h>
#include <accel/algorithm.h>
#include <accel/pattern.h>

#include <dirent.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORDS = 100, ROWS = 3, COLUMNS = 5, PLANES = 4, NUMBERS = 20000, CELLS = 16, SIDE = 10, MOST_BUFFERS = 24 };
enum { LARGE = 300000 }; /* bytes that a GPU copies in pieces */

static bool sticky;
static unsigned failures; /* of calls, so far */

typedef struct objects {
    accel_instance *instance;
    accel_device *device, *second; /* the second is another backend's, or the first's part, or the first itself */
    accel_device *part;
    accel_queue *queue, *blocking, *other;
    accel_event *event, *timed, *host_event;
    accel_buffer *words, *wrapped, *view, *box, *other_box, *stream, *host, *pinned, *mapped, *managed, *global, *more;
    accel_buffer *scanned, *chosen, *total, *lengths, *matrix, *turned, *product;
    accel_buffer *numbers, *sums, *sum, *counts, *large;
    accel_scatter *scatter;
    accel_module *module, *patterns;
    accel_kernel *add, *sync_loop, *reduce, *scan, *cells, *count;
    /* The caller's memory of pending copies, which a failure may leave pending. */
    uint32_t own[WORDS], words_read[WORDS], box_written[PLANES * ROWS * COLUMNS];
    double sums_read[NUMBERS];
    float matrix_written[SIDE * SIDE], matrix_read[SIDE * SIDE];
    uint32_t counts_read[CELLS];
    unsigned char large_written[LARGE], large_read[LARGE];
    atomic_uint host_calls;
} objects;

static void fail(const char *text)
{
    printf("wrong %s\n", text);
    fflush(stdout);
    _Exit(3);
}

static void note(const char *call, accel_status status)
{
    ++failures;
    printf("error %.*s|%s|%s\n", (int)strcspn(call, "("), call, accel_status_name(status), accel_error_message());
}

/* Makes the call, and once more if it failed: a failure leaves everything as it was. False: the device is lost. */
#define MAKE(call)                                                                                                     \
    do {                                                                                                               \
        accel_status status_ = (call);                                                                                 \
        if (status_ != ACCEL_OK) {                                                                                     \
            note(#call, status_);                                                                                      \
            if (sticky)                                                                                                \
                return false;                                                                                          \
            status_ = (call);                                                                                          \
            if (status_ != ACCEL_OK) {                                                                                 \
                note(#call, status_);                                                                                  \
                fail(#call " failed again");                                                                           \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)
/* One call of the work, which is made again as a whole. */
#define WORK(call)                                                                                                     \
    do {                                                                                                               \
        accel_status status_ = (call);                                                                                 \
        if (status_ != ACCEL_OK) {                                                                                     \
            note(#call, status_);                                                                                      \
            return false;                                                                                              \
        }                                                                                                              \
    } while (0)

static void count_call(void *user, accel_status status)
{
    (void)status;
    atomic_fetch_add((atomic_uint *)user, 1);
}

static bool visit(void *user, const accel_object_properties *object)
{
    (void)object;
    ++*(size_t *)user;
    return true;
}

static bool has(accel_device *device, uint32_t feature)
{
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    return accel_device_info(device, &properties) == ACCEL_OK && (properties.features & feature) != 0;
}

static bool make_devices(objects *o)
{
    MAKE(accel_instance_create(NULL, &o->instance));
    MAKE(accel_instance_find_device(o->instance, NULL, &o->device));
    o->second = accel_instance_device(o->instance, accel_instance_device_count(o->instance) - 1);
    if (has(o->device, ACCEL_FEATURE_PARTITION)) {
        accel_device *parts[1] = {NULL};
        size_t count = 0;
        accel_partition_desc by = ACCEL_PARTITION_DESC_INIT;
        by.by = ACCEL_PARTITION_EQUAL;
        by.share_count = 1;
        MAKE(accel_device_partition(o->device, &by, parts, 1, &count));
        o->part = parts[0];
        if (o->second == o->device)
            o->second = o->part;
    }
    return true;
}

static bool make_queues(objects *o)
{
    accel_queue_desc blocking = ACCEL_QUEUE_DESC_INIT;
    accel_event_desc timing = ACCEL_EVENT_DESC_INIT;
    blocking.flags = ACCEL_QUEUE_BLOCKING;
    timing.flags = ACCEL_EVENT_TIMING;
    MAKE(accel_queue_create(o->device, NULL, &o->queue));
    MAKE(accel_queue_create(o->device, &blocking, &o->blocking));
    MAKE(accel_queue_create(o->second, NULL, &o->other));
    MAKE(accel_event_create(o->device, NULL, &o->event));
    MAKE(accel_event_create(o->device, &timing, &o->timed));
    MAKE(accel_event_create(accel_instance_host(o->instance), NULL, &o->host_event));
    return true;
}

static bool make_buffers(objects *o)
{
    const size_t offset[3] = {1, 1, 1};
    accel_buffer_desc desc = accel_buffer_1d(4, WORDS), box = accel_buffer_3d(4, PLANES, ROWS, COLUMNS);
    size_t free_bytes, all_bytes;
    MAKE(accel_buffer_create(o->device, &desc, &o->words));
    MAKE(accel_buffer_create(o->device, &box, &o->box));
    box.extent[2] = COLUMNS + 2;
    MAKE(accel_buffer_create(o->device, &box, &o->other_box));
    MAKE(accel_buffer_view(o->box, offset, NULL, &o->view));
    MAKE(accel_buffer_create_async(o->queue, &desc, &o->stream));
    MAKE(accel_buffer_create(o->device, &desc, &o->scanned));
    MAKE(accel_buffer_create(o->device, &desc, &o->chosen));
    MAKE(accel_buffer_create(o->device, &desc, &o->lengths));
    MAKE(accel_buffer_create(accel_instance_host(o->instance), &desc, &o->host));
    MAKE(accel_buffer_create(accel_instance_host(o->instance), &desc, &o->total));
    MAKE(accel_buffer_wrap(accel_instance_host(o->instance), o->own, &desc, &o->wrapped));
    desc.flags = ACCEL_BUFFER_PINNED;
    if (has(o->device, ACCEL_FEATURE_PINNED))
        MAKE(accel_buffer_create(o->device, &desc, &o->pinned));
    desc.flags = ACCEL_BUFFER_MAPPED;
    if (has(o->device, ACCEL_FEATURE_MAPPED))
        MAKE(accel_buffer_create(o->device, &desc, &o->mapped));
    desc.flags = ACCEL_BUFFER_MANAGED;
    if (has(o->device, ACCEL_FEATURE_MANAGED))
        MAKE(accel_buffer_create(o->device, &desc, &o->managed));
    desc = accel_buffer_1d(sizeof(double), NUMBERS);
    MAKE(accel_buffer_create(o->device, &desc, &o->numbers));
    MAKE(accel_buffer_create(o->device, &desc, &o->sums));
    desc = accel_buffer_1d(sizeof(double), 1);
    MAKE(accel_buffer_create(accel_instance_host(o->instance), &desc, &o->sum));
    desc = accel_buffer_1d(sizeof(uint32_t), CELLS);
    MAKE(accel_buffer_create(o->device, &desc, &o->counts));
    desc = accel_buffer_2d(sizeof(float), SIDE, SIDE);
    MAKE(accel_buffer_create(o->device, &desc, &o->matrix));
    MAKE(accel_buffer_create(o->device, &desc, &o->turned));
    MAKE(accel_buffer_create(o->device, &desc, &o->product));
    desc = accel_buffer_1d(1, LARGE);
    MAKE(accel_buffer_create(o->device, &desc, &o->large));
    MAKE(accel_device_memory(o->device, &free_bytes, &all_bytes));
    return true;
}

static bool make_kernels(objects *o)
{
    size_t visited = 0;
    MAKE(accel_device_visit_objects(o->device, "conformance", visit, &visited));
    MAKE(accel_module_load(o->device, "conformance", &o->module));
    MAKE(accel_module_kernel(o->module, "add", &o->add));
    MAKE(accel_module_kernel(o->module, "sync_loop", &o->sync_loop));
    MAKE(accel_module_global(o->module, "global_words", &o->global));
    MAKE(accel_module_load(o->device, "kernels", &o->patterns));
    MAKE(accel_module_kernel(o->patterns, "reduce_dot", &o->reduce));
    MAKE(accel_module_kernel(o->patterns, "scan_dot", &o->scan));
    MAKE(accel_module_kernel(o->patterns, "scatter_sum_u32", &o->cells));
    MAKE(accel_module_kernel(o->patterns, "scatter_sum_u32_into", &o->count));
    return true;
}

/* add, twice, and a thread kernel whose threads exchange values; all words end as `value` and 5. */
static bool launch_all(objects *o, accel_queue *queue, uint32_t value)
{
    const size_t extent[1] = {WORDS};
    accel_work divided = ACCEL_WORK_INIT, threads = accel_work_1d(2, WORDS / 2, 1);
    words_args args = {.words = accel_buffer_ptr(o->words), .n = WORDS, .value = 2};
    exchange_args exchange = {.out = accel_buffer_ptr(o->stream), .in = accel_buffer_ptr(o->words), .value = 3};
    WORK(accel_fill(queue, o->words, &value, sizeof(value), NULL));
    WORK(accel_work_divide(o->add, 1, extent, NULL, &divided));
    WORK(accel_launch(queue, o->add, &divided, &args, sizeof(args)));
    args.value = 3;
    WORK(accel_launch_over(queue, o->add, 1, extent, &args, sizeof(args)));
    WORK(accel_launch(queue, o->sync_loop, &threads, &exchange, sizeof(exchange)));
    return true;
}

static bool copy_all(objects *o, accel_queue *queue)
{
    static const uint8_t odd[20] = {1, 2, 3, 4, 5};
    const size_t extent[3] = {2, 2, 3};
    WORK(accel_fill(queue, o->other_box, odd, 4, NULL));
    WORK(accel_fill(queue, o->box, odd, sizeof(odd), NULL));
    WORK(accel_write(queue, o->box, o->box_written));
    WORK(accel_copy(queue, o->other_box, o->view, extent));
    WORK(accel_copy(queue, o->host, o->stream, NULL));
    if (o->pinned != NULL)
        WORK(accel_copy(queue, o->pinned, o->words, NULL));
    if (o->managed != NULL)
        WORK(accel_copy(queue, o->managed, o->words, NULL));
    o->large_written[0] = o->large_written[LARGE - 1] = 3;
    WORK(accel_write(queue, o->large, o->large_written));
    WORK(accel_read(queue, o->large_read, o->large));
    WORK(accel_read(queue, o->words_read, o->stream));
    return true;
}

/* Algorithms load kernels of libaccel's own and have memory of the queue's: the words that are 15 are scanned, chosen by
 * themselves, and added up; the sum lands on the host. */
static bool run_algorithms(objects *o, accel_queue *queue)
{
    const uint32_t type = ACCEL_TYPE_UINT32, sum = ACCEL_OPERATION_SUM;
    WORK(accel_scan_values(queue, o->words, type, sum, o->scanned, ACCEL_SCAN_INCLUSIVE));
    WORK(accel_select(queue, o->scanned, o->words, o->chosen, o->host));
    WORK(accel_reduce_values(queue, o->words, type, sum, o->total));
    WORK(accel_read(queue, o->words_read, o->chosen));
    WORK(accel_queue_wait(queue));
    const uint32_t *count = accel_buffer_ptr(o->host), *total = accel_buffer_ptr(o->total);
    if (o->words_read[WORDS - 1] != *total || *count != WORDS)
        fail("the algorithms are wrong");
    return true;
}

/* The sums of the words, which all differ, are scanned in their place, sorted the other way round, and parted by the words, of
 * which none is 0: the first is then 15 * (1 + 2 + ... + WORDS). They have no equal neighbours, the words nothing else. */
static bool run_orders(objects *o, accel_queue *queue)
{
    const uint32_t type = ACCEL_TYPE_UINT32, sum = ACCEL_OPERATION_SUM;
    const uint32_t *count = accel_buffer_ptr(o->host), *total = accel_buffer_ptr(o->total);
    accel_sort_desc sorted = ACCEL_SORT_DESC_INIT;
    accel_histogram_desc counted = ACCEL_HISTOGRAM_DESC_INIT;
    sorted.type = counted.type = type;
    sorted.flags = ACCEL_SORT_DESCENDING;
    counted.high = CELLS;
    WORK(accel_scan_values(queue, o->scanned, type, sum, o->scanned, ACCEL_SCAN_INCLUSIVE));
    WORK(accel_sort(queue, &sorted, o->scanned, NULL));
    WORK(accel_partition(queue, o->scanned, o->words, o->chosen, o->host));
    WORK(accel_read(queue, o->words_read, o->chosen));
    WORK(accel_queue_wait(queue));
    if (o->words_read[0] != 15 * WORDS * (WORDS + 1) / 2 || o->words_read[WORDS - 1] != 15 || *count != WORDS)
        fail("the sorted sums are wrong");
    WORK(accel_unique(queue, o->scanned, o->chosen, o->total));
    WORK(accel_run_lengths(queue, o->words, o->chosen, o->lengths, o->host));
    WORK(accel_histogram(queue, &counted, o->words, o->counts));
    WORK(accel_read(queue, o->words_read, o->lengths));
    WORK(accel_read(queue, o->counts_read, o->counts));
    WORK(accel_queue_wait(queue));
    if (*total != WORDS || *count != 1 || o->words_read[0] != WORDS || o->counts_read[15] != WORDS)
        fail("the runs are wrong");
    return true;
}

/* The transposed matrix of (i, j) -> i by a matrix of twos: each row is 2 * (0 + 1 + ... + SIDE - 1). */
static bool run_matrices(objects *o, accel_queue *queue)
{
    const float two = 2;
    accel_gemm_desc desc = ACCEL_GEMM_DESC_INIT;
    desc.type = ACCEL_TYPE_FLOAT;
    for (int i = 0; i < SIDE * SIDE; ++i)
        o->matrix_written[i] = (float)(i / SIDE);
    WORK(accel_write(queue, o->matrix, o->matrix_written));
    WORK(accel_transpose(queue, o->matrix, o->turned));
    WORK(accel_fill(queue, o->matrix, &two, sizeof(two), NULL));
    WORK(accel_gemm(queue, &desc, 1, o->turned, o->matrix, 0, o->product));
    WORK(accel_read(queue, o->matrix_read, o->product));
    WORK(accel_queue_wait(queue));
    for (int i = 0; i < SIDE * SIDE; ++i)
        if (o->matrix_read[i] != SIDE * (SIDE - 1))
            fail("the product is wrong");
    return true;
}

/* Patterns of kernels of one's own: sums of ones, in several steps, sums of these in their place, and how often each word occurs, which is 15. */
static bool run_patterns(objects *o, accel_queue *queue)
{
    const size_t n = NUMBERS, words = WORDS;
    const double one = 1;
    const uint32_t zero = 0;
    const void *ones = accel_buffer_ptr(o->numbers);
    const reductions_args reduced = {.x = ones, .y = ones};
    const scans_args scanned = {.x = ones, .y = ones}, in_place = {.x = accel_buffer_ptr(o->sums), .y = ones};
    scatters_args counted = {.n = WORDS, .cell = accel_buffer_ptr(o->words)};
    accel_scatter_properties about = ACCEL_SCATTER_PROPERTIES_INIT;
    WORK(accel_fill(queue, o->numbers, &one, sizeof(one), NULL));
    WORK(accel_fill(queue, o->counts, &zero, sizeof(zero), NULL));
    WORK(accel_reduce(queue, o->reduce, 1, &n, &reduced, sizeof(reduced), o->sum));
    WORK(accel_scan(queue, o->scan, n, &scanned, sizeof(scanned), o->sums, ACCEL_SCAN_INCLUSIVE));
    WORK(accel_scan(queue, o->scan, n, &in_place, sizeof(in_place), o->sums, ACCEL_SCAN_INCLUSIVE));
    if (o->scatter == NULL)
        WORK(accel_scatter_create(queue, o->cells, CELLS, NULL, &o->scatter));
    WORK(accel_scatter_reset(queue, o->scatter));
    WORK(accel_scatter_info(o->scatter, &about));
    counted.view = about.view;
    WORK(accel_launch_over(queue, o->count, 1, &words, &counted, sizeof(counted)));
    WORK(accel_scatter_contribute(queue, o->scatter, o->counts));
    WORK(accel_read(queue, o->sums_read, o->sums));
    WORK(accel_read(queue, o->counts_read, o->counts));
    WORK(accel_queue_wait(queue));
    accel_scatter_release(o->scatter);
    o->scatter = NULL;
    if (*(const double *)accel_buffer_ptr(o->sum) != NUMBERS ||
        o->sums_read[NUMBERS - 1] != NUMBERS * (NUMBERS + 1.0) / 2 || o->counts_read[CELLS - 1] != WORDS)
        fail("the patterns are wrong");
    return true;
}

/* What the host asks for while operations are pending. */
static bool order_all(objects *o)
{
    bool yes;
    uint64_t nanoseconds;
    uint32_t value = 7;
    accel_buffer_desc desc = accel_buffer_1d(4, WORDS);
    WORK(accel_event_record(o->timed, o->queue));
    WORK(accel_event_arm(o->host_event));
    accel_status armed = accel_queue_wait_event(o->queue, o->host_event);
    accel_status record = armed == ACCEL_OK ? accel_event_record(o->event, o->queue) : armed;
    accel_status wait = record == ACCEL_OK ? accel_queue_wait_event(o->other, o->event) : record;
    accel_status call = wait == ACCEL_OK ? accel_queue_call(o->queue, count_call, &o->host_calls) : wait;
    if (call == ACCEL_OK)
        call = accel_fill(o->queue, o->words, &value, sizeof(value), NULL); /* behind what is not yet signalled */
    if (call == ACCEL_OK && o->more == NULL)
        call = accel_buffer_create_async(o->queue, &desc, &o->more);
    if (call != ACCEL_OK)
        note("accel_ order_all", call);
    WORK(accel_event_signal(o->host_event, ACCEL_OK));
    if (call != ACCEL_OK)
        return false;
    WORK(accel_queue_is_idle(o->queue, &yes));
    WORK(accel_event_wait(o->event));
    WORK(accel_event_is_complete(o->event, &yes));
    WORK(accel_event_record(o->event, o->queue));
    WORK(accel_queue_wait(o->other));
    WORK(accel_queue_wait(o->queue));
    if (accel_event_elapsed(o->timed, o->timed, &nanoseconds) != ACCEL_OK)
        WORK(accel_event_elapsed(o->timed, o->timed, &nanoseconds));
    return true;
}

static bool work(objects *o)
{
    for (int round = 0; round < 2; ++round) {
        accel_queue *queue = round == 0 ? o->queue : o->blocking;
        if (!launch_all(o, queue, 10) || !copy_all(o, queue))
            return false;
        WORK(accel_queue_wait(queue));
        for (size_t i = 0; i < WORDS; ++i)
            if (o->words_read[i] != 15)
                fail("the words are not 15");
        if (memcmp(o->large_read, o->large_written, LARGE) != 0)
            fail("the large copy is wrong");
        memset(o->large_read, 0, LARGE);
        memset(o->words_read, 0, sizeof(o->words_read));
        if (!run_algorithms(o, queue) || !run_orders(o, queue) || !run_matrices(o, queue) || !run_patterns(o, queue))
            return false;
    }
    unsigned calls = atomic_load(&o->host_calls);
    if (!order_all(o))
        return false;
    if (atomic_load(&o->host_calls) != calls + 1)
        fail("a host function did not run once");
    WORK(accel_device_wait(o->device));
    return true;
}

static bool program(objects *o)
{
    if (!make_devices(o) || !make_queues(o) || !make_buffers(o) || !make_kernels(o))
        return false;
    for (int turn = 0; !work(o); ++turn) {
        if (sticky)
            return false;
        if (turn == 1)
            fail("the work failed again");
        accel_queue *queues[] = {o->queue, o->blocking, o->other};
        for (size_t i = 0; i < 3; ++i) /* which report their failure, and clear it */
            (void)accel_queue_wait(queues[i]);
        for (size_t i = 0; i < 3; ++i)
            MAKE(accel_queue_wait(queues[i]));
    }
    return true;
}

static void release(objects *o)
{
    accel_buffer *buffers[MOST_BUFFERS] = {o->view,    o->words,  o->wrapped, o->box,     o->other_box, o->stream,
                                           o->host,    o->pinned, o->mapped,  o->managed, o->global,    o->more,
                                           o->scanned, o->chosen, o->total,   o->numbers, o->sums,      o->sum,
                                           o->counts,  o->large,  o->lengths, o->matrix,  o->turned,    o->product};
    for (size_t i = 0; i < MOST_BUFFERS; ++i)
        accel_buffer_release(buffers[i]);
    accel_scatter_release(o->scatter);
    accel_module_release(o->module);
    accel_module_release(o->patterns);
    accel_event_release(o->event);
    accel_event_release(o->timed);
    accel_event_release(o->host_event);
    accel_queue_release(o->queue);
    accel_queue_release(o->blocking);
    accel_queue_release(o->other);
    accel_device_release(o->part);
    accel_instance_release(o->instance);
}

static unsigned entries_of(const char *path)
{
    unsigned count = 0;
    DIR *directory = opendir(path);
    while (directory != NULL && readdir(directory) != NULL)
        ++count;
    if (directory != NULL)
        closedir(directory);
    return count;
}

static unsigned long number(const char *name)
{
    const char *text = getenv(name);
    return text != NULL ? strtoul(text, NULL, 10) : 0;
}

/* Threads end behind the last release, and free what they had: as many may stay as INJECT_THREADS and INJECT_LIVE say,
 * which is what a run without a failure left. */
static void settle(void)
{
    unsigned long threads = number("INJECT_THREADS"), live = number("INJECT_LIVE");
    for (int turn = 0; turn < (threads != 0 ? 5000 : 50); ++turn) {
        if (entries_of("/proc/self/task") <= threads && (inject_live == NULL || inject_live() <= live))
            break;
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    printf("threads %u\nfiles %u\n", entries_of("/proc/self/task"), entries_of("/proc/self/fd"));
}

int main(int argc, char **argv)
{
    static objects o;
    sticky = argc > 1 && strcmp(argv[1], "sticky") == 0;
    if (inject_arm != NULL)
        inject_arm(number("INJECT_TURN"));
    bool through = program(&o);
    unsigned long calls = inject_calls != NULL ? inject_calls() : 0;
    release(&o);
    printf("calls %lu\n", calls);
    if (inject_failed != NULL && inject_failed() != NULL)
        printf("failed %s\n", inject_failed());
    settle();
    if (inject_print_live != NULL)
        inject_print_live();
    printf("%s\n", through ? "through" : "ended");
    return 0;
}
