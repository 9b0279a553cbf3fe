/* SPDX-License-Identifier: Apache-2.0 */
/* object.h stands alone in C11, and its layout is the one that other languages rely on. */
#include <accel/object.h>

_Static_assert(sizeof(accel_grid) == 136, "accel_grid is passed to GPU kernels by value");
_Static_assert(offsetof(accel_grid, dims) == 4, "layout");
_Static_assert(offsetof(accel_grid, blocks) == 8, "layout");
_Static_assert(offsetof(accel_grid, threads) == 32, "layout");
_Static_assert(offsetof(accel_grid, elems) == 56, "layout");
_Static_assert(offsetof(accel_grid, locks) == 104, "layout");
_Static_assert(offsetof(accel_grid, lock_mask) == 112, "layout");
_Static_assert(offsetof(accel_descriptor, args_size) == 20, "layout");
_Static_assert(offsetof(accel_descriptor, block) == 28, "layout");
_Static_assert(offsetof(accel_descriptor, name) == 48, "layout");
_Static_assert(sizeof(accel_descriptor) == 72, "layout");

extern const accel_descriptor accel_descriptor_by_hand;

static void run(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    (void)launch;
    (void)args;
    (void)first;
    (void)count;
}

const accel_descriptor accel_descriptor_by_hand = {
    .magic = ACCEL_OBJECT_MAGIC,
    .abi = ACCEL_OBJECT_ABI,
    .struct_size = sizeof(accel_descriptor),
    .form = ACCEL_FORM_BLOCK,
    .flags = ACCEL_KERNEL_NO_ARGS,
    .args_size = sizeof(accel_no_args),
    .args_align = 1,
    .grid_size = sizeof(accel_grid),
    .name = "by_hand",
    .run_blocks = run,
};
