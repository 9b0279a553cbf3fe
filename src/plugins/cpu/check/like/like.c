/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/like/like.h"
#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/check/like/registers.h"
#include "plugins/cpu/check/shared/shared.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { KIB = 1024 };

/*
 * Published limits of a block and a grid. 0: not compared.
 * NVIDIA: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": maximum amount of shared memory per
 * thread block, z-dimension of a block, y- and z-dimension of a grid, registers of a multiprocessor; and 48 KiB of static
 * shared memory on all. They are given to warps in units of 256.
 * AMD: ROCm documentation, "AMD GPU specifications", columns LDS and VGPR file; that of a work-group processor is two blocks'
 * on RDNA. Units are those of LLVM's "User Guide for AMDGPU Backend".
 * Threads of a block: 1024 on all, which is the limit of a launch anyway.
 */
typedef struct limits {
    const char *target;
    size_t shared, fixed; /* bytes of a block in all, and of its static arrays */
    size_t depth;         /* threads of a block in z */
    size_t grid;          /* blocks in y and in z */
    uint64_t lanes;       /* of a warp */
    uint64_t registers;   /* for a lane of all warps of one of a multiprocessor's SCHEDULERS */
    uint64_t unit;        /* registers of a lane are a multiple of this */
} limits;

/* Of a multiprocessor, compute unit or work-group processor: each has registers of its own, and every fourth warp. */
enum { SCHEDULERS = 4 };

/* Registers of 32 bits, in KiB: 64 are 512 for each lane of each scheduler. */
#define NVIDIA(target, kib, registers)                                                                                 \
    {                                                                                                                  \
        target, (kib)*KIB, 48 * KIB, 64, 65535, 32, (registers) / SCHEDULERS *KIB / 32, 8                              \
    }
#define AMD(target, kib, lanes, registers, unit)                                                                       \
    {                                                                                                                  \
        target, (kib)*KIB, (kib)*KIB, 0, 0, lanes, registers, unit                                                     \
    }

static const limits known[] = {
    NVIDIA("sm_50", 48, 64),          NVIDIA("sm_52", 48, 64),          NVIDIA("sm_53", 48, 32),
    NVIDIA("sm_60", 48, 64),          NVIDIA("sm_61", 48, 64),          NVIDIA("sm_62", 48, 32),
    NVIDIA("sm_70", 96, 64),          NVIDIA("sm_72", 96, 64),          NVIDIA("sm_75", 64, 64),
    NVIDIA("sm_80", 163, 64),         NVIDIA("sm_86", 99, 64),          NVIDIA("sm_87", 163, 64),
    NVIDIA("sm_89", 99, 64),          NVIDIA("sm_90", 227, 64),         NVIDIA("sm_100", 227, 64),
    NVIDIA("sm_103", 227, 64),        NVIDIA("sm_110", 227, 64),        NVIDIA("sm_120", 99, 64),
    NVIDIA("sm_121", 99, 64),         AMD("gfx900", 64, 64, 256, 4),    AMD("gfx906", 64, 64, 256, 4),
    AMD("gfx908", 64, 64, 256, 4),    AMD("gfx90a", 64, 64, 512, 8),    AMD("gfx942", 64, 64, 512, 8),
    AMD("gfx950", 160, 64, 512, 8),   AMD("gfx1030", 64, 32, 1024, 16), AMD("gfx1100", 64, 32, 1536, 24),
    AMD("gfx1101", 64, 32, 1536, 24), AMD("gfx1102", 64, 32, 1024, 16), AMD("gfx1151", 64, 32, 1536, 24),
    AMD("gfx1200", 64, 32, 1536, 24), AMD("gfx1201", 64, 32, 1536, 24),
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
enum { STATIC, SHARED, DEPTH, HEIGHT, GRID_DEPTH, REGISTERS, WHATS };

/* The line is that of the kernel's definition. Each limit has a place of its own: what has one place is told once. */
static const void *place_of(const accel_descriptor *kernel, size_t what)
{
    uintptr_t function =
        kernel->form == ACCEL_FORM_THREAD ? (uintptr_t)kernel->run_thread : (uintptr_t)kernel->run_blocks;
    return (const void *)(function + 1 + what);
}

static char texts[WHATS][160]; /* until the report */

/* Libaccel's own kernels divide otherwise on GPUs. */
static bool is_own(const accel_descriptor *kernel)
{
    Dl_info info;
    const void *place = place_of(kernel, 0);
    const char *file = check_shared_file(place);
    if (file == NULL)
        file = dladdr(place, &info) != 0 ? info.dli_fname : "";
    const char *slash = strrchr(file, '/');
    return strncmp(slash != NULL ? slash + 1 : file, "accel-algorithms.", strlen("accel-algorithms.")) == 0;
}

static void add(const accel_descriptor *kernel, size_t what)
{
    if (is_own(kernel))
        return;
    check_finding_add(&(check_finding){
        .kind = CHECK_FINDING_LIMITS, .text = texts[what], .mine = {.place = place_of(kernel, what)}}); /* by nobody */
}

static void compare(const accel_descriptor *kernel, size_t what, size_t has, size_t may, const char *of)
{
    if (may == 0 || has <= may)
        return;
    snprintf(texts[what], sizeof(texts[what]), "%zu %s; %s has %zu", has, of, chosen->target, may);
    add(kernel, what);
}

/* Threads of a block that have so many registers. */
static uint64_t threads_with(const check_registers *registers)
{
    const uint64_t lanes = registers->lanes != 0 ? registers->lanes : chosen->lanes;
    const uint64_t wider = lanes > chosen->lanes ? lanes / chosen->lanes : 1; /* warps of 64 lanes on RDNA */
    const uint64_t unit = chosen->unit / wider, taken = (registers->each + unit - 1) / unit * unit;
    return taken != 0 ? SCHEDULERS * (chosen->registers / wider / taken) * lanes : UINT64_MAX;
}

static void compare_registers(const accel_descriptor *kernel, const size_t extent[3])
{
    check_registers registers;
    if (!check_registers_of(kernel, chosen->target, &registers))
        return;
    const uint64_t most = threads_with(&registers);
    if (extent[0] * extent[1] * extent[2] <= most)
        return;
    snprintf(texts[REGISTERS], sizeof(texts[REGISTERS]),
             "%llu registers for each of %zu x %zu x %zu threads of a block; %s has them for %llu",
             (unsigned long long)registers.each, extent[0], extent[1], extent[2], chosen->target,
             (unsigned long long)most);
    add(kernel, REGISTERS);
}

void check_like_object(const accel_image *image, void *handle)
{
    if (chosen != NULL)
        check_registers_object(image, handle, chosen->target);
}

void check_like_judge(const cpu_launch *launch)
{
    if (chosen == NULL)
        return;
    const accel_launch_context *context = &launch->context;
    const accel_descriptor *kernel = launch->kernel;
    const size_t arrays = check_shared_used();
    compare(kernel, STATIC, arrays, chosen->fixed, "bytes of static shared memory in a block");
    compare(kernel, SHARED, arrays + launch->shared_total, chosen->shared, "bytes of shared memory in a block");
    compare(kernel, DEPTH, context->block_extent[2], chosen->depth, "threads of a block in z");
    compare(kernel, HEIGHT, context->grid_extent[1], chosen->grid, "blocks in y");
    compare(kernel, GRID_DEPTH, context->grid_extent[2], chosen->grid, "blocks in z");
    compare_registers(kernel, context->block_extent);
}
