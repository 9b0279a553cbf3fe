/* SPDX-License-Identifier: Apache-2.0 */
/* What copies and fills have in common: chunks, and the executor that runs them. */
#ifndef ACCEL_CPU_TRANSFER_H
#define ACCEL_CPU_TRANSFER_H

#include "plugins/cpu/dispatch/division.h"
#include "plugins/cpu/dispatch/executor.h"
#include "plugins/cpu/engine/device.h"
#include "plugins/cpu/transfer/bytes.h"
#include "plugins/cpu/transfer/chunks.h"

/* What executes a copy or fill. */
typedef struct cpu_transfer_site {
    const cpu_executor *executor;
    cpu_scratch *scratch; /* the calling thread's */
    const cpu_settings *settings;
    accel_impl_device *device; /* whose caches count; small transfers never ask */
} cpu_transfer_site;

enum {
    CPU_TRANSFER_CHUNK = 32 << 10, /* bytes that are not divided: they take less than a dispatch */
    /* Bytes that one thread has finished before another one has taken half of them, even from memory. */
    CPU_TRANSFER_INLINE = 48 << 10,
    CPU_TRANSFER_ALONE = 96 << 10, /* that are not worth chunks where there is no other thread */
    CPU_TRANSFER_UNIT = 64         /* where rows may be cut: a line */
};

/* Each learns its own routes. Zeros past the caches are three times as fast as other numbers on Zen 4. */
typedef enum cpu_transfer_kind { CPU_FILL, CPU_COPY, CPU_CLEAR /* a fill by 0 */ } cpu_transfer_kind;

typedef struct cpu_transfer {
    cpu_chunks chunks;
    const size_t *pitch[2]; /* of dst, and of src or NULL */
    /* cpu_transfer_run decides. ahead: rows by which a copy asks for rows in advance, 0 if it does not. Processors fetch what follows
     * within a row by themselves, not the next row. */
    bool past_caches;
    size_t ahead;
} cpu_transfer;

/* A block of this kernel is a chunk; its arguments are the job, which begins with a cpu_transfer. */
#define CPU_TRANSFER_KERNEL(kernel_name, job_type, function)                                                           \
    {                                                                                                                  \
        .magic = ACCEL_OBJECT_MAGIC, .abi = ACCEL_OBJECT_ABI, .struct_size = sizeof(accel_descriptor),                 \
        .form = ACCEL_FORM_BLOCK, .args_size = sizeof(job_type), .args_align = _Alignof(job_type),                     \
        .grid_size = sizeof(accel_grid), .name = kernel_name, .run_blocks = function                                   \
    }

/* Are so many bytes done by the calling thread at once? */
static inline bool cpu_transfer_is_small(const cpu_transfer_site *site, size_t bytes)
{
    return bytes <= CPU_TRANSFER_INLINE ||
           (bytes <= CPU_TRANSFER_ALONE && site->executor->compute_units(site->executor) == 1);
}

/* A copy is done; src NULL: a fill. For whoever watches. */
static inline void cpu_transfer_done(const cpu_transfer_site *site, void *dst, const size_t *dst_pitch, const void *src,
                                     const size_t *src_pitch, uint32_t dims, const size_t *extent)
{
    if (__builtin_expect(site->executor->observer != NULL, 0))
        site->executor->observer->transferred(site->scratch, dst, dst_pitch, src, src_pitch, dims, extent);
}

/* Chunks of about CPU_TRANSFER_CHUNK bytes. A row is cut at multiples of `unit`. */
cpu_chunks cpu_transfer_chunks(uint32_t dims, const size_t extent[], size_t unit);

void cpu_transfer_run(const cpu_transfer_site *, cpu_transfer *, cpu_transfer_kind, const accel_descriptor *,
                      const void *job);

#endif
