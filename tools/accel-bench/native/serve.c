/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The native side of accel-bench: it reads requests from its standard input, runs them, and replies with their times.
 *
 * It is not part of accel-bench itself, because threads of an OpenMP runtime or a BLAS poll for milliseconds after
 * their work and would occupy the CPUs of libaccel's threads; two runtimes in one process see each other; and a runtime
 * reads its environment only once.
 */
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "../clock.h"
#include "protocol.h"

enum { MOST_OPEN = 8 };

typedef struct open_way {
    const native_way *way; /* NULL: free */
    void *state;
} open_way;

static open_way opened[MOST_OPEN];

enum { PAGE = 4096, HUGE_PAGE = 2 << 20 };

/* Stores and later loads whose addresses agree in the last 12 bits hinder each other: a C loop over two small arrays takes twice
 * as long where malloc happens to lay them so. So each begins a quarter of a page behind where the one before does in its page. */
void *native_allocate(size_t n, size_t element_size)
{
    static atomic_size_t arrays; /* threads allocate, too */
    const bool huge = n * element_size >= HUGE_PAGE;
    const size_t align = huge ? HUGE_PAGE : PAGE,
                 offset = huge ? 0 : atomic_fetch_add_explicit(&arrays, 1, memory_order_relaxed) % 4 * (PAGE / 4);
    const size_t size = (offset + n * element_size + align - 1) / align * align;
    unsigned char *memory = aligned_alloc(align, size != 0 ? size : align);
    if (memory != NULL && huge)
        madvise(memory, size, MADV_HUGEPAGE); /* as libaccel's buffers */
    return memory != NULL ? memory + offset : NULL;
}

void native_release(void *memory)
{
    free((void *)((uintptr_t)memory / PAGE * PAGE));
}

static const native_way *find(const char *name)
{
    for (size_t i = 0; native_ways[i] != NULL; ++i)
        if (strcmp(native_ways[i]->name, name) == 0)
            return native_ways[i];
    return NULL;
}

static uint32_t open_one(const native_request *request, native_reply *reply)
{
    const native_way *way = find(request->way);
    if (way == NULL)
        return NATIVE_NO_SUCH_WAY;
    for (uint32_t i = 0; i < MOST_OPEN; ++i)
        if (opened[i].way == NULL) {
            void *state = way->open(request->parameters);
            if (state == NULL)
                return NATIVE_NO_MEMORY;
            opened[i] = (open_way){way, state};
            reply->handle = i;
            return NATIVE_DONE;
        }
    return NATIVE_NO_MEMORY;
}

static double run(const open_way *open, size_t repetitions)
{
    if (open->way->begin != NULL)
        open->way->begin(open->state, repetitions);
    const double start = clock_now();
    open->way->run(open->state, repetitions);
    return clock_now() - start;
}

static double run_apart(const open_way *open, uint64_t repetitions, uint64_t pause)
{
    double nanoseconds = 0;
    for (uint64_t r = 0; r < repetitions; ++r) {
        clock_compute((double)pause);
        nanoseconds += run(open, 1);
    }
    return nanoseconds;
}

static double run_latest(const open_way *open, const native_request *request)
{
    double nanoseconds = 0;
    for (uint64_t r = 0; r < request->repetitions; ++r) {
        double latest = 0;
        for (uint32_t i = 0; i < request->latest_of; ++i) {
            const double time = run(open, 1);
            latest = time > latest ? time : latest;
        }
        nanoseconds += latest;
    }
    return nanoseconds;
}

static double run_asked(const open_way *open, const native_request *request)
{
    if (request->latest_of != 0)
        return run_latest(open, request);
    if (request->pause_nanoseconds != 0)
        return run_apart(open, request->repetitions, request->pause_nanoseconds);
    return run(open, request->repetitions);
}

static uint32_t answer(const native_request *request, native_reply *reply)
{
    if (request->operation == NATIVE_OPEN)
        return open_one(request, reply);
    open_way *open = &opened[request->handle % MOST_OPEN];
    if (open->way == NULL)
        return NATIVE_NO_SUCH_WAY;
    double cpu;
    switch (request->operation) {
    case NATIVE_RUN:
        cpu = clock_cpu();
        reply->nanoseconds = run_asked(open, request);
        if (request->counts_cpu != 0)
            reply->nanoseconds = clock_cpu() - cpu;
        return NATIVE_DONE;
    case NATIVE_CHECK:
        return open->way->check == NULL || open->way->check(open->state) ? NATIVE_DONE : NATIVE_WRONG;
    default:
        open->way->close(open->state);
        open->way = NULL;
        return NATIVE_DONE;
    }
}

int main(void)
{
    native_request request;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* accel-bench may have stopped this program (process.h) */
    while (read(STDIN_FILENO, &request, sizeof request) == (ssize_t)sizeof request) {
        native_reply reply = {0};
        request.way[sizeof request.way - 1] = '\0';
        reply.result = answer(&request, &reply);
        if (write(STDOUT_FILENO, &reply, sizeof reply) != (ssize_t)sizeof reply)
            return 1;
    }
    return 0;
}
