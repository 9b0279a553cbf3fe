/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu_engine.h"
#include "plugins/cpu/engine/module.h"
#include "core/plugins/services.h"

cpu_engine cpu_engine_open(const cpu_executor *executor)
{
    cpu_engine engine = {.plugin = {.struct_size = sizeof(accel_open_result)}};

    ck_assert_uint_eq(cpu_backend_open(executor, &accel_services, &engine.plugin), ACCEL_OK);
    ck_assert_uint_eq(engine.plugin.backend_vtable->device_count(engine.plugin.backend), 1);
    ck_assert_uint_eq(engine.plugin.backend_vtable->device_open(engine.plugin.backend, 0, &engine.device), ACCEL_OK);
    return engine;
}

void cpu_engine_close(cpu_engine *engine)
{
    engine->plugin.device_vtable->close(engine->device);
    engine->plugin.backend_vtable->close(engine->plugin.backend);
}

accel_impl_queue *cpu_engine_queue(cpu_engine *engine, uint32_t flags)
{
    accel_impl_queue *queue = NULL;

    ck_assert_uint_eq(engine->plugin.device_vtable->queue_create(engine->device, flags, 0, &queue), ACCEL_OK);
    return queue;
}

accel_impl_kernel cpu_engine_kernel(cpu_engine *engine, accel_descriptor *descriptor)
{
    return (accel_impl_kernel){.descriptor = descriptor, .device = engine->device};
}

static accel_descriptor kernel(uint32_t form, size_t args_size, size_t args_align)
{
    return (accel_descriptor){.magic = ACCEL_OBJECT_MAGIC,
                              .abi = ACCEL_OBJECT_ABI,
                              .struct_size = sizeof(accel_descriptor),
                              .form = form,
                              .args_size = (uint32_t)args_size,
                              .args_align = (uint32_t)args_align,
                              .grid_size = sizeof(accel_grid),
                              .name = "test"};
}

accel_descriptor cpu_block_kernel(accel_blocks_function run, size_t args_size, size_t args_align)
{
    accel_descriptor descriptor = kernel(ACCEL_FORM_BLOCK, args_size, args_align);

    descriptor.run_blocks = run;
    return descriptor;
}

accel_descriptor cpu_thread_kernel(accel_thread_function run, size_t args_size, size_t args_align)
{
    accel_descriptor descriptor = kernel(ACCEL_FORM_THREAD, args_size, args_align);

    descriptor.run_thread = run;
    return descriptor;
}
