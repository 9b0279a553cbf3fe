/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of the GPU engine's queues and launches have at hand: a device of the fake driver with a kernel. */
#ifndef GPU_LAUNCHING_H
#define GPU_LAUNCHING_H

#include "gpu_fake.h"
#include "core/plugins/services.h"

static gpu_fake fake;
static accel_impl_kernel *kernel;
static accel_impl_module *module;
static uint64_t args;

static inline void open_fake(void)
{
    gpu_fake_launches = 0;
    gpu_fake_launch_result = 0;
    fake = gpu_fake_open();
    module = gpu_fake_module(&fake, 0, &kernel);
}

static inline void close_fake(void)
{
    gpu_module_vtable.unload(module);
    gpu_fake_close(&fake);
}

static inline accel_status launch(accel_impl_queue *queue)
{
    const accel_work work = gpu_fake_work();
    return gpu_queue_vtable.launch(queue, kernel, &work, &args);
}

#define OK(call) ck_assert_msg((call) == ACCEL_OK, "%s: %s", #call, accel_error_message())
#define FAILS(status, call)                                                                                            \
    do {                                                                                                               \
        accel_status got_ = (call);                                                                                    \
        ck_assert_msg(got_ == (status), "%s gave %s", #call, accel_status_name(got_));                                 \
    } while (0)

static inline accel_timeline *timeline_new(void)
{
    accel_timeline *timeline = NULL;
    OK(accel_services.timeline_create(&timeline));
    return timeline;
}

#endif
