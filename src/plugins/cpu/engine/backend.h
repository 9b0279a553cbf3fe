/* SPDX-License-Identifier: Apache-2.0 */
/* Backends: what all devices of one opening have in common. */
#ifndef ACCEL_CPU_BACKEND_H
#define ACCEL_CPU_BACKEND_H

#include "plugins/cpu/dispatch/executor.h"
#include "plugins/cpu/engine/host.h"
#include "plugins/cpu/engine/isa.h"
#include "plugins/support/reference.h"

#include <stdatomic.h>

struct accel_impl_backend {
    plugin_reference references;
    const cpu_executor *executor; /* makes those of the devices, or serves them itself */
    uint32_t opened;              /* the process's, for cpu_process_close */
    _Atomic uint32_t generation;  /* of forks, see fork.h */
    uint8_t mask[CPU_MASK_BYTES]; /* CPUs of the process */
    bool narrowed;                /* they became fewer with the last fork */
    cpu_settings settings;
    cpu_isa_words isa;
    uint32_t isa_level; /* what runs here: cpu_isa_native_level */
};

/* With one reference, or NULL and a text in host->error. *state says what a failure means. */
accel_status cpu_backend_make(const cpu_executor *, uint32_t *state, accel_impl_backend **);
void cpu_backend_retain(accel_impl_backend *);
void cpu_backend_release(accel_impl_backend *);
/* libaccel's handle goes. */
void cpu_backend_close(accel_impl_backend *);
/* In the child of a fork, before its CPUs are asked for. At any time. */
void cpu_backend_after_fork(accel_impl_backend *);

#endif
