/* SPDX-License-Identifier: Apache-2.0 */
/* A variable that each access of a kernel needs. Without this the compiler takes its address from a table of the library's,
 * as if another library might replace it. */
#ifndef ACCEL_CPU_CHECK_HIDDEN_H
#define ACCEL_CPU_CHECK_HIDDEN_H

#define CHECK_HIDDEN __attribute__((visibility("hidden")))

#endif
