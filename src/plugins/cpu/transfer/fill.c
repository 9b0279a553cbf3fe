/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/transfer/copy.h"

typedef struct fill_job {
    cpu_transfer transfer;
    unsigned char *dst;
    cpu_pattern pattern;
} fill_job;

static void fill_spans(const void *user, const cpu_spans *spans)
{
    const fill_job *job = user;
    cpu_bytes_fill(job->dst + spans->at[0], spans->step[0], spans->rows, &job->pattern, spans->bytes,
                   job->transfer.past_caches);
}

static void run_blocks(const accel_launch_context *context, const void *args, size_t first, size_t count)
{
    (void)context;
    const fill_job *job = args;
    cpu_chunks_walk(&job->transfer.chunks, job->transfer.pitch, first, count, fill_spans, job);
    if (job->transfer.past_caches)
        cpu_bytes_arrive();
}

static const accel_descriptor kernel = CPU_TRANSFER_KERNEL("fill", fill_job, run_blocks);

void cpu_fill(const cpu_transfer_site *site, const accel_fill_params *params, const void *pattern)
{
    const cpu_pattern made = cpu_pattern_of(pattern, params->pattern_size);
    if (params->dims == 1 && cpu_transfer_is_small(site, params->extent[0])) {
        cpu_bytes_fill(params->dst, 0, 1, &made, params->extent[0], false);
        cpu_transfer_done(site, params->dst, params->pitch, NULL, NULL, params->dims, params->extent);
        return;
    }
    fill_job job = {.dst = params->dst, .pattern = made};
    /* A pattern begins where a row is cut. */
    size_t unit = CPU_TRANSFER_UNIT % job.pattern.size == 0 ? CPU_TRANSFER_UNIT : job.pattern.size;
    job.transfer.chunks = cpu_transfer_chunks(params->dims, params->extent, unit);
    job.transfer.pitch[0] = params->pitch;
    /* To keep written lines costs the caches less than to keep read ones, so they pay for larger regions. */
    cpu_transfer_run(site, &job.transfer, made.is_word && made.word == 0 ? CPU_CLEAR : CPU_FILL, &kernel, &job);
    cpu_transfer_done(site, params->dst, params->pitch, NULL, NULL, params->dims, params->extent);
}
