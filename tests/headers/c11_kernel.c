/* SPDX-License-Identifier: Apache-2.0 */
/* What kernel.h writes into a descriptor, in C11. */
float rsqrtf(float); /* as <math.h> of glibc 2.42 has them */
double rsqrt(double);
#include <accel/kernel.h>

typedef struct {
    size_t n;
    double *y;
} some_args;

ACCEL_KERNEL(any, some_args, args)
{
    const bool is_any = true;
    ACCEL_FOR_EACH(acc, i, args.n)
        args.y[i] = is_any;
}

ACCEL_KERNEL_BLOCK(one, some_args, args, 256)
{
    _Static_assert(sizeof(*accel_private_only_in_kernel_bodies) == 256, "as many private values as threads");
    ACCEL_THREADS(acc, t)
        args.y[t] = 0;
}

ACCEL_KERNEL_BLOCK(two, some_args, args, 8, 16)
{
    _Static_assert(sizeof(*accel_private_only_in_kernel_bodies) == 128, "as many private values as threads");
    ACCEL_THREADS_2D(acc, ty, tx)
        args.y[ty * 16 + tx] = 0;
}

ACCEL_THREAD_KERNEL_BLOCK(three, accel_no_args, args, 2, 4, 8)
{
    accel_sync_block(acc);
}

/* 1 if they do. */
extern int descriptors_say_what_was_written(void);
int descriptors_say_what_was_written(void)
{
    const accel_descriptor *d = &accel_descriptor_three;
    return accel_descriptor_any.form == ACCEL_FORM_BLOCK && accel_descriptor_any.block[0] == 0 &&
           accel_descriptor_one.block[0] == 256 && accel_descriptor_one.block[1] == 1 &&
           accel_descriptor_two.block[0] == 16 && accel_descriptor_two.block[1] == 8 &&
           accel_descriptor_two.block[2] == 1 && accel_descriptor_two.run_thread == NULL && d->block[0] == 8 &&
           d->block[1] == 4 && d->block[2] == 2 && d->flags == ACCEL_KERNEL_NO_ARGS && d->form == ACCEL_FORM_THREAD &&
           d->run_thread != NULL && d->run_blocks != NULL && d->args_size == 1;
}
