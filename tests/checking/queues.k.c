/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that are right alone. queues.c launches them on several queues, host.c beside work of the host. */
#include <accel/kernel.h>
#include "planted.h"

ACCEL_KERNEL(queue_write, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.y[i] = (float)i; /* queue_write: here */
    }
}

/* Two elements as one value. */
ACCEL_KERNEL(queue_pairs, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n / 2) {
        ((double *)(void *)args.y)[i] = 0; /* queue_pairs: here */
    }
}

ACCEL_KERNEL(queue_read, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.x[i] = args.y[i]; /* queue_read: here */
    }
}

ACCEL_KERNEL(host_double, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.y[i] = 2 * args.x[i]; /* host_double: here */
    }
}

ACCEL_THREAD_KERNEL_NOSYNC(queue_thread, planted_args, args)
{
    const size_t i = accel_global_index(acc).x;
    if (i < args.n)
        args.y[i] = 1; /* queue_thread: here */
}

ACCEL_KERNEL(queue_count, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        accel_atomic_add(acc, &args.c[i % 64], 1u); /* queue_count: here */
    }
}
