/* SPDX-License-Identifier: Apache-2.0 */
/* object.h stands alone in C++17. */
#include <accel/object.h>

static_assert(sizeof(accel_descriptor) == 72 && sizeof(accel_grid) == 136, "as in C");

extern "C" const accel_descriptor accel_descriptor_by_hand;

static void run(const accel_launch_context *, const void *, size_t, size_t)
{
}

const accel_descriptor accel_descriptor_by_hand = {ACCEL_OBJECT_MAGIC,
                                                   ACCEL_OBJECT_ABI,
                                                   sizeof(accel_descriptor),
                                                   ACCEL_FORM_BLOCK,
                                                   ACCEL_KERNEL_NO_ARGS,
                                                   sizeof(accel_no_args),
                                                   1,
                                                   {0, 0, 0},
                                                   0,
                                                   sizeof(accel_grid),
                                                   "by_hand",
                                                   run,
                                                   nullptr};
