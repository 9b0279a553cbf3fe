/* SPDX-License-Identifier: Apache-2.0 */
#include "grid.h"

#include "fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TURNS = 32,
    MOST_RESIDENT = 4, /* blocks that run at a time, but for cooperative grids */
    SHARED_STEP = 256, /* shared memory of a block begins at a multiple */
    PAGE = 4096,
    POISON = 0xa5
};

typedef struct grid {
    const gpusim_launch *launch;
    const ptx_program *program;
    const ptx_function *kernel;
    const void *parameters;
    uint64_t blocks, next; /* next: that is to begin */
    uint32_t resident, threads;
    size_t shared_stride, stack_bytes;
    ptx_block *slots;  /* of resident blocks; live is 0 in those that are empty */
    ptx_thread *lanes; /* resident times threads */
    unsigned char *stacks;
    unsigned char *shared;
    ptx_thread *volatile running; /* for the text of a fault */
    ptx_random random;
} grid;

static bool prepare(grid *g)
{
    const uint64_t all = g->blocks < MOST_RESIDENT ? g->blocks : 1 + ptx_random_next(&g->random) % MOST_RESIDENT;
    g->resident = (uint32_t)((g->launch->flags & GPUSIM_GRID_COOPERATIVE) != 0 ? g->blocks : all);
    g->threads = g->launch->block[0] * g->launch->block[1] * g->launch->block[2];
    g->stack_bytes =
        g->kernel->frame_bytes + g->program->called_bytes + g->program->function_count * sizeof(ptx_return);
    const size_t shared = ptx_dynamic_offset(g->kernel) + g->launch->dynamic_shared;
    g->shared_stride = (shared + SHARED_STEP) / SHARED_STEP * SHARED_STEP;
    const size_t lanes = (size_t)g->resident * g->threads;
    g->slots = calloc(g->resident, sizeof(*g->slots));
    g->lanes = calloc(lanes, sizeof(*g->lanes));
    g->stacks = aligned_alloc(PAGE, (lanes * g->stack_bytes + PAGE) / PAGE * PAGE);
    g->shared = aligned_alloc(PAGE, (g->resident * g->shared_stride + PAGE) / PAGE * PAGE);
    if (g->slots == NULL || g->lanes == NULL || g->stacks == NULL || g->shared == NULL)
        return false;
    for (size_t i = 0; i < lanes; ++i) {
        g->lanes[i].stack = g->stacks + i * g->stack_bytes;
        g->lanes[i].stack_end = g->lanes[i].stack + g->stack_bytes;
    }
    return true;
}

static void begin_block(grid *g, uint32_t slot)
{
    ptx_block *block = &g->slots[slot];
    const uint32_t *extent = g->launch->grid;
    const uint64_t index = g->next++;
    *block = (ptx_block){.program = g->program,
                         .kernel = g->kernel,
                         .shared = g->shared + slot * g->shared_stride,
                         .shared_size = ptx_dynamic_offset(g->kernel) + g->launch->dynamic_shared,
                         .every_shared = g->shared,
                         .every_shared_size = g->resident * g->shared_stride,
                         .parameters = g->parameters,
                         .threads = &g->lanes[(size_t)slot * g->threads],
                         .count = g->threads,
                         .live = g->threads,
                         .random = &g->random};
    memset(block->shared, POISON, g->shared_stride);
    for (uint32_t i = 0; i < g->threads; ++i) {
        ptx_thread *thread = &block->threads[i];
        for (uint32_t k = 0; k < 3; ++k) {
            thread->special[PTX_NTID_X + k] = g->launch->block[k];
            thread->special[PTX_NCTAID_X + k] = extent[k];
        }
        thread->special[PTX_CTAID_X] = (uint32_t)(index % extent[0]);
        thread->special[PTX_CTAID_X + 1] = (uint32_t)(index / extent[0] % extent[1]);
        thread->special[PTX_CTAID_X + 2] = (uint32_t)(index / extent[0] / extent[1]);
        ptx_thread_begin(thread, block, i);
    }
}

/* Mostly dozens of instructions, at times only a few: each instruction is followed by every other one at some time. */
static uint32_t slice_of(ptx_random *random)
{
    const uint32_t number = ptx_random_next(random);
    return 1 + (number >> 8) % ((number & 3) == 0 ? 4 : 128);
}

