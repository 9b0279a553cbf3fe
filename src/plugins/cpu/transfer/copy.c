/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/transfer/copy.h"

#include <string.h>

typedef struct copy_job {
    cpu_transfer transfer;
    unsigned char *dst;
    const unsigned char *src;
} copy_job;

static void copy_spans(const void *user, const cpu_spans *spans)
{
    const copy_job *job = user;
    unsigned char *dst = job->dst + spans->at[0];
    const unsigned char *src = job->src + spans->at[1];
    /* None of the next span's rows is asked for: another thread may have them. */
    const size_t ahead = job->transfer.ahead, asking = ahead != 0 && ahead < spans->rows ? spans->rows - ahead : 0;
    for (size_t row = 0; row < spans->rows; ++row, dst += spans->step[0], src += spans->step[1]) {
        if (row < asking) {
            cpu_bytes_ask(src + ahead * spans->step[1], spans->bytes);
            cpu_bytes_ask(dst + ahead * spans->step[0], spans->bytes);
        }
        cpu_bytes_copy(dst, src, spans->bytes, job->transfer.past_caches);
    }
}

static void run_blocks(const accel_launch_context *context, const void *args, size_t first, size_t count)
{
    (void)context;
    const copy_job *job = args;
    cpu_chunks_walk(&job->transfer.chunks, job->transfer.pitch, first, count, copy_spans, job);
    if (job->transfer.past_caches)
        cpu_bytes_arrive();
}

static const accel_descriptor kernel = CPU_TRANSFER_KERNEL("copy", copy_job, run_blocks);

void cpu_copy(const cpu_transfer_site *site, const accel_copy_params *params)
{
    if (params->dims == 1 && cpu_transfer_is_small(site, params->extent[0])) {
        memcpy(params->dst, params->src, params->extent[0]);
        cpu_transfer_done(site, params->dst, params->dst_pitch, params->src, params->src_pitch, params->dims,
                          params->extent);
        return;
    }
    copy_job job = {.dst = params->dst, .src = params->src};
    job.transfer.chunks = cpu_transfer_chunks(params->dims, params->extent, CPU_TRANSFER_UNIT);
    job.transfer.pitch[0] = params->dst_pitch;
    job.transfer.pitch[1] = params->src_pitch;
    /* Both sides take space in the caches. */
    cpu_transfer_run(site, &job.transfer, CPU_COPY, &kernel, &job);
    cpu_transfer_done(site, params->dst, params->dst_pitch, params->src, params->src_pitch, params->dims,
                      params->extent);
}
