/* SPDX-License-Identifier: Apache-2.0 */
#include "n_step.h"

#include "reduction.h"

static size_t blocks_for(const n_step *s, size_t n)
{
    const size_t each = STEP_THREADS * s->elements;
    return n / each + (n % each != 0);
}

accel_status n_step_create(accel_queue *queue, accel_kernel *kernel, size_t elements, size_t n, n_step *s)
{
    *s = (n_step){.queue = queue, .kernel = kernel, .elements = elements};
    for (int i = 0; i < 2; ++i) {
        n = blocks_for(s, n);
        const accel_buffer_desc desc = accel_buffer_1d(sizeof(double), n);
        const accel_status status = accel_buffer_create(accel_queue_device(queue), &desc, &s->sums[i]);
        if (status != ACCEL_OK) {
            n_step_release(s);
            return status;
        }
    }
    return ACCEL_OK;
}

void n_step_release(n_step *s)
{
    for (int i = 0; i < 2; ++i)
        accel_buffer_release(s->sums[i]);
    *s = (n_step){0};
}

accel_status n_step_sum(const n_step *s, size_t n, const double *x, double *result, unsigned *launches)
{
    *launches = 0;
    for (;;) {
        const size_t blocks = blocks_for(s, n);
        const accel_work work = accel_work_1d(blocks, STEP_THREADS, s->elements);
        const step_args args = {n, x, blocks == 1 ? result : accel_buffer_ptr(s->sums[*launches % 2])};
        const accel_status status = accel_launch(s->queue, s->kernel, &work, &args, sizeof args);
        if (status != ACCEL_OK)
            return status;
        ++*launches;
        if (blocks == 1)
            return ACCEL_OK;
        x = args.sum;
        n = blocks;
    }
}
