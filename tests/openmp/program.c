/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that uses OpenMP itself, between launches on cpu-omp and around them.
 *
 *     program RUNTIME [LIBRARY...]
 *
 * RUNTIME must stand in the device's description. Libraries are opened first, each hidden in a scope of its own; compiled
 * with SECOND the program is linked with one. All have `second_sum`, a loop of theirs.
 */
#include "kernels/arguments.h"

#include <accel/accel.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 4096, THREADS = 4, TIMES = 50 };

static accel_device *device;
static accel_kernel *add;
static double (*sums[4])(int n);
static int sum_count;

#define require(condition) ((condition) ? (void)0 : fail(#condition, __LINE__))

static void fail(const char *what, int line)
{
    fprintf(stderr, "line %d: %s: %s\n", line, what, accel_error_message());
    exit(EXIT_FAILURE);
}

/* This program's own loop. */
static double own_sum(int n)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; ++i)
        sum += i;
    return sum;
}

static accel_queue *queue_new(uint32_t flags)
{
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    accel_queue *queue = NULL;

    desc.flags = flags;
    require(accel_queue_create(device, &desc, &queue) == ACCEL_OK);
    return queue;
}

static void launch(accel_queue *queue, uint32_t *words)
{
    words_args args = {.words = words, .n = WORDS, .value = 1};
    accel_work work = accel_work_1d(64, 1, WORDS / 64);

    require(accel_launch(queue, add, &work, &args, sizeof(args)) == ACCEL_OK);
}

static void loops(int n)
{
    double expected = (double)n * (n - 1) / 2;

    require(own_sum(n) == expected);
    for (int i = 0; i < sum_count; ++i)
        require(sums[i](n) == expected);
}

/* Each thread of a region has a queue and words of its own. */
static void launch_in_region(void)
{
#pragma omp parallel for num_threads(THREADS)
    for (int thread = 0; thread < THREADS; ++thread) {
        uint32_t *words = calloc(WORDS, sizeof(*words));
        accel_queue *queue = queue_new(thread % 2 == 0 ? ACCEL_QUEUE_BLOCKING : 0);
        require(words != NULL);
        for (int i = 0; i < TIMES; ++i)
            launch(queue, words);
        require(accel_queue_wait(queue) == ACCEL_OK);
        for (int i = 0; i < WORDS; ++i)
            require(words[i] == TIMES);
        accel_queue_release(queue);
        free(words);
    }
}

static void open_library(const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = handle != NULL ? dlsym(handle, "second_sum") : NULL;

    if (symbol == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(EXIT_FAILURE);
    }
    memcpy(&sums[sum_count++], &symbol, sizeof(symbol));
}

#if defined(SECOND)
double second_sum(int n);
#endif

int main(int argc, char **argv)
{
    accel_instance *instance = NULL;
    accel_module *module = NULL;
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    uint32_t *words = calloc(WORDS, sizeof(*words));

    for (int i = 2; i < argc; ++i)
        open_library(argv[i]);
#if defined(SECOND)
    sums[sum_count++] = second_sum;
#endif
    loops(1000); /* before libaccel is there */
    desc.backends = "cpu-omp";
    require(accel_instance_create(&desc, &instance) == ACCEL_OK);
    device = accel_instance_device(instance, 0);
    require(accel_device_info(device, &properties) == ACCEL_OK);
    printf("%s\n", properties.description);
    require(argc > 1 && strstr(properties.description, argv[1]) != NULL);
    require(accel_module_load(device, "conformance", &module) == ACCEL_OK);
    require(accel_module_kernel(module, "add", &add) == ACCEL_OK);

    accel_queue *queues[] = {queue_new(ACCEL_QUEUE_BLOCKING), queue_new(0), queue_new(0)};
    uint32_t launches = 0;
    for (int i = 0; i < TIMES; ++i) {
        for (int k = 0; k < 3; ++k, ++launches) {
            launch(queues[k], words);
            if (i % 5 == 0)
                loops(10000); /* while the queue works */
            require(accel_queue_wait(queues[k]) == ACCEL_OK);
        }
        loops(100);
    }
    for (int i = 0; i < WORDS; ++i)
        require(words[i] == launches);
    launch_in_region();
    loops(1000);
    for (int k = 0; k < 3; ++k)
        accel_queue_release(queues[k]);
    accel_module_release(module);
    accel_instance_release(instance);
    free(words);
    return EXIT_SUCCESS;
}
