/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SETTLE_H
#define BENCH_SETTLE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Waits until no thread of these processes, but for the caller, has run for two milliseconds: threads that poll for
 * work occupy CPUs that the next measurement needs. Gives up after a quarter of a second and returns false. */
bool settle(const pid_t *processes, size_t count);

#endif
