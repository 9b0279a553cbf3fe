/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast pageable memory is copied to and from a device, by the model of time (clock.h, ../engine/timing.c). Prints a row for
 * each size, direction and number of queues, and fails where a copy misses the goal, or takes more of the driver than it may.
 *
 * copies [MEGABYTES]: up to so much in all queues together, 256 unless given; up to 1 GB in each.
 */
#include "clock.h"
#include "load.h"

#include <accel/accel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { QUEUES = 4, TURNS = 4, FEW_TURNS = 2, SAME = 16 << 20 };
static const size_t large = (size_t)256 << 20, largest = (size_t)1 << 30;

/* What each copy must reach of the bound, and how long the calling thread may take, whatever the size. A program that has
 * asked for a queue's stream may submit there: its copies are functions of the stream, which the call submits. */
static const double goal = 0.9, shared_goal = 0.35;
static const double most_call_us = 50;
/* Whatever the size and however many queues: pinned memory, and commands in all streams. */
static const size_t most_pinned = 8 << 20, most_commands = 24;

static bool failed;

static void check(accel_status status, const char *what)
{
    if (status == ACCEL_OK)
        return;
    fprintf(stderr, "%s: %s: %s\n", what, accel_status_name(status), accel_error_message());
    exit(1);
}
#define OK(call) check((call), #call)

typedef enum direction { TO_DEVICE, TO_HOST, BOTH, DIRECTIONS } direction;
static const char *const names[DIRECTIONS] = {"to the device", "to the host", "both ways"};

typedef struct lane {
    accel_queue *queue;
    accel_buffer *buffer;
    unsigned char *bytes;
} lane;

typedef struct timing {
    uint64_t call, all; /* nanoseconds: the longest call, and all copies */
} timing;

static bool is_write(direction way, int queue)
{
    return way == TO_DEVICE || (way == BOTH && queue % 2 == 0);
}

