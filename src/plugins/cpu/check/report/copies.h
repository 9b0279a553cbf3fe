/* SPDX-License-Identifier: Apache-2.0 */
/* One access of the source may be several in the code: in both versions of a kernel, and in the light one also where the compiler
 * has unrolled a loop. Under the lock of check.c. */
#ifndef ACCEL_CPU_CHECK_COPIES_H
#define ACCEL_CPU_CHECK_COPIES_H

/* Findings of the launch that have one line become one, if the light version has any. */
void check_copies_unite(void);

#endif