/* A turn for each lane, from a random one on. Some turns are left out. */
static bool visit_warp(grid *g, ptx_thread *lanes, uint32_t count)
{
    const uint32_t number = ptx_random_next(&g->random), from = (number >> 8) % count;
    bool any = false, stopped = false;
    for (uint32_t k = 0; k < count; ++k) {
        ptx_thread *thread = &lanes[from + k < count ? from + k : from + k - count];
        if (thread->state != PTX_RUNNING)
            continue;
        any = true;
        if ((number & 15) == 0 && (ptx_random_next(&g->random) & 1) == 0)
            continue;
        g->running = thread;
        ptx_thread_run(thread, slice_of(&g->random));
        stopped |= thread->state != PTX_RUNNING;
    }
    /* Where no lane began to wait, only patience can end: that need not be looked at in every turn. */
    const bool look = stopped || !any || (number & 0x30) == 0;
    return (look && ptx_warp_release(lanes, count)) || any;
}

/* At times a warp has one turn, mostly several: where all wait for a lock, most turns of the others would be in vain. */
static bool visit_block(grid *g, ptx_block *block)
{
    bool any = false;
    for (uint32_t first = 0; first < g->threads; first += PTX_LANES) {
        const uint32_t left = g->threads - first, number = ptx_random_next(&g->random);
        uint32_t turns = (number & 3) == 0 ? 1 : 1 + (number >> 8) % MOST_TURNS;
        bool ran;
        do {
            ran = visit_warp(g, &block->threads[first], left < PTX_LANES ? left : PTX_LANES);
            any |= ran;
        } while (ran && --turns > 0);
    }
    return block->live == 0 || ptx_barrier_release(block) || any;
}

static void describe_deadlock(const ptx_block *block, gpusim_fault *fault)
{
    uint32_t waiting[PTX_ENDED] = {0};
    const ptx_thread *last = NULL;
    for (uint32_t i = 0; i < block->count; ++i)
        if (block->threads[i].state != PTX_ENDED) {
            last = &block->threads[i];
            ++waiting[last->state];
        }
    fault->status = GPUSIM_GRID_DEADLOCK;
    snprintf(fault->text, sizeof(fault->text),
             "%s, line %u of the PTX: %u threads wait at a barrier and %u for lanes of their warps, that never come",
             block->kernel->name, last->at->line, waiting[PTX_BARRIER], waiting[PTX_MEETING]);
}

/* All blocks, as slots become free; until a fault. */
static void run_blocks(grid *g, gpusim_fault *fault)
{
    uint64_t ended = 0;
    while (ended < g->blocks && fault->status == GPUSIM_GRID_OK) {
        for (uint32_t slot = 0; slot < g->resident; ++slot) {
            ptx_block *block = &g->slots[slot];
            if (block->live == 0 && g->next < g->blocks)
                begin_block(g, slot);
            if (block->live == 0)
                continue;
            if (!visit_block(g, block) && fault->status == GPUSIM_GRID_OK)
                describe_deadlock(block, fault);
            ended += block->live == 0;
        }
        if (g->launch->cancel != NULL && __atomic_load_n(g->launch->cancel, __ATOMIC_ACQUIRE) != 0)
            fault->status = GPUSIM_GRID_CANCELLED;
    }
}

void ptx_grid_run(const gpusim_launch *launch, const ptx_program *program, const ptx_function *kernel,
                  const void *parameters, gpusim_fault *fault)
{
    grid g = {.launch = launch, .program = program, .kernel = kernel, .parameters = parameters};
    ptx_fault_exit out = {.fault = fault};
    ptx_random_begin(&g.random);
    g.blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    if (!prepare(&g)) {
        fault->status = GPUSIM_GRID_INVALID;
        snprintf(fault->text, sizeof(fault->text), "no memory for the threads of its blocks");
    } else {
        ptx_fault_begin(&out);
        const int how = sigsetjmp(out.escape.place, 0);
        if (how == 0)
            run_blocks(&g, fault);
        else if (how == 2)
            ptx_fault_signalled(g.running);
        ptx_fault_end();
    }
    free(g.slots);
    free(g.lanes);
    free(g.stacks);
    free(g.shared);
}
