/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU engine with libaccel's own host services, without a plugin file: for tests of its parts. */
#ifndef CPU_ENGINE_TEST_H
#define CPU_ENGINE_TEST_H

#include "plugins/cpu/engine/engine.h"
#include "plugins/cpu/serial/serial.h"
#include "run.h"

typedef struct cpu_engine {
    accel_open_result plugin;
    accel_impl_device *device;
} cpu_engine;

cpu_engine cpu_engine_open(const cpu_executor *);
void cpu_engine_close(cpu_engine *);
accel_impl_queue *cpu_engine_queue(cpu_engine *, uint32_t flags);

/* A kernel of this program instead of an object's. */
accel_impl_kernel cpu_engine_kernel(cpu_engine *, accel_descriptor *);
accel_descriptor cpu_block_kernel(accel_blocks_function, size_t args_size, size_t args_align);
accel_descriptor cpu_thread_kernel(accel_thread_function, size_t args_size, size_t args_align);

#endif
