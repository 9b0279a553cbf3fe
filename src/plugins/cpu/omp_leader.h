/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GNU's runtime keeps a team's threads by the thread that led it. In the child of a fork they do not exist, and the thread
 * that forked, were it to lead a team again, would wait for them for ever. There it asks another thread to lead.
 */
#ifndef ACCEL_CPU_OMP_LEADER_H
#define ACCEL_CPU_OMP_LEADER_H

#include "process.h"

#include <stdbool.h>
#include <stdint.h>

/* Is the calling thread the one that forked? Only asked in the child of a fork. */
bool cpu_omp_leader_needed(void);
/* Runs call(data) on the other thread and waits; false, and nothing was run: it could not be started. By the thread that
 * forked only, so by one at a time. */
bool cpu_omp_leader_call(void (*call)(void *data), void *data, const uint8_t mask[CPU_MASK_BYTES]);

#endif
