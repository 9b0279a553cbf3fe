/* SPDX-License-Identifier: Apache-2.0 */
/* An object as accelcc of a later libaccel makes it, which cpu-check has to refuse: linked with -z muldefs, so that this
 * table takes the place of the one that accelcc adds. */
#include <accel/kernel.h>
#include <accel/kernel/cpu/check_table.h>

#include "planted.h"

#if defined(ACCEL_TARGET_CHECK) /* the other targets have no such table */
extern __attribute__((visibility("default"))) accel_check_object accel_checked_object;
accel_check_object accel_checked_object = {.abi = ACCEL_CHECK_ABI + 1, .struct_size = sizeof(accel_check_object)};
#endif

ACCEL_KERNEL(right_elements, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.y[i] = args.x[i];
    }
}