/* Memory of the host as large as the simulation need not have it: the same pages again and again. */
static unsigned char *bytes_new(size_t size)
{
    int file = memfd_create("bytes", MFD_CLOEXEC);
    unsigned char *bytes = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool good = bytes != MAP_FAILED && file >= 0 && ftruncate(file, size < SAME ? (off_t)size : SAME) == 0;

    for (size_t at = 0; good && at < size; at += SAME) {
        size_t part = size - at < SAME ? size - at : SAME;
        good = mmap(bytes + at, part, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
    }
    if (!good) {
        perror("memory of the host");
        exit(1);
    }
    close(file);
    return bytes;
}

/* What the device has of each queue, and its pages of the host before they are sent. */
static unsigned char content(int queue)
{
    return (unsigned char)(queue + 1);
}

static void prepare(lane lanes[], size_t size, int queues, direction way)
{
    for (int i = 0; i < queues; ++i)
        memset(lanes[i].bytes, is_write(way, i) ? content(i) : 0, size < SAME ? size : SAME);
}

static bool is_right(lane lanes[], size_t size, int queues)
{
    size_t pages = size < SAME ? size : SAME;

    for (int i = 0; i < queues; ++i) {
        if (lanes[i].bytes[0] != content(i) || memcmp(lanes[i].bytes, lanes[i].bytes + 1, pages - 1) != 0)
            return false;
    }
    return true;
}

/* The same copy some times in each queue, one behind the other: a program's that reads while it computes. */
static timing run(lane lanes[], int queues, direction way, int turns)
{
    timing t = {0};
    uint64_t begin = gpusim_clock_now();

    for (int turn = 0; turn < turns; ++turn) {
        for (int i = 0; i < queues; ++i) {
            uint64_t before = gpusim_clock_now();
            if (is_write(way, i))
                OK(accel_write(lanes[i].queue, lanes[i].buffer, lanes[i].bytes));
            else
                OK(accel_read(lanes[i].queue, lanes[i].bytes, lanes[i].buffer));
            uint64_t call = gpusim_clock_now() - before;
            t.call = call > t.call ? call : t.call;
        }
    }
    for (int i = 0; i < queues; ++i)
        OK(accel_queue_wait(lanes[i].queue));
    t.all = gpusim_clock_now() - begin;
    return t;
}

/* GB/s: the slower of memcpy and the link; of both links if both are used. */
static double bound_of(direction way, double link)
{
    double links = way == BOTH ? 2 * link : link;

    return links < CLOCK_COPY_BANDWIDTH ? links : CLOCK_COPY_BANDWIDTH;
}

static void measure(lane lanes[], size_t size, int queues, direction way, double link, bool shared)
{
    size_t all = size * (size_t)queues;
    int turns = all < large ? TURNS : all < largest ? FEW_TURNS : 1; /* a gigabyte takes the simulation a second */

    prepare(lanes, size, queues, way);
    if (all < large) /* what the first copy of a device needs is there by then */
        (void)run(lanes, queues, way, 1);
    gpusim_load_forget();
    timing once = run(lanes, queues, way, 1), often = turns > 1 ? run(lanes, queues, way, turns) : once;
    size_t pinned = gpusim_load_most(GPUSIM_LOAD_PINNED), commands = gpusim_load_most(GPUSIM_LOAD_COMMANDS);
    double bytes = (double)size * queues, bound = bound_of(way, link);
    double single = bytes / (double)once.all, steady = bytes * turns / (double)often.all;
    double call = (double)(once.call > often.call ? once.call : often.call) * 1e-3;
    double least = bound * (shared ? shared_goal : goal);
    bool right = is_right(lanes, size, queues);
    bool good = right && single >= least && steady >= least && pinned <= most_pinned &&
                (shared || (call <= most_call_us && commands <= most_commands));

    printf("%5zu MB %d %s %-13s %6.1f GB/s, in a row %6.1f, bound %4.1f: %.2f; the call %7.1f us; %zu kB pinned, "
           "%zu commands%s%s\n",
           size >> 20, queues, queues == 1 ? "queue, " : "queues,", names[way], single, steady, bound, single / bound,
           call, pinned >> 10, commands, shared ? ", shared stream" : "",
           good    ? ""
           : right ? "  MISSED"
                   : "  WRONG");
    fflush(stdout);
    failed = failed || !good;
}

static void measure_queues(accel_device *device, size_t size, int queues, bool shared)
{
    const char *link = getenv("GPUSIM_LINK");
    accel_buffer_desc desc = accel_buffer_1d(1, size);
    lane lanes[QUEUES];
    void *stream = NULL;

    for (int i = 0; i < queues; ++i) {
        OK(accel_queue_create(device, NULL, &lanes[i].queue));
        OK(accel_buffer_create(device, &desc, &lanes[i].buffer));
        if (shared)
            OK(accel_queue_native(lanes[i].queue, &stream));
        lanes[i].bytes = bytes_new(size);
    }
    for (direction way = TO_DEVICE; way < DIRECTIONS; ++way) {
        if (way != BOTH || queues > 1)
            measure(lanes, size, queues, way, link != NULL ? strtod(link, NULL) : 43, shared);
    }
    for (int i = 0; i < queues; ++i) {
        munmap(lanes[i].bytes, size);
        accel_buffer_release(lanes[i].buffer);
        accel_queue_release(lanes[i].queue);
    }
}

int main(int argc, char **argv)
{
    size_t most = (argc > 1 ? strtoul(argv[1], NULL, 10) : 256) << 20;
    accel_instance *instance = NULL;

    OK(accel_instance_create(NULL, &instance));
    accel_device *device = accel_instance_device(instance, 0);
    for (size_t size = 1 << 20; size <= most && size <= largest; size *= size < 256 << 20 ? 16 : 4) {
        for (int queues = 1; queues <= QUEUES && size * (size_t)queues <= most; queues *= 2)
            measure_queues(device, size, queues, false);
        measure_queues(device, size, 1, true);
    }
    accel_instance_release(instance);
    return failed;
}
