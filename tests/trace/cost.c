/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tools cost per launch: prints a table of ns, of launches without a tool and what each of the named ones adds. In turns,
 * medians. Usage: cost TOOL... Needs ACCEL_BACKEND.
 */
#include "../conformance/kernels/arguments.h"

#include <accel/accel.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 4, ROUNDS = 301, LAUNCHES = 1000 };

static void ok(accel_status status)
{
    if (status != ACCEL_OK) {
        fprintf(stderr, "%s\n", accel_error_message());
        exit(3);
    }
}

/* An instance that one tool watches, or none. */
typedef struct side {
    accel_instance *instance;
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel;
    double ns[ROUNDS];
} side;

static void open_side(side *self, const char *tool, uint32_t flags)
{
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    accel_device *device;
    desc.flags = flags;
    setenv("ACCEL_TOOL", tool, 1);
    ok(accel_instance_create(NULL, &self->instance));
    ok(accel_instance_find_device(self->instance, NULL, &device));
    ok(accel_queue_create(device, &desc, &self->queue));
    ok(accel_module_load(device, "conformance", &self->module));
    ok(accel_module_kernel(self->module, "set", &self->kernel));
}

static void close_side(side *self)
{
    accel_module_release(self->module);
    accel_queue_release(self->queue);
    accel_instance_release(self->instance);
}

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double launch(const side *self)
{
    const words_args args = {.n = 0};
    const accel_work work = accel_work_1d(1, 1, 1);
    const double begin = now_ns();
    for (int i = 0; i < LAUNCHES; ++i)
        ok(accel_launch(self->queue, self->kernel, &work, &args, sizeof args));
    ok(accel_queue_wait(self->queue));
    return (now_ns() - begin) / LAUNCHES;
}

static int by_value(const void *a, const void *b)
{
    const double one = *(const double *)a, two = *(const double *)b;
    return (one > two) - (one < two);
}

static double median(side *self)
{
    qsort(self->ns, ROUNDS, sizeof self->ns[0], by_value);
    return self->ns[ROUNDS / 2];
}

int main(int count, char **tools)
{
    static side sides[MOST + 1];
    static const struct {
        const char *name;
        uint32_t flags;
    } queues[] = {{"blocking", ACCEL_QUEUE_BLOCKING}, {"non-blocking", 0}};
    if (count - 1 > MOST)
        return fprintf(stderr, "usage: cost TOOL...\n"), 2;
    for (size_t q = 0; q < sizeof queues / sizeof queues[0]; ++q) {
        for (int i = 0; i < count; ++i)
            open_side(&sides[i], i == 0 ? "" : tools[i], queues[q].flags);
        for (int round = -10; round < ROUNDS; ++round)
            for (int i = 0; i < count; ++i) {
                const double ns = launch(&sides[i]);
                if (round >= 0)
                    sides[i].ns[round] = ns;
            }
        const double plain = median(&sides[0]);
        printf("%-14s without %.1f ns", queues[q].name, plain);
        for (int i = 1; i < count; ++i)
            printf(", tool %d %.1f more", i, median(&sides[i]) - plain);
        printf("\n");
        for (int i = 0; i < count; ++i)
            close_side(&sides[i]);
    }
    return 0;
}
