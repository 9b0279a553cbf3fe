/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/share.h"
#include "plugins/cpu/check/common/divisor.h"

#include <stdint.h>
#include <string.h>

enum { KERNELS = 1024 };

static uint64_t one_of = 1, step;
/* Pairs of blocks that kernels have had, by a number made of their names, which is the same in each run. Kernels whose numbers
 * are equal count together. */
static uint64_t had[KERNELS];
static uint64_t first; /* pair of the launch */

void check_share_choose(size_t number)
{
    one_of = number;
    step = one_of - one_of / 3;
    while (check_common_divisor(step, one_of) != 1)
        step++;
    memset(had, 0, sizeof(had));
    first = 0;
}

/* FNV-1a. */
static size_t number_of(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name != '\0'; ++name)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash % KERNELS;
}

void check_share_launch(const accel_descriptor *kernel, size_t blocks)
{
    uint64_t *counted = &had[number_of(kernel->name)];
    first = *counted;
    *counted += blocks / 2 + blocks % 2;
}

/* Of each `one_of` pairs one, and of the next so many another: launches of equal length would else have the same ones. */
bool check_share_has(size_t block)
{
    const uint64_t pair = first + block / 2;
    return pair % one_of == pair / one_of % one_of * step % one_of;
}
