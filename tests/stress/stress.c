/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that do whatever comes to mind, for a while: each has a buffer whose words are all alike, changes it by operations
 * on queues that it changes at random, ordered by events alone, and knows what it must find. In between it sleeps, waits
 * for events of the others, and makes and releases queues and buffers.
 *
 *     stress SECONDS [THREADS [SEED]]
 *
 * Status 0: every word was right. From 20 seconds on a line of what was done and of the memory in use every now and then.
 */
#include "kernels/arguments.h"

#include <accel/accel.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BLOCKS = 64, BLOCK_THREADS = 32, WORDS = BLOCKS * BLOCK_THREADS, QUEUES = 4, MOST_THREADS = 64, LINES = 20 };

typedef struct walker {
    pthread_t thread;
    uint32_t random, expected;
    accel_queue *queues[QUEUES];
    accel_buffer *words, *spare;
    accel_event *last; /* after the latest operation; others wait for it, too */
} walker;

static walker walkers[MOST_THREADS];
static size_t walker_count = 8;
static accel_device *device;
static accel_kernel *chain, *rotate;
static _Atomic bool over;
static _Atomic uint64_t operations;

static void fail(const char *what)
{
    fprintf(stderr, "stress: %s\n", what);
    _exit(EXIT_FAILURE);
}

static void check(accel_status status)
{
    if (status != ACCEL_OK)
        fail(accel_error_message());
}

static uint32_t draw(walker *self, uint32_t below)
{
    self->random = self->random * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)self->random * below >> 32);
}

static accel_queue *queue_new(walker *self)
{
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    accel_queue *queue = NULL;

    desc.flags = draw(self, 3) == 0 ? ACCEL_QUEUE_BLOCKING : 0;
    check(accel_queue_create(device, &desc, &queue));
    return queue;
}

static void launch_chain(walker *self, accel_queue *queue)
{
    words_args args = {.words = (uint32_t *)accel_buffer_ptr(self->words), .n = WORDS, .value = draw(self, 1000)};
    accel_work work = accel_work_1d(1 + draw(self, 2 * BLOCKS), 1, 0);

    work.elems[0] = (WORDS + work.blocks[0] - 1) / work.blocks[0];
    check(accel_launch(queue, chain, &work, &args, sizeof(args)));
    self->expected = 3 * self->expected + args.value;
}

/* Threads that meet at barriers; what is equal stays so. */
static void launch_rotate(walker *self, accel_queue *queue)
{
    exchange_args args = {.out = (uint32_t *)accel_buffer_ptr(self->spare),
                          .in = (const uint32_t *)accel_buffer_ptr(self->words),
                          .value = draw(self, 4)};
    accel_work work = accel_work_1d(BLOCKS, BLOCK_THREADS, 1);

    check(accel_launch(queue, rotate, &work, &args, sizeof(args)));
    check(accel_copy(queue, self->words, self->spare, NULL));
}

static void fill(walker *self, accel_queue *queue)
{
    self->expected = draw(self, UINT32_MAX);
    check(accel_fill(queue, self->words, &self->expected, sizeof(self->expected), NULL));
}

static void move_about(walker *self, accel_queue *queue)
{
    accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), WORDS);
    accel_buffer *passing = NULL;
    uint32_t zero = 0;

    check(accel_buffer_create_async(queue, &desc, &passing));
    check(accel_copy(queue, passing, self->words, NULL));
    check(accel_fill(queue, self->words, &zero, sizeof(zero), NULL));
    check(accel_copy(queue, self->words, passing, NULL));
    accel_buffer_release(passing);
}

static void nap(void *user, accel_status status)
{
    check(status);
    usleep((useconds_t)(uintptr_t)user);
}

static void renew(walker *self)
{
    uint32_t i = draw(self, QUEUES);

    accel_queue_release(self->queues[i]); /* what is pending there finishes */
    self->queues[i] = queue_new(self);
}

static void verify(walker *self, accel_queue *queue)
{
    uint32_t words[WORDS];
    char text[128];

    check(accel_read(queue, words, self->words));
    check(accel_queue_wait(queue));
    for (int i = 0; i < WORDS; ++i) {
        if (words[i] != self->expected) {
            snprintf(text, sizeof(text), "word %d is %u instead of %u", i, words[i], self->expected);
            fail(text);
        }
    }
}

