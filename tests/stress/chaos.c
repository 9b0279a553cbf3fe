/* SPDX-License-Identifier: Apache-2.0 */
/*
 *     chaos [SECONDS [THREADS [SEED]]]
 *
 * Rounds of a second or two, each in a process of its own, on every device of ACCEL_BACKEND. See chaos.h. Status 0:
 * everything held in every round. Four seconds and 6 threads unless they are given.
 */
#include "chaos.h"

#include "kernels/arguments.h"

#include <faulty.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { HANGS = 60 }; /* seconds after which a round counts as stuck: far more than a busy machine needs */

arena all;

/* Totals of all rounds, in memory that they share. */
typedef struct totals {
    uint64_t rounds, operations, calls, failures, struck;
} totals;

static void check(accel_status status)
{
    MUST(status == ACCEL_OK, "%s", accel_error_message());
}

static void open_device(arena_device *d, accel_device *device)
{
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;

    check(accel_device_info(device, &properties));
    d->device = device;
    snprintf(d->name, sizeof(d->name), "%s", properties.name);
    d->gpu = properties.kind == ACCEL_DEVICE_GPU;
    d->faulty = strcmp(properties.description, FAULTY_DESCRIPTION) == 0;
    check(accel_module_load(device, "conformance", &d->module));
    check(accel_module_kernel(d->module, "add", &d->add));
    check(accel_module_kernel(d->module, "set", &d->set));
}

static accel_buffer *zeros(arena_queue *q)
{
    accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), WORDS);
    accel_buffer *buffer = NULL;
    uint32_t zero = 0;

    check(accel_buffer_create(q->on->device, &desc, &buffer));
    check(accel_fill(q->queue, buffer, &zero, sizeof(zero), NULL));
    return buffer;
}

/* Of the queues of a device the even ones are blocking, and the first two are strong. */
static void open_queue(arena_device *d, uint32_t i)
{
    arena_queue *q = &all.queues[all.queue_count++];
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;

    q->on = d;
    q->blocking = i % 2 == 0;
    q->weak = d->doomed || i >= 2;
    desc.flags = q->blocking ? ACCEL_QUEUE_BLOCKING : 0;
    check(accel_queue_create(d->device, &desc, &q->queue));
    q->words = zeros(q);
    q->copy = zeros(q);
    q->sum = zeros(q);
    check(accel_queue_wait(q->queue));
}

static void open_walker(uint32_t index, uint32_t seed)
{
    walker *w = &all.walkers[index];

    w->index = index;
    w->random = seed + index * 7919;
    w->calls = calloc(MOST_CALLS, sizeof(*w->calls));
    MUST(w->calls != NULL, "no memory");
    for (uint32_t d = 0; d < all.device_count; ++d)
        for (int s = 0; s < STRENGTHS; ++s)
            check(accel_event_create(all.devices[d].device, NULL, &w->events[d][s]));
    check(accel_event_create(accel_instance_host(all.instance), NULL, &w->host_event));
}

static void *walk(void *user)
{
    while (!atomic_load_explicit(&all.over, memory_order_relaxed))
        step(user);
    return NULL;
}

/* Signals host events some time after they were armed, whatever walkers wait for. */
static void *signal_events(void *user)
{
    uint32_t random = 1;

    while (!atomic_load(&all.quiet)) {
        for (uint32_t i = 0; i < all.walker_count; ++i) {
            uint32_t armed = atomic_load(&all.walkers[i].armed);
            if (armed == 0 || draw(&random, 4) == 0)
                continue;
            check(accel_event_signal(all.walkers[i].host_event, armed - 1));
            atomic_store(&all.walkers[i].armed, 0);
        }
        usleep(draw(&random, 200));
    }
    return user;
}

static void nap(uint32_t milliseconds)
{
    nanosleep(&(struct timespec){.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L}, NULL);
}

/* What is pending ends, and failures are cleared; a doomed device keeps its own. */
static void settle(arena_queue *q)
{
    accel_status status = ACCEL_OK;

    for (int i = 0; i < 4 && (i == 0 || status != ACCEL_OK); ++i) {
        status = accel_queue_wait(q->queue);
        expect(q, status);
    }
    MUST(status == ACCEL_OK || q->on->doomed, "a failure is not cleared: %s", accel_error_message());
}

static void judge_queue(arena_queue *q)
{
    uint32_t sum[WORDS] = {0};

    if (q->on->doomed)
        return;
    accel_status status = accel_read(q->queue, sum, q->sum);
    expect(q, status);
    settle(q);
    if (q->on->faulty && q->weak) /* it was still to fail on request */
        check(accel_read(q->queue, sum, q->sum));
    check(accel_queue_wait(q->queue));
    for (int i = 0; i < WORDS; ++i) {
        MUST(sum[i] == sum[0], "%s: word %d is %u, word 0 is %u", q->on->name, i, sum[i], sum[0]);
        MUST(q->weak ? sum[i] <= q->adds : sum[i] == q->adds, "%s, %s, %sblocking: %llu launches added %u", q->on->name,
             q->weak ? "weak" : "strong", q->blocking ? "" : "not ", (unsigned long long)q->adds, sum[i]);
    }
}

