/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/like.h"
#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/check/shared.h"

#include <stdio.h>
#include <string.h>

enum { KIB = 1024 };

/*
 * Published limits of a block and a grid. 0: not compared.
 * NVIDIA: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": maximum amount of shared memory per
 * thread block, z-dimension of a block, y- and z-dimension of a grid; and 48 KiB of static shared memory on all.
 * AMD: ROCm documentation, "AMD GPU specifications", column LDS; that of a work-group processor is two blocks' on RDNA.
 * Threads of a block: 1024 on all, which is the limit of a launch anyway.
 */
typedef struct limits {
    const char *target;
    size_t shared, fixed; /* bytes of a block in all, and of its static arrays */
    size_t depth;         /* threads of a block in z */
    size_t grid;          /* blocks in y and in z */
} limits;

#define NVIDIA(target, kib)                                                                                            \
    {                                                                                                                  \
        target, (kib)*KIB, 48 * KIB, 64, 65535                                                                         \
    }
#define AMD(target, kib)                                                                                               \
    {                                                                                                                  \
        target, (kib)*KIB, (kib)*KIB, 0, 0                                                                             \
    }

static const limits known[] = {
    NVIDIA("sm_50", 48),   NVIDIA("sm_52", 48),   NVIDIA("sm_53", 48),  NVIDIA("sm_60", 48),  NVIDIA("sm_61", 48),
    NVIDIA("sm_62", 48),   NVIDIA("sm_70", 96),   NVIDIA("sm_72", 96),  NVIDIA("sm_75", 64),  NVIDIA("sm_80", 163),
    NVIDIA("sm_86", 99),   NVIDIA("sm_87", 163),  NVIDIA("sm_89", 99),  NVIDIA("sm_90", 227), NVIDIA("sm_100", 227),
    NVIDIA("sm_103", 227), NVIDIA("sm_110", 227), NVIDIA("sm_120", 99), NVIDIA("sm_121", 99), AMD("gfx900", 64),
    AMD("gfx906", 64),     AMD("gfx908", 64),     AMD("gfx90a", 64),    AMD("gfx942", 64),    AMD("gfx950", 160),
    AMD("gfx1030", 64),    AMD("gfx1100", 64),    AMD("gfx1101", 64),   AMD("gfx1102", 64),   AMD("gfx1151", 64),
    AMD("gfx1200", 64),    AMD("gfx1201", 64),
};
enum { KNOWN = sizeof(known) / sizeof(known[0]) };

static const limits *chosen; /* NULL: none */

bool check_like_choose(const char *target)
{
    chosen = NULL;
    for (size_t i = 0; i < KNOWN && target != NULL && chosen == NULL; ++i)
        if (strcmp(known[i].target, target) == 0)
            chosen = &known[i];
    return target == NULL || chosen != NULL;
}

void check_like_list(char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < KNOWN && strlen(text) < size; ++i)
        snprintf(text + strlen(text), size - strlen(text), "%s%s", i != 0 ? ", " : "", known[i].target);
}

/* What a launch may have too much of. */
enum { STATIC, SHARED, DEPTH, HEIGHT, GRID_DEPTH, WHATS };

/* The line is that of the kernel's definition. Each limit has a place of its own: what has one place is told once. */
static const void *place_of(const accel_kernel_descriptor *kernel, size_t what)
{
    uintptr_t function = kernel->run_blocks != NULL ? (uintptr_t)kernel->run_blocks : (uintptr_t)kernel->run_thread;
    return (const void *)(function + 1 + what);
}

static void compare(const accel_kernel_descriptor *kernel, size_t what, size_t has, size_t may, const char *of)
{
    static char texts[WHATS][160]; /* until the report */
    if (may == 0 || has <= may)
        return;
    snprintf(texts[what], sizeof(texts[what]), "%zu %s; %s has %zu", has, of, chosen->target, may);
    check_finding_add(&(check_finding){
        .kind = CHECK_FINDING_LIMITS, .text = texts[what], .mine = {.place = place_of(kernel, what)}}); /* by nobody */
}

void check_like_judge(const cpu_launch *launch)
{
    if (chosen == NULL)
        return;
    const accel_launch_context *context = &launch->context;
    const accel_kernel_descriptor *kernel = launch->kernel;
    const size_t arrays = check_shared_used();
    compare(kernel, STATIC, arrays, chosen->fixed, "bytes of static shared memory in a block");
    compare(kernel, SHARED, arrays + launch->shared_total, chosen->shared, "bytes of shared memory in a block");
    compare(kernel, DEPTH, context->block_extent[2], chosen->depth, "threads of a block in z");
    compare(kernel, HEIGHT, context->grid_extent[1], chosen->grid, "blocks in y");
    compare(kernel, GRID_DEPTH, context->grid_extent[2], chosen->grid, "blocks in z");
}