static void step(walker *self)
{
    accel_queue *queue = self->queues[draw(self, QUEUES)];
    uint32_t choice = draw(self, 32);
    bool yes;

    check(accel_queue_wait_event(queue, self->last));
    if (choice < 12)
        launch_chain(self, queue);
    else if (choice < 18)
        launch_rotate(self, queue);
    else if (choice < 20)
        fill(self, queue);
    else if (choice < 22)
        move_about(self, queue);
    else if (choice < 23)
        check(accel_queue_call(queue, nap, (void *)(uintptr_t)draw(self, 200)));
    else if (choice < 25)
        check(accel_queue_wait_event(queue, walkers[draw(self, (uint32_t)walker_count)].last));
    else if (choice < 26)
        renew(self);
    else if (choice < 27)
        usleep(draw(self, 3) == 0 ? draw(self, 8000) : draw(self, 100));
    else if (choice < 28)
        check(accel_event_is_complete(walkers[draw(self, (uint32_t)walker_count)].last, &yes));
    else if (choice < 29)
        verify(self, queue);
    if (choice < 25)
        check(accel_event_record(self->last, queue));
    atomic_fetch_add_explicit(&operations, 1, memory_order_relaxed);
}

static void *walk(void *user)
{
    walker *self = user;

    while (!atomic_load_explicit(&over, memory_order_relaxed))
        step(self);
    check(accel_event_wait(self->last));
    verify(self, self->queues[0]);
    return NULL;
}

static void begin(walker *self, uint32_t seed)
{
    accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), WORDS);

    self->random = seed;
    check(accel_buffer_create(device, &desc, &self->words));
    check(accel_buffer_create(device, &desc, &self->spare));
    check(accel_event_create(device, NULL, &self->last));
    for (int i = 0; i < QUEUES; ++i)
        self->queues[i] = queue_new(self);
    fill(self, self->queues[0]);
    check(accel_queue_wait(self->queues[0]));
}

static void end(walker *self)
{
    for (int i = 0; i < QUEUES; ++i)
        accel_queue_release(self->queues[i]);
    accel_event_release(self->last);
    accel_buffer_release(self->spare);
    accel_buffer_release(self->words);
}

static unsigned long resident_kib(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    if (file != NULL && fscanf(file, "%*u %lu", &pages) != 1)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return pages * (unsigned long)sysconf(_SC_PAGESIZE) / 1024;
}

static void sleep_and_tell(double seconds)
{
    double part = seconds < LINES ? seconds : seconds / LINES;

    for (double passed = part; passed <= seconds; passed += part) {
        struct timespec time = {.tv_sec = (time_t)part, .tv_nsec = (long)((part - (double)(time_t)part) * 1e9)};
        nanosleep(&time, NULL);
        if (seconds >= LINES) {
            printf("%.0f s: %llu operations, %lu KiB resident\n", passed, (unsigned long long)operations,
                   resident_kib());
            fflush(stdout);
        }
    }
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? strtod(argv[1], NULL) : 3;
    uint32_t seed = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : (uint32_t)time(NULL);
    accel_instance *instance = NULL;
    accel_module *module = NULL;
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;

    if (argc > 2)
        walker_count = strtoul(argv[2], NULL, 10);
    if (walker_count == 0 || walker_count > MOST_THREADS)
        fail("THREADS is not 1 to 64");
    check(accel_instance_create(NULL, &instance));
    device = accel_instance_device(instance, 0);
    check(accel_device_info(device, &properties));
    printf("%s, %u units, %zu threads, seed %u\n", properties.name, properties.compute_units, walker_count, seed);
    fflush(stdout);
    check(accel_module_load(device, "conformance", &module));
    check(accel_module_kernel(module, "chain", &chain));
    check(accel_module_kernel(module, "sync_loop", &rotate));
    for (size_t i = 0; i < walker_count; ++i)
        begin(&walkers[i], seed + (uint32_t)i * 7919);
    for (size_t i = 0; i < walker_count; ++i)
        if (pthread_create(&walkers[i].thread, NULL, walk, &walkers[i]) != 0)
            fail("no thread");
    sleep_and_tell(seconds);
    atomic_store(&over, true);
    for (size_t i = 0; i < walker_count; ++i)
        pthread_join(walkers[i].thread, NULL);
    check(accel_device_wait(device));
    for (size_t i = 0; i < walker_count; ++i)
        end(&walkers[i]);
    printf("%llu operations\n", (unsigned long long)operations);
    accel_module_release(module);
    accel_instance_release(instance);
    return EXIT_SUCCESS;
}
