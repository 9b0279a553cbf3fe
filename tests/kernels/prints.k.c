/* SPDX-License-Identifier: Apache-2.0 */
/* What threads print. One dimension. */
#include <accel/kernel/print.h>
#include "prints.h"

/* Two lines of each thread, in order. */
ACCEL_KERNEL(print_in_region, prints_args, args)
{
    const size_t block = accel_block_index(acc).x;
    ACCEL_THREADS(acc, t)
        ACCEL_PRINTF(acc, "first %d of thread %zu in block %zu\n", args.from, t, block);
    ACCEL_THREADS(acc, t)
        ACCEL_PRINTF(acc, "second %d of thread %zu in block %zu\n", args.from, t, block);
}

ACCEL_KERNEL(print_in_loop, prints_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        ACCEL_PRINTF(acc, "element %zu\n", i);
}

/* 192 bytes of a GPU's buffer for a line. */
ACCEL_KERNEL(print_much, prints_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        const int k = args.from + (int)i;
        ACCEL_PRINTF(acc, "%d %d %d %d %d %d %d %d %d %d %d %d\n", k, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    }
}

ACCEL_FN void print_sum(const accel_thread_handle acc, int from)
{
    const int t = (int)accel_thread_index(acc).x;
    ACCEL_PRINTF(acc, "%d + %d = %d\n", from, t, from + t);
}

/* On a fiber's stack; others print in between. */
ACCEL_THREAD_KERNEL(print_in_thread, prints_args, args)
{
    ACCEL_PRINTF(acc, "before %zu %.3f\n", accel_global_index(acc).x, args.real);
    accel_sync_block(acc);
    print_sum(acc, args.from);
}

ACCEL_THREAD_KERNEL_NOSYNC(print_in_nosync, prints_args, args)
{
    print_sum(acc, args.from);
}

/* Every kind of value, and conversion. */
ACCEL_KERNEL(print_values, prints_args, args)
{
    ACCEL_ONCE(acc) {
        if (accel_block_index(acc).x == 0) {
            const unsigned char byte = 200;
            const short small = -3;
            const long long wide = -1234567890123456789;
            const unsigned long long widest = 18446744073709551615u;
            const float single = 0.25f;
            ACCEL_PRINTF(acc, "nothing but 100%%\n");
            ACCEL_PRINTF(acc, "%d %i %u %x %X %o %c|\n", -1, 7, 4000000000u, 0xbeefu, 0xbeefu, 8u, 'q');
            ACCEL_PRINTF(acc, "%hhu %hd %x %lld %llu %zu\n", byte, small, (unsigned)-1, wide, widest, (size_t)5);
            ACCEL_PRINTF(acc, "%5d|%-5d|%05d|%+d|%#x|%*d|%.3d|\n", 42, 42, 42, 42, 42u, 6, 42, 7);
            ACCEL_PRINTF(acc, "%f %e %g %.2f %10.4f|%a\n", args.real, args.real, (double)single, args.real, args.real,
                         1.0);
            ACCEL_PRINTF(acc, "%s, %8s|%-8s|%.2s\n", "text", "right", "left", "shortened");
            ACCEL_PRINTF(acc, "%p\n", (void *)0x1234abcd);
            ACCEL_PRINTF(acc, "%d %d %d %d %d %d %d %d %d %d %d %d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, args.from);
            ACCEL_PRINTF(acc, "no end, ");
            ACCEL_PRINTF(acc, "an end\n");
            ACCEL_PRINTF(acc, "%1500d\n", 1);
        }
    }
}
