/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/transfer/copy.h"

#include <string.h>

typedef struct copy_job {
    cpu_transfer transfer;
    unsigned char *dst;
    const unsigned char *src;
} copy_job;

static void copy_span(const void *user, const size_t at[2], size_t bytes)
{
    const copy_job *job = user;
    cpu_bytes_copy(job->dst + at[0], job->src + at[1], bytes, job->transfer.past_caches);
}

static void run_blocks(const accel_launch_context *context, const void *args, size_t first, size_t count)
{
    (void)context;
    const copy_job *job = args;
    cpu_chunks_walk(&job->transfer.chunks, job->transfer.pitch, first, count, copy_span, job);
}

static const accel_descriptor kernel = CPU_TRANSFER_KERNEL("copy", copy_job, run_blocks);

void cpu_copy(const cpu_transfer_site *site, const accel_copy_params *params)
{
    if (params->dims == 1 && params->extent[0] <= CPU_TRANSFER_INLINE) {
        memcpy(params->dst, params->src, params->extent[0]);
        cpu_transfer_done(site, params->dst, params->dst_pitch, params->src, params->src_pitch, params->dims,
                          params->extent);
        return;
    }
    copy_job job = {.dst = params->dst, .src = params->src};
    job.transfer.chunks = cpu_chunks_of(params->dims, params->extent, CPU_TRANSFER_CHUNK, CPU_TRANSFER_UNIT);
    job.transfer.pitch[0] = params->dst_pitch;
    job.transfer.pitch[1] = params->src_pitch;
    /* Both sides take space in the caches. */
    cpu_transfer_run(site, &job.transfer, CPU_COPY, &kernel, &job);
    cpu_transfer_done(site, params->dst, params->dst_pitch, params->src, params->src_pitch, params->dims,
                      params->extent);
}
