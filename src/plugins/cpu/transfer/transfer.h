/* SPDX-License-Identifier: Apache-2.0 */
/* What copies and fills have in common: pieces, and who does them. */
#ifndef ACCEL_CPU_TRANSFER_H
#define ACCEL_CPU_TRANSFER_H

#include "plugins/cpu/dispatch/division.h"
#include "plugins/cpu/dispatch/executor.h"
#include "plugins/cpu/transfer/bytes.h"
#include "plugins/cpu/transfer/pieces.h"

/* Who does it. */
typedef struct cpu_transfer_site {
    const cpu_executor *executor;
    cpu_scratch *scratch; /* the calling thread's */
    const cpu_settings *settings;
    cpu_caches caches; /* of the device */
} cpu_transfer_site;

enum {
    CPU_TRANSFER_PIECE = 32 << 10, /* bytes that are not divided: they take less than a hand-out */
    CPU_TRANSFER_UNIT = 64         /* where rows may be cut: a line */
};

typedef struct cpu_transfer {
    cpu_pieces pieces;
    const size_t *pitch[2]; /* of dst, and of src or NULL */
    bool past_caches;       /* cpu_transfer_run decides */
} cpu_transfer;

/* A block of this kernel is a piece; its arguments are the job, which begins with a cpu_transfer. */
#define CPU_TRANSFER_KERNEL(kernel_name, job_type, function)                                                           \
    {                                                                                                                  \
        .magic = ACCEL_OBJECT_MAGIC, .abi = ACCEL_OBJECT_ABI, .struct_size = sizeof(accel_kernel_descriptor),          \
        .form = ACCEL_FORM_BLOCK, .args_size = sizeof(job_type), .args_align = _Alignof(job_type),                     \
        .grid_size = sizeof(accel_grid), .name = kernel_name, .run_blocks = function                                   \
    }

/* `sides`: regions that take part, of which each wants its place in the caches. */
void cpu_transfer_run(const cpu_transfer_site *, cpu_transfer *, size_t sides, const accel_kernel_descriptor *,
                      const void *job);

#endif