/* Host functions behind a released queue or a lost device may come a little later. */
static void judge_calls(const walker *w)
{
    for (uint32_t i = 0; i < w->call_count; ++i) {
        const host_call *call = &w->calls[i];
        for (int k = 0; call->accepted && atomic_load(&call->runs) == 0 && k < 20000; ++k)
            usleep(1000);
        MUST(atomic_load(&call->runs) == call->accepted, "a call that was %s ran %u times",
             call->accepted ? "accepted" : "refused", atomic_load(&call->runs));
    }
}

static void close_arena(void)
{
    for (uint32_t i = 0; i < all.queue_count; ++i) {
        arena_queue *q = &all.queues[i];
        atomic_fetch_add(&all.failures, q->failures);
        accel_buffer_release(q->words);
        accel_buffer_release(q->copy);
        accel_buffer_release(q->sum);
        accel_queue_release(q->queue);
    }
    for (uint32_t i = 0; i < all.walker_count; ++i) {
        for (uint32_t d = 0; d < all.device_count; ++d)
            for (int s = 0; s < STRENGTHS; ++s)
                accel_event_release(all.walkers[i].events[d][s]);
        accel_event_release(all.walkers[i].host_event);
    }
    for (uint32_t d = 0; d < all.device_count; ++d)
        accel_module_release(all.devices[d].module);
    accel_instance_release(all.instance);
    for (uint32_t i = 0; i < all.walker_count; ++i) {
        judge_calls(&all.walkers[i]);
        free(all.walkers[i].calls);
    }
}

static void begin(uint32_t seed)
{
    uint32_t random = seed;

    check(accel_instance_create(NULL, &all.instance));
    all.device_count = (uint32_t)accel_instance_device_count(all.instance);
    if (all.device_count > MOST_DEVICES)
        all.device_count = MOST_DEVICES;
    for (uint32_t i = 0; i < all.device_count; ++i)
        open_device(&all.devices[i], accel_instance_device(all.instance, i));
    arena_device *chosen = &all.devices[draw(&random, all.device_count)];
    chosen->doomed = draw(&random, 3) != 0 && (chosen->gpu || chosen->faulty);
    for (uint32_t i = 0; i < all.device_count; ++i)
        for (uint32_t k = 0; k < DEVICE_QUEUES; ++k)
            open_queue(&all.devices[i], k);
    for (uint32_t i = 0; i < all.walker_count; ++i)
        open_walker(i, seed);
}

/* In a process of its own. */
static void play(uint32_t seed, uint32_t milliseconds, totals *sums)
{
    pthread_t signaller;
    uint32_t random = seed ^ 0x5555;

    alarm(HANGS);
    begin(seed);
    MUST(pthread_create(&signaller, NULL, signal_events, NULL) == 0, "no thread");
    for (uint32_t i = 0; i < all.walker_count; ++i)
        MUST(pthread_create(&all.walkers[i].thread, NULL, walk, &all.walkers[i]) == 0, "no thread");
    uint32_t first = draw(&random, milliseconds);
    nap(first);
    for (uint32_t i = 0; i < all.device_count; ++i) {
        sums->struck += all.devices[i].doomed;
        if (all.devices[i].doomed)
            strike(&all.devices[i], &random);
    }
    nap(milliseconds - first);
    atomic_store(&all.over, true);
    for (uint32_t i = 0; i < all.walker_count; ++i)
        pthread_join(all.walkers[i].thread, NULL);
    for (uint32_t i = 0; i < all.queue_count; ++i)
        settle(&all.queues[i]);
    atomic_store(&all.quiet, true);
    pthread_join(signaller, NULL);
    for (uint32_t i = 0; i < all.queue_count; ++i)
        judge_queue(&all.queues[i]);
    close_arena();
    sums->operations += all.operations;
    sums->calls += all.calls;
    sums->failures += all.failures;
    ++sums->rounds;
}

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    double end = now() + (argc > 1 ? strtod(argv[1], NULL) : 4);
    uint32_t seed = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : (uint32_t)time(NULL);
    totals *sums = mmap(NULL, sizeof(*sums), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = 0;

    all.walker_count = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 6;
    MUST(sums != MAP_FAILED, "no memory");
    MUST(all.walker_count >= 1 && all.walker_count <= MOST_WALKERS, "THREADS is not 1 to %d", MOST_WALKERS);
    for (uint32_t round = 0; status == 0 && (round == 0 || now() < end); ++round) {
        pid_t child = fork();
        MUST(child >= 0, "no process");
        if (child == 0) {
            play(seed + round * 104729, 200 + (round * 397) % 1200, sums);
            return EXIT_SUCCESS;
        }
        MUST(waitpid(child, &status, 0) == child, "the round is gone");
        if (status != 0)
            fprintf(stderr, "chaos: the round of seed %u ended with %s %d%s\n", seed + round * 104729,
                    WIFSIGNALED(status) ? "signal" : "status",
                    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
                    WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? ": it hangs" : "");
    }
    printf("%llu rounds, %llu operations, %llu host functions, %llu failures, %llu devices struck\n",
           (unsigned long long)sums->rounds, (unsigned long long)sums->operations, (unsigned long long)sums->calls,
           (unsigned long long)sums->failures, (unsigned long long)sums->struck);
    return status == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
