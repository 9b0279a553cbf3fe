/* SPDX-License-Identifier: Apache-2.0 */
/* A grid's blocks, run by the calling thread and a few others. */
#include "block.h"
#include "ptx/grid.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_HELPERS = 3, MAX_COOPERATIVE = 256, ALIGNMENT = 64 };

typedef struct grid {
    const gpusim_launch *launch;
    const void *parameters;
    uint64_t blocks;
    uint64_t next;      /* block; atomic */
    uint32_t stop;      /* a fault was met; atomic */
    uint32_t helpers;   /* threads besides the caller; under the lock */
    gpusim_fault fault; /* the first; under the lock */
    struct grid *following;
} grid;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER; /* helpers wait for grids */
static pthread_cond_t left = PTHREAD_COND_INITIALIZER; /* callers wait for helpers */
static grid *grids;                                    /* that have several blocks; under the lock */
static unsigned helpers_made;                          /* under the lock */

static bool has_blocks(const grid *g)
{
    return __atomic_load_n(&g->next, __ATOMIC_RELAXED) < g->blocks && __atomic_load_n(&g->stop, __ATOMIC_RELAXED) == 0;
}

static void report(grid *g, const gpusim_fault *fault)
{
    pthread_mutex_lock(&lock);
    if (g->fault.status == GPUSIM_GRID_OK)
        g->fault = *fault;
    pthread_mutex_unlock(&lock);
    __atomic_store_n(&g->stop, 1, __ATOMIC_RELAXED);
}

/* Blocks until there are none left; `most` of them. */
static void run_blocks(grid *g, uint64_t most)
{
    gpusim_fault fault = {.status = GPUSIM_GRID_OK};
    gpusim_runner *runner = gpusim_runner_own();
    if (runner == NULL) {
        fault.status = GPUSIM_GRID_INVALID;
        snprintf(fault.text, sizeof(fault.text), "no memory for the stacks of a block");
        report(g, &fault);
        return;
    }
    gpusim_runner_begin(runner, g->launch, g->parameters, &g->stop);
    while (most-- > 0 && has_blocks(g)) {
        uint64_t block = __atomic_fetch_add(&g->next, 1, __ATOMIC_RELAXED);
        if (block < g->blocks && gpusim_block_run(runner, block, &fault) != GPUSIM_GRID_OK)
            report(g, &fault);
    }
}

static grid *find_work(void)
{
    for (grid *g = grids; g != NULL; g = g->following)
        if (has_blocks(g))
            return g;
    return NULL;
}

static void leave(grid *g)
{
    if (--g->helpers == 0)
        pthread_cond_broadcast(&left);
}

static void *help(void *user)
{
    (void)user;
    pthread_mutex_lock(&lock);
    while (helpers_made != 0) { /* for ever */
        grid *g = find_work();
        if (g == NULL) {
            pthread_cond_wait(&more, &lock);
            continue;
        }
        ++g->helpers;
        pthread_mutex_unlock(&lock);
        run_blocks(g, UINT64_MAX);
        pthread_mutex_lock(&lock);
        leave(g);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *run_one(void *user)
{
    grid *g = user;
    run_blocks(g, 1);
    pthread_mutex_lock(&lock);
    leave(g);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static bool start(void *(*function)(void *), void *user)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    bool started = pthread_create(&thread, &attributes, function, user) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

static void make_helpers(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned wanted = processors > MAX_HELPERS ? MAX_HELPERS : processors > 2 ? (unsigned)processors - 1 : 1;
    while (helpers_made < wanted && start(help, NULL))
        ++helpers_made;
}

/* Waits for those that are still in it. */
static void join(grid *g)
{
    while (g->helpers != 0)
        pthread_cond_wait(&left, &lock);
}

static void run_shared(grid *g)
{
    pthread_mutex_lock(&lock);
    make_helpers();
    g->following = grids;
    grids = g;
    pthread_cond_broadcast(&more);
    pthread_mutex_unlock(&lock);
    run_blocks(g, UINT64_MAX);
    pthread_mutex_lock(&lock);
    for (grid **at = &grids; *at != NULL; at = &(*at)->following)
        if (*at == g) {
            *at = g->following;
            break;
        }
    join(g);
    pthread_mutex_unlock(&lock);
}

/* A thread for each block, so that all are resident. */
static void run_cooperative(grid *g)
{
    gpusim_fault none = {.status = GPUSIM_GRID_INVALID, .text = "no threads for all blocks of a cooperative grid"};
    pthread_mutex_lock(&lock);
    for (uint64_t block = 1; block < g->blocks; ++block) {
        ++g->helpers;
        if (!start(run_one, g)) {
            --g->helpers;
            if (g->fault.status == GPUSIM_GRID_OK)
                g->fault = none;
        }
    }
    pthread_mutex_unlock(&lock);
    run_blocks(g, 1);
    pthread_mutex_lock(&lock);
    join(g);
    pthread_mutex_unlock(&lock);
}

static const char *refusal(const gpusim_launch *launch, uint64_t *blocks)
{
    const gpusim_kernel *kernel = launch->kernel;
    uint64_t threads = 1;
    *blocks = 1;
    for (int i = 0; i < 3; ++i) {
        if (launch->grid[i] == 0 || launch->block[i] == 0)
            return "an extent is 0";
        if (launch->block[i] > GPUSIM_MAX_THREADS)
            return "too many threads";
        *blocks *= launch->grid[i];
        threads *= launch->block[i];
    }
    if (threads > GPUSIM_MAX_THREADS || threads > kernel->properties.max_threads)
        return "too many threads";
    if (launch->dynamic_shared > GPUSIM_DYNAMIC_SHARED_MAX)
        return "too much dynamic shared memory";
    if (launch->warp_size != 32 && (launch->warp_size != 64 || kernel->image->object.form != GPUSIM_HSACO))
        return "no such warp size";
    if (launch->parameter_bytes != kernel->properties.parameter_bytes)
        return "the parameter block has the wrong size";
    if ((launch->flags & ~GPUSIM_GRID_COOPERATIVE) != 0)
        return "unknown flags";
    if ((launch->flags & GPUSIM_GRID_COOPERATIVE) != 0 && *blocks > MAX_COOPERATIVE)
        return "too many blocks for a cooperative grid";
    return NULL;
}

gpusim_grid_status gpusim_grid_run(const gpusim_launch *launch, gpusim_fault *fault)
{
    grid g = {.launch = launch, .fault.status = GPUSIM_GRID_OK};
    const char *refused = refusal(launch, &g.blocks);
    void *parameters = NULL;
    size_t bytes = (launch->parameter_bytes + (size_t)ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (refused == NULL && (parameters = aligned_alloc(ALIGNMENT, bytes)) == NULL)
        refused = "no memory";
    if (refused != NULL) {
        g.fault.status = GPUSIM_GRID_INVALID;
        snprintf(g.fault.text, sizeof(g.fault.text), "%s", refused);
    } else {
        memcpy(parameters, launch->parameters, launch->parameter_bytes);
        g.parameters = parameters;
        const gpusim_kernel *kernel = launch->kernel;
        if (kernel->function != NULL)
            ptx_grid_run(launch, kernel->image->program, kernel->function, parameters, &g.fault);
        else if ((launch->flags & GPUSIM_GRID_COOPERATIVE) != 0)
            run_cooperative(&g);
        else if (g.blocks == 1)
            run_blocks(&g, 1);
        else
            run_shared(&g);
    }
    free(parameters);
    if (fault != NULL)
        *fault = g.fault;
    return g.fault.status;
}
