/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks and signal stacks of the OS threads that run blocks. */
#include "block.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

static __thread gpusim_runner *own;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void destroy(void *user)
{
    gpusim_runner *runner = user;
    gpusim_trap_remove(runner);
    munmap(runner->stacks, (size_t)GPUSIM_STACK_STRIDE * GPUSIM_MAX_THREADS);
    munmap(runner, sizeof(*runner));
    own = NULL;
}

static void make_key(void)
{
    (void)pthread_key_create(&key, destroy);
}

static void *reserve(size_t size)
{
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

gpusim_runner *gpusim_runner_own(void)
{
    if (own != NULL)
        return own;
    pthread_once(&once, make_key);
    gpusim_runner *runner = reserve(sizeof(*runner));
    if (runner == NULL)
        return NULL;
    runner->stacks = reserve((size_t)GPUSIM_STACK_STRIDE * GPUSIM_MAX_THREADS);
    if (runner->stacks == NULL) {
        munmap(runner, sizeof(*runner));
        return NULL;
    }
    gpusim_trap_install(runner);
    pthread_setspecific(key, runner);
    own = runner;
    return runner;
}

gpusim_runner *gpusim_runner_inside(void)
{
    return own != NULL && own->current != NULL ? own : NULL;
}

void *gpusim_runner_stack(gpusim_runner *runner, uint32_t strand)
{
    unsigned char *stack = runner->stacks + (size_t)GPUSIM_STACK_STRIDE * strand;
    /* An overflow is a fault, as far as the system has mappings for that. */
    (void)mprotect(stack, GPUSIM_STACK_GUARD, PROT_NONE);
    return stack + GPUSIM_STACK_GUARD;
}

void gpusim_runner_begin(gpusim_runner *runner, const gpusim_launch *launch, const void *parameters,
                         const uint32_t *stop)
{
    const uint32_t *block = launch->block;
    runner->launch = launch;
    runner->parameters = parameters;
    runner->stop = stop;
    runner->threads = block[0] * block[1] * block[2];
    runner->warps = (runner->threads + launch->warp_size - 1) / launch->warp_size;
    runner->dynamic = launch->kernel->image->dynamic();
    runner->shared = runner->dynamic - launch->kernel->image->dynamic_offset;
    for (uint32_t i = 0; i < runner->threads; ++i) {
        gpusim_lane *seen = &runner->fibers[i].seen;
        seen->thread = (gpusim_index){i % block[0], i / block[0] % block[1], i / block[0] / block[1]};
        seen->block_extent = (gpusim_index){block[0], block[1], block[2]};
        seen->grid_extent = (gpusim_index){launch->grid[0], launch->grid[1], launch->grid[2]};
        seen->lane = i % launch->warp_size;
        seen->warp_size = launch->warp_size;
        seen->parameters = parameters;
    }
    for (uint32_t w = 0; w < runner->warps; ++w) {
        const uint32_t first = w * launch->warp_size, left = runner->threads - first;
        runner->warp[w].lanes = &runner->fibers[first];
        runner->warp[w].count = left < launch->warp_size ? left : launch->warp_size;
    }
}
