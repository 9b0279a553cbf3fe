/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels for tests: the text around a body, and a launch of it. */
#ifndef PTX_CHECK_RIG_H
#define PTX_CHECK_RIG_H

#include "kernel/grid.h"

#include <check.h>

/*
 * A kernel of one parameter, %out, where its threads may use the registers %r0 to %r9 (32 bits), %rd0 to %rd9 (64 bits),
 * %f0 to %f9, %d0 to %d9, %h0 to %h9 (16 bits) and %p0 to %p9. %mine is %out plus 8 times the thread's number in the
 * block. `before` is text of the module in front of it.
 */
gpusim_image *rig_image(const char *before, const char *body);

typedef struct rig_launch {
    uint32_t blocks, threads; /* 0: 1 */
    uint32_t dynamic_shared;
    bool cooperative;
} rig_launch;

/* Loads, runs and unloads it. */
gpusim_grid_status rig_try(const char *body, rig_launch, uint64_t *out, gpusim_fault *);
/* It must succeed. */
void rig_run(const char *body, rig_launch, uint64_t *out);
/* Of one thread, which stores the result, a register, by st.global.TYPE. */
uint64_t rig_result(const char *type, const char *result, const char *body);

TCase *arithmetic_tests(void);
TCase *fault_tests(void);
TCase *text_tests(void);
TCase *thread_tests(void);

#endif
