/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel object, written by hand from object.h as another language would. Part of a snapshot (snapshot.sh).
 */
#include <accel/object.h>

#include "arguments.h"

static void run_blocks(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    const version_args *a = (const version_args *)args;
    size_t blocks = launch->grid_extent[0];
    for (size_t block = first; block < first + count; ++block)
        for (size_t i = block * a->n / blocks; i < (block + 1) * a->n / blocks; ++i)
            a->y[i] += a->a * a->x[i];
}

extern const accel_descriptor accel_descriptor_version;
__attribute__((visibility("default"))) const accel_descriptor accel_descriptor_version = {
    .magic = ACCEL_OBJECT_MAGIC,
    .abi = ACCEL_OBJECT_ABI,
    .struct_size = sizeof(accel_descriptor),
    .form = ACCEL_FORM_BLOCK,
    .args_size = sizeof(version_args),
    .args_align = _Alignof(version_args),
    .grid_size = sizeof(accel_grid),
    .name = "version",
    .run_blocks = run_blocks,
};
